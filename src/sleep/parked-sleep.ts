/**
 * Parked sleep: what keeps the controller awake, and since when nothing does. Looks come about once a second
 * with the time that has passed, which adds up in bounded pieces, and traffic is counted, not dated: neither
 * a clock that jumps nor a script that stood still makes it sleep early. Source: docs/control-and-can.md 5.2,
 * docs/decisions.md 43.
 */

/** Why it stays awake. The words are in `api/words.ts`. */
export enum Awake {
	OFF = "off",
	OVERRIDE = "override",
	STANDALONE = "standalone",
	MOVES = "moves",
	ENGINE = "engine",
	LOST_MOVING = "lostMoving",
	LOST_RUNNING = "lostRunning",
	IGNITION = "ignition",
	BUS_OFF = "busOff",
	CHASSIS = "chassis",
	COUPLING = "coupling",
	UPDATING = "updating",
	CALIBRATING = "calibrating",
	CAPTURE = "capture",
	VERBOSE_LOGGING = "verboseLogging",
	DIAGNOSIS = "diagnosis",
	ANALYZER = "analyzer",
	CLIENT = "client",
	STARTED = "started",
	COUNTING = "counting",
	NOT_ALLOWED = "notAllowed",
	RESTS = "rests",
	STORING = "storing",
}

/** Evidence of a look. */
export interface SleepEvidence {
	readonly enabled: boolean;
	readonly allowed: boolean;
	readonly delayMs: number;
	readonly probeMs: number;
	readonly standalone: boolean;
	/** BOOT was held within 5 s of the start: no sleep until the next start. */
	readonly override: boolean;
	readonly updating: boolean;
	readonly calibrating: boolean;
	readonly capture: boolean;
	readonly verboseLogging: boolean;
	readonly diagnosing: boolean;
	readonly analyzed: boolean;
	/** Last valid values, and whether there were any since the last look. */
	readonly speedHeard: boolean;
	readonly speedKmh: number;
	readonly rpmHeard: boolean;
	readonly rpm: number;
	/** It was on within the delay. */
	readonly ignitionOn: boolean;
	/** It was off when last told. */
	readonly ignitionOff: boolean;
	/** Received frames, modulo 2^32. */
	readonly receivedChassis: number;
	readonly receivedCoupling: number;
	/** All frames of the chassis since the last look were network management. */
	readonly onlyManagement: boolean;
	/** A bus is off after errors: its silence proves nothing. */
	readonly busOff: boolean;
	/** Open ones, and all so far. */
	readonly connections: number;
	readonly accepted: number;
}

/**
 * It stays awake for this long after each start, also when it is woken again and again. Source:
 * docs/decisions.md 43.
 */
export const AWAKE_LEAST_MS = 60_000;
/** A car that moved when its bus fell silent counts as moving for this long. Source: docs/decisions.md 43. */
export const LOST_MS = 3_600_000;
/**
 * A look counts for no more: what was between two looks is unknown. Assumed: they come once a second, seldom
 * later.
 */
export const LOOK_COUNTS_MS = 2000;

/** Frames of both buses, until the car's own rate is known. Source: docs/control-and-can.md 5.2. */
const PARKED_BELOW_FRAMES_PER_S = 1100;
/**
 * Above the car's own rate, its mean in `OWN_RATE_MS` with the ignition off. Source: docs/control-and-can.md
 * 5.2.
 */
const ABOVE_OWN_FRAMES_PER_S = 300;
const OWN_RATE_MS = 900_000;

/** Call `look` about once a second. */
export class ParkedSleep {
	/** "" before the first look, and when it is to sleep now. */
	waits: Awake | "" = "";
	/** Until it sleeps; 0 while it is kept awake. */
	leftMs = 0;
	isDue = false;
	/** The timer has woken it, and nothing has happened since: it listens for a moment. */
	isProbing: boolean;
	/** The car is parked, but frames go on: the radio is off, and frames are forwarded. */
	rests = false;
	/** Rate of both buses since the last look. */
	framesPerS = 0;
	/** A car that sends fewer may be parked. */
	parkedBelowFramesPerS = PARKED_BELOW_FRAMES_PER_S;
	#parkedMs = 0;
	/** With the ignition off. */
	#ownMs = 0;
	#ownFrames = 0;
	#awakeMs = 0;
	#quietMs = 0;
	#movesMs = 0;
	#runsMs = 0;
	#receivedChassis = 0;
	#receivedCoupling = 0;
	#accepted = 0;

	/** @param wokenByTimer it slept, and no frame has come */
	constructor(wokenByTimer: boolean) {
		this.isProbing = wokenByTimer;
	}

