// Mutants that no test tells from the original, or only by a millisecond. The mutation run checks that each of
// these still survives.

// Why no test can notice.
const AT_A_POINT = "at a point both neighbouring pieces give the point's value";
const SEARCH_START = "only where the search starts: it goes on to the same place, or starts at the low end";
const EQUAL = "equal numbers give the same result";
const REFUSED = "such a token is rejected either way";
const ONE_DATA_ID = "byte 1 of the frame is 00, so that only the first is looked at";
const OVER = "0 or less: it is over";
const AFTER_FIRST_STEP = "compared with the revision of a later request, once a step has made both equal";
const UNREAD = "another value is there before it is read";
const EVEN = "the limit is even: below it both are below, from it on neither is";
const OPEN_FILE = "the platform's type has no size for what is no file; an open one has";
const ONE_ROW = "the one row that follows the mode is another one here";
const NO_RULE = "behind the last rule all is 0: no period, and an identifier whose rule ends, too";
const START_MS = "it matters for one millisecond only: not worth a test";
const NO_FAULT = "no fault has this bit";
const BEHIND = "outside of it there is no such byte";
const NEGATIVE = "any number below 0 says so";
const DIFFERENT = "numbers of states only have to differ";
const NO_MARK = "a target begins with a slash or a star";
const LONGER_WAY = "the longer way gives the same";
const READ_EACH_TIME = "a checksum that reads a byte of each frame is that with what the byte always adds";

/**
 * By file: a text of one line, the changes within this text that behave like the original, and why. Where several
 * lines have the text, the function, method or constant stands before it, as in `step: `.
 * @type {Record<string, [piece: string, changes: string, why: string][]>}
 */
