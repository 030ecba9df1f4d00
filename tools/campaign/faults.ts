/**
 * What goes wrong: each fault switch of the host, each lie of the car, and what may happen to a coupling
 * without one. It lasts for `ms`, and afterwards all must be as before within `backMs`.
 */
import { FAULT_NAMES, type FaultName } from "../vehicle/faults.js";
import { REPORT_IDS, SPEED_IDS } from "./car-reader.js";
import { beginUpload, chooseGeneration, chooseMode, disable, switchAlone } from "./clients.js";
import type { Drive } from "./drive.js";
import { EXTENDED, REMOTE } from "./frame-judge.js";
import { DRIVES, FOREIGN_ID, type HostileCar, type SendOn } from "./hostile-car.js";
import type { Bus } from "./lockstep.js";
import type { State } from "./states.js";
import { DIAGNOSIS, type Generation, isGenerated } from "./tables.js";

type Applies = (where: State, generation: Generation) => boolean;

/** Something that goes wrong for a while. */
export interface Fault {
	readonly name: string;
	readonly ms: number;
	/** Where it can happen; default: everywhere. */
	readonly only?: Applies;
	/** From its end until all is as before, at most. */
	readonly backMs: number;
	/** The controller ends by it, or never recovers until it restarts. */
	readonly fatal?: true;
	/** It never happens beside another one. */
	readonly single?: true;
	/** Errors that the log may have of it. */
	readonly errors?: readonly RegExp[];
	/** It has started the controller anew; or the controller itself has, which counts as a crash. */
	readonly boots?: true | "as a crash";
	/** @returns a function that ends it, later, unless it ends by itself */
	readonly begin: (drive: Drive) => unknown;
}
/** A bus has returned, or an intervention is over: the same or 1 s, then 25 % in 100 ms. */
export const BACK_SLOWLY_MS = 1500;
/** An input has returned: 0.5 s, then what is asked for. */
const BACK_MS = 650;
/** The slowest frame of a car comes each second. */
const SLOWEST_MS = 3000;
/** Heat and faults of the coupling keep it open for 10 s. */
const COOLED_MS = 11_500;
/** Until the gateway's heartbeat has been missed, and another look. */
const HUNG_MS = 1300;
/** After a restart: 1 s and its start. */
const BOOT_MS = 1400;
/** Without a car's frames for this long it stands for certain. */
const STANDS_MS = 10_100;

type Ids = (generation: Generation) => readonly number[];
const by =
	(pq: number, mqb: number): Ids =>
	(generation) => [generation === 5 ? mqb : pq];
const SPEEDS: Ids = (generation) => SPEED_IDS[generation];
const [WHEELS, PEDAL, RPM, FLAGS, ANGLE] = [
	by(0x4a0, 0x0b2),
	by(0x280, 0x121),
	by(0x280, 0x0a8),
	by(0x1a0, 0x0fd),
	by(0x0c2, 0x086),
];
const REPORT: Ids = (generation) => [REPORT_IDS[generation]];

const inCar: Applies = ({ wishes }) => !wishes.isAlone;
const alone: Applies = ({ wishes }) => wishes.isAlone === true;
const generated: Applies = ({ wishes }, generation) => isGenerated(generation, wishes.isAlone === true);
const steered: Applies = ({ wishes }) => wishes.steering !== undefined;
const calibrated: Applies = ({ leave }) => leave !== undefined;
const triggered: Applies = ({ wishes }) => wishes.triggerMode !== undefined;
const notListening: Applies = (where, generation) =>
	!(/listening|waiting/.test(where.name) || (where.name === "starting" && generated(where, generation)));
/** The report of generation 5 has no flags. Without a car emergency mode is no fault. */
const reported: Applies = (_, generation) => REPORT_IDS[generation] === REPORT_IDS[4];

type Change = (data: Uint8Array, ms: number, isMqb: boolean) => Uint8Array | undefined;
const silent: Change = () => undefined;

