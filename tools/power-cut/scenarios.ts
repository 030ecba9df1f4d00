/**
 * What is cut, one entry a scenario. Updates have theirs in `test/system/update.test.ts`.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import type { Answer } from "../campaign/lockstep.js";
import type { Controller } from "./controller.js";

/** Content by path. */
export type Files = Record<string, string>;

export interface Scenario {
	readonly name: string;
	/** Log files are written, which they are not otherwise. */
	readonly logs?: boolean;
	/** Brings an empty flash into its first state through a running controller. */
	readonly prepare?: (controller: Controller) => Promise<void>;
	readonly prepareFiles?: (flash: string) => void;
	/** What is cut. */
	readonly act: (controller: Controller) => Promise<void>;
	/** Contents that a file may have beside the old and the new one. */
	readonly between?: (path: string, before: Files, after: Files) => string[];
	/** Further complaints about the files after a cut. */
	readonly check?: (found: Files, before: Files) => string[];
}

const LOG_BYTES = 262_144;
/** Longer than lines wait for their batch. */
const LOG_BATCH_MS = 1200;
const LOG_FILES = ["logs/all.4.txt", "logs/all.3.txt", "logs/all.2.txt", "logs/all.1.txt", "logs/all.txt"];

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

/** The longest comes first: they run side by side. */
export const SCENARIOS: readonly Scenario[] = [
	{
		name: "log rotation",
		logs: true,
		prepareFiles: (flash) => {
			mkdirSync(`${flash}/logs`, { recursive: true });
			for (const path of LOG_FILES) {
				let text = "";
				for (let n = 0; text.length < LOG_BYTES; n++) text += `${n}\tINFO\ttest\t${path} ${n}\n`;
				writeFileSync(`${flash}/${path}`, text);
			}
		},
		// each batch of lines moves one file; a rejected request makes a line and no settings
		act: async (controller) => {
			for (const _ of LOG_FILES) {
				await controller.post("/api/mode", { mode: "none" });
				await controller.run(LOG_BATCH_MS);
			}
		},
		check: (found, before) => {
			const after = LOG_FILES.map((path) => found[path] ?? "").join("");
			const kept = LOG_FILES.slice(1)
				.map((path) => before[path])
				.join("");
			return after.includes(kept) ? [] : ["lines of a log that was not the oldest are gone"];
		},
	},
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
		name: "save over a map",
		prepare: twoMaps,
		act: async (controller) => must(controller.post("/api/maps/save", { name: "B" })),
		between: saved,
	},
	{
		name: "load map",
		prepare: twoMaps,
		act: async (controller) => must(controller.post("/api/maps/load", { name: "B" })),
		between: unnamed,
	},
	{
		name: "load preset",
		prepare: twoMaps,
		act: async (controller) => must(controller.post("/api/maps/load", { name: "fwd" })),
		between: unnamed,
	},
	{
		name: "try map",
		prepare: twoMaps,
		act: async (controller) => must(controller.post("/api/map", { ...map(7), try: true })),
		check: (found, before) => (found["maps/A.json"] === before["maps/A.json"] ? [] : ["what was tried is in the named file"]),
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
		name: "delete map",
		prepare: twoMaps,
		act: async (controller) => must(controller.post("/api/maps/delete", { name: "B" })),
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
