/**
 * The states of the controller in which everything is made to go wrong: how it gets there, and what counts as
 * all well in it.
 */
import { beginUpload, calibrate, leaveCalibration } from "./clients.js";
import type { Standing } from "./demands.js";
import type { Drive, Setting } from "./drive.js";
import type { HostileCar } from "./hostile-car.js";
import type { Bus } from "./lockstep.js";
import { type ConditionWish, DEFAULT_TABLES, type Tables } from "./restraints.js";
import { tableOf } from "./tables.js";

/** A state of the controller. */
export interface State extends Pick<Setting, "wishes" | "settings" | "files" | "args" | "prepare" | "frames"> {
	readonly name: string;
	/** Errors that the log may have in it. */
	readonly errors?: readonly RegExp[];
	/** Has crashed three times in a row before. */
	readonly crashed?: true;
	/** It does not last: each fault has a start of its own. */
	readonly brief?: true;
	/** It is over before frames are generated, which begins after 3 s. */
	readonly isShort?: true;
	/** Faults come this many ms after the start; default: when all is as it should be. */
	readonly afterMs?: number;
	/** Brings the controller there, from its start on and after each restart. */
	readonly enter?: (drive: Drive) => Promise<void>;
	/** Goes on with what is under way, each time before a fault. */
	readonly keep?: (drive: Drive) => Promise<void>;
	/** Drops the calibration that is under way, after a fault is over. */
	readonly leave?: (drive: Drive) => Promise<void>;
}

const inMode = (mode: string, name = mode.toLowerCase(), more: Partial<State> = {}): State => ({
	name,
	wishes: { mode },
	...more,
});

/** A condition on the hazard lights. */
const withCondition = (name: string, mode: string, condition: ConditionWish, hazardLights: () => boolean | undefined): State => ({
	name,
	wishes: { mode, condition },
	prepare: (car) => {
		car.hazardLights = hazardLights;
	},
});
const OPENS: ConditionWish = { effect: "open", holdMs: 300, limitPercent: 50 };
const LIMITS: ConditionWish = { effect: "limit", holdMs: 300, limitPercent: 40 };

/** A driver who steers, and has less lock for it. */
const steered = (name: string, mode: string, leastPercent: number, steeringDeg: number): State => ({
	name,
	wishes: { mode, steering: { startDeg: 90, fullDeg: 290, leastPercent, lostPercent: 50 } },
	prepare: (car) => {
		car.steeringDeg = steeringDeg;
	},
});

/** A car that stands, in which a calibration has begun. */
const calibrated = (name: string, state: State): State => ({
	...state,
	name,
	enter: async (drive) => {
		await state.enter?.(drive);
		Object.assign(drive.car, { speedKmh: 0, selector: "P" });
	},
	keep: calibrate,
	leave: leaveCalibration,
});

/** Other torques, and frames that are left alone, of whatever generation. */
const withFrames = (name: string, ceilingNm: number | undefined, off: readonly number[], state: State): State => ({
	...state,
	name,
	frames: { ...(ceilingNm !== undefined && { ceilingNm }), off },
});
/** All that is rewritten or generated, of whatever generation and profile: the car is stock then. */
const ALL_FRAMES = Array.from({ length: 0x800 }, (_, id) => id);
/** Of each generation one that carries lock, and some that don't. */
const SOME_FRAMES = [0x08a, 0x0a8, 0x0c2, 0x116, 0x1a0, 0x380, 0x5a0];

/** Stock, or no lock, for a reason that lasts. */
const withStanding = (name: Standing, state: State): State => ({
	...state,
	enter: async (drive) => void drive.demands.standing.add(name),
});

/** A coupling without a car. */
const alone = (name: string, mode: string, more: Partial<State> = {}): State => ({
	name: `alone, ${name}`,
	wishes: { mode, isAlone: true },
	...more,
});

/** Another node sends what would be generated. */
const sendsElse =
	(bus: Bus, everyMs: number): State["prepare"] =>
	(car: HostileCar) => {
		const [{ id }] = tableOf(car.generation, "reference", true, "FWD").rows;
		car.filler = (ms, _, send) => {
			if (ms % everyMs === 3) send(bus, { id, flags: 0, data: new Uint8Array(8).fill(0xee) });
		};
	};

/** Switches the trigger's signal on. */
const setTrigger: State["enter"] = async (drive) => drive.car.setTrigger(() => true);

/** On the trigger's signal; its map asks for 45 % everywhere. */
const SELECTS_A_MAP = "true map gte 1 300 50 MAP true false /maps/flat.json ";
const FLAT_MAP: Tables["MAP"] = [[0, [[0, 45]]]];
const FLAT_MAP_FILE = JSON.stringify({
	mode: "MAP",
	speedBins: [0, 5, 10, 20, 40, 60, 80, 100, 140],
	throttleBins: [0, 5, 10, 20, 40, 60, 80],
	lockTable: Array.from({ length: 7 }, () => Array(9).fill(45)),
});

