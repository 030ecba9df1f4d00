/**
 * Cuts the power after storage operations of each scenario, starts again on what is left, and checks that
 * every file is the old one or the new one, whole, and that the controller boots and answers. Time is the
 * controller's own, so that the operations are the same in each run. `CUT_EVERY=1` cuts after each operation.
 */
import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { type Answer, Lockstep } from "../../tools/campaign/lockstep.js";
import { PROGRAM } from "../hal/host/host-program.js";

const CUT_EVERY = Number(process.env["CUT_EVERY"] ?? 8);
const POWER_CUT_CODE = 9;
/** Longer than a change waits for its write, and than lines wait for the log. */
const QUIET_MS = 2300;
/** Several of these. */
const CUT_LIMIT_MS = 8000;
/** Until the program has read its files and listens. */
const START_MS = 100;

/** Content by path. */
type Files = Record<string, string>;

interface Scenario {
	readonly name: string;
	/** Brings an empty flash into its first state through a running controller. */
	readonly prepare?: (controller: Controller) => Promise<void>;
	/** What is cut. */
	readonly act: (controller: Controller) => Promise<void>;
	/** Contents that a file may have beside the old and the new one. */
	readonly between?: (path: string, before: Files, after: Files) => string[];
}

/** The host program on a flash folder, without a car, in virtual time. */
class Controller {
	readonly lockstep: Lockstep;

	private constructor(lockstep: Lockstep) {
		this.lockstep = lockstep;
	}

	/** It may have ended meanwhile. */
	static async start(flash: string, ...args: string[]): Promise<Controller> {
		const lockstep = await Lockstep.start(PROGRAM, `${flash}-http`, ["--flash", flash, ...args]);
		await lockstep.run(START_MS);
		return new Controller(lockstep);
	}

	/** All that it wrote. */
	get said(): string {
		return [...this.lockstep.log, this.lockstep.complaints].join("\n");
	}

	/** Posts JSON. @param key of the owner @throws when there is no answer */
	post(path: string, body?: unknown, key = ""): Promise<Answer> {
		return this.ask("POST", path, body === undefined ? "" : JSON.stringify(body), key);
	}

	async ask(method: string, path: string, body = "", key = ""): Promise<Answer> {
		const wait = async (ms: number): Promise<void> => void (await this.lockstep.run(ms));
		const answer = await this.lockstep.ask(method, path, body, wait, key);
		if (answer === undefined) throw new Error(`${method} ${path} has no answer`);
		return answer;
	}

	/** Waits until nothing is written any more, then ends it. @returns the storage operations since its start */
	async settle(): Promise<number> {
		for (let before = -1; ; ) {
			const { operations } = (await this.lockstep.report()).storage;
			if (operations === before) {
				await this.lockstep.kill();
				return operations;
			}
			before = operations;
			await this.lockstep.run(QUIET_MS);
		}
	}
}

const map = (lock: number): object => ({
	speedBins: [0, 10, 20, 30, 40, 50, 60, 70, 80],
	throttleBins: [0, 10, 20, 30, 40, 50, 60],
	lockTable: Array(7).fill(Array(9).fill(lock)),
});

const learned = (slope: number): object => ({
	generation: 4,
	frameProfile: "reference",
	date: "",
	table: Array.from({ length: 101 }, (_, factor) => factor * slope),
});

async function must(answer: Promise<Answer>): Promise<void> {
	const { code, text } = await answer;
	if (code !== 200) throw new Error(`${code} ${text}`);
}

/** Maps A, which is current, and B. */
async function twoMaps(controller: Controller): Promise<void> {
	await must(controller.post("/api/map", map(1)));
	await must(controller.post("/api/maps/save", { name: "A" }));
	await must(controller.post("/api/maps/import?name=B", map(2)));
}

/** A file with other values of some members. */
const changed = (text: string, values: object): string => JSON.stringify({ ...JSON.parse(text), ...values });

/** While a map is replaced, none is current. */
const unnamed = (path: string, before: Files): string[] =>
	path === "settings.json" ? [changed(before[path], { currentMap: "/maps/current.json" })] : [];

/** The name of a saved map is stored before the map that the active one was made from, which a start sets by it. */
const saved = (path: string, before: Files, after: Files): string[] => {
	if (path !== "settings.json") return [];
	const { currentMap } = JSON.parse(after[path]) as { currentMap: string };
	return [...unnamed(path, before), changed(before[path], { currentMap })];
};

/**
 * Those that have no test of their own at each operation: updates have theirs in `test/system/update.test.ts`,
 * logs in `test/logs/log-file.test.ts`, the other changes of maps in `test/maps/map-store.test.ts`.
 */
