// Mutants that no test can tell from the original. The mutation run checks that each of these still survives.

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
const UNSEEN = "what is in a place before an identifier takes it is never looked at";
const LOOKED_AT = "a byte that is looked at in each frame gives the same as one that was looked at once";
const ONE_ROW = "the one row that follows the mode is another one here";
const NO_FAULT = "no fault has this bit";
const BEHIND = "outside of it there is no such byte";
const NEGATIVE = "any number below 0 says so";
const DIFFERENT = "numbers of states only have to differ";
const NO_MARK = "a target begins with a slash or a star";
const LONGER_WAY = "the longer way gives the same";

/**
 * Mutants that behave like the original, by file: function, method or constant that is changed, what becomes what in it, and why no test notices.
 * @type {Record<string, [place: string, changes: string, why: string][]>}
 */
export const EQUIVALENT = {
	"src/lock/interpolate.ts": [
		["placeOnAxis", "<= becomes <, < becomes <=, > becomes >=", AT_A_POINT],
		["placeOnAxis", "1 becomes 0", SEARCH_START],
	],
	"src/lock/lock-core.ts": [
		["targetLockPercent", "< becomes <=, > becomes >=", EQUAL],
		["stepLock", "> becomes >=", EQUAL],
		["fadeGain", "> becomes >=, < becomes <=", EQUAL],
		["steeringGainPercent", ">= becomes >", "the line ends there"],
	],
	"src/lock/ramp.ts": [
		["rampLock", "> becomes >=", "equal numbers returned before"],
		["rampLock", "< becomes <=", EQUAL],
		["releaseLock", "0 becomes 1, 0 becomes -1", "nothing rises towards 0"],
		["releaseLock", "> becomes >=", EQUAL],
	],
	"src/controller/input-health.ts": [["update", "< becomes <=", EQUAL]],
	"src/controller/sources.ts": [["generation", "0 becomes 1, 0 becomes -1", UNREAD]],
	"src/controller/changes.ts": [["observe", "0 becomes -1, < becomes <=", NO_FAULT]],
	"src/controller/controller.ts": [
		["nowMs", "0 becomes 1, 0 becomes -1", "not subtracted before the first step has set it"],
		["revision", "0 becomes -1, 0 becomes 1", AFTER_FIRST_STEP],
		["activeRevision", "0 becomes -1, 0 becomes 1", AFTER_FIRST_STEP],
		["watchRevision", "1 becomes 2", "any but 0, with which the loop starts"],
		["step", "0 becomes 1", "a millisecond of the second in which inputs have to be valid"],
		["step", "&& becomes ||", "a plan of another mode is taken before it is active, and what is generated is the same in each"],
	],
	"src/controller/calibration-run.ts": [
		["#reportAtMs", "1 becomes 2", "set at each start, and no report has such a time"],
		["#reportAtMs", "1 becomes 0", "set at each start"],
		["start", "1 becomes 2", "no report has such a time"],
		["start", "1 becomes 0", "one report of the millisecond 0 less; the next one counts"],
	],
	"src/controller/lock-command.ts": [
		["#sinceInterventionMs", "0 becomes -1, 0 becomes 1", "set to 0 by the first intervention, and not looked at before"],
		["#returningMs", "0 becomes -1", OVER],
		["#coolDownMs", "0 becomes -1", OVER],
		["step", "> becomes >=, 0 becomes -1", OVER],
		["heldOpen", "0 becomes 1", "a millisecond of 10 s"],
		["step", "< becomes <=", EQUAL],
		["#step", "> becomes >=", EQUAL],
	],
	"src/controller/status-broadcast.ts": [
		["writeStatus", "> becomes >=", EQUAL],
		["writeStatus", "255 becomes 254", "speeds are whole numbers"],
	],
	"src/controller/steering.ts": [["poll", "> becomes >=", EQUAL]],
	"src/controller/input-supervisor.ts": [
		["UNSETTLED", "1 becomes 2", "any number that is no pair of bus states will do"],
		["setCapture", "0 becomes 1, 0 becomes -1", "what is not there is not counted"],
		["#captureFromMs", "0 becomes 1, 0 becomes -1", UNREAD],
		["step", "<= becomes <", "the arbiter is asked in each tick, and answers as before"],
		["#watch", "0 becomes 1", EVEN],
	],
	"src/controller/lock-factor.ts": [
		["#factor", "0 becomes 1, 0 becomes -1", UNREAD],
		["of", "1 becomes 0", EQUAL],
		["of", "1 becomes 2", "a trim of 1 changes nothing, and none is 2"],
		["continuousFactor", ">= becomes >", "the curve ends at the full factor"],
		["guessedFactorPercent", "1 becomes 0", SEARCH_START],
		["guessedFactorPercent", "> becomes >=", AT_A_POINT],
		["trimmedFactor", "< becomes <=", EQUAL],
		["factorPercentFor", "< becomes <=", EQUAL],
	],
	"src/controller/conditions.ts": [
		["atMs", "0 becomes 1, 0 becomes -1", UNREAD],
		["#combine", "< becomes <=", EQUAL],
		["#follow", "0 becomes 1", EVEN],
		["poll", "0 becomes 1", EVEN],
	],
	"src/coupling/frame-plan.ts": [
		["planFollowsMode", "1 becomes 2", "there is one plan for all modes, or one for each"],
		["openingFactor", "> becomes >=", EQUAL],
	],
	"src/coupling/plan-encoder.ts": [
		["encodeToken", "< becomes <=, 0 becomes 1", REFUSED],
		["STEERING_DATA_ID", "16 becomes 17", ONE_DATA_ID],
	],
	"src/coupling/couplings/gen1.ts": [["STANDALONE_CORRECTED", "0 becomes 1, 0 becomes -1", ONE_ROW]],
	"src/storage/whole-file.ts": [["readFile", "0 becomes 1, 0 becomes -1", OPEN_FILE]],
	"src/storage/write-queue.ts": [
		["#endedMs", "0 becomes 1, 0 becomes -1", "no time to rest follows from it while the rest is 0"],
		["#restMs", "0 becomes -1", OVER],
	],
	"modules/can-gateway/bus_recovery.c": [["while_off", "> becomes >=", EQUAL]],
	"modules/can-gateway/gateway_checksum.c": [
		["gateway_checksum_load", "8 becomes 9", "a mask of eight bits has no ninth"],
		["gateway_checksum_load_crc", "0 becomes 1", "0 contributes 0, which is there already"],
	],
	"modules/can-gateway/gateway_control.c": [
		["take_staged", "< becomes <=", "a counter that the plan does not have is shown by none of its bytes"],
	],
	"modules/can-gateway/gateway_core.c": [
		["gateway_init", "0 becomes 1, 0 becomes -1, + becomes -, 1 becomes 0, * becomes /", UNSEEN],
		["gateway_receive", "<= becomes <", LONGER_WAY],
		["gateway_next_to_send", "- becomes +, > becomes >=, & becomes |", LONGER_WAY],
	],
	"modules/can-gateway/gateway_generator.c": [
		["send_generated", "8 becomes 9", "the ninth is never read"],
		["generate", "< becomes <=", "the tick has ended the lease in the moment in which it is over"],
	],
	"modules/can-gateway/gateway_ids.c": [["find_extended", "< becomes <=", "no identifier was put farther away than that"]],
	"modules/can-gateway/gateway_memory.c": [
		["age_ms", "< becomes <=", EQUAL],
		["gateway_sample", "8 becomes 9", "it is 8 at the most, or 128: never received"],
		["gateway_ring_start", "< becomes <=", EQUAL],
		["gateway_received_age", "< becomes <=", "the place behind the last one was never received"],
		["gateway_read_ring", "> becomes >=", EQUAL],
		["gateway_read_ring", "< becomes <=", "0 were overwritten then"],
	],
	"modules/can-gateway/gateway_plan.c": [
		["load_shown", "< becomes <=", "the place behind the last one is filled right after"],
		["load_operations", "0 becomes 1, 0 becomes -1", LOOKED_AT],
		["load_shown", "2 becomes 3", "all but 1 do without the wrap"],
	],
	"src/http/request.ts": [["readTarget", "< becomes <=, 0 becomes 1", NO_MARK]],
	"src/http/request-parser.ts": [
		["ParserEvent", "0 becomes -1, 4 becomes 5", DIFFERENT],
		["State", "0 becomes -1, 3 becomes 4", DIFFERENT],
		["dataStart", "0 becomes 1, 0 becomes -1", UNREAD],
		["dataEnd", "0 becomes 1, 0 becomes -1", UNREAD],
		["status", "0 becomes 1, 0 becomes -1", UNREAD],
		["#remaining", "0 becomes 1, 0 becomes -1", UNREAD],
		["space", "> becomes >=", "nothing is moved by 0 bytes"],
	],
	"src/http/multipart.ts": [
		["end", "0 becomes -1", "fewer bytes are not equal to more"],
		["#onLine", "> becomes >=, 0 becomes -1", BEHIND],
	],
	"src/update/firmware-image.ts": [
		["Part", "0 becomes -1, 6 becomes 7", DIFFERENT],
		["#segments", "0 becomes 1, 0 becomes -1", UNREAD],
		["end", "0 becomes 1", "a claim of 1 byte was rejected with the head"],
		["#onPart", "0 becomes 1", "no byte is taken any more"],
		["textAt", "< becomes <=, 0 becomes 1", "no text stands at the beginning"],
	],
	"src/update/manifest.ts": [["NEWEST_VERSION_DOCUMENT", "128 becomes 129, 128 becomes 127", "the longest has 100 bytes"]],
	"src/update/rejection.ts": [
		["#leftMs", "0 becomes -1", "the first look makes 0 of it"],
		["#lookedMs", "0 becomes 1, 0 becomes -1", "nothing is left that the first look could take from"],
	],
	"src/update/self-test.ts": [["#ask", "0 becomes 1, 0 becomes -1", "anything but 200 is no answer"]],
	"src/update/updater.ts": [
		["#phaseMs", "0 becomes 1, 0 becomes -1", UNREAD],
		["#nextCheckMs", "0 becomes 1, 0 becomes -1", UNREAD],
		["#speedMs", "0 becomes 1, 0 becomes -1", UNREAD],
		["#speedBytes", "0 becomes 1, 0 becomes -1", UNREAD],
		["#lookAtSignature", "1 becomes 2", NEGATIVE],
		["#lookAtSignature", "1 becomes 0", "where nothing is looked at nobody waits to be told"],
	],
	"src/update/version.ts": [
		["compareVersions", "0 becomes -1, < becomes <=, 3 becomes 4", BEHIND],
		["split", "< becomes <=, 0 becomes 1", "what begins with a dash is no version"],
		["comparePart", "1 becomes 2", NEGATIVE],
		["comparePart", ">= becomes >, 0 becomes 1", "0 is before any other number"],
		["comparePart", "< becomes <=", EQUAL],
	],
};