/** All states that are tried. */
export const STATES: readonly State[] = [
	inMode("STOCK"),
	inMode("5050", "starting", { afterMs: 600, brief: true }),
	inMode("FWD"),
	inMode("5050"),
	inMode("7030"),
	inMode("SPEED"),
	inMode("THROTTLE"),
	inMode("MAP"),
	inMode("RPM"),
	{
		name: "triggered",
		settings: { conditions: ["true mode gte 1 300 50 5050 true false - "] },
		wishes: { mode: "9010", triggerMode: "5050" },
		enter: setTrigger,
	},
	{
		name: "triggered out of STOCK",
		settings: { disableController: true, conditions: ["true mode gte 1 300 50 5050 true true - "] },
		wishes: { mode: "STOCK", triggerMode: "5050", triggerFromStock: true },
		enter: setTrigger,
	},
	{
		name: "map of a condition",
		settings: { conditions: [SELECTS_A_MAP] },
		wishes: { mode: "9010", triggerMode: "MAP", tables: { ...DEFAULT_TABLES, MAP: FLAT_MAP } },
		files: { "maps/flat.json": FLAT_MAP_FILE },
		enter: setTrigger,
	},
	{
		name: "closing gate",
		wishes: { mode: "5050", disableSpeedKmh: 60, releaseRate: 20 },
		// the gate closes just before the fault, and its ramp takes 5 s
		keep: async (drive) => {
			drive.car.speedKmh = 50;
			await drive.run(900);
			drive.car.speedKmh = 70;
			await drive.run(500);
		},
	},
	inMode("5050", "intervention", {
		keep: async (drive) => {
			drive.car.abs = () => true;
			await drive.run(150);
		},
	}),
	withStanding("disabled", inMode("MAP", "disabled", { settings: { disableController: true } })),
	inMode("MAP", "capture", {
		enter: async (drive) => {
			await drive.must("POST", "/api/canview/capture", '{"active":true}');
			drive.demands.standing.add("capture");
		},
	}),
	inMode("STOCK", "update", {
		// an upload that is this slow is ended
		brief: true,
		isShort: true,
		enter: async (drive) => {
			drive.car.speedKmh = 0;
			drive.car.pedalPercent = 0;
			await drive.run(1500);
			drive.keepAlive = (await beginUpload(drive, "5050")).more;
		},
		keep: async (drive) => drive.keepAlive?.(),
	}),
	inMode("5050", "inverted PWM", { settings: { pwm: { frequencyHz: 100, inverted: true } } }),
	withStanding(
		"verboseLogging",
		inMode("5050", "verbose logging", { settings: { logging: { serial: true, file: true, can: true, debugCan: true } } }),
	),
	withStanding("noFrames", withFrames("all frames off", undefined, ALL_FRAMES, inMode("5050"))),
	withStanding("openNetwork", inMode("5050", "open network", { args: ["--guard-open-network"] })),
	withStanding(
		"unusableMap",
		inMode("MAP", "unusable map", {
			errors: [/ERROR\tstorage\tmaps\/current\.json/],
			files: { "maps/current.json": '{"mode":"MAP","speedBins":[0,5,10' },
		}),
	),
	withStanding(
		"unusableMap",
		inMode("5050", "unusable map of a condition", {
			settings: { conditions: [SELECTS_A_MAP] },
			errors: [/ERROR\tstorage\tmaps\/flat\.json/],
			files: { "maps/flat.json": FLAT_MAP_FILE.slice(0, 50) },
		}),
	),
	withCondition("condition that may open", "5050", OPENS, () => false),
	withCondition("opened by a condition", "5050", OPENS, () => true),
	withStanding(
		"noCondition",
		withCondition("condition without a signal", "5050", OPENS, () => undefined),
	),
	withCondition("condition that may limit", "MAP", LIMITS, () => false),
	withCondition("limited by a condition", "5050", LIMITS, () => true),
	steered("steered", "5050", 20, 190),
	steered("steered open", "7030", 0, -400),
	steered("steered by a map", "MAP", 20, 150),
	calibrated(
		"calibration",
		withCondition("", "5050", OPENS, () => false),
	),
	calibrated("calibration out of STOCK", inMode("STOCK")),
	withFrames("proportional", 150, [], inMode("5050")),
	withFrames("proportional by a map", 509, [0x0b2], inMode("MAP")),
	withFrames("some frames off", undefined, SOME_FRAMES, inMode("5050")),
	withFrames("a third, frames off", 220, SOME_FRAMES, inMode("7030")),
	withStanding("bootLoop", inMode("MAP", "boot loop", { crashed: true })),
	alone("locked", "5050"),
	alone("open", "FWD"),
	alone("a third", "7030"),
	alone("stock", "STOCK"),
	withFrames("alone, proportional", 300, SOME_FRAMES, alone("", "7030")),
	alone("without the input that its mode needs", "SPEED"),
	alone("listening", "5050", { brief: true, afterMs: 1500 }),
	alone("waiting for another sender", "5050", { prepare: sendsElse(0, 100) }),
	alone("waiting for a sender on the coupling's bus", "5050", { prepare: sendsElse(1, 1000) }),
	withStanding("disabled", alone("disabled", "5050", { settings: { disableController: true } })),
	withStanding("bootLoop", alone("boot loop", "5050", { crashed: true })),
];
