/**
 * A generation 5 unit in a PQ car: its frames are generated, for the car has none of them. Token notation:
 * `plan-encoder.ts`. None of it is in the firmware.
 */

import * as mqb from "../../can/layouts/mqb.js";
import { FIFTY_FIFTY } from "../../lock/modes.js";
import type { PlanTable } from "../plan-encoder.js";
import type { CouplingPlans } from "../plan-rows.js";
import { PLANS as GEN5 } from "./gen5.js";

/**
 * Without ESP_07: on PQ 0x392 is a frame of the gateway, and the generator is silent while anybody sends one
 * of its frames.
 */
function besidePq(table: PlanTable, counterSet: number): PlanTable {
	return Object.freeze({
		...table,
		counterSet,
		source: `${table.source}; assumed, 3.9: without ESP_07`,
		counters: table.counters.filter(({ name }) => name !== "ESP_07"),
		frames: table.frames.filter(({ id }) => id !== mqb.ESP_07),
	});
}

const REFERENCE = besidePq(GEN5.standalone.reference(FIFTY_FIFTY), 53);
const CORRECTED = besidePq(GEN5.standalone.corrected(FIFTY_FIFTY), 63);
const GENERATED = Object.freeze({ reference: () => REFERENCE, corrected: () => CORRECTED });

/** With the car, and on a bench. */
export const PLANS: CouplingPlans = Object.freeze({ marked: Object.freeze([]), inline: GENERATED, standalone: GENERATED });
