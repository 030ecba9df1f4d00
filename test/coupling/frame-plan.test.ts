import assert from "node:assert/strict";
import { couplingOf, GENERATIONS } from "../../src/coupling/couplings/couplings.js";
import {
	chosenPlan,
	FULL_FACTOR,
	framePlan,
	framesOf,
	isOtherPlan,
	isOwnId,
	leavesNothing,
	openingFactor,
	planFollowsMode,
	planMode,
} from "../../src/coupling/frame-plan.js";
import { encodePlan } from "../../src/coupling/plan-encoder.js";
import { ALL_GROUPS, HEADER, WITHOUT_BRAKE_GROUP } from "../../src/coupling/plan-format.js";
import { PLANS } from "../../src/coupling/plan-table.js";
import { DEFAULT_SETTINGS } from "../../src/settings/settings.js";
import { PlanInterpreter } from "../support/plan-interpreter.js";
import { hexOf } from "./plan-bench.js";

const PROFILES = ["reference", "corrected"] as const;
const MODES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

describe("coupling/frame-plan", () => {
	it("has the encoded rows, which the gateway accepts, with a car and without: the built plans are up to date", () => {
		for (const generation of GENERATIONS)
			for (const profile of PROFILES)
				for (const mode of MODES) {
					const { inline, standalone, marked } = PLANS[generation];
					const what = `${generation} ${profile} ${mode}`;
					const plan = framePlan(generation, profile, mode);
					assert.deepEqual(plan, encodePlan(inline[profile](mode), marked), what);
					assert.equal(plan[HEADER.generates], couplingOf(generation)?.generates === true ? 1 : 0);
					const alone = framePlan(generation, profile, mode, true);
					assert.deepEqual(alone, encodePlan(standalone[profile](mode)), what);
					assert.equal(alone[8], 1);
					for (const each of [plan, alone]) assert.doesNotThrow(() => new PlanInterpreter().load(each), what);
				}
	});

	it("tells identifiers that the controller rewrites in some profile, or sends, from all others", () => {
		for (const generation of GENERATIONS) {
			const own = new Set([
				0x6b0,
				...PROFILES.map((profile) => PLANS[generation].inline[profile](6)).flatMap(({ frames, passes = [] }) => [
					...frames.map(({ id }) => id),
					...passes,
				]),
			]);
			for (let id = 0; id <= 0x7ff; id++)
				assert.equal(isOwnId(generation, false, id), own.has(id), `${generation} 0x${id.toString(16)}`);
		}
		assert.deepEqual([isOwnId(4, true, 0x390), isOwnId(4, false, 0x390), isOwnId(4, true, 0x6b0)], [true, false, true]);
	});

	it("depends on the mode for generation 1 of the reference only", () => {
		for (const generation of GENERATIONS)
			for (const profile of PROFILES) {
				const plans = MODES.map((mode) => Buffer.from(framePlan(generation, profile, mode)).toString("hex"));
				const expected = generation === 1 && profile === "reference" ? 5 : 1; // four levers, and none
				assert.equal(new Set(plans).size, expected, `${generation} ${profile}`);
				assert.equal(planFollowsMode(generation, profile), expected > 1);
			}
	});

	it("sends FWD's rows while a preset opens, and limits the factor beside them to 68 %", () => {
		assert.deepEqual(
			MODES.slice(1).map((mode) => planMode(mode, true)),
			[1, 1, 1, 1, 1, 1, 7, 8, 9, 10],
		);
		for (const mode of MODES) assert.equal(planMode(mode, false), mode);
		assert.deepEqual([0, 17407, 17408, 17409, 25600].map(openingFactor), [0, 17407, 17408, 17408, 17408]);
	});

	it("starts counters anew for another generation or profile, never for another mode", () => {
		// 0AY shares tables with generation 4, and counts on in them
		const sets = GENERATIONS.filter((generation) => generation !== 51).flatMap((generation) =>
			PROFILES.map((profile) => {
				const [first, ...others] = MODES.map((mode) => PLANS[generation].inline[profile](mode).counterSet);
				assert.ok(others.every((set) => set === first));
				return first;
			}),
		);
		assert.equal(new Set(sets).size, sets.length);
	});

	it("names every identifier once, and leaves one group out of all for brake systems, used by the corrected profile only", () => {
		assert.deepEqual([ALL_GROUPS, WITHOUT_BRAKE_GROUP], [0xff, 0xfd]);
		for (const generation of GENERATIONS) {
			for (const profile of PROFILES) {
				const ids = PLANS[generation].inline[profile](9).frames.map(({ id }) => id);
				assert.equal(new Set(ids).size, ids.length);
			}
			assert.ok(PLANS[generation].inline.reference(9).frames.every(({ group }) => group === undefined));
			const { frames, passes } = PLANS[generation].inline.corrected(9);
			assert.ok(passes !== undefined || frames.some(({ group }) => group === 1));
		}
	});
});

