// Cuts the power after every single storage operation of each scenario, starts again on what is left, and checks that every file is the
// old one or the new one, whole, and that the controller boots and answers.
// Usage: node tools/power-cut.mjs [--every N] [--grep TEXT]   (N: only each N-th operation, for a quick look)
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { Controller, sleep } from "./power-cut/controller.mjs";
import { SCENARIOS } from "./power-cut/scenarios.mjs";

/** @typedef {import("./power-cut/scenarios.mjs").Scenario} Scenario @typedef {import("./power-cut/scenarios.mjs").Files} Files */

const PROGRAM = process.env.OPENCOUPLING_HOST ?? fileURLToPath(new URL("../build/host/opencoupling", import.meta.url));
const POWER_CUT_CODE = 9;
/** Longer than a change waits for its write, and than lines wait for the log. */
const QUIET_MS = 2300;
/** A run that was not cut by then made fewer operations than the first one. */
const CUT_TIMEOUT_MS = 8000;
/** Scenarios that run at once; mostly they wait for a write to fall due. */
const SIDE_BY_SIDE = 6;

/** Content of all files below a folder, by path. @param {string} flash */
function snapshot(flash) {
	/** @type {Record<string, string>} */
	const files = {};
	/** @param {string} folder */
	const walk = (folder) => {
		for (const name of readdirSync(folder)) {
			const path = join(folder, name);
			if (statSync(path).isDirectory()) walk(path);
			else files[relative(flash, path)] = readFileSync(path, "utf8");
		}
	};
	walk(flash);
	return files;
}

/** @param {string} path */
const isLog = (path) => path.startsWith("logs/");

/**
 * What is wrong with the files that a cut left.
 * @param {Scenario} scenario @param {Files} found @param {Files} before @param {Files} after
 */
function complaints(scenario, found, before, after) {
	const wrong = [];
	for (const path of new Set([...Object.keys(before), ...Object.keys(after), ...Object.keys(found)])) {
		// what is being written is nobody's file yet; logs grow with time, their scenario checks them
		if (path.endsWith(".new") || isLog(path)) continue;
		const allowed = [before[path], after[path], ...(scenario.between?.(path, before) ?? [])];
		if (!allowed.includes(found[path])) wrong.push(`${path} is neither old nor new: ${String(found[path]).slice(0, 200)}`);
	}
	return [...wrong, ...(scenario.check?.(found, before) ?? [])];
}

/** What is wrong with a start on these files. @param {string} flash its folder */
async function bootComplaints(flash) {
	const controller = new Controller(PROGRAM, flash);
	const wrong = [];
	try {
		if (!(await controller.listening())) return [`it does not start: ${controller.output}`];
		for (const path of ["/api/status", "/api/map", "/api/maps"]) {
			const { status, text } = await controller.get(path);
			if (status !== 200) wrong.push(`${path} answers ${status} ${text}`);
			else JSON.parse(text);
		}
	} catch (error) {
		wrong.push(`after the restart: ${error.message}`);
	} finally {
		await controller.kill();
	}
	for (const path of Object.keys(snapshot(flash)))
		if (/\.(new|bad)$/.test(path)) wrong.push(`${path} is there after the restart`);
	return wrong;
}

/**
 * One run with the power cut after operation `cut`.
 * @param {Scenario} scenario @param {string} base @param {Files} before @param {Files} after @param {number} cut
 * @returns its complaints, undefined if it was not cut
 */
async function cutRun(scenario, base, before, after, cut) {
	const folder = mkdtempSync(join(tmpdir(), "oc-power-cut-"));
	const flash = join(folder, "flash");
	try {
		cpSync(base, flash, { recursive: true });
		const controller = new Controller(PROGRAM, flash, ["--fault", `power-cut=${cut}`]);
		try {
			if (await controller.listening()) await scenario.act(controller);
		} catch {
			// cut in the middle of a request
		}
		const code = await Promise.race([controller.ended, sleep(CUT_TIMEOUT_MS).then(() => -1)]);
		if (code !== POWER_CUT_CODE) {
			await controller.kill();
			return code === -1 ? undefined : [`it ended with ${code}: ${controller.output}`];
		}
		return [...complaints(scenario, snapshot(flash), before, after), ...(await bootComplaints(flash))];
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/**
 * Runs a scenario once whole, then once for each cut.
 * @typedef {{ name: string, operations: number, cuts: number, missed: number, wrong: string[] }} Figures missed: cuts that were not reached
 * @param {Scenario} scenario @param {number} every @returns {Promise<Figures>}
 */
async function runScenario(scenario, every) {
	const folder = mkdtempSync(join(tmpdir(), "oc-power-cut-"));
	const [base, whole] = [join(folder, "base"), join(folder, "whole")];
	try {
		mkdirSync(base);
		const first = new Controller(PROGRAM, base);
		await first.listening();
		// lines come when they come: without them the operations are the same in each run
		if (!scenario.logs) await first.post("/api/settings", { logToFileEnabled: false, logErrorToFileEnabled: false });
		await scenario.prepare?.(first);
		await first.settled(QUIET_MS);
		await first.kill();
		scenario.prepareFiles?.(base);
		const before = snapshot(base);

		cpSync(base, whole, { recursive: true });
		const run = new Controller(PROGRAM, whole);
		await run.listening();
		await scenario.act(run);
		const operations = await run.settled(QUIET_MS);
		await run.kill();
		const after = snapshot(whole);

		/** @type {Figures} */
		const figures = { name: scenario.name, operations, cuts: 0, missed: 0, wrong: [] };
		for (let cut = 1; cut <= operations; cut += every) {
			const wrong = await cutRun(scenario, base, before, after, cut);
			if (wrong === undefined) figures.missed++;
			else {
				figures.cuts++;
				figures.wrong.push(...wrong.map((text) => `after operation ${cut}: ${text}`));
			}
		}
		return figures;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** The campaign. @param {{ every?: number, grep?: string }} options @returns {Promise<Figures[]>} of each scenario */
export async function campaign({ every = 1, grep = "" } = {}) {
	const scenarios = SCENARIOS.filter(({ name }) => name.includes(grep));
	/** @type {Map<object, Figures>} */
	const results = new Map();
	const waiting = [...scenarios];
	const worker = async () => {
		for (let scenario = waiting.shift(); scenario !== undefined; scenario = waiting.shift())
			results.set(scenario, await runScenario(scenario, every));
	};
	await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
	return scenarios.flatMap((scenario) => results.get(scenario) ?? []);
}

async function main() {
	const { values } = parseArgs({ options: { every: { type: "string", default: "1" }, grep: { type: "string", default: "" } } });
	const results = await campaign({ every: Number(values.every), grep: values.grep });
	for (const { name, operations, cuts, missed, wrong } of results) {
		console.log(`${name}: ${operations} storage operations, ${cuts} cuts, ${missed} not reached, ${wrong.length} wrong`);
		for (const text of wrong) console.log(`  ${text}`);
	}
	/** @param {"cuts" | "wrong"} key */
	const sum = (key) =>
		results.reduce((total, figures) => total + Number(key === "wrong" ? figures.wrong.length : figures.cuts), 0);
	console.log(`${results.length} scenarios, ${sum("cuts")} cuts, ${sum("wrong")} wrong`);
	return sum("wrong") === 0 && sum("cuts") > 0 ? 0 : 1;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) process.exit(await main());