/** Frames of these identifiers change, behind what changes them already; undefined: they do not come. */
const meddled = (name: string, ms: number, ids: Ids, change: Change, more: Partial<Fault> = {}): Fault => ({
	name,
	ms,
	backMs: BACK_SLOWLY_MS,
	only: inCar,
	begin: ({ car: { meddling, generation } }) => {
		const before = new Map(meddling);
		for (const id of ids(generation))
			meddling.set(id, (data, at) => change(before.get(id)?.(data, at) ?? data, at, generation === 5));
		return () => {
			meddling.clear();
			for (const [id, meddle] of before) meddling.set(id, meddle);
		};
	},
	...more,
});

const lost = (name: string, ms: number, ids: Ids, more: Partial<Fault> = {}): Fault =>
	meddled(`${name} lost for ${ms} ms`, ms, ids, silent, more);

/** The car does something else for a while, and then what it did before. */
const carDoes = (name: string, ms: number, what: Partial<HostileCar>, more: Partial<Fault> = {}): Fault => ({
	name,
	ms,
	backMs: BACK_SLOWLY_MS,
	only: inCar,
	begin: ({ car }) => {
		const before = Object.fromEntries(Object.keys(what).map((key) => [key, car[key as keyof HostileCar]]));
		Object.assign(car, what);
		return () => void Object.assign(car, before);
	},
	...more,
});

/** A foreign node sends frames beside the car's own. @param put in each ms since it began */
const besides = (
	name: string,
	ms: number,
	more: Partial<Fault>,
	put: (drive: Drive, ms: number, send: SendOn) => void,
): Fault => ({
	name,
	ms,
	backMs: BACK_MS,
	begin: (drive) => {
		const fromMs = drive.nowMs;
		drive.car.beside = (at, send) => put(drive, at - fromMs, send);
		return () => {
			drive.car.beside = undefined;
		};
	},
	...more,
});

const pulsing = (onMs: number, offMs: number, ms: number): Fault =>
	carDoes(offMs === 0 ? `ABS for ${ms} ms` : `ABS pulses ${onMs}/${offMs}`, ms, { abs: (at) => at % (onMs + offMs) < onMs });

/** A fault switch of the host. */
const switched = (name: string, argument: string, ms: number, backMs: number, more: Partial<Fault> = {}): Fault => ({
	name: `${name}${argument}`,
	ms,
	backMs,
	...more,
	begin: async (drive) => {
		drive.lockstep.command(`fault ${name}${argument}`);
		return more.begin?.(drive);
	},
});

const BUS_NAMES = ["chassis", "coupling"] as const;

const busOff = (bus: Bus, ms: number): Fault =>
	switched(`bus-off-${BUS_NAMES[bus]}`, `=0:${ms}`, ms, 4000, {
		errors: [/ERROR\tcan\t.* bus: bus-off/],
		begin: (drive) => {
			drive.busDown(bus);
			// recovery is tried every 100 ms, then less often
			drive.loseFor(ms + 2200);
			return () => drive.busUp(bus, false);
		},
	});

const unplugged = (bus: Bus, ms: number): Fault => {
	const name = BUS_NAMES[bus];
	return {
		name: `${name} bus unplugged for ${ms} ms`,
		ms,
		backMs: BACK_SLOWLY_MS,
		begin: (drive) => {
			drive.lockstep.command(`disconnect ${name}`);
			drive.busDown(bus);
			const loseNoMore = drive.lose();
			return () => {
				loseNoMore();
				drive.lockstep.command(`connect ${name}`);
				drive.busUp(bus, true);
			};
		},
	};
};

const stalled = (ms: number): Fault =>
	switched("script-stalled", `=0:${ms}`, ms, BACK_MS, {
		begin: (drive) => drive.stall(ms),
	});

const fatal = (name: string, argument: string, more: Partial<Fault> = {}): Fault =>
	switched(name, argument, 300, BOOT_MS, { fatal: true, ...more });

/** A fault of the simulated car, by its name there. */
const ofCar = (name: FaultName): Fault => ({
	name: `car: ${name}`,
	ms: 1800,
	only: (where, generation) =>
		inCar(where, generation) &&
		(!/too-hot|emergency/.test(name) || reported(where, generation)) &&
		// a car whose wheels turn takes no update any more
		!(name === "speeds-disagree" && where.name === "update"),
	// heat holds for longer
	backMs: name === "too-hot" || name === "emergency" ? COOLED_MS : SLOWEST_MS,
	begin: ({ car }) => {
		car.fault(name, true);
		return () => car.fault(name, false);
	},
});