	/** @param elapsedMs since the last look */
	look(evidence: SleepEvidence, elapsedMs: number): void {
		const passedMs = elapsedMs > LOOK_COUNTS_MS ? LOOK_COUNTS_MS : elapsedMs;
		this.#awakeMs += passedMs;
		this.#followMotion(evidence, passedMs);
		this.#followRate(evidence, elapsedMs);
		const reason = this.#reasonOf(evidence);
		this.#followParking(evidence, reason, passedMs);
		this.#receivedChassis = evidence.receivedChassis;
		this.#receivedCoupling = evidence.receivedCoupling;
		this.#accepted = evidence.accepted;
		this.isDue = false;
		this.leftMs = 0;
		if (reason !== "") {
			this.waits = this.rests ? Awake.RESTS : reason;
			this.#quietMs = 0;
			this.isProbing = false;
			return;
		}
		this.#quietMs += passedMs;
		const { delayMs, probeMs } = evidence;
		const startMs = this.isProbing ? 0 : AWAKE_LEAST_MS - this.#awakeMs;
		const quietMs = (this.isProbing ? probeMs : delayMs) - this.#quietMs;
		const leftMs = Math.max(startMs, quietMs, 0);
		this.isDue = leftMs === 0 && evidence.allowed;
		if (leftMs > 0) this.waits = startMs > quietMs ? Awake.STARTED : Awake.COUNTING;
		else this.waits = evidence.allowed ? "" : Awake.NOT_ALLOWED;
		// without permission it can't have slept: all that rests while it probes is to run
		if (!evidence.allowed) this.isProbing = false;
		else this.leftMs = leftMs;
	}

	/** Measures a parked car's own rate: ignition off, no engine and no speed. */
	#followRate(evidence: SleepEvidence, elapsedMs: number): void {
		const { receivedChassis, receivedCoupling } = evidence;
		const frames = (receivedChassis - this.#receivedChassis + receivedCoupling - this.#receivedCoupling) >>> 0;
		this.framesPerS = elapsedMs > 0 && elapsedMs < Number.POSITIVE_INFINITY ? Math.round((frames * 1000) / elapsedMs) : 0;
		if (!evidence.ignitionOff || evidence.speedHeard || evidence.rpmHeard || elapsedMs > LOOK_COUNTS_MS) {
			this.#ownMs = this.#ownFrames = 0;
			return;
		}
		this.#ownMs += elapsedMs;
		this.#ownFrames += frames;
		if (this.#ownMs < OWN_RATE_MS) return;
		this.parkedBelowFramesPerS = Math.round((this.#ownFrames * 1000) / this.#ownMs) + ABOVE_OWN_FRAMES_PER_S;
		this.#ownMs = this.#ownFrames = 0;
	}

	/** Parked once only a low rate of frames has kept it awake for the delay. */
	#followParking(evidence: SleepEvidence, reason: Awake | "", passedMs: number): void {
		const { allowed, delayMs, speedHeard, rpmHeard } = evidence;
		const isParked =
			allowed &&
			!speedHeard &&
			!rpmHeard &&
			this.framesPerS < this.parkedBelowFramesPerS &&
			this.#reasonOf(evidence, true) === "";
		const inUse = reason === Awake.CHASSIS || reason === Awake.COUPLING;
		const goesOn = this.#parkedMs > 0 && this.#quietMs < delayMs;
		this.#parkedMs = isParked && (inUse || goesOn) ? this.#parkedMs + passedMs : 0;
		this.rests = (inUse || this.rests) && this.#parkedMs >= delayMs && this.#awakeMs >= AWAKE_LEAST_MS;
	}

	/** Motion goes on for a while when its value is lost. */
	#followMotion({ speedHeard, speedKmh, rpmHeard, rpm }: SleepEvidence, passedMs: number): void {
		this.#movesMs = leftOf(this.#movesMs, speedHeard, speedKmh, passedMs);
		this.#runsMs = leftOf(this.#runsMs, rpmHeard, rpm, passedMs);
	}

	/** Clients come last: one who looks at the page wants to know the other reasons. */
	#reasonOf(evidence: SleepEvidence, ignoresFrames = false): Awake | "" {
		if (!evidence.enabled) return Awake.OFF;
		if (evidence.override) return Awake.OVERRIDE;
		if (evidence.standalone) return Awake.STANDALONE;
		if (evidence.updating) return Awake.UPDATING;
		if (evidence.calibrating) return Awake.CALIBRATING;
		if (evidence.capture) return Awake.CAPTURE;
		if (evidence.verboseLogging) return Awake.VERBOSE_LOGGING;
		if (evidence.diagnosing) return Awake.DIAGNOSIS;
		if (this.#movesMs > 0) return evidence.speedHeard ? Awake.MOVES : Awake.LOST_MOVING;
		if (this.#runsMs > 0) return evidence.rpmHeard ? Awake.ENGINE : Awake.LOST_RUNNING;
		if (evidence.ignitionOn) return Awake.IGNITION;
		if (evidence.busOff) return Awake.BUS_OFF;
		// network management may go on if the ignition is known to be off
		const isManagement = evidence.ignitionOff && evidence.onlyManagement;
		if (evidence.receivedChassis !== this.#receivedChassis && !isManagement && !ignoresFrames) return Awake.CHASSIS;
		if (evidence.receivedCoupling !== this.#receivedCoupling && !ignoresFrames) return Awake.COUPLING;
		if (evidence.analyzed) return Awake.ANALYZER;
		return evidence.connections > 0 || evidence.accepted !== this.#accepted ? Awake.CLIENT : "";
	}
}

/** How long it still counts as moving after its value was lost; 0 = it stands. */
function leftOf(leftMs: number, isValid: boolean, value: number, passedMs: number): number {
	if (value === 0) return 0;
	return isValid ? LOST_MS : Math.max(0, leftMs - passedMs);
}
