/**
 * What goes wrong: each fault switch of the host, and each lie of the car. `begin` and `end` are moments; time goes on between them for
 * `ms`, and afterwards all must be as before within `backMs`.
 */
import { FAULT_NAMES, type FaultName } from "../vehicle/faults.js";
import type { Drive } from "./drive.js";
import { BACK_SLOWLY_MS, type Fault } from "./fault.js";
import { STATUS_IDS } from "./hostile-car.js";
import { LOG_LOOKS_MS } from "./log-judge.js";
import type { Generation } from "./tables.js";

/** An input has come back: 0.5 s, then what is asked for. */
const BACK_MS = 650;
/** The slowest frame of a car comes each second. */
const SLOWEST_MS = 3000;
/** Until the gateway's heartbeat has been missed, and another look. */
const HUNG_MS = 1300;
/** After a restart: 1 s and its start. */
const BOOT_MS = 1400;

const SPEED_IDS: Readonly<Record<Generation, readonly number[]>> = { 1: [0x1a0], 2: [0x1a0], 4: [0x1a0], 5: [0x0b2, 0x0fd] };
const PEDAL_IDS: Readonly<Record<Generation, number>> = { 1: 0x280, 2: 0x280, 4: 0x280, 5: 0x121 };
const RPM_IDS: Readonly<Record<Generation, number>> = { 1: 0x280, 2: 0x280, 4: 0x280, 5: 0x0a8 };
const FLAG_IDS: Readonly<Record<Generation, number>> = { 1: 0x1a0, 2: 0x1a0, 4: 0x1a0, 5: 0x0fd };

/** The driver has switched ESP or ASR off: the signal of the recommended trigger. */
const TRIGGER_BITS: Readonly<Record<Generation, readonly [id: number, byte: number, mask: number]>> = {
	1: [0x1a0, 7, 0x20],
	2: [0x1a0, 7, 0x20],
	4: [0x1a0, 7, 0x20],
	5: [0x0fd, 6, 0x02],
};

/** Sets the trigger's signal as `isSet` says; otherwise it is not set. */
export function meddleWithTrigger(drive: Drive, isSet: (ms: number) => boolean): void {
	const [id, byte, mask] = TRIGGER_BITS[drive.car.generation];
	drive.car.meddling.set(id, (data, ms) => {
		if (isSet(ms)) data[byte] |= mask;
		return data;
	});
}

function silence(drive: Drive, ids: readonly number[]): void {
	for (const id of ids) drive.car.meddling.set(id, () => undefined);
}

/** @param logged name of the fault in the log, which looks 20 times a second */
const lost = (name: string, ms: number, idsOf: (generation: Generation) => readonly number[], logged?: string): Fault => {
	const kept = new WeakMap<Drive, Map<number, (data: Uint8Array, ms: number) => Uint8Array | undefined>>();
	return {
		name: `${name} lost for ${ms} ms`,
		ms,
		logged: logged === undefined ? undefined : new RegExp(`WARN\tfault\t.*${logged}`),
		backMs: BACK_SLOWLY_MS,
		begin: (drive) => {
			kept.set(drive, new Map(drive.car.meddling));
			silence(drive, idsOf(drive.car.generation));
		},
		end: (drive) => restore(drive, kept.get(drive)),
	};
};

function restore(drive: Drive, kept: Drive["car"]["meddling"] | undefined): void {
	drive.car.meddling.clear();
	for (const [id, meddle] of kept ?? []) drive.car.meddling.set(id, meddle);
}

const wrongly = (
	name: string,
	ms: number,
	change: (data: Uint8Array, id: number) => Uint8Array,
	idsOf: (generation: Generation) => readonly number[],
): Fault => {
	const kept = new WeakMap<Drive, Drive["car"]["meddling"]>();
	return {
		name,
		ms,
		backMs: BACK_SLOWLY_MS,
		begin: (drive) => {
			const before = new Map(drive.car.meddling);
			kept.set(drive, before);
			for (const id of idsOf(drive.car.generation))
				drive.car.meddling.set(id, (data, at) => {
					const meddled = before.get(id)?.(data, at) ?? data;
					return change(meddled, id);
				});
		},
		end: (drive) => restore(drive, kept.get(drive)),
	};
};