/** What a condition looks at. */
const hazard = (what: string, ms: number, hazardLights: (ms: number) => boolean | undefined): Fault =>
	carDoes(
		`the condition's signal ${what}`,
		ms,
		{ hazardLights },
		{
			only: ({ name, wishes }) => wishes.condition !== undefined && !/without/.test(name),
		},
	);

const wheel = (what: string, ms: number, change: Change): Fault =>
	meddled(`the steering angle ${what}`, ms, ANGLE, change, { only: steered });

/** Another sender of what is generated. */
const heard = (name: string, bus: Bus, everyMs: number, ms: number, flags = 0): Fault =>
	besides(name, ms, { only: generated }, ({ moments }, at, send) => {
		const data = new Uint8Array(8).fill(flags & REMOTE ? 0 : 0xee);
		if (at % everyMs === 3) send(bus, { id: moments.ids[2], flags, data });
	});

/** Each switch of `--fault` is here, and each lie. */
export const FAULTS: readonly Fault[] = [
	...FAULT_NAMES.map(ofCar),
	busOff(0, 400),
	busOff(1, 400),
	switched("tx-full-chassis", "=0:400", 400, BACK_MS, {
		begin: (drive) => drive.loseFor(400),
	}),
	switched("tx-full-coupling", "=0:400", 400, BACK_MS, {
		begin: (drive) => drive.loseFor(400, true),
	}),
	switched("gateway-stalled", "=0:40", 40, 100, {
		begin: (drive) => drive.loseFor(40),
	}),
	switched("gateway-stalled", "=0:700", 700, BACK_SLOWLY_MS, {
		only: inCar,
		begin: (drive) => {
			drive.loseFor(700);
			drive.demands.steering?.loses(drive.nowMs + 700);
		},
	}),
	stalled(700),
	stalled(150),
	switched("clock-jump", "=0:60000", 10, BACK_SLOWLY_MS, {
		// the simulated gateway's clock jumps, too, which on a board it can't: its 3 s are others then
		only: notListening,
		begin: (drive) => {
			// by the clock nothing has come of an upload for a minute: it is over
			drive.demands.standing.delete("update");
			drive.demands.steering?.loses(drive.nowMs);
			// the lease is over by it, and what is renewed begins anew
			if (!drive.moments.generates) return;
			drive.loseFor(10);
			// a report is too old, and the next comes within 100 ms
			drive.moments.changes(drive.nowMs + 110);
		},
	}),
	switched("clock-jump-back", "=0:1000", 10, BACK_SLOWLY_MS, {
		// it cannot tell whether an angle counts then
		only: (where, generation) => notListening(where, generation) && !steered(where, generation),
		begin: (drive) => {
			// it cannot tell how long a frame has waited then; what is due is due later
			drive.loseFor(drive.moments.generates ? 1100 : 1);
		},
	}),
	switched("flash-write-fails", "=1", 10, BACK_MS),
	switched("flash-write-torn", "=1", 10, BACK_MS),
	switched("flash-full", "", 10, BACK_MS, {
		begin: ({ lockstep }) => {
			return () => lockstep.command("fault flash-full=100000000");
		},
	}),
	switched("wifi-lost", "=0:300", 300, BACK_MS),
	switched("update-image-corrupted", "", 10, BACK_MS),
	lost("speed", 900, SPEEDS),
	lost("speed", 350, SPEEDS),
	lost("wheel speeds", 900, WHEELS),
	lost("pedal", 900, PEDAL),
	lost("engine speed", 1200, RPM),
	lost("flags of ABS and ESP", 1200, FLAGS),
	lost("coupling's report", 1500, REPORT, { only: () => true }),
	meddled("flag of ABS set when its frame is lost", 2500, FLAGS, (data) => data, {
		begin: async (drive) => {
			const { car } = drive;
			car.abs = () => true;
			await drive.run(60);
			for (const id of FLAGS(car.generation)) car.meddling.set(id, () => undefined);
			return () => {
				car.abs = undefined;
				for (const id of FLAGS(car.generation)) car.meddling.delete(id);
			};
		},
	}),
	carDoes("car silent for 600 ms", 600, { silent: true }),
	// its ignition is switched off and on: all control units begin anew
	carDoes(
		"the car restarts",
		4000,
		{},
		{
			begin: ({ car }) => {
				car.silent = true;
				return () => {
					car.restart();
					car.silent = false;
				};
			},
		},
	),
	unplugged(0, 300),
	unplugged(1, 300),
	unplugged(1, 15),
	pulsing(1, 0, 400),
	pulsing(20, 20, 1200),
	pulsing(100, 100, 1200),
	pulsing(100, 300, 1600),
	pulsing(20, 800, 2400),
	meddled(
		"frames short by a byte",
		700,
		(generation) => (generation === 5 ? [0x0a7, 0x08a] : [0x4a0, 0x5a0]),
		(data) => data.subarray(0, Math.max(0, data.length - 1)),
	),
	besides("frames of the other platform beside", 1000, { only: inCar }, ({ car }, at, send) => {
		const data = Uint8Array.of(0xff, 0xff, 0xff, 0x70, 0xff, 0xfd, 0xff, 0xff);
		if (at % 20 !== 7) return;
		for (const id of car.generation === 5 ? [0x280, 0x1a0, 0x288] : [0x0fd, 0x121, 0x0b2]) send(0, { id, flags: 0, data });
	}),
	besides("the same identifiers, extended and remote", 700, {}, ({ car, moments }, at, send) => {
		if (at % 10 !== 3) return;
		for (const id of car.generation === 5 ? [0x0fd, 0x0b2, 0x0a7] : [0x1a0, 0x280, 0x4a0]) {
			send(0, { id, flags: EXTENDED, data: new Uint8Array(8).fill(0xff) });
			// somebody who asks for a frame that is generated
			if (!moments.generates) send(0, { id, flags: REMOTE, data: new Uint8Array(8) });
		}
	}),
	{
		name: "another generation is chosen for a moment",
		ms: 700,
		backMs: BOOT_MS,
		only: inCar,
		begin: async (drive) => {
			const { generation } = drive.car;
			await chooseGeneration(drive, generation === 5 ? 4 : 5);
			return () => chooseGeneration(drive, generation);
		},
	},
	{
		name: "STOCK is chosen for a moment",
		ms: 300,
		backMs: BACK_MS,
		// in these the choice itself ends the state, or the mode that is chosen then is not the state's
		only: ({ name }) => !/disabled|^update/.test(name),
		begin: async (drive) => {
			await chooseMode(drive, "STOCK");
			return () => chooseMode(drive, drive.mode);
		},
	},
	{
		name: "it is disabled for a moment",
		ms: 300,
		backMs: BACK_MS,
		// enabling it selects MAP
		only: ({ name }) => name === "map",
		begin: async (drive) => {
			await disable(drive, true, "STOCK");
			return () => disable(drive, false, drive.mode);
		},
	},
	{
		name: "the trigger's signal pulses 40/40",
		ms: 1500,
		backMs: BACK_SLOWLY_MS,
		only: triggered,
		begin: (drive) => {
			drive.car.setTrigger((ms) => ms % 80 < 40);
			return () => drive.car.setTrigger(() => drive.demands.wishes.triggerMode !== undefined);
		},
	},
	switched("boot-key", "=0:300", 300, BACK_MS),
	// neither script nor the gateway's task look at anything; one with a bus is in test/virtual-time/flash-pace
	switched("flash-blocks", "=0:200", 200, BACK_MS, {
		single: true,
		begin: (drive) => {
			drive.stall(200);
			// nothing is generated either, for less than the lease
			if (drive.moments.generates) drive.loseFor(0);
		},
	}),
	fatal("gateway-stalled", "=0", {
		// it starts anew by itself after a second
		ms: HUNG_MS,
		boots: "as a crash",
		begin: (drive) => drive.loseFor(HUNG_MS),
	}),
	fatal("script-crashed", "=0"),
	fatal("heap-exhausted", "=0"),
	fatal("tick-throws", "=0", {
		errors: [/ERROR\tcontrol\tcontrol has ended, the car is stock: RangeError/],
		begin: async (drive) => {
			drive.moments.changes(drive.nowMs + 20);
			await drive.run(20);
			drive.demands.standing.add("fault");
		},
	}),
	fatal("power-cut", "=1", {
		begin: async (drive) => {
			await drive.ask("POST", "/api/settings", '{"setupDone":true}');
			drive.demands.calibration?.end(drive.nowMs, "settings were changed");
			await drive.run(2500);
		},
	}),
	{
		name: "listener-fails=2",
		ms: 300,
		fatal: true,
		errors: [/ERROR\thttp\t/],
		// nothing listens for 5 s each time
		backMs: 11_000,
		boots: true,
		begin: (drive) => drive.boot(["--fault", "listener-fails=2"]),
	},
	hazard("pulses 40/40", 1500, (ms) => ms % 80 < 40),
	hazard("pulses 100/300", 1600, (ms) => ms % 400 < 100),
	hazard("is set", 700, () => true),
	hazard("is not set", 700, () => false),
	hazard("is lost for 3 s", 3000, () => undefined),
	hazard("is lost for 1.4 s", 1400, () => undefined),
	wheel("is lost for 900 ms", 900, silent),
	wheel("is lost for 150 ms", 150, silent),
	wheel("says error", 700, (data, _, isMqb) => {
		if (isMqb) data[1] |= 0x80;
		else data.set([0xff, 0xff]);
		return data;
	}),
	wheel("comes and goes", 2000, (data, ms) => (ms % 400 < 240 ? undefined : data)),
	carDoes("the steering angle jerks from end to end", 1500, { jerks: true }, { only: steered }),
	carDoes("the car moves in a calibration", 500, { speedKmh: 5 }, { only: calibrated }),
	carDoes("the page of a calibration is gone", 5200, {}, { only: calibrated }),
	carDoes(
		"the lever leaves P in a calibration",
		300,
		{},
		{
			only: calibrated,
			begin: async (drive) => {
				drive.car.selector = "D";
				drive.demands.calibration?.mayEnd(drive.nowMs);
				// the frame that says so comes each 50 ms
				await drive.run(100);
				drive.demands.calibration?.end(drive.nowMs, "the lever stands in D");
				return () => {
					drive.car.selector = "P";
				};
			},
		},
	),
	heard("one frame of another sender", 0, 10_000, 20),
	heard("another sender, for 2 s", 0, 20, 2000),
	heard("another sender on the coupling's bus", 1, 500, 1200),
	heard("another sender's remote frames", 0, 300, 700, REMOTE),
	besides("questions of a tester and foreign frames", 500, { only: alone }, (_, at, send) => {
		if (at % 50 !== 3) return;
		for (const id of [...DIAGNOSIS, 0x123, 0x7df]) send(0, { id, flags: 0, data: new Uint8Array(8).fill(0xee) });
		send(1, { id: 0x779, flags: 0, data: new Uint8Array(8).fill(0xee) });
	}),
	{
		name: "it is switched off for a moment",
		ms: 700,
		backMs: BACK_MS,
		// 53 in a car generates, too
		only: ({ wishes }, generation) => wishes.isAlone === true && generation !== 53,
		begin: async (drive) => {
			await switchAlone(drive, false);
			return () => switchAlone(drive, true);
		},
	},
	{
		name: "an update",
		ms: 600,
		backMs: BACK_MS,
		only: ({ name, wishes }, generation) =>
			isGenerated(generation, wishes.isAlone === true) && /^5050$|^fwd$|locked|open$|third$/.test(name),
		begin: async (drive) => {
			drive.car.meddling.set(FOREIGN_ID, () => undefined);
			drive.car.speedKmh = drive.car.pedalPercent = 0;
			await drive.run(STANDS_MS);
			await chooseMode(drive, "STOCK");
			await drive.run(500);
			const upload = await beginUpload(drive, drive.mode);
			return () => {
				upload.end();
				drive.car.meddling.delete(FOREIGN_ID);
				Object.assign(drive.car, DRIVES);
				drive.demands.standing.delete("update");
			};
		},
	},
];
