import assert from "node:assert/strict";
import { anImage } from "../../../tools/device/sample-image.js";
import { FakeFirmware } from "../../support/update-bench.js";
import { makeFlash, runScript } from "../host/host-program.js";
import { UPDATE_BEHAVIOURS } from "./update-behaviours.js";

const IMAGE = anImage({ segments: [600] });

describe("the contract of FirmwarePort: the slot of the unit tests", () => {
	for (const { name, fault, act, tells, startsOther } of UPDATE_BEHAVIOURS)
		it(name, () => {
			const firmware = new FakeFirmware();
			firmware.isCorrupting = fault === "update-image-corrupted";
			assert.deepEqual([act(firmware, IMAGE), firmware.activated], [tells, startsOther]);
		});
});

describe("the contract of FirmwarePort: the host's slots", () => {
	const script = (body: string): string => `
		import { firmware } from "../../hal/io/board.js";
		import { UPDATE_BEHAVIOURS } from "../../test/hal/contract/update-behaviours.js";
		const image = Uint8Array.from([${[...IMAGE].join()}]);
		print(JSON.stringify(${body}));`;

	for (const [i, { name, fault, tells, startsOther }] of UPDATE_BEHAVIOURS.entries())
		it(name, async () => {
			const flash = ["--flash", makeFlash()];
			const faults = fault === undefined ? [] : ["--fault", fault];
			const first = await runScript(script(`UPDATE_BEHAVIOURS[${i}].act(firmware, image)`), ...flash, ...faults);
			const next = await runScript(script("firmware.pendingVerify"), ...flash);
			assert.deepEqual([first.lines, next.lines], [[JSON.stringify(tells)], [`${startsOther}`]], first.stderr + next.stderr);
		});
});
