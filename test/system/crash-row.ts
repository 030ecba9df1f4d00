/** A row of crashes on one flash folder. */
import assert from "node:assert/strict";
import { withBench } from "./bench-car.js";

/** Lets the program crash just after its start, so often in a row. */
export async function crashInARow(flash: string, times: number): Promise<void> {
	for (let crash = 0; crash < times; crash++)
		await withBench({ flash, settings: null, connected: false, args: ["--fault", "script-crashed=50"] }, async (bench) =>
			assert.equal(await bench.ended, 105),
		).catch((error) => assert.match(String(error), /ended at start/));
}
