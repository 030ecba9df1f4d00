import assert from "node:assert/strict";
import { couplingOf, GENERATIONS } from "../../src/coupling/couplings/couplings.js";
import { framePlan, isOwnId, openingFactor, planFollowsMode, planMode, standalonePlan } from "../../src/coupling/frame-plan.js";
import { encodePlan } from "../../src/coupling/plan-encoder.js";
import { ALL_GROUPS, WITHOUT_BRAKE_GROUP } from "../../src/coupling/plan-format.js";
import { markedSignals, planTable, standaloneTable } from "../../src/coupling/plan-table.js";
import { PlanInterpreter } from "../support/plan-interpreter.js";

const PROFILES = ["reference", "corrected"] as const;
const MODES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

describe("coupling/frame-plan", () => {
	it("is a plan that the gateway accepts, for every generation, profile and mode", () => {
		for (const generation of GENERATIONS)
			for (const profile of PROFILES)
				for (const mode of MODES) {
					const plan = framePlan(generation, profile, mode);
					assert.doesNotThrow(() => new PlanInterpreter().load(plan), `${generation} ${profile} ${mode}`);
				}
	});

	it("is what the rows of the profiles give: the built plans are up to date", () => {
		for (const generation of GENERATIONS)
			for (const profile of PROFILES)
				for (const mode of MODES)
					assert.deepEqual(
						framePlan(generation, profile, mode),
						encodePlan(planTable(generation, profile, mode), markedSignals(generation)),
						`${generation} ${profile} ${mode}`,
					);
	});

	it("tells identifiers that the controller rewrites in some profile, or sends, from all others", () => {
		for (const generation of GENERATIONS) {
			const own = new Set([
				0x6b0,
				...PROFILES.map((profile) => planTable(generation, profile, 6)).flatMap(({ frames, passes = [] }) => [
					...frames.map(({ id }) => id),
					...passes,
				]),
			]);
			for (let id = 0; id <= 0x7ff; id++)
				assert.equal(isOwnId(generation, false, id), own.has(id), `${generation} 0x${id.toString(16)}`);
		}
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

	it("sends FWD's rows for what opens, but in the modes with a table, and limits the factor beside them to 68 %", () => {
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
				const [first, ...others] = MODES.map((mode) => planTable(generation, profile, mode).counterSet);
				assert.ok(others.every((set) => set === first));
				return first;
			}),
		);
		assert.equal(new Set(sets).size, sets.length);
	});

	it("names every identifier once", () => {
		for (const generation of GENERATIONS)
			for (const profile of PROFILES) {
				const ids = planTable(generation, profile, 9).frames.map(({ id }) => id);
				assert.equal(new Set(ids).size, ids.length);
			}
	});

	it("leaves one group out of all for brake systems, used by the corrected profile only", () => {
		assert.equal(ALL_GROUPS, 0xff);
		assert.equal(WITHOUT_BRAKE_GROUP, 0xfd);
		for (const generation of GENERATIONS) {
			assert.ok(planTable(generation, "reference", 9).frames.every(({ group }) => group === undefined));
			const { frames, passes } = planTable(generation, "corrected", 9);
			assert.ok(passes !== undefined || frames.some(({ group }) => group === 1));
		}
	});

	it("has plans of its own for standalone operation, whose identifiers nobody else is to send", () => {
		for (const generation of GENERATIONS)
			for (const profile of PROFILES)
				for (const mode of MODES) {
					const plan = standalonePlan(generation, profile, mode);
					assert.deepEqual([...plan], [...encodePlan(standaloneTable(generation, profile, mode))]);
					assert.equal(plan[8], 1);
					assert.equal(framePlan(generation, profile, mode)[8], couplingOf(generation)?.generates === true ? 1 : 0);
				}
		assert.deepEqual([isOwnId(4, true, 0x390), isOwnId(4, false, 0x390), isOwnId(4, true, 0x6b0)], [true, false, true]);
	});
});
