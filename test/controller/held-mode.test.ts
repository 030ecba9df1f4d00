import assert from "node:assert/strict";
import { Reason } from "../../src/controller/reason.js";
import { MAP, NO_MODE } from "../../src/lock/modes.js";
import { UNREADABLE_MAP } from "../../src/lock/tuning.js";
import { condition } from "../support/condition.js";
import { assertActive, assertStock, Car, tuned } from "./car.js";

const FWD = 1;
const HALF = 2; // 5050
const FORTY = 3;
const onRpm = condition({ signal: "chassis|0x280|engine rpm|rpm", operator: "gt", value: 1000, mode: FORTY });

function holding(settings: Parameters<typeof Car.active>[0], mode = FWD): Car {
	const car = Car.active(settings);
	car.controller.supervisor.holdMode(mode);
	car.tick();
	return car;
}

describe("controller: a mode that a button holds", () => {
	it("is in force instead of the selected one, from the next tick until it is let go, and is stored nowhere", () => {
		const car = holding({ mode: FORTY }, HALF);
		assertActive(car.controller, HALF, car.controller.lockPercent, Reason.SELECTED_BY_BUTTON);
		assert.equal(car.controller.supervisor.selectedMode, FORTY);
		car.controller.supervisor.holdMode(NO_MODE);
		car.tick();
		assertActive(car.controller, FORTY, car.controller.lockPercent);
		assert.deepEqual(car.stored, []);
	});

	it("is stock while it is a map that can't be read, whatever the driver wishes held meanwhile", () => {
		const car = Car.active({ mode: HALF, ...tuned({ map: UNREADABLE_MAP }) });
		car.controller.supervisor.holdMode(MAP);
		car.tick();
		assert.equal(car.controller.controlActive, false);
		assert.equal(car.controller.reason, Reason.MAP_UNREADABLE);
		car.controller.supervisor.holdMode(NO_MODE);
		car.run(1000);
		assertActive(car.controller, HALF, car.controller.lockPercent);
	});

	it("gives way to a condition's mode", () => {
		const car = holding({ mode: HALF, conditions: [onRpm] });
		assertActive(car.controller, FORTY, car.controller.lockPercent, Reason.SELECTED_BY_CONDITION);
	});

	it("does nothing in STOCK, and nothing while control is disabled", () => {
		const car = holding({ mode: 0 });
		assertStock(car.controller, Reason.STOCK_SELECTED);
		const disabled = holding({ mode: HALF, disableController: true });
		assertStock(disabled.controller, Reason.DISABLED);
	});
});
