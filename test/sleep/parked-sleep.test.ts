import assert from "node:assert/strict";
import { AWAKE_LEAST_MS, Awake, LOOK_COUNTS_MS, LOST_MS, ParkedSleep, type SleepEvidence } from "../../src/sleep/parked-sleep.js";

const LOOK_MS = 1000;
const DELAY_MS = 30_000;
/** A parked car in which all is quiet, and whose driver allows the sleep. */
const QUIET: SleepEvidence = {
	enabled: true,
	allowed: true,
	delayMs: DELAY_MS,
	probeMs: 1200,
	...{ standalone: false, override: false, updating: false, calibrating: false, capture: false, verboseLogging: false },
	...{ diagnosing: false, analyzed: false, speedHeard: false, speedKmh: 0, rpmHeard: false, rpm: 0 },
	...{ ignitionOn: false, ignitionOff: false },
	receivedChassis: 0,
	receivedCoupling: 0,
	onlyManagement: false,
	busOff: false,
	connections: 0,
	accepted: 0,
};

/** A second-by-second drive; `changes` hold from then on. */
class Car {
	readonly parked: ParkedSleep;
	readonly now: SleepEvidence = { ...QUIET };

	constructor(wokenByTimer = false) {
		this.parked = new ParkedSleep(wokenByTimer);
	}

	/** @returns after how many ms it was to sleep, of those that were given; undefined = it stayed awake */
	live(ms: number, changes: Partial<SleepEvidence> = {}, lookMs = LOOK_MS): number | undefined {
		Object.assign(this.now, changes);
		for (let at = lookMs; at <= ms; at += lookMs) {
			this.parked.look(this.now, lookMs);
			if (this.parked.isDue) return at;
		}
		return undefined;
	}
}

describe("a parked car that goes on sending", () => {
	/** @returns whether the radio rests after `seconds` with `framesPerS` */
	function rests(parked: ParkedSleep, seconds: number, framesPerS: number, changes: Partial<SleepEvidence> = {}): boolean {
		for (let second = 0; second < seconds; second++) {
			receivedChassis += framesPerS;
			parked.look({ ...QUIET, ...changes, receivedChassis }, LOOK_MS);
			assert.equal(parked.isDue, false, "frames must be forwarded");
		}
		return parked.rests;
	}
	let receivedChassis = 0;
	beforeEach(() => {
		receivedChassis = 0;
	});

	it("switches the radio off below 1,100 frames/s, with the ignition off or unknown", () => {
		for (const ignitionOff of [true, false]) {
			receivedChassis = 0;
			const parked = new ParkedSleep(false);
			assert.equal(rests(parked, 59, 800, { ignitionOff }), false, "a minute after the start");
			assert.equal(rests(parked, 2, 800, { ignitionOff }), true);
			assert.deepEqual([parked.framesPerS, parked.waits], [800, Awake.RESTS]);
			assert.equal(rests(parked, 5, 0, { ignitionOff }), true, "silence does not switch it on");
			assert.equal(rests(parked, 1, 1100, { ignitionOff }), false);
		}
	});

	for (const [what, changes] of Object.entries({
		"the ignition is on": { ignitionOn: true },
		"an engine is heard": { rpmHeard: true },
		"a speed is heard": { speedHeard: true },
		"somebody is connected": { connections: 1 },
		"it is not allowed": { allowed: false },
		"a bus is off": { busOff: true },
	}))
		it(`does not while ${what}, and ends at once with it`, () => {
			const parked = new ParkedSleep(false);
			assert.equal(rests(parked, 120, 800, changes), false);
			assert.equal(rests(parked, 120, 800), true);
			assert.equal(rests(parked, 1, 800, changes), false);
		});

	it("measures the car's own rate for 15 minutes with the ignition off, and takes 300 more", () => {
		const parked = new ParkedSleep(false);
		assert.equal(rests(parked, 890, 1500, { ignitionOff: true }), false);
		assert.equal(parked.parkedBelowFramesPerS, 1100);
		assert.equal(rests(parked, 60, 1500, { ignitionOff: true }), true);
		assert.equal(parked.parkedBelowFramesPerS, 1800);
		const other = new ParkedSleep(false);
		for (let minutes = 0; minutes < 3; minutes++) {
			rests(other, 600, 1500, { ignitionOff: true });
			rests(other, 1, 1500, { ignitionOff: true, rpmHeard: true });
		}
		assert.equal(other.parkedBelowFramesPerS, 1100, "not of a time in which the engine was heard");
	});
});

