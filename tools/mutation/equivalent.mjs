// Mutants that no test can tell from the original. The mutation run checks that each of these still survives.

// Why nobody can notice.
const AT_A_POINT = "at a point both neighbouring pieces give the point's value";
const SEARCH_START = "only where the search starts: it goes on to the same place, or starts at the low end";
const SAME_CELL = "not used, or times a difference of 0, where both neighbours are the same bin";
const EQUAL = "equal numbers give the same result";
const REFUSED = "such a token is refused either way";
const ONE_DATA_ID = "byte 1 of the frame is 00, so that only the first is looked at";
const OVER = "0 or less: it is over";
const UNREAD = "another value is there before anybody looks";
const NEWS = "the first view has a reason, so that it is news whatever this is";
const EVEN = "the limit is even: below it both are below, from it on neither is";
const OPEN_FILE = "the platform's type has no size for what is no file; an open one has";
const UNSEEN = "what is in a place before an identifier takes it is never looked at";
const LOOKED_AT = "a byte that is looked at in each frame gives the same as one that was looked at once";
const ONE_ROW = "the one row that follows the mode is another one here";
const NO_FAULT = "no fault has this bit";
const BEHIND = "outside of it there is no such byte";
const NEGATIVE = "any number below 0 says so";
const POSITIVE = "any number above 0 says so";
const DIFFERENT = "numbers of states only have to differ";
const USED_ONE = "a byte was used at least, so that it is above 0";
const BEFORE_IT = "target and values lie before it";
const NO_MARK = "a target begins with a slash or a star";
const LONGER_WAY = "the longer way gives the same";
const FROM_BELOW = "what is looked for from below 0 on is looked for from 0 on";

