/**
 * Cuts the power after every single storage operation of each scenario, starts again on what is left, and
 * checks that every file is the old one or the new one, whole, and that the controller boots and answers.
 * Time is the controller's own, so that the operations are the same in each run.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { Controller } from "./controller.js";
import { type Files, SCENARIOS, type Scenario } from "./scenarios.js";

const POWER_CUT_CODE = 9;
/** Longer than a change waits for its write, and than lines wait for the log. */
const CUT_LIMIT_MS = 8000;
const SIDE_BY_SIDE = 2;

export interface Figures {
	readonly name: string;
	/** Storage operations of the whole run. */
	readonly operations: number;
	cuts: number;
	readonly wrong: string[];
}

/** Content of all files below a folder, by path. */
function snapshot(flash: string): Files {
	const files: Files = {};
	for (const entry of readdirSync(flash, { withFileTypes: true, recursive: true })) {
		const path = join(entry.parentPath, entry.name);
		if (entry.isFile()) files[relative(flash, path)] = readFileSync(path, "utf8");
	}
	return files;
}

const isLog = (path: string): boolean => path.startsWith("logs/");

/** What is wrong with the files that a cut left. */
function complaints(scenario: Scenario, found: Files, before: Files, after: Files): string[] {
	const wrong: string[] = [];
	for (const path of new Set([...Object.keys(before), ...Object.keys(after), ...Object.keys(found)])) {
		// what is being written is nobody's file yet; logs grow with time, their scenario checks them
		if (path.endsWith(".new") || isLog(path)) continue;
		const allowed = [before[path], after[path], ...(scenario.between?.(path, before, after) ?? [])];
		if (!allowed.includes(found[path])) wrong.push(`${path} is neither old nor new: ${String(found[path]).slice(0, 200)}`);
	}
	return [...wrong, ...(scenario.check?.(found, before) ?? [])];
}

/** What is wrong with a start on these files. @param flash its folder */
async function bootComplaints(program: string, folder: string, flash: string): Promise<string[]> {
	const controller = await Controller.start(program, folder, flash);
	const wrong: string[] = [];
	if (controller.hasEnded) return [`it does not start: ${controller.said}`];
	try {
		for (const path of ["/api/status", "/api/map", "/api/maps"]) {
			const { code, text } = await controller.get(path);
			if (code !== 200) wrong.push(`${path} answers ${code} ${text}`);
			else JSON.parse(text);
		}
	} catch (error) {
		wrong.push(`after the restart: ${(error as Error).message}`);
	} finally {
		await controller.kill();
	}
	for (const path of Object.keys(snapshot(flash)))
		if (/\.(new|bad)$/.test(path)) wrong.push(`${path} is there after the restart`);
	return wrong;
}

/** A scenario on a flash folder of its own, in a temporary folder. */
class Run {
	readonly #program: string;
	readonly #scenario: Scenario;
	readonly #folder = mkdtempSync(join(tmpdir(), "oc-power-cut-"));
	readonly #base = join(this.#folder, "base");

	constructor(program: string, scenario: Scenario) {
		this.#program = program;
		this.#scenario = scenario;
	}

	/** Once whole, then once for each cut. */
	async run(every: number): Promise<Figures> {
		try {
			const before = await this.#prepare();
			const { operations, after } = await this.#whole();
			const figures: Figures = { name: this.#scenario.name, operations, cuts: 0, wrong: [] };
			for (let cut = 1; cut <= operations; cut += every) {
				const wrong = await this.#cut(cut, before, after);
				figures.cuts++;
				figures.wrong.push(...wrong.map((text) => `after operation ${cut}: ${text}`));
			}
			return figures;
		} finally {
			rmSync(this.#folder, { recursive: true, force: true });
		}
	}

	#start(flash: string, args: readonly string[] = []): Promise<Controller> {
		return Controller.start(this.#program, this.#folder, flash, args);
	}

	#copy(name: string): string {
		const flash = join(this.#folder, name);
		rmSync(flash, { recursive: true, force: true });
		cpSync(this.#base, flash, { recursive: true });
		return flash;
	}

	/** Makes the flash that each run begins with. */
	async #prepare(): Promise<Files> {
		mkdirSync(this.#base);
		const controller = await this.#start(this.#base);
		if (!this.#scenario.logs) await controller.post("/api/settings", { logToFileEnabled: false, logErrorToFileEnabled: false });
		await this.#scenario.prepare?.(controller);
		await controller.settled();
		await controller.kill();
		this.#scenario.prepareFiles?.(this.#base);
		return snapshot(this.#base);
	}

	async #whole(): Promise<{ operations: number; after: Files }> {
		const flash = this.#copy("whole");
		const controller = await this.#start(flash);
		await this.#scenario.act(controller);
		const operations = await controller.settled();
		await controller.kill();
		return { operations, after: snapshot(flash) };
	}

	/** With the power cut after an operation. @returns complaints */
	async #cut(cut: number, before: Files, after: Files): Promise<string[]> {
		const flash = this.#copy("cut");
		const controller = await this.#start(flash, ["--fault", `power-cut=${cut}`]);
		try {
			await this.#scenario.act(controller);
			await controller.run(CUT_LIMIT_MS);
		} catch (error) {
			// cut in the middle of a request
			if (!controller.hasEnded) return [`it goes on without an answer: ${(error as Error).message}`];
		}
		await controller.kill();
		if (controller.exitCode !== POWER_CUT_CODE) return [`it ended with ${controller.exitCode}: ${controller.said}`];
		return [
			...complaints(this.#scenario, snapshot(flash), before, after),
			...(await bootComplaints(this.#program, this.#folder, flash)),
		];
	}
}

/** Of each scenario whose name has `grep` in it; each N-th operation is cut. */
export async function powerCuts(program: string, { every = 1, grep = "" } = {}): Promise<Figures[]> {
	const scenarios = SCENARIOS.filter(({ name }) => name.includes(grep));
	const results: Figures[] = [];
	let next = 0;
	const work = async (): Promise<void> => {
		for (let i = next++; i < scenarios.length; i = next++) results[i] = await new Run(program, scenarios[i]).run(every);
	};
	await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
	return results;
}