/** One that has been awake for long enough. */
function longAwake(): Car {
	const car = new Car();
	car.live(AWAKE_LEAST_MS, { connections: 1 });
	car.live(0, { connections: 0 });
	return car;
}

describe("sleep/parked-sleep", () => {
	it("sleeps after a quiet delay, and says what it waits for until then", () => {
		const car = longAwake();
		assert.equal(car.live(DELAY_MS - LOOK_MS), undefined);
		assert.deepEqual([car.parked.waits, car.parked.leftMs], [Awake.COUNTING, LOOK_MS]);
		assert.equal(car.live(LOOK_MS), LOOK_MS);
		assert.equal(car.parked.waits, "");
	});

	it("stays awake for a minute after each start, however quiet it is", () => {
		const car = new Car();
		assert.equal(car.live(AWAKE_LEAST_MS - LOOK_MS, { delayMs: 5000 }), undefined);
		assert.deepEqual([car.parked.waits, car.parked.leftMs], [Awake.STARTED, LOOK_MS]);
		assert.equal(car.live(LOOK_MS), LOOK_MS);
	});

	const KEEP_AWAKE: [string, Partial<SleepEvidence>][] = [
		[Awake.OFF, { enabled: false }],
		[Awake.OVERRIDE, { override: true }],
		[Awake.STANDALONE, { standalone: true }],
		[Awake.UPDATING, { updating: true }],
		[Awake.CALIBRATING, { calibrating: true }],
		[Awake.CAPTURE, { capture: true }],
		[Awake.VERBOSE_LOGGING, { verboseLogging: true }],
		[Awake.DIAGNOSIS, { diagnosing: true }],
		[Awake.MOVES, { speedHeard: true, speedKmh: 1 }],
		[Awake.ENGINE, { rpmHeard: true, rpm: 1 }],
		[Awake.IGNITION, { ignitionOn: true }],
		[Awake.BUS_OFF, { busOff: true }],
		[Awake.ANALYZER, { analyzed: true }],
		[Awake.CLIENT, { connections: 1 }],
	];
	for (const [reason, changes] of KEEP_AWAKE)
		it(`does not sleep while it is so, and counts anew afterwards: ${reason}`, () => {
			const car = longAwake();
			car.live(DELAY_MS - LOOK_MS);
			assert.equal(car.live(3_600_000, changes), undefined);
			assert.deepEqual([car.parked.waits, car.parked.leftMs, car.parked.isDue], [reason, 0, false]);
			const over = Object.fromEntries(Object.keys(changes).map((name) => [name, QUIET[name as keyof SleepEvidence]]));
			if (changes.speedHeard || changes.rpmHeard) Object.assign(over, { speedHeard: true, rpmHeard: true });
			assert.equal(car.live(10 * DELAY_MS, over), DELAY_MS);
		});

	it("stays awake for a frame on either bus each delay less a second, and for a client who comes and goes as seldom", () => {
		for (const [name, reason] of [
			["receivedChassis", Awake.CHASSIS],
			["receivedCoupling", Awake.COUPLING],
			["accepted", Awake.CLIENT],
		] as const) {
			const car = longAwake();
			for (let round = 1; round < 100; round++) {
				assert.equal(car.live(LOOK_MS, { [name]: round }), undefined, name);
				// with one frame now and then it is parked, and the radio rests from the second on
				const isFrame = name !== "accepted" && round > 1;
				assert.equal(car.parked.waits, isFrame ? Awake.RESTS : reason);
				assert.equal(car.live(DELAY_MS - LOOK_MS), undefined, name);
			}
			assert.equal(car.live(LOOK_MS), LOOK_MS, name);
		}
	});

	it("takes counters that wrap, or stand at anything at the start, for what they are", () => {
		const car = longAwake();
		car.live(LOOK_MS, { receivedChassis: 0xffffffff });
		car.live(LOOK_MS, { receivedChassis: 0 });
		assert.equal(car.parked.waits, Awake.CHASSIS);
	});

	it("lets network management go on beside, where ignition is known to be off, and nowhere else", () => {
		for (const [ignitionOff, onlyManagement, sleeps] of [
			[true, true, true],
			[false, true, false],
			[true, false, false],
		] as const) {
			const car = longAwake();
			let due: number | undefined;
			for (let second = 1; second <= 100 && due === undefined; second++)
				due = car.live(LOOK_MS, { ignitionOff, onlyManagement, receivedChassis: second });
			assert.equal(due !== undefined, sleeps, `${ignitionOff} ${onlyManagement}`);
		}
	});

	it("stays awake for an hour after a car that moved or an engine that ran fell silent", () => {
		for (const [lost, then, reason] of [
			[{ speedHeard: true, speedKmh: 90 }, { speedHeard: false }, Awake.LOST_MOVING],
			[{ rpmHeard: true, rpm: 800 }, { rpmHeard: false }, Awake.LOST_RUNNING],
		] as const) {
			const car = longAwake();
			car.live(LOOK_MS, lost);
			assert.equal(car.live(LOST_MS - LOOK_MS, then), undefined);
			assert.equal(car.parked.waits, reason);
			assert.equal(car.live(2 * DELAY_MS), DELAY_MS);
		}
	});

	it("sleeps after a car that reported standstill", () => {
		const car = longAwake();
		car.live(LOOK_MS, { speedHeard: true, speedKmh: 90, rpmHeard: true, rpm: 800 });
		car.live(LOOK_MS, { speedKmh: 0, rpm: 0 });
		assert.equal(car.live(2 * DELAY_MS, { speedHeard: false, rpmHeard: false }), DELAY_MS - LOOK_MS);
	});

	it("counts at most two polls when a clock jumps or the script stood still", () => {
		const car = longAwake();
		for (let jumps = 1; jumps < DELAY_MS / LOOK_COUNTS_MS; jumps++) {
			car.parked.look(car.now, 86_400_000);
			assert.ok(!car.parked.isDue, `${jumps} jumps`);
		}
	});

	it("only says that it would sleep until it is allowed to", () => {
		const car = longAwake();
		assert.equal(car.live(3_600_000, { allowed: false }), undefined);
		assert.deepEqual([car.parked.waits, car.parked.leftMs], [Awake.NOT_ALLOWED, 0]);
		assert.equal(car.live(LOOK_MS, { allowed: true }), LOOK_MS);
	});

	it("listens for a moment when the timer has woken it, and sleeps again if nothing has come; not without permission", () => {
		const car = new Car(true);
		assert.ok(car.parked.isProbing);
		assert.equal(car.live(DELAY_MS, {}, 100), 1200);
		const forbidden = new Car(true);
		forbidden.live(100, { allowed: false }, 100);
		assert.ok(!forbidden.parked.isProbing);
	});

	it("is awake as ever once anything has come after that", () => {
		for (const changes of [{ receivedChassis: 1 }, { receivedCoupling: 1 }, { updating: true }, { enabled: false }]) {
			const car = new Car(true);
			assert.equal(car.live(100, changes, 100), undefined);
			assert.ok(!car.parked.isProbing);
			assert.equal(car.live(AWAKE_LEAST_MS - 200, { ...QUIET, ...changes, updating: false }, 100), undefined);
		}
	});
});