/** Mutants that behave like the original, by file: the changed line, and why. @type {Record<string, [line: string, why: string][]>} */
export const EQUIVALENT = {
	"src/lock/interpolate.ts": [
		["const MIDDLE_ROW = MAP_ROWS << 1;", SEARCH_START],
		["const MIDDLE_ROW = MAP_ROWS >> 2;", SEARCH_START],
		["const MIDDLE_ROW = MAP_ROWS >> 0;", SEARCH_START],
		["const MIDDLE_COLUMN = MAP_COLUMNS << 1;", SEARCH_START],
		["const MIDDLE_COLUMN = MAP_COLUMNS >> 2;", SEARCH_START],
		["const MIDDLE_COLUMN = MAP_COLUMNS >> 0;", SEARCH_START],
		["if (x >= xs[last]) return ys[last];", AT_A_POINT],
		["let i = 0;", SEARCH_START],
		["let rowRatio = 1;", SAME_CELL],
		["let rowRatio = -1;", SAME_CELL],
		["if (pedalPercent < rows[0]) nextRow = row = 0;", AT_A_POINT],
		["else if (pedalPercent <= rows[row]) {", AT_A_POINT],
		["nextRow = pedalPercent >= rows[MIDDLE_ROW] ? MIDDLE_ROW + 1 : 1;", AT_A_POINT],
		["nextRow = pedalPercent > rows[MIDDLE_ROW] ? MIDDLE_ROW - 1 : 1;", SEARCH_START],
		["nextRow = pedalPercent > rows[MIDDLE_ROW] ? MIDDLE_ROW + 0 : 1;", SEARCH_START],
		["nextRow = pedalPercent > rows[MIDDLE_ROW] ? MIDDLE_ROW + 1 : 0;", SEARCH_START],
		["while (pedalPercent >= rows[nextRow]) nextRow++;", AT_A_POINT],
		["let columnRatio = 1;", SAME_CELL],
		["let columnRatio = -1;", SAME_CELL],
		["if (speedKmh < columns[0]) nextColumn = column = 0;", AT_A_POINT],
		["else if (speedKmh <= columns[column]) {", AT_A_POINT],
		["nextColumn = speedKmh >= columns[MIDDLE_COLUMN] ? MIDDLE_COLUMN + 1 : 1;", AT_A_POINT],
		["nextColumn = speedKmh > columns[MIDDLE_COLUMN] ? MIDDLE_COLUMN - 1 : 1;", SEARCH_START],
		["nextColumn = speedKmh > columns[MIDDLE_COLUMN] ? MIDDLE_COLUMN + 0 : 1;", SEARCH_START],
		["nextColumn = speedKmh > columns[MIDDLE_COLUMN] ? MIDDLE_COLUMN + 1 : 0;", SEARCH_START],
		["while (speedKmh >= columns[nextColumn]) nextColumn++;", AT_A_POINT],
	],
	"src/lock/lock-core.ts": [
		["const pedalPercent = pedal <= 0 ? 0 : pedal > 100 ? 100 : pedal;", EQUAL],
		["const pedalPercent = pedal < 0 ? 0 : pedal >= 100 ? 100 : pedal;", EQUAL],
		["if (targetPercent >= limitPercent) targetPercent = limitPercent;", EQUAL],
	],
	"src/lock/ramp.ts": [
		[
			"const percentPerS = targetPercent >= lastPercent ? engagePercentPerS : releasePercentPerS;",
			"equal numbers returned before",
		],
		["if (targetPercent >= lastPercent + stepPercent) nextPercent = fround(lastPercent + stepPercent);", EQUAL],
		["else if (targetPercent <= lastPercent - stepPercent) nextPercent = fround(lastPercent - stepPercent);", EQUAL],
		["return rampLock(state, 0, elapsedMs, 1, percentPerS);", "nothing rises towards 0"],
		["return rampLock(state, 0, elapsedMs, -1, percentPerS);", "nothing rises towards 0"],
		[
			"const percentPerS = ownPercentPerS === 0 || ownPercentPerS >= leastPercentPerS ? ownPercentPerS : leastPercentPerS;",
			EQUAL,
		],
	],
	"src/controller/arbiter.ts": [
		["generation: 1,", UNREAD],
		["generation: -1,", UNREAD],
	],
	"src/controller/changes.ts": [
		["#busStates = -2;", NEGATIVE],
		["#busFaults = 1;", UNREAD],
		["#busFaults = -1;", UNREAD],
		["#selectedMode = -2;", NEWS],
		["#selectedMode = -0;", NEWS],
		["#effectiveMode = -2;", NEWS],
		["#effectiveMode = -0;", NEWS],
		["for (let i = -1; i < FAULTS.length; i++) {", NO_FAULT],
		["for (let i = 0; i <= FAULTS.length; i++) {", NO_FAULT],
	],
	"src/controller/controller.ts": [
		["#words: Uint16Array = Uint16Array.of(1, 0, 0, 0, NEVER_MS, NEVER_MS, 0, 0);", UNREAD],
		["#words: Uint16Array = Uint16Array.of(-1, 0, 0, 0, NEVER_MS, NEVER_MS, 0, 0);", UNREAD],
		["#words: Uint16Array = Uint16Array.of(0, 1, 0, 0, NEVER_MS, NEVER_MS, 0, 0);", UNREAD],
		["#words: Uint16Array = Uint16Array.of(0, -1, 0, 0, NEVER_MS, NEVER_MS, 0, 0);", UNREAD],
		["#words: Uint16Array = Uint16Array.of(0, 0, 0, 1, NEVER_MS, NEVER_MS, 0, 0);", UNREAD],
		["#words: Uint16Array = Uint16Array.of(0, 0, 0, -1, NEVER_MS, NEVER_MS, 0, 0);", UNREAD],
		["#words: Uint16Array = Uint16Array.of(0, 0, 0, 0, NEVER_MS, NEVER_MS, 1, 0);", UNREAD],
		["#words: Uint16Array = Uint16Array.of(0, 0, 0, 0, NEVER_MS, NEVER_MS, -1, 0);", UNREAD],
		["#words: Uint16Array = Uint16Array.of(0, 0, 0, 0, NEVER_MS, NEVER_MS, 0, 1);", UNREAD],
		["#words: Uint16Array = Uint16Array.of(0, 0, 0, 0, NEVER_MS, NEVER_MS, 0, -1);", UNREAD],
		[
			"if (this.#generates || this.#planFollowsMode) this.#followMode(command.opening);",
			"a plan of another mode is taken before it is in force, and what is generated is the same in each",
		],
		["return 1;", "what is valid for the first time counts no time before that"],
	],
	"src/controller/input-health.ts": [["this.#validMs += elapsedMs <= TICK_COUNTS_MS ? elapsedMs : TICK_COUNTS_MS;", EQUAL]],
	"src/controller/calibration-run.ts": [
		["#reportAtMs = -2;", "set at each start, and no report has such a time"],
		["#reportAtMs = -0;", "set at each start"],
		["this.#reportAtMs = -2;", "no report has such a time"],
		["this.#reportAtMs = -0;", "one report of the millisecond 0 less; the next one counts"],
	],
	"src/controller/lock-command.ts": [
		["#sinceInterventionMs = -1;", "set to 0 by the first intervention, and not looked at before"],
		["#sinceInterventionMs = 1;", "set to 0 by the first intervention, and not looked at before"],
		["#returningMs = -1;", OVER],
		["#coolDownMs = -1;", OVER],
		["} else if (this.#coolDownMs >= 0) this.#coolDownMs -= countedMs;", OVER],
		["} else if (this.#coolDownMs > -1) this.#coolDownMs -= countedMs;", OVER],
		["return this.#coolDownMs > 1 ? this.#coolDownReason : Reason.ACTIVE;", "a millisecond of 10 s"],
		["const countedMs = elapsedMs <= TICK_COUNTS_MS ? elapsedMs : TICK_COUNTS_MS;", EQUAL],
		["if (lock.lockPercent >= highest) lock.lockPercent = highest;", EQUAL],
	],
	"src/controller/steering.ts": [
		["const countedMs = wanted > last && elapsedMs >= TICK_COUNTS_MS ? TICK_COUNTS_MS : elapsedMs;", EQUAL],
		["const countedMs = wanted >= last && elapsedMs > TICK_COUNTS_MS ? TICK_COUNTS_MS : elapsedMs;", "they are not equal there"],
	],
	"src/lock/steering-gain.ts": [
		["if (wantedPercent >= gainPercent + stepPercent) return fround(gainPercent + stepPercent);", EQUAL],
		["return wantedPercent <= gainPercent - stepPercent ? fround(gainPercent - stepPercent) : wantedPercent;", EQUAL],
		["if (angleDeg > fullDeg) return leastPercent;", "the line ends there"],
	],
	"src/controller/input-supervisor.ts": [
		["const UNSETTLED = -2;", "any number that is no pair of bus states will do"],
		["sample: Uint8Array = new Uint8Array(1);", UNREAD],
		["this.#sources.conditions.update(false, 1);", "what is not there is not counted"],
		["this.#sources.conditions.update(false, -1);", "what is not there is not counted"],
		["#captureFromMs = 1;", UNREAD],
		["#captureFromMs = -1;", UNREAD],
		[
			"const undisturbed = states === this.#settledStates && flags < IN_FORCE && heard;",
			"the arbiter is asked in each tick, and answers as before",
		],
		["if (((nowMs - this.#captureFromMs) | 1) < CAPTURE_MS) return changed;", EVEN],
		[
			"if (sources.needsConditions || !conditions.ready) return false;",
			"the arbiter is asked in each tick, and answers as before",
		],
	],
	"src/controller/lock-factor.ts": [
		["#factor = 1;", UNREAD],
		["#factor = -1;", UNREAD],
		["this.#factor = this.#trim === 0 ? factor : trimmedFactor(factor, this.#trim);", EQUAL],
		[
			"this.#factor = this.#trim === 2 ? factor : trimmedFactor(factor, this.#trim);",
			"a trim of 1 changes nothing, and none is 2",
		],
	],
	"src/controller/conditions.ts": [
		["atMs = 1;", UNREAD],
		["atMs = -1;", UNREAD],
		["if (holds && settings.limitPercent <= this.limitPercent) this.limitPercent = settings.limitPercent;", EQUAL],
		["if (this.#changedMs !== undefined && ((nowMs - this.#changedMs) | 1) >= holdMs) this.#changedMs = undefined;", EVEN],
		["this.awaited = !this.seen && ((nowMs - this.#awaitedMs) | 1) < CONDITION_SIGNAL_MS;", EVEN],
	],
	"src/coupling/command-factor.ts": [
		["if (lockPercent > 100 && table === null) return FULL_FACTOR;", "the curve ends at the full factor"],
		["let i = 0;", SEARCH_START],
		["while (lockPercent >= GUESS_LOCK_PERCENT[i]) i++;", AT_A_POINT],
		["return trimmed <= FULL_FACTOR ? trimmed : FULL_FACTOR;", EQUAL],
		["const wanted = lockPercent <= most ? lockPercent : most;", EQUAL],
	],
	"src/coupling/frame-plan.ts": [
		[
			"return generation !== 0 && FRAME_PLANS[profile][generation].length > 2;",
			"there is one plan for all modes, or one for each",
		],
		["for (let at = first; at <= plan.length; at += RULE_BYTES)", "behind the last rule there are no bytes to be found equal"],
		[
			"if (plan[at] === (id & 0xff) && plan[at + 1] === id >> 8 && plan[at + 3] === 0 && plan[at + 3] === 0) return true;",
			"no rule has an extended identifier, whose bytes these are",
		],
		["return factor >= OPENING_FACTOR_MAX ? OPENING_FACTOR_MAX : factor;", EQUAL],
		[
			"if (plan[at] === (id & 0xff) && plan[at + 1] === id >> 8 && plan[at + 2] === 0 && plan[at + 2] === 0) return true;",
			"no rule has an extended identifier, whose bytes these are",
		],
	],
	"src/coupling/plan-encoder.ts": [
		["const first = end <= 0 ? body : body.slice(0, end);", REFUSED],
		["const first = end < 1 ? body : body.slice(0, end);", REFUSED],
		["const second = end <= 0 ? undefined : body.slice(end + 1);", REFUSED],
		["const second = end < 1 ? undefined : body.slice(end + 1);", REFUSED],
	],
	"src/coupling/plan-rows.ts": [
		["const STEERING_DATA_ID: readonly number[] = Object.freeze(new Array(17).fill(pq.LENKWINKEL_1));", ONE_DATA_ID],
	],
	"src/coupling/couplings/gen1/standalone.ts": [
		['frames: Object.freeze(but(reference(1).frames, [[pq.MOTOR_1, { bytes: "00 aFE 21 a4E aFE aFE dFE-E8 00" }]])),', ONE_ROW],
		['frames: Object.freeze(but(reference(-1).frames, [[pq.MOTOR_1, { bytes: "00 aFE 21 a4E aFE aFE dFE-E8 00" }]])),', ONE_ROW],
	],
	"src/storage/stored-document.ts": [
		["#timer = 1;", "timers are told apart by it, whatever number comes first"],
		["#timer = -1;", "timers are told apart by it, whatever number comes first"],
	],
	"src/storage/whole-file.ts": [
		["const size = file.status().size ?? 1;", OPEN_FILE],
		["const size = file.status().size ?? -1;", OPEN_FILE],
	],
	"src/storage/write-queue.ts": [
		["#endedMs = 1;", "no time to rest follows from it while the rest is 0"],
		["#endedMs = -1;", "no time to rest follows from it while the rest is 0"],
		["#restMs = -1;", OVER],
	],
	"modules/can-gateway/bus_recovery.c": [["if (recovery->back_off_us >= BUS_RECOVERY_LAST_US)", EQUAL]],
	"modules/can-gateway/gateway_checksum.c": [
		["for (unsigned at = 9; at-- > 0;)", "a mask of eight bits has no ninth"],
		["*listed = 9;", "whoever reads the list ends at the first that is no byte of a frame"],
		["for (unsigned nibble = 1; nibble < 16; ++nibble)", "0 contributes 0, which is there already"],
	],
	"modules/can-gateway/gateway_control.c": [
		[
			"for (unsigned i = 0; i <= plan->counter_count && i < old->counter_count && plan->counter_set == old->counter_set; ++i)",
			"a counter that the plan does not have is shown by none of its bytes",
		],
		["for (unsigned i = 0; i <= plan->rule_count; ++i)", "a rule that the plan does not have is sent by nobody"],
	],
	"modules/can-gateway/gateway_core.c": [
		["memset(latest, 1, (latest_count + 1) * sizeof *latest);", UNSEEN],
		["memset(latest, -1, (latest_count + 1) * sizeof *latest);", UNSEEN],
		["memset(latest, 0, (latest_count - 1) * sizeof *latest);", UNSEEN],
		["memset(latest, 0, (latest_count + 0) * sizeof *latest);", UNSEEN],
		["memset(latest, 0, (latest_count + 1) / sizeof *latest);", UNSEEN],
		["waiting[i].next = &waiting[(i - 1) % GATEWAY_QUEUE_FRAMES];", "the places stand in a circle, whichever way round"],
		["if (frame->id < GATEWAY_MAX_STANDARD_ID && gateway->standard[frame->id][bus].latest != GATEWAY_NO_LATEST)", LONGER_WAY],
		["if (now_us + queue->out->time_us > GATEWAY_AGE_LIMIT_US || queue->out->flags & GATEWAY_GENERATED)", LONGER_WAY],
		["if (now_us - queue->out->time_us >= GATEWAY_AGE_LIMIT_US || queue->out->flags & GATEWAY_GENERATED)", LONGER_WAY],
		["if (now_us - queue->out->time_us > GATEWAY_AGE_LIMIT_US || queue->out->flags | GATEWAY_GENERATED)", LONGER_WAY],
	],
	"modules/can-gateway/gateway_generator.c": [
		["_Alignas(8) uint8_t data[9];", "nobody looks at the ninth"],
		[
			"return plan->generates && now_us <= gateway->rewrite_until_us ? gateway->silent_until_us : GATEWAY_NEVER;",
			"the tick has ended the lease in the moment in which it is over",
		],
		[
			"for (struct gateway_rule *rule = plan->rules; rule <= plan->rules + plan->rule_count; ++rule) {",
			"a rule that the plan does not have is sent by nobody",
		],
	],
	"modules/can-gateway/gateway_ids.c": [
		["for (uint32_t probe = 0; probe <= GATEWAY_PROBES; ++probe) {", "no identifier was put farther away than that"],
	],
	"modules/can-gateway/gateway_memory.c": [
		["return age <= AGE_UNKNOWN ? (uint32_t)age : AGE_UNKNOWN;", EQUAL],
		[
			"put_u16(entry, watched->dlc > 9 ? AGE_UNKNOWN : age_ms(watched->time_us, now_us));",
			"it is 8 at the most, or 128: never received",
		],
		["return gateway->ring_head <= ring_count ? 0 : gateway->ring_head - ring_count;", EQUAL],
		["for (uint32_t i = 0; i <= gateway->latest_used; ++i) {", "the place behind the last one was never received"],
		["if (*cursor >= end) /* no cursor of this gateway */", EQUAL],
		["if (*cursor <= oldest) {", "0 were overwritten then"],
	],
	"modules/can-gateway/gateway_plan.c": [
		["for (unsigned i = 0; i <= rule->shown_count; ++i)", "the place behind the last one is filled right after"],
		["unsigned variable = 1;", LOOKED_AT],
		["unsigned variable = -1;", LOOKED_AT],
		[".advances = hidden ? 3 : 1};", "all but 1 do without the wrap"],
	],
	"src/http/request.ts": [
		["const path = decodedPath(mark <= 0 ? target : target.slice(0, mark));", NO_MARK],
		["const path = decodedPath(mark < 1 ? target : target.slice(0, mark));", NO_MARK],
		['this.#query = mark <= 0 ? "" : target.slice(mark + 1);', NO_MARK],
		['this.#query = mark < 1 ? "" : target.slice(mark + 1);', NO_MARK],
	],
	"src/http/request-parser.ts": [
		["NEED_DATA: -1,", DIFFERENT],
		["FAILED: 5,", DIFFERENT],
		["const HEAD = -1;", DIFFERENT],
		["const BROKEN = 8;", DIFFERENT],
		["dataStart = 1;", UNREAD],
		["dataStart = -1;", UNREAD],
		["dataEnd = 1;", UNREAD],
		["dataEnd = -1;", UNREAD],
		["status = 1;", UNREAD],
		["status = -1;", UNREAD],
		["#remaining = 1;", UNREAD],
		["#remaining = -1;", UNREAD],
		["else if (this.#start >= keptEnd && bytes.length - this.#end < bytes.length >> 2) {", "nothing is moved by 0 bytes"],
		["const isWhole = feed > 0;", BEFORE_IT],
		["const isWhole = feed >= 1;", BEFORE_IT],
		["if (indexOfByte(buffer, 0, start, isWhole ? feed : this.#end) > 0) return this.#fail(400);", BEFORE_IT],
		["if (indexOfByte(buffer, 0, start, isWhole ? feed : this.#end) >= 1) return this.#fail(400);", BEFORE_IT],
		["while (i <= end && hexDigit(buffer[i]) >= 0) size = size * 16 + hexDigit(buffer[i++]);", "a CR is no digit"],
	],
	"src/http/target.ts": [["let at = -2;", FROM_BELOW]],
	"src/http/multipart.ts": [
		[
			"const STATE = Object.freeze({ CONTENT: -1, AFTER_DELIMITER: 1, LINE_END: 2, HEADER: 3, EPILOGUE: 4, BROKEN: 5 } as const);",
			DIFFERENT,
		],
		[
			"const STATE = Object.freeze({ CONTENT: 0, AFTER_DELIMITER: 1, LINE_END: 2, HEADER: 3, EPILOGUE: 4, BROKEN: 6 } as const);",
			DIFFERENT,
		],
		["#headerBytes = 1;", UNREAD],
		["#headerBytes = -1;", UNREAD],
		["if (at <= 0) return false;", USED_ONE],
		["if (at < 1) return false;", USED_ONE],
		["if (found > at && !this.#deliver(bytes, at, found)) return -2;", NEGATIVE],
		["if (!this.#deliver(delimiter, 0, this.#matched)) return -2;", NEGATIVE],
		["if (length >= 0 && line[length - 1] === CR) length--;", BEHIND],
		["if (length > -1 && line[length - 1] === CR) length--;", BEHIND],
		["this.#matched = -1;", "nothing has matched"],
	],
	"src/update/firmware-image.ts": [
		["HEADER: -1,", DIFFERENT],
		["END: 8,", DIFFERENT],
		["#segments = 1;", UNREAD],
		["#segments = -1;", UNREAD],
		["#dataBytes = 1;", UNREAD],
		["#dataBytes = -1;", UNREAD],
		[
			"if (sizeBytes > 1 && sizeBytes !== this.sizeBytes) return this.#refuse(IMAGE_PROBLEM.DAMAGED);",
			"a claim of 1 byte was refused with the head",
		],
		["for (let i = -1; i < DIGEST_BYTES; i++) {", BEHIND],
		["this.#enter(PART.END, 1);", "no byte is taken any more"],
		["this.#enter(PART.END, -1);", "no byte is taken any more"],
		['return end <= 0 ? "" : (decodeUtf8(bytes, at, end) ?? "");', "no text stands at the beginning"],
		['return end < 1 ? "" : (decodeUtf8(bytes, at, end) ?? "");', "no text stands at the beginning"],
	],
	"src/update/image-installer.ts": [
		["#headFilled = 1;", UNREAD],
		["#headFilled = -1;", UNREAD],
	],
	"src/update/newest-version.ts": [
		["maxBytes: 129,", "the longest has 100 bytes"],
		["maxBytes: 127,", "the longest has 100 bytes"],
	],
	"src/update/refusal.ts": [
		["#leftMs = -1;", "the first look makes 0 of it"],
		["#lookedMs = 1;", "nothing is left that the first look could take from"],
		["#lookedMs = -1;", "nothing is left that the first look could take from"],
	],
	"src/update/self-test.ts": [
		["let status = 1;", "anything but 200 is no answer"],
		["let status = -1;", "anything but 200 is no answer"],
	],
	"src/update/signature-watch.ts": [
		["const result = this.#check?.result() ?? -2;", NEGATIVE],
		["const result = this.#check?.result() ?? -0;", "where nothing is looked at nobody waits to be told"],
	],
	"src/update/update-changes.ts": [
		["#lastCheckMs = 1;", NEWS],
		["#lastCheckMs = -1;", NEWS],
		["#progressMs = 1;", NEWS],
		["#progressMs = -1;", NEWS],
	],
	"src/update/updater.ts": [
		["#phaseMs = 1;", UNREAD],
		["#phaseMs = -1;", UNREAD],
		["#nextCheckMs = 1;", UNREAD],
		["#nextCheckMs = -1;", UNREAD],
		["#speedMs = 1;", UNREAD],
		["#speedMs = -1;", UNREAD],
		["#speedBytes = 1;", UNREAD],
		["#speedBytes = -1;", UNREAD],
	],
	"src/update/version.ts": [
		["for (let i = -1; i < 3; i++) {", BEHIND],
		["for (let i = 0; i <= 3; i++) {", BEHIND],
		["for (let i = 0; i < 4; i++) {", BEHIND],
		["for (let i = -1; i < preA.length || i < preB.length; i++) {", BEHIND],
		["for (let i = 0; i <= preA.length || i < preB.length; i++) {", BEHIND],
		["for (let i = 0; i < preA.length || i <= preB.length; i++) {", BEHIND],
		[
			'return dash <= 0 ? [text.split("."), []] : [text.slice(0, dash).split("."), text.slice(dash + 1).split(".")];',
			"what begins with a dash is no version",
		],
		[
			'return dash < 1 ? [text.split("."), []] : [text.slice(0, dash).split("."), text.slice(dash + 1).split(".")];',
			"what begins with a dash is no version",
		],
		["if (a === undefined) return -2;", NEGATIVE],
		["if (b === undefined) return 2;", POSITIVE],
		["if (numberA > 0 && numberB >= 0) return numberA - numberB;", "0 is before any other number"],
		["if (numberA >= 1 && numberB >= 0) return numberA - numberB;", "0 is before any other number"],
		["if (numberA >= 0) return -2;", NEGATIVE],
		["if (numberB >= 0) return 2;", POSITIVE],
		["return a <= b ? -1 : 1;", EQUAL],
		["return a < b ? -2 : 1;", NEGATIVE],
		["return a < b ? -1 : 2;", POSITIVE],
	],
	"src/coupling/status-broadcast.ts": [
		["into[status.SPEED.at] = speedKmh >= 255 ? 255 : speedKmh;", EQUAL],
		["into[status.SPEED.at] = speedKmh > 254 ? 255 : speedKmh;", "speeds are whole numbers"],
		["into[status.PEDAL.at] = pedalPercent >= 255 ? 255 : pedalPercent;", EQUAL],
	],
};