const pulsing = (onMs: number, offMs: number, ms: number): Fault => ({
	name: offMs === 0 ? `ABS for ${ms} ms` : `ABS pulses ${onMs}/${offMs}`,
	ms,
	backMs: BACK_SLOWLY_MS,
	begin: (drive) => drive.car.startPulse(onMs, offMs, drive.nowMs),
	end: (drive) => {
		drive.car.pulse = undefined;
	},
});

const switched = (
	name: string,
	argument: string,
	ms: number,
	backMs: number,
	also?: (drive: Drive, ms: number) => void,
): Fault => ({
	name: `${name}${argument}`,
	ms,
	backMs,
	begin: (drive) => {
		drive.lockstep.command(`fault ${name}${argument}`);
		also?.(drive, ms);
	},
});

const BUS_NAMES = ["chassis", "coupling"] as const;

const busOff = (bus: 0 | 1, ms: number): Fault => ({
	...switched(`bus-off-${BUS_NAMES[bus]}`, `=0:${ms}`, ms, 4000),
	logged: new RegExp(`ERROR\tcan\t${BUS_NAMES[bus]} bus: bus-off`),
	begin: (drive) => {
		drive.lockstep.command(`fault bus-off-${BUS_NAMES[bus]}=0:${ms}`);
		drive.judge.busDown(bus, drive.nowMs);
		// recovery is tried every 100 ms, then less often
		drive.loseFor(ms + 2200);
	},
	end: (drive) => drive.judge.busRecovers(bus, drive.nowMs),
});

const unplugged = (bus: 0 | 1, ms: number): Fault => {
	const name = BUS_NAMES[bus];
	return {
		name: `${name} bus unplugged for ${ms} ms`,
		ms,
		logged: ms > LOG_LOOKS_MS ? new RegExp(`WARN\tcan\t${name} bus: nobody is connected`) : undefined,
		backMs: BACK_SLOWLY_MS,
		begin: (drive) => {
			drive.lockstep.command(`disconnect ${name}`);
			drive.judge.busDown(bus, drive.nowMs);
			drive.loseFor();
		},
		end: (drive) => {
			drive.loseNoMore();
			drive.lockstep.command(`connect ${name}`);
			drive.judge.busUp(bus, drive.nowMs);
		},
	};
};

const fatal = (name: string, argument: string, logged: RegExp): Fault => ({
	...switched(name, argument, 300, BOOT_MS),
	fatal: true,
	logged,
});

const setByte =
	(index: number, value: number) =>
	(data: Uint8Array): Uint8Array => {
		data[index] = value;
		return data;
	};

/** The coupling says that it is too hot, or faulty. */
const condition = (name: string, state: number): Fault => ({
	name,
	ms: 700,
	backMs: 11_500,
	begin: (drive) => {
		drive.car.couplingState = state;
	},
	end: (drive) => {
		drive.car.couplingState = 0;
	},
});

/** A fault of the simulated car, by its name there. */
const ofCar = (name: FaultName): Fault => ({
	name: `car: ${name}`,
	ms: 1300,
	// what counts as an intervention, or as heat, holds for longer
	backMs: name === "too-hot" || name === "emergency" ? 11_500 : SLOWEST_MS,
	begin: (drive) => drive.car.fault(name, true),
	end: (drive) => drive.car.fault(name, false),
});

