/**
 * What may be shared tells nobody whose car it is: a list of what stays, out of the tables of the controller.
 */
import { strict as assert } from "node:assert";
import { COUPLINGS, FRAME_PROFILES } from "../../src/coupling/couplings/couplings.js";
import { PLANS } from "../../src/coupling/plan-table.js";
import { MODES } from "../../src/lock/modes.js";
import { mayStay, withoutIdentity } from "../../src/page/can/identity.js";
import { frameLine } from "../support/frame-lines.js";

/** The controller rewrites them in profile `reference`, but they tell odometer, date or equipment: Systeminfo_01, Diagnose_01,
 * Kombi_02, and 0x65D, which is ESP_20 in an MQB car and the odometer on the comfort bus of a PQ car. */
const TELLING = [0x585, 0x65d, 0x6b2, 0x6b7];
/** The controller's own status frame. */
const STATUS = 0x6b0;

/** What the controller reads or rewrites in a car, with 11 bits. */
function neededOf(generation: number): Set<number> {
	const { car, status } = COUPLINGS.find((coupling) => coupling.generation === generation)!;
	const keys = [...Object.values(car.recommended.inputs), car.recommended.steering, ...Object.values(car.recommended.conditions)];
	const plans = FRAME_PROFILES.flatMap((profile) => MODES.map((_, mode) => PLANS[generation as 1].inline[profile](mode as 0)));
	return new Set([
		...car.readings.flatMap(({ signals }) => signals.map(({ id }) => id)),
		...[...car.interventions, ...car.checks, car.selector.position, status.engagement].map(({ id }) => id),
		...car.ignition.map(({ signal }) => signal.id),
		...keys.filter((key) => key !== "").map((key) => Number.parseInt(key.split("|")[1]!, 16)),
		...plans.flatMap(({ frames }) => frames.map(({ id }) => id)),
	]);
}

describe("what may be shared of the frames", () => {
	it("are those that the controller reads or rewrites, and its own", () => {
		const needed = new Set([STATUS, ...[1, 2, 4, 5].flatMap((generation) => [...neededOf(generation)])]);
		const right = [...needed].filter((id) => id <= 0x7ff && !TELLING.includes(id)).sort((a, b) => a - b);
		const stay = Array.from({ length: 0x800 }, (_, id) => id).filter((id) => mayStay(id, false));
		assert.deepEqual(stay, right);
		assert.equal(mayStay(0x280, true), false, "none with 29 bits");
	});

	it("are never number, immobiliser, odometer, date or diagnosis", () => {
		const pq = [0x5d2, 0x65f, 0x65d, 0x520, 0x7d0, 0x200, 0x201, 0x300, 0x310, 0x5d0];
		for (const id of [...pq, ...Array.from({ length: 0x100 }, (_, i) => 0x700 + i)]) assert.equal(mayStay(id, false), false);
		for (const id of [0x6b4, 0x6b2, 0x6b7, 0x585, 0x70f, 0x779, 0x77c]) assert.equal(mayStay(id, false), false);
	});

	it("is asked of every line of a dump and of the log", () => {
		const [kept, gone, extended] = [0x280, 0x5d2, 0x80000280].map((id) => ({ timeUs: 5, id, bus: 0 as const, received: [1] }));
		for (const format of [0, 1, 2, 3]) {
			const text = [kept!, gone!].map((row) => frameLine(format, row, false)).join("");
			assert.equal(withoutIdentity(text), frameLine(format, kept!, false), `format ${format}`);
		}
		for (const format of [1, 2]) assert.equal(withoutIdentity(frameLine(format, extended!, false)), "");
		const heads = "OpenHaldex CAN dump\nwindow_ms=30000 bus=all\nts_ms\tbus\tdir\tgen\tid\tdlc\tdata\n";
		assert.equal(withoutIdentity(heads), heads);
		const log =
			"5\tEVENT\tmode\tMAP: 5 km/h\n6\tEVENT\twifi\tjoined HomeOfSmith\n7\tWARN\trequest\t/api/x 400\n8\tWARN\tcan\tchassis bus: bus-off\nrubbish\n";
		assert.equal(withoutIdentity(log), "5\tEVENT\tmode\tMAP: 5 km/h\n8\tWARN\tcan\tchassis bus: bus-off\n");
	});
});