const MAP = 9;
const CHOICE = { ...DEFAULT_SETTINGS, generation: 5 } as const;
const torquesOf = (frame: string): { requestedNm: number; actualNm: number; filteredNm: number } => {
	const bits = frame
		.split(" ")
		.map((byte) => [...Number.parseInt(byte, 16).toString(2).padStart(8, "0")].reverse().join(""))
		.join("");
	const nmFrom = (start: number): number => Number.parseInt([...bits.slice(start, start + 10)].reverse().join(""), 2) - 509;
	return { requestedNm: nmFrom(12), actualNm: nmFrom(22), filteredNm: nmFrom(42) };
};

describe("coupling/frame-plan: the driver's choice", () => {
	it("is the plan of the build where nothing is chosen, to the byte", () => {
		for (const generation of GENERATIONS)
			for (const frameProfile of ["reference", "corrected"] as const) {
				const choice = { ...CHOICE, generation, frameProfile };
				assert.equal(chosenPlan(choice, 2), framePlan(generation, frameProfile, 2));
				assert.equal(chosenPlan({ ...choice, standalone: true }, 2), framePlan(generation, frameProfile, 2, true));
				// the other model is one of generation 5's unit
				if (couplingOf(generation)?.torque === undefined)
					assert.equal(chosenPlan({ ...choice, torqueModel: "proportional" }, 2), framePlan(generation, frameProfile, 2));
			}
	});

	describe("proportional torques", () => {
		it("never wrap, whatever the ceiling", () => {
			for (const torqueCeilingNm of [10, 11, 150, 508, 509])
				for (const standalone of [false, true]) {
					const choice = { ...CHOICE, standalone, torqueModel: "proportional", torqueCeilingNm } as const;
					const bench = new PlanInterpreter();
					bench.load(chosenPlan(choice, MAP));
					bench.commit(FULL_FACTOR, 0xff);
					let last = "";
					for (let i = 0; i < 100; i++) {
						const frames = standalone
							? bench.generated(10 * i).filter(([high, low]) => high === 0 && low === 0xa7)
							: [bench.pass(0, 0x0a7, 8, new Uint8Array([0, 0x8d, 0x20, 0x7f, 0xfd, 0xf5, 0x77, 0x3e]))];
						last = hexOf(frames[0]!.subarray(standalone ? 2 : 0));
					}
					assert.deepEqual(torquesOf(last), {
						requestedNm: torqueCeilingNm,
						actualNm: torqueCeilingNm,
						filteredNm: torqueCeilingNm,
					});
				}
		});
	});

	describe("frames that are off", () => {
		it("are known to leave nothing when all are off, in a car and without one", () => {
			const all = "0x1A0 0x280 0x380 0x4A0";
			for (const standalone of [false, true]) {
				const leaves = (framesOff: string): boolean => leavesNothing({ ...CHOICE, generation: 1, standalone, framesOff });
				assert.deepEqual(
					[leaves(""), leaves("0x1A0 0x280 0x380"), leaves(all), leaves(`0x010 ${all}`)],
					[false, false, true, true],
				);
			}
			assert.equal(leavesNothing({ ...CHOICE, generation: 0, framesOff: all }), false);
		});

		it("leave only diagnosis in standalone operation when all are off", () => {
			const alone = chosenPlan({ ...CHOICE, generation: 1, standalone: true, framesOff: "0x1A0 0x200 0x280 0x380 0x4A0" }, MAP);
			assert.equal(alone[7], framePlan(1, "reference", MAP, true)[7]! - 4);
		});
	});

	it("reads identifiers in any order and form, and rejects other texts", () => {
		for (const [text, frames] of [
			["", ""],
			["  ", ""],
			["0x0A7", "0x0A7"],
			["0x392 a7 0x08a 0xA7", "0x08A 0x0A7 0x392"],
			["416", "0x416"],
			["0x7FF", "0x7FF"],
		] as const)
			assert.equal(framesOf(text), frames);
		for (const text of ["0x800", "-1", "x", "0x0A7  0x08A", "0x0A7,0x08A", Array(33).fill("1").join(" "), " ".repeat(257)])
			assert.equal(framesOf(text), undefined, text);
	});

	it("is another for each setting that decides about it", () => {
		assert.equal(isOtherPlan(CHOICE, { ...CHOICE }), false);
		for (const other of [
			{ generation: 4 },
			{ standalone: true },
			{ frameProfile: "corrected" },
			{ torqueModel: "proportional" },
			{ framesOff: "0x0A7" },
		] as const)
			assert.equal(isOtherPlan(CHOICE, { ...CHOICE, ...other }), true);
		assert.equal(isOtherPlan(CHOICE, { ...CHOICE, torqueCeilingNm: 151 }), false, "pinned has no ceiling");
		const proportional = { ...CHOICE, torqueModel: "proportional" } as const;
		assert.equal(isOtherPlan(proportional, { ...proportional, torqueCeilingNm: 151 }), true);
	});
});