/** Each switch of `--fault` is here, and each lie. */
export const FAULTS: readonly Fault[] = [
	...FAULT_NAMES.map(ofCar),
	busOff(0, 400),
	busOff(1, 400),
	switched("tx-full-chassis", "=0:400", 400, BACK_MS, (drive, ms) => drive.loseFor(ms)),
	switched("tx-full-coupling", "=0:400", 400, BACK_MS, (drive, ms) => drive.blockFor(ms)),
	switched("gateway-stalled", "=0:40", 40, 100, (drive, ms) => drive.loseFor(ms)),
	switched("gateway-stalled", "=0:700", 700, BACK_SLOWLY_MS, (drive, ms) => {
		drive.loseFor(ms);
		drive.judge.steering?.loses(drive.nowMs + ms);
	}),
	{
		...switched("script-stalled", "=0:700", 700, BACK_MS),
		begin: (drive) => {
			drive.lockstep.command("fault script-stalled=0:700");
			drive.stall(700);
		},
	},
	switched("clock-jump", "=0:60000", 10, BACK_SLOWLY_MS, (drive) => {
		// by the clock nothing has come of an upload for a minute: it is over
		drive.judge.standing.delete("update");
		drive.judge.steering?.loses(drive.nowMs);
	}),
	switched("clock-jump-back", "=0:1000", 10, BACK_SLOWLY_MS, (drive) => {
		// how long a frame has waited nobody knows then
		drive.loseFor(1);
		drive.judge.steering?.loses(drive.nowMs);
	}),
	switched("flash-write-fails", "=1", 10, BACK_MS),
	switched("flash-write-torn", "=1", 10, BACK_MS),
	{
		...switched("flash-full", "", 10, BACK_MS),
		end: (drive) => drive.lockstep.command("fault flash-full=100000000"),
	},
	switched("wifi-lost", "=0:300", 300, BACK_MS),
	switched("update-image-corrupted", "", 10, BACK_MS),
	lost("speed", 900, (generation) => SPEED_IDS[generation], "speedInvalid"),
	lost("speed", 350, (generation) => SPEED_IDS[generation]),
	lost("pedal", 900, (generation) => [PEDAL_IDS[generation]], "throttleInvalid"),
	lost("engine speed", 1200, (generation) => [RPM_IDS[generation]], "rpmInvalid"),
	lost("flags of ABS and ESP", 1200, (generation) => [FLAG_IDS[generation]]),
	lost("coupling's report", 1500, (generation) => [STATUS_IDS[generation]], "engagementInvalid"),
	{
		name: "flag of ABS set when its frame is lost",
		ms: 2500,
		backMs: BACK_SLOWLY_MS,
		begin: async (drive) => {
			drive.car.startPulse(1, 0, drive.nowMs);
			await drive.run(60);
			silence(drive, [FLAG_IDS[drive.car.generation]]);
		},
		end: (drive) => {
			drive.car.pulse = undefined;
			drive.car.meddling.delete(FLAG_IDS[drive.car.generation]);
		},
	},
	{
		name: "car silent for 600 ms",
		ms: 600,
		backMs: BACK_SLOWLY_MS,
		logged: /WARN\tfault\t.*chassisSilent/,
		begin: (drive) => {
			drive.car.silent = true;
		},
		end: (drive) => {
			drive.car.silent = false;
		},
	},
	unplugged(0, 300),
	unplugged(1, 300),
	unplugged(1, 15),
	pulsing(1, 0, 400),
	pulsing(20, 20, 1200),
	pulsing(100, 100, 1200),
	pulsing(100, 300, 1600),
	pulsing(20, 800, 2400),
	{ ...condition("coupling too hot", 0b0000_0010), logged: /WARN\tfault\t.*couplingOverheated/ },
	condition("coupling in emergency mode", 0b0001_0000),
	wrongly(
		"pedal says error",
		700,
		(data, id) => (id === 0x121 ? pedalError(data) : setByte(5, 0xff)(data)),
		(g) => [PEDAL_IDS[g]],
	),
	wrongly(
		"frames short by a byte",
		700,
		(data) => data.subarray(0, Math.max(0, data.length - 1)),
		(g) => (g === 5 ? [0x0a7, 0x08a] : [0x4a0, 0x5a0]),
	),
	wrongly(
		"every checksum wrong",
		700,
		(data) => Uint8Array.from(data, (byte, i) => (i === 1 ? byte ^ 0x40 : byte)),
		(g) => (g === 5 ? [0x30b] : [0x0c2]),
	),
	{
		name: "frames of the other platform beside",
		ms: 1000,
		backMs: BACK_MS,
		begin: (drive) => {
			const mqb = drive.car.generation === 5;
			drive.car.beside = (ms, send) => {
				if (ms % 20 !== 7) return;
				const ids = mqb ? [0x280, 0x1a0, 0x288] : [0x0fd, 0x121, 0x0b2];
				for (const id of ids) send(0, { id, flags: 0, data: Uint8Array.of(0xff, 0xff, 0xff, 0x70, 0xff, 0xfd, 0xff, 0xff) });
			};
		},
		end: (drive) => {
			drive.car.beside = undefined;
		},
	},
	{
		name: "the same identifiers, extended and remote",
		ms: 700,
		backMs: BACK_MS,
		begin: (drive) => {
			drive.car.beside = (ms, send) => {
				if (ms % 10 !== 3) return;
				for (const id of drive.car.generation === 5 ? [0x0fd, 0x0b2, 0x0a7] : [0x1a0, 0x280, 0x4a0]) {
					send(0, { id, flags: 0x8000_0000, data: new Uint8Array(8).fill(0xff) });
					send(0, { id, flags: 0x4000_0000, data: new Uint8Array(8) });
				}
			};
		},
		end: (drive) => {
			drive.car.beside = undefined;
		},
	},
	{
		name: "another generation is chosen for a moment",
		ms: 700,
		backMs: BOOT_MS,
		begin: (drive) => chooseGeneration(drive, drive.car.generation === 5 ? 4 : 5),
		end: (drive) => chooseGeneration(drive, drive.car.generation),
	},
	{
		name: "STOCK is chosen for a moment",
		ms: 300,
		backMs: BACK_MS,
		begin: (drive) => chooseMode(drive, "STOCK"),
		end: (drive) => chooseMode(drive, drive.mode),
	},
	{
		name: "the trigger's signal pulses 40/40",
		ms: 1500,
		backMs: BACK_SLOWLY_MS,
		begin: (drive) => {
			const fromMs = drive.nowMs;
			const isSet = (ms: number): boolean => (ms - fromMs) % 80 < 40;
			meddleWithTrigger(drive, isSet);
		},
		end: (drive) => meddleWithTrigger(drive, () => drive.judge.wishes.triggerMode !== undefined),
	},
	switched("boot-key", "=0:300", 300, BACK_MS),
	switched("flash-blocks", "=0:200", 200, BACK_MS, (drive, ms) => drive.blind(ms)),
	{
		...fatal("gateway-stalled", "=0", /EVENT\tboot\t.* starts: watchdog/),
		// it starts anew by itself after a second
		ms: HUNG_MS,
		boots: "as a crash",
		begin: (drive) => {
			drive.lockstep.command("fault gateway-stalled=0");
			drive.loseFor(HUNG_MS);
		},
	},
	fatal("script-crashed", "=0", /EVENT\tboot\t.* starts: crash/),
	fatal("heap-exhausted", "=0", /EVENT\tboot\t.* starts: crash/),
	{
		...fatal("tick-throws", "=0", /ERROR\tcontrol\tcontrol has ended, the car is stock: RangeError/),
		begin: async (drive) => {
			drive.lockstep.command("fault tick-throws=0");
			await drive.run(20);
			drive.judge.standing.add("fault");
		},
	},
	{
		...fatal("power-cut", "=1", /EVENT\tboot\t.* starts: power on/),
		begin: async (drive) => {
			drive.lockstep.command("fault power-cut=1");
			await drive.ask("POST", "/api/settings", '{"setupDone":true}');
			drive.judge.calibration?.end(drive.nowMs, "settings were changed");
			await drive.run(2500);
		},
	},
	{
		...fatal("listener-fails", "=2", /EVENT\thttp\tthe server listens/),
		errors: /ERROR\thttp\t/,
		// nothing listens for 5 s each time
		backMs: 11_000,
		boots: true,
		begin: (drive) => drive.boot(["--fault", "listener-fails=2"]),
	},
];

/** What is refused, as during a capture or in a boot loop, changes nothing. */
async function chooseGeneration(drive: Drive, generation: Generation): Promise<void> {
	const answer = await drive.ask("POST", "/api/settings", JSON.stringify({ couplingGeneration: generation }));
	if (answer?.code === 200) drive.regenerate(generation);
}

async function chooseMode(drive: Drive, mode: string): Promise<void> {
	const before = drive.judge.wishes;
	const wishes = { ...before, mode };
	// until it is answered either may be in force
	if (mode !== "STOCK") drive.judge.wishes = wishes;
	const answer = await drive.ask("POST", "/api/mode", JSON.stringify({ mode }));
	drive.judge.wishes = answer?.code === 200 ? wishes : before;
	if (answer?.code !== 200) return;
	drive.judge.calibration?.end(drive.nowMs, "a mode was chosen");
	// whoever chooses a mode wants it
	drive.judge.standing.delete("disabled");
}

function pedalError(data: Uint8Array): Uint8Array {
	data[1] |= 0xf0;
	data[2] |= 0x0f;
	return data;
}
