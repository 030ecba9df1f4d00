/**
 * The figures that README.md tells a driver are those of the code. Its commands and files:
 * `documents.test.ts`; its examples: `test/contract`.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { STATUS_FRAME } from "../../src/can/layouts/status.js";
import { BOOT_SETTLE_MS } from "../../src/controller/arbiter.js";
import { COOL_DOWN_MS, INTERVENTION_HOLD_MS } from "../../src/controller/lock-command.js";
import { GENERATIONS } from "../../src/coupling/couplings/couplings.js";
import { MAP_COLUMNS, MAP_ROWS } from "../../src/lock/tuning.js";
import { STATES_MAX } from "../../src/maps/tuning-history.js";
import { HOLD_MS, PRESS_MS } from "../../src/network/boot-key.js";
import { CRASHES_MAX, LIVED_MS } from "../../src/runtime/start-guard.js";
import { FAVOURITES_MAX, FAVOURITES_MIN } from "../../src/settings/mode-names.js";
import { BOARDS } from "../../tools/device/boards.mjs";

const README = readFileSync("README.md", "utf8").replaceAll(/\s+/g, " ");
/** Others are variants of these. */
const PLAIN = GENERATIONS.filter((generation) => generation < 10);
const WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const { engines } = JSON.parse(readFileSync("package.json", "utf8")) as { engines: { node: string } };

const FIGURES: readonly (readonly [says: RegExp, ...values: (number | string)[]])[] = [
	[/Node\.js ([\d.]+) or later/, engines.node.replace(">=", "")],
	[/coupling \(Haldex generations ([\d, and]+)\)/, `${PLAIN.slice(0, -1).join(", ")} and ${PLAIN.at(-1)}`],
	[/your (\d+) x (\d+) throttle\/speed map/, MAP_ROWS, MAP_COLUMNS],
	[/once its inputs have been valid for (\d+) s/, BOOT_SETTLE_MS / 1000],
	[/while ABS or ESP intervene and for (\d+) s after/, INTERVENTION_HOLD_MS / 1000],
	[/when it reports heat or faults, until (\d+) s after/, COOL_DOWN_MS / 1000],
	[/goes back by up to (\w+) states/, WORDS[STATES_MAX]],
	[/the lock and (\w+) to (\w+) favourite modes, large/, WORDS[FAVOURITES_MIN], WORDS[FAVOURITES_MAX]],
	[
		/frame (0x\w+) tells the status on the chassis bus every (\d+) ms/,
		`0x${STATUS_FRAME.id.toString(16).toUpperCase()}`,
		STATUS_FRAME.periodMs,
	],
	[/Hold BOOT for (\d+) s while the car stands/, HOLD_MS / 1000],
	[/only after you have pressed BOOT for (\d+) s/, PRESS_MS / 1000],
	[/After (\w+) crashes in a row, each within (\d+) s of the start/, WORDS[CRASHES_MAX], LIVED_MS / 1000],
];

describe("README.md", () => {
	it("has the figures that the code has", () => {
		for (const [says, ...values] of FIGURES) assert.deepEqual(says.exec(README)?.slice(1), values.map(String), String(says));
	});

	it("names every board that can be bought, and no other", () => {
		const rows = [...README.matchAll(/\| ESP32-\w+, [^|]+ \| `(\w+)` \|/g)].map(([, name]) => name);
		assert.deepEqual(rows.sort(), BOARDS.filter((name) => name !== "emulator").sort());
	});
});
