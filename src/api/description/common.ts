/** Schemas of several tasks: modes, keys of signals, results, errors. */

import { CalibrationProblem } from "../../calibration/sweep.js";
import { HeldBy as HELD_BY, Reason } from "../../controller/reason.js";
import { GENERATIONS, FRAME_PROFILES as PROFILES } from "../../coupling/couplings/couplings.js";
import { MODES } from "../../lock/modes.js";
import { MODE_ALIASES } from "../../settings/mode-names.js";
import { OPERATORS } from "../../settings/settings-table.js";
import { OPERATOR_SPELLINGS } from "../../settings/values.js";
import { anyCase, anyOf, BLANKS, flag, named, object, ok, oneOf, optional, raw, text, whole } from "./schema.js";

/** Body of every error. */
export const ErrorBody = named(
	"Error",
	object({
		error: text("What is wrong; clients may compare it"),
		field: optional(text("The member at fault, with dots for nested ones")),
		value: optional(raw<unknown>({ description: 'What it was, cut to 64 characters; "array" or "object" for those' })),
		allowed: optional(
			raw<string | (string | number)[]>({
				description: "What would have been accepted",
				type: ["string", "array"],
				items: { type: ["string", "number"] },
			}),
		),
		detail: optional(text("More words for people")),
	}),
);

export const Mode = named("Mode", oneOf(MODES, "Name of a mode"));
export const ReasonCode = named("ReasonCode", oneOf(Object.values(Reason), "Why the active mode is what it is"));
const ReasonDetail = named("ReasonDetail", text('What belongs to the reason: the path of a map, an identifier; mostly ""'));
const HeldBy = named(
	"HeldBy",
	oneOf(Object.values(HELD_BY), 'What holds the lock at 0 % while control is active; "" = nothing, or control is not active'),
);
export const ProblemCode = named(
	"ProblemCode",
	oneOf(Object.values(CalibrationProblem), "Why a calibration did not begin or ended early, beside the values of `ReasonCode`"),
);
/** Why the active mode is what it is: in the status, in the event `mode` and in the answer to a write. */
export const Why = {
	reason: text("Why the active mode is what it is, in words"),
	reasonCode: ReasonCode,
	reasonDetail: ReasonDetail,
	heldBy: HeldBy,
	conditionMap: text('Path of the stored map that a condition has put in the place of the active one; "" = none'),
};
/** A reason, a problem, or "". */
export const ReasonOrProblem = (says: string) => anyOf([ReasonCode, ProblemCode, raw<"">({ const: "" })], says);

export const Generation = named("Generation", oneOf([0, ...GENERATIONS], "Generation of the coupling, 0 = not set"));
export const FrameProfile = oneOf(PROFILES, "Which bytes are rewritten");
export const SignalKey = named("SignalKey", text('`bus|frame|signal|unit`, "" = none', { maxLength: 160 }));
export const Operator = named("Operator", oneOf(OPERATORS));

export const Flag = named("Flag", anyOf([flag(), oneOf([0, 1])], "true, false, 1 or 0"));
const modeWords = [...MODES, ...MODE_ALIASES.map(([alias]) => alias)];
export const ModeName = named(
	"ModeName",
	text("Name or alias, in any letter case", { pattern: `^${BLANKS}${anyCase(modeWords)}${BLANKS}$` }),
);
const PRESET_NUMBERS = [5050, 6040, 7030, 7525, 8020, 9010] as const;
export const ModeChoice = named("ModeChoice", anyOf([ModeName, oneOf(PRESET_NUMBERS)]));
/** The first six are OpenHaldex-C6's numbers. */
export const ModeOrNumber = anyOf([ModeName, oneOf([0, 1, 2, 3, 4, 5, ...PRESET_NUMBERS])]);
export const SignalKeyRequest = named(
	"SignalKeyRequest",
	text("Trimmed, cut to 160 bytes", { pattern: `^${BLANKS}[^\\u0000-\\u001f\\u007f]*${BLANKS}$` }),
);
export const NumberOrText = named(
	"NumberOrText",
	anyOf(
		[raw<number>({ type: "number" }), text(undefined, { maxLength: 24, pattern: "^[+-]?[0-9]+(?:\\.[0-9]+)?$" })],
		"A number, or its decimal text",
	),
);
/** A generation as a request may spell it: these digits, as text. */
export const generationText = (digits: string) => ({ type: "string", pattern: `^\\+?0*${digits}(?:\\.0+)?$` });
const digits = GENERATIONS.every((generation) => generation < 10) ? `[${GENERATIONS.join("")}]` : `(?:${GENERATIONS.join("|")})`;
export const GenerationRequest = named(
	"GenerationRequest",
	anyOf(
		[oneOf(GENERATIONS), text(undefined, { maxLength: 24, ...generationText(digits) })],
		`${GENERATIONS.join(", ")}, or its decimal text`,
	),
);
const spellings = OPERATOR_SPELLINGS.flatMap((words) => words.split(" "));
export const OperatorRequest = named(
	"OperatorRequest",
	text("A name, or its sign", { pattern: `^${BLANKS}${anyCase(spellings)}${BLANKS}$` }),
);

/** Where a stored map lies. */
export const mapPath = (says?: string) => text(says, { pattern: "^/maps/[^/]+\\.(?:json|txt)$" });
/** Bytes as hexadecimal text, with a blank between two. */
export const hexBytes = (says?: string) => text(says, { pattern: "^([0-9a-f]{2}( [0-9a-f]{2})*)?$" });

export const Ok = named("Ok", ok({}));
export const OkPath = named("OkPath", ok({ path: mapPath("Path of the stored map") }));
export const OkState = named("OkState", ok({ debugCaptureActive: flag(), disableController: flag() }));

/** `revision` of a write. */
export const revision = (of: string) =>
	optional(whole(`${of} in the status that the change was made from; 409 if it is no longer that`));
