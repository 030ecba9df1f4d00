/** The parts of a firmware with the fictitious coupling that `adding.test.ts` looks at. */

import { Car } from "../../controller/car.js";
import { INTERVENTIONS_ID, STATUS_ID } from "./coupling.js";

export { learnedTableFrom } from "../../../src/calibration/learning.js";
export { GENERATIONS } from "../../../src/coupling/couplings/couplings.js";
export { framePlan, isOwnId } from "../../../src/coupling/frame-plan.js";
export { isRejection, patchSettings } from "../../../src/settings/patch.js";
export { DEFAULT_SETTINGS } from "../../../src/settings/settings.js";
export { SETTINGS_DOCUMENT } from "../../../src/settings/stored-settings.js";
export { couplingFlags, couplingStateText } from "../../../src/vehicle/coupling-status.js";
export { PlanInterpreter } from "../../support/plan-interpreter.js";

/** The car around it, at 50 km/h with half of the pedal. */
export class MadeUpCar extends Car {
	/** Engagement as the coupling says it, and its state. */
	rawEngagement = 120;
	rawState = 0;

	protected override send(): void {
		this.frame(
			0,
			0x4a0,
			[5000 << 1, (5000 << 1) >> 8, 0, 0, 0, 0, 0, 0].map((byte) => byte & 0xff),
		);
		this.frame(0, 0x380, [0, 0, 125, 0, 0, 0, 0, 0]);
		this.frame(0, 0x280, [0, 0, 8000 & 0xff, 8000 >> 8, 0, 0, 0, 0]);
		this.frame(0, INTERVENTIONS_ID, [this.braking ? 8 : 0, 0]);
		if (this.sendsCoupling) this.frame(1, STATUS_ID, [0, this.rawEngagement, 0, 0, 0, this.rawState]);
	}
}
