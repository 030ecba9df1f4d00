/** Calibration: which engagement the coupling reaches for each factor. */

import { GENERATIONS } from "../../coupling/couplings/couplings.js";
import { TORQUE_MODELS } from "../../coupling/frame-plan.js";
import { Flag, FrameProfile, Ok, ReasonOrProblem } from "./common.js";
import { type Endpoints, NOT_APPLIED } from "./route.js";
import { described, exactly, flag, list, named, number, object, oneOf, optional, percent, text, whole } from "./schema.js";

const FACTORS = 101;
const byFactor = (says: string) => list(number(undefined, 0, 100), { maxItems: FACTORS }, says);
const DAY = { pattern: "^([0-9]{4}-[0-9]{2}-[0-9]{2})?$" };

export const TableDiffers = oneOf(
	["", "generation", "frameProfile", "torqueModel", "torqueCeilingNm", "framesOff"],
	'The first setting that was another when the table was learned, so that it is not used; else ""',
);

export const Learn = named(
	"Learn",
	object({
		active: flag("It runs"),
		progress: whole("Step 0..100; 101 = ended with a table, 102 = without", 0, 102),
		tableValid: flag("A table is active"),
		tableDiffers: TableDiffers,
		currentCF: percent("Factor now"),
		currentEng: percent("Engagement now, %"),
		table: optional(exactly(FACTORS, percent(), "Engagement by factor, %")),
		measured: byFactor("Engagement by factor, %: of a sweep that runs, up to now; of one that came to its end"),
		unsteady: byFactor("By factor, %: how far the readings of a step lay apart, or below an earlier step if that is more"),
		problem: text('Why the last one ended early, "" if it did not'),
		problemCode: ReasonOrProblem("The same as a value"),
	}),
);

export const LearnResult = named(
	"LearnResult",
	object({
		ok: flag(),
		alreadyActive: optional(flag()),
		error: optional(text("Why not, in words")),
		errorCode: optional(ReasonOrProblem("The same as a value; absent: it has none")),
		active: optional(flag()),
	}),
);

const learned = {
	generation: oneOf([0, ...GENERATIONS], "0: nothing was learned"),
	frameProfile: described(FrameProfile, "The frames that it was measured with"),
	torqueModel: oneOf(TORQUE_MODELS),
	torqueCeilingNm: number(undefined, 10, 509),
	framesOff: text("Identifiers of frames that were off"),
	date: text(undefined, DAY),
	table: byFactor("Engagement, %, by factor: 101 numbers that never fall; none of generation 0"),
	oilC: list(number(), { maxItems: 2 }, "Oil of the clutch at its begin and end, °C; none: not reported"),
};
export const LearnTable = named(
	"LearnTable",
	object({ ...learned, inForce: optional(flag("It was learned with the frames of now")), differs: optional(TableDiffers) }),
);

const NOT_STORED = { 500: { "save failed": "it could not be stored; nothing was changed" }, 503: { busy: NOT_APPLIED } };
const DONE = "`ok` tells whether it was done";

export const CALIBRATION: Endpoints = {
	"GET /api/learn/status": { id: "getLearnStatus", says: "State of the calibration", answer: Learn, means: "The state" },
	"POST /api/learn/start": {
		id: "postLearnStart",
		says: "Start the calibration",
		body: object({
			confirmed: optional(described(Flag, "Somebody has looked: the car stands, its engine runs, its brake is set")),
			date: optional(text('Day of the operator\'s calendar, or ""', DAY)),
			torqueModel: optional(oneOf(TORQUE_MODELS, "With one of these three it is a trial; needs this")),
			torqueCeilingNm: optional(number("Absent: 150", 10, 509)),
			framesOff: optional(text('Absent: ""')),
		}),
		bodyOptional: true,
		example: { confirmed: true, date: "2026-11-23" },
		answer: LearnResult,
		means: DONE,
		errors: {
			400: { "invalid confirmed": "", "invalid date": "", "invalid trial": "`detail` says why" },
			503: { busy: NOT_APPLIED },
		},
	},
	"POST /api/learn/alive": {
		id: "postLearnAlive",
		says: "The operator of the calibration is still there",
		answer: LearnResult,
		means: "`active` tells whether it runs",
	},
	"POST /api/learn/cancel": {
		id: "postLearnCancel",
		says: "Cancel the calibration",
		answer: LearnResult,
		means: DONE,
		errors: { 503: { busy: NOT_APPLIED } },
	},
	"POST /api/learn/clear": {
		id: "postLearnClear",
		says: "Clear the calibration",
		answer: LearnResult,
		means: DONE,
		errors: NOT_STORED,
	},
	"GET /api/learn/table": {
		id: "getLearnTable",
		says: "What was learned, and of which coupling",
		answer: LearnTable,
		means: "The table; empty if nothing was learned",
	},
	"POST /api/learn/table": {
		id: "postLearnTable",
		says: "Restore a table from a backup, or accept a trial",
		body: object(
			{
				...learned,
				torqueModel: optional(oneOf(TORQUE_MODELS, "Absent: pinned; generation 5 in corrected must say it")),
				torqueCeilingNm: optional(learned.torqueCeilingNm),
				framesOff: optional(learned.framesOff),
				oilC: optional(learned.oilC),
				apply: optional(described(Flag, "Takes torque model, ceiling and frames over into the settings, too")),
			},
			undefined,
			{
				anyOf: [
					{ properties: { generation: { const: 0 }, table: { maxItems: 0 } } },
					{ properties: { generation: { enum: GENERATIONS }, table: { minItems: FACTORS } } },
				],
			},
		),
		answer: Ok,
		means: "Active, if it was learned with these frames",
		errors: { 400: { "invalid apply": "", "invalid table": "`detail` says why" }, ...NOT_STORED },
	},
};