export const EQUIVALENT = {
	"src/lock/interpolate.ts": [
		["value <= bins", "<= becomes <", AT_A_POINT],
		["value < bins", "< becomes <=", AT_A_POINT],
		["value > bins", "> becomes >=", AT_A_POINT],
		["next = 1", "1 becomes 0", SEARCH_START],
	],
	"src/lock/lock-core.ts": [
		["angleDeg >= fullDeg", ">= becomes >", "the line ends there"],
		["wantedPercent > gainPercent", "> becomes >=", EQUAL],
		["wantedPercent < gainPercent", "< becomes <=", EQUAL],
		["targetPercent > limitPercent", "> becomes >=", EQUAL],
		["pedal < 0", "< becomes <=", EQUAL],
		["pedal > 100", "> becomes >=", EQUAL],
	],
	"src/lock/ramp.ts": [
		["targetPercent > lastPercent ?", "> becomes >=", "equal numbers returned before"],
		["targetPercent > lastPercent +", "> becomes >=", "equal numbers returned before"],
		["targetPercent < lastPercent", "< becomes <=", EQUAL],
		["ownPercentPerS > leastPercentPerS", "> becomes >=", EQUAL],
		["elapsedMs, 0,", "0 becomes 1, 0 becomes -1", "nothing rises towards 0"],
	],
	"src/controller/input-health.ts": [["elapsedMs < TICK_COUNTS_MS", "< becomes <=", EQUAL]],
	"src/controller/sources.ts": [["generation: Generation = 0", "0 becomes 1, 0 becomes -1", UNREAD]],
	"src/controller/changes.ts": [
		["i = 0", "0 becomes -1", NO_FAULT],
		["i < FAULTS", "< becomes <=", NO_FAULT],
	],
	"src/controller/controller.ts": [
		["nowMs = 0;", "0 becomes 1, 0 becomes -1", "not subtracted before the first step has set it"],
		["revision = 0", "0 becomes 1, 0 becomes -1", AFTER_FIRST_STEP],
		["activeRevision = 0", "0 becomes 1, 0 becomes -1", AFTER_FIRST_STEP],
		["watchRevision = 1", "1 becomes 2", "any but 0, with which the loop starts"],
		[": 0;", "0 becomes 1", "a millisecond of the second in which inputs have to be valid"],
		[
			"if (this.#generates && this",
			"&& becomes ||",
			"a plan of another mode is taken before it is active, and what is generated is the same in each",
		],
	],
	"src/controller/calibration-run.ts": [
		["#reportAtMs: #reportAtMs = -1", "1 becomes 2, 1 becomes 0", "set at each start"],
		["this.#reportAtMs = -1", "1 becomes 2", "no report has such a time"],
		["this.#reportAtMs = -1", "1 becomes 0", START_MS],
	],
	"src/controller/lock-command.ts": [
		[
			"#sinceInterventionMs: #sinceInterventionMs = 0",
			"0 becomes 1, 0 becomes -1",
			"set to 0 by the first intervention, and not looked at before",
		],
		["#returningMs: #returningMs = 0", "0 becomes -1", OVER],
		["#coolDownMs: #coolDownMs = 0", "0 becomes -1", OVER],
		["if (this.#coolDownMs > 0) this", "> becomes >=, 0 becomes -1", OVER],
		["return this.#coolDownMs > 0", "0 becomes 1", START_MS],
		["elapsedMs < TICK_COUNTS_MS", "< becomes <=", EQUAL],
		["lock.lockPercent > highest", "> becomes >=", EQUAL],
	],
	"src/controller/status-broadcast.ts": [
		["speedKmh > 255", "> becomes >=", EQUAL],
		["speedKmh > 255", "255 becomes 254", "speeds are whole numbers"],
		["pedalPercent > 255", "> becomes >=", EQUAL],
	],
	"src/controller/steering.ts": [
		["wanted > last", "> becomes >=", EQUAL],
		["elapsedMs > TICK_COUNTS_MS", "> becomes >=", EQUAL],
	],
	"src/controller/input-supervisor.ts": [
		["UNSETTLED = -1", "1 becomes 2", "any number that is no pair of bus states will do"],
		["update(false, 0)", "0 becomes 1, 0 becomes -1", "what is not there is not counted"],
		["#captureFromMs = 0", "0 becomes 1, 0 becomes -1", UNREAD],
		["#settledFlags = 0", "0 becomes 1, 0 becomes -1", UNREAD],
		["#captureFromMs) | 0", "0 becomes 1", EVEN],
	],
	"src/controller/lock-factor.ts": [
		["#factor = 0", "0 becomes 1, 0 becomes -1", UNREAD],
		["trim === 1", "1 becomes 0", EQUAL],
		["trim === 1", "1 becomes 2", "a trim of 1 changes nothing, and none is 2"],
		["lockPercent >= 100", ">= becomes >", "the curve ends at the full factor"],
		["i = 1", "1 becomes 0", SEARCH_START],
		["lockPercent > GUESS_LOCK_PERCENT", "> becomes >=", AT_A_POINT],
		["trimmed < FULL_FACTOR", "< becomes <=", EQUAL],
		["lockPercent < most", "< becomes <=", EQUAL],
	],
	"src/controller/conditions.ts": [
		["atMs: atMs = 0", "0 becomes 1, 0 becomes -1", UNREAD],
		["settings.limitPercent < this", "< becomes <=", EQUAL],
		["#changedMs) | 0", "0 becomes 1", EVEN],
		["#earlyFromMs) | 0", "0 becomes 1", EVEN],
	],
	"src/vehicle/coupling-status.ts": [
		["isOpen ? 0", "0 becomes -1", "what is below 0 is shown as 0"],
		["percent < 0", "< becomes <=, 0 becomes 1", "it is a whole number, and 0 gives 0"],
		["percent > 100", "> becomes >=, 100 becomes 99", "it is a whole number, and 100 gives 100"],
		["? 0 : flagField", "0 becomes 1, 0 becomes -1", "only a report without flags lacks one, and then none is read"],
		["row.start - state", "- becomes +", "a state that has flags starts at bit 0"],
		["start - first", "- becomes +", "a state that has flags starts at bit 0"],
	],
	"src/vehicle/latest-frames.ts": [
		["ENTRY_BYTES = 52", "52 becomes 53", "the gateway fills the first 52 bytes, and the others are not read"],
		["FLAG_CYCLIC = 4", "4 becomes 5", "it is read together with FLAG_CHANGED, which is 1"],
	],
	"src/vehicle/frame-guard.ts": [
		["length: 256", "256 becomes 257", "a byte is at most 255"],
		["start: 0, length", "0 becomes 1, 0 becomes -1", "a mask without bits is the same anywhere"],
		["length: 0 }", "0 becomes -1", "no bits in the mask either"],
		["#at = 0", "0 becomes 1, 0 becomes -1", "no entry of a sample begins there"],
		["#lastCount = -1", "1 becomes 2", NEGATIVE],
	],
	"src/coupling/frame-plan.ts": [
		["length > 1", "1 becomes 2", "there is one plan for all modes, or one for each"],
		["factor > OPENING_FACTOR_MAX", "> becomes >=", EQUAL],
	],
	"src/coupling/plan-encoder.ts": [
		["end < 0 ? body", "< becomes <=, 0 becomes 1", REFUSED],
		["end < 0 ? undefined", "< becomes <=, 0 becomes 1", REFUSED],
		["Array(16)", "16 becomes 17", ONE_DATA_ID],
	],
	"src/coupling/couplings/gen1.ts": [["standaloneReference(0).frames, [[pq.MOTOR_1", "0 becomes 1, 0 becomes -1", ONE_ROW]],
	"src/storage/whole-file.ts": [["size ?? 0", "0 becomes 1, 0 becomes -1", OPEN_FILE]],
	"src/storage/write-queue.ts": [
		["#endedMs = 0", "0 becomes 1, 0 becomes -1", "no time to rest follows from it while the rest is 0"],
		["#restMs = 0", "0 becomes -1", OVER],
	],
	"modules/can-gateway/bus_recovery.c": [["back_off_us > BUS_RECOVERY_LAST_US", "> becomes >=", EQUAL]],
	"modules/can-gateway/gateway_checksum.c": [
		["gateway_checksum_load_crc: for (unsigned nibble = 0", "0 becomes 1", "0 contributes 0, which is there already"],
		["at = 8", "8 becomes 9", "a mask of eight bits has no ninth"],
		["listed = 8", "8 becomes 9", "a mask of eight bits has no ninth"],
	],
	"modules/can-gateway/gateway_control.c": [
		["i < plan->counter_count", "< becomes <=", "a counter that the plan does not have is shown by none of its bytes"],
		["i < plan->rule_count", "< becomes <=", NO_RULE],
	],
	"modules/can-gateway/gateway_core.c": [
		["i + 1", "+ becomes -", "the ring of the queue goes round the other way"],
		["frame->id <= GATEWAY_MAX_STANDARD_ID", "<= becomes <", LONGER_WAY],
		["now_us - queue", "- becomes +", LONGER_WAY],
		["> GATEWAY_AGE_LIMIT_US ||", "> becomes >=", LONGER_WAY],
		["flags & GATEWAY_GENERATED)", "& becomes |", LONGER_WAY],
	],
	"modules/can-gateway/gateway_generator.c": [
		["data[8]", "8 becomes 9", "the ninth is never read"],
		["now_us < gateway->rewrite_until_us ?", "< becomes <=", "the tick has ended the lease in the moment in which it is over"],
		["rule < plan->rules", "< becomes <=", NO_RULE],
	],
	"modules/can-gateway/gateway_ids.c": [
		["probe < GATEWAY_PROBES; ++probe) {", "< becomes <=", "no identifier was put farther away than that"],
		["gateway_unpin_all: for (unsigned i = 0; i < plan", "< becomes <=", NO_RULE],
	],
	"modules/can-gateway/gateway_memory.c": [
		["age < AGE_UNKNOWN", "< becomes <=", EQUAL],
		["dlc > 8", "8 becomes 9", "it is 8 at the most, or 128: never received"],
		["ring_head < ring_count", "< becomes <=", EQUAL],
		["i < gateway->latest_used", "< becomes <=", "the place behind the last one was never received"],
		["*cursor > end", "> becomes >=", EQUAL],
		["*cursor < oldest", "< becomes <=", "0 were overwritten then"],
	],
	"modules/can-gateway/gateway_plan.c": [
		["hidden ? 2 : 1", "2 becomes 3", "all but 1 do without the wrap"],
		["unsigned variable = 0", "0 becomes 1, 0 becomes -1", READ_EACH_TIME],
		["touched = 0", "0 becomes 1, 0 becomes -1", READ_EACH_TIME],
		["8 * at & 0xFF", "& becomes |", READ_EACH_TIME],
		["? 1 : 0) << at", "0 becomes 1, 0 becomes -1", READ_EACH_TIME],
		["gateway_plan_scale: for (unsigned i = 0; i < plan", "< becomes <=", "no frame finds the place behind the last rule"],
		["gateway_plan_select: for (unsigned i = 0; i < plan", "< becomes <=", "no frame finds the place behind the last rule"],
	],
	"modules/can-gateway/gateway_rewrite.c": [
		["value > last + field", "> becomes >=", EQUAL],
		["field->step < last", "< becomes <=", EQUAL],
	],
	"src/http/request.ts": [
		["mark < 0 ? target", "< becomes <=, 0 becomes 1", NO_MARK],
		['mark < 0 ? ""', "< becomes <=, 0 becomes 1", NO_MARK],
	],
	"src/http/request-parser.ts": [
		["NEED_DATA = 0", "0 becomes -1", DIFFERENT],
		["FAILED = 4", "4 becomes 5", DIFFERENT],
		["HEAD = 0", "0 becomes -1", DIFFERENT],
		["BROKEN = 3", "3 becomes 4", DIFFERENT],
		["dataStart = 0", "0 becomes 1, 0 becomes -1", UNREAD],
		["dataEnd = 0", "0 becomes 1, 0 becomes -1", UNREAD],
		["status = 0", "0 becomes 1, 0 becomes -1", UNREAD],
		["#remaining = 0", "0 becomes 1, 0 becomes -1", UNREAD],
		["#start > keptEnd", "> becomes >=", "nothing is moved by 0 bytes"],
	],
	"src/http/multipart.ts": [
		["fileEnd >= 0", "0 becomes -1", "fewer bytes are not equal to more"],
		["#lineLength > 0 &&", "> becomes >=, 0 becomes -1", BEHIND],
	],
	"src/update/firmware-image.ts": [
		["HEAD = 0", "0 becomes -1", DIFFERENT],
		["END = 6", "6 becomes 7", DIFFERENT],
		["#segments = 0", "0 becomes 1, 0 becomes -1", UNREAD],
		["sizeBytes > 0", "0 becomes 1", "a claim of 1 byte was rejected with the head"],
		["Part.END, 0", "0 becomes 1", "no byte is taken any more"],
		["end < 0", "< becomes <=, 0 becomes 1", "no text stands at the beginning"],
	],
	"src/update/manifest.ts": [["maxBytes: 128", "128 becomes 129, 128 becomes 127", "the longest has 100 bytes"]],
	"src/update/rejection.ts": [
		["#leftMs = 0", "0 becomes -1", "the first look makes 0 of it"],
		["#lookedMs = 0", "0 becomes 1, 0 becomes -1", "nothing is left that the first look could take from"],
	],
	"src/update/self-test.ts": [["status = 0", "0 becomes 1, 0 becomes -1", "anything but 200 is no answer"]],
	"src/update/updater.ts": [
		["#phaseMs = 0;", "0 becomes 1, 0 becomes -1", UNREAD],
		["#nextCheckMs = 0;", "0 becomes 1, 0 becomes -1", UNREAD],
		["#speedMs = 0;", "0 becomes 1, 0 becomes -1", UNREAD],
		["#speedBytes: #speedBytes = 0;", "0 becomes 1, 0 becomes -1", UNREAD],
		["?? -1", "1 becomes 2", NEGATIVE],
		["?? -1", "1 becomes 0", "where nothing is looked at nobody waits to be told"],
	],
	"src/update/version.ts": [
		["i < 3", "< becomes <=, 3 becomes 4", BEHIND],
		["i = 0; i < 3", "0 becomes -1", BEHIND],
		["i = 0; i < preA", "0 becomes -1", BEHIND],
		["i < preA", "< becomes <=", BEHIND],
		["i < preB", "< becomes <=", BEHIND],
		["dash < 0", "< becomes <=, 0 becomes 1", "what begins with a dash is no version"],
		["if (a === undefined) return -1", "1 becomes 2", NEGATIVE],
		["if (b === undefined) return 1", "1 becomes 2", "any number above 0 says so"],
		["if (numberA >= 0) return -1", "1 becomes 2", NEGATIVE],
		["if (numberB >= 0) return 1", "1 becomes 2", "any number above 0 says so"],
		["a < b", "< becomes <=", EQUAL],
	],
};

/**
 * Whether a row is about a mutant of its file.
 * @param {readonly [piece: string, changes: string, why: string]} row
 * @param {import("./mutants.mjs").Mutant} mutant
 */
export const explains = ([piece, changes], { place, was, is, change }) =>
	changes.split(", ").includes(change) && `${place}: ${was}`.includes(piece) && !`${place}: ${is}`.includes(piece);