const SCENARIOS: readonly Scenario[] = [
	{
		name: "save map",
		prepare: twoMaps,
		act: async (controller) => {
			await must(controller.post("/api/map", map(7)));
			await must(controller.post("/api/maps/save", { name: "C" }));
		},
		between: saved,
	},
	{
		name: "swap maps",
		prepare: async (controller) => {
			await twoMaps(controller);
			await must(controller.post("/api/maps/load", { name: "B" }));
		},
		act: async (controller) => must(controller.post("/api/map/swap", {})),
		between: unnamed,
	},
	{
		name: "Wi-Fi change",
		prepare: async (controller) => must(controller.post("/api/wifi", { ssid: "home", password: "password1" })),
		act: async (controller) =>
			must(controller.post("/api/wifi", { ssid: "garage", password: "another-one", apPassword: "12345678" })),
		// the key is made of the password after that is stored
		between: (path, _, after) => (path === "wifi.json" ? [changed(after[path], { key: "" })] : []),
	},
	{
		// its salt is a new one each time: what is compared is the way back
		name: "owner's password removed",
		prepare: async (controller) => must(controller.post("/api/owner", { password: "correct horse" })),
		act: async (controller) => {
			const { key } = JSON.parse((await controller.post("/api/session", { password: "correct horse" })).text);
			await must(controller.post("/api/owner", { password: "" }, key));
		},
	},
	{
		name: "another calibration table",
		prepare: async (controller) => must(controller.post("/api/learn/table", learned(1))),
		act: async (controller) => must(controller.post("/api/learn/table", learned(0.5))),
	},
	{
		name: "calibration cleared",
		prepare: async (controller) => must(controller.post("/api/learn/table", learned(1))),
		act: async (controller) => must(controller.post("/api/learn/clear")),
	},
	{
		name: "settings change",
		prepare: async (controller) => must(controller.post("/api/mode", { mode: "FWD" })),
		act: async (controller) =>
			must(controller.post("/api/settings", { haldexGeneration: 4, disableSpeed: 77, logSerialEnabled: true })),
	},
];

/** Content of all files below a folder. */
function snapshot(flash: string): Files {
	const files: Files = {};
	for (const entry of readdirSync(flash, { withFileTypes: true, recursive: true })) {
		const path = join(entry.parentPath, entry.name);
		if (entry.isFile()) files[relative(flash, path)] = readFileSync(path, "utf8");
	}
	return files;
}

/** What is wrong with the files that a cut left. */
function complaints({ between }: Scenario, found: Files, before: Files, after: Files): string[] {
	const wrong: string[] = [];
	for (const path of new Set([...Object.keys(before), ...Object.keys(after), ...Object.keys(found)])) {
		// a file that is being written does not count yet; logs grow with time
		if (path.endsWith(".new") || path.startsWith("logs/")) continue;
		const allowed = [before[path], after[path], ...(between?.(path, before, after) ?? [])];
		if (!allowed.includes(found[path])) wrong.push(`${path} is neither old nor new: ${String(found[path]).slice(0, 200)}`);
	}
	return wrong;
}

/** What is wrong with a start on these files. @param flash their folder */
async function bootComplaints(flash: string): Promise<string[]> {
	const controller = await Controller.start(flash);
	const wrong: string[] = [];
	if (controller.lockstep.hasEnded) return [`it does not start: ${controller.said}`];
	try {
		for (const path of ["/api/status", "/api/map", "/api/maps"]) {
			const { code, text } = await controller.ask("GET", path);
			if (code !== 200) wrong.push(`${path} answers ${code} ${text}`);
			else JSON.parse(text);
		}
	} catch (error) {
		wrong.push(`after the restart: ${(error as Error).message}`);
	} finally {
		await controller.lockstep.kill();
	}
	for (const path of Object.keys(snapshot(flash)))
		if (/\.(new|bad)$/.test(path)) wrong.push(`${path} is there after the restart`);
	return wrong;
}

/**
 * The scenario with the power cut after an operation.
 * @returns complaints
 * @param flash to begin with
 */
async function cutAfter(operation: number, scenario: Scenario, flash: string, after: Files): Promise<string[]> {
	const before = snapshot(flash);
	const controller = await Controller.start(flash, "--fault", `power-cut=${operation}`);
	const { lockstep } = controller;
	try {
		await scenario.act(controller);
		await lockstep.run(CUT_LIMIT_MS);
	} catch (error) {
		// cut in the middle of a request
		if (!lockstep.hasEnded) return [`it goes on without an answer: ${(error as Error).message}`];
	}
	await lockstep.kill();
	if (lockstep.exitCode !== POWER_CUT_CODE) return [`it ended with ${lockstep.exitCode}: ${controller.said}`];
	return [...complaints(scenario, snapshot(flash), before, after), ...(await bootComplaints(flash))];
}

describe("a power cut after a storage operation", () => {
	for (const scenario of SCENARIOS)
		describe(scenario.name, () => {
			let folder: string;
			before(() => {
				folder = mkdtempSync(join(tmpdir(), "oc-power-cut-"));
			});
			after(() => rmSync(folder, { recursive: true, force: true }));

			it("leaves every file old or new, whole, and the controller boots and answers", async () => {
				const base = join(folder, "base");
				mkdirSync(base);
				const preparing = await Controller.start(base);
				await preparing.post("/api/settings", { logToFileEnabled: false, logErrorToFileEnabled: false });
				await scenario.prepare?.(preparing);
				await preparing.settle();
				const copy = (name: string): string => {
					const flash = join(folder, name);
					cpSync(base, flash, { recursive: true });
					return flash;
				};
				const whole = copy("whole");
				const controller = await Controller.start(whole);
				await scenario.act(controller);
				const operations = await controller.settle();
				assert.ok(operations > 0, "something is stored");
				const wrong: string[] = [];
				for (let cut = 1; cut <= operations; cut += CUT_EVERY) {
					const found = await cutAfter(cut, scenario, copy(`cut-${cut}`), snapshot(whole));
					wrong.push(...found.map((text) => `after operation ${cut} of ${operations}: ${text}`));
				}
				assert.deepEqual(wrong, []);
			});
		});
});
