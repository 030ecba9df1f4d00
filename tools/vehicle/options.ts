/** The command line of `npm start`. Parses and checks; touches nothing. */
import { parseArgs } from "node:util";
import type { BusNames } from "../replay/recording.js";
import type { Selector } from "./car.js";
import type { Generation } from "./chassis.js";
import { CYCLES } from "./cycles.js";
import { FAULT_NAMES, type FaultName } from "./faults.js";
import { HELP } from "./help.mjs";
import type { ConstantDrive } from "./vehicle.js";

export interface StartOptions {
	readonly httpPort: number;
	/** Listens for the local network too. */
	readonly lan: boolean;
	readonly flashDir: string;
	/** undefined = what the flash says. */
	readonly generation: Generation | undefined;
	readonly drive: keyof typeof CYCLES | ConstantDrive;
	readonly coupling: "lenient" | "strict" | "554k" | "bent";
	/** Faults of the car. */
	readonly faults: readonly FaultName[];
	readonly replayPath: string | undefined;
	/** Names of the two buses in the recording. */
	readonly busNames: BusNames;
	/** Control also while nothing reports on the coupling bus. */
	readonly withoutFeedback: boolean;
	readonly recordPath: string | undefined;
	readonly pace: string | undefined;
	readonly withVehicle: boolean;
	/** Typed lines press the board's controls. */
	readonly withControls: boolean;
}

/** A wrong command line; the message is one line. */
export class UsageError extends Error {}

const DRIVING = ["speed", "pedal", "brake", "steering", "gear", "hazard", "handbrake"] as const;
/** Options of the help, and whether each takes a value: behind its name stands one blank then. */
const TAKES_VALUE = new Map(
	[...HELP.matchAll(/^ {2}--([\w-]+)( \S)?/gm)].map(([, name, value]) => [name, value !== undefined] as const),
);

/** @throws {UsageError} one line that says what is wrong and what is allowed */
export function parseOptions(argv: readonly string[]): StartOptions {
	const { values, flags } = readArguments(argv);
	const number = (name: string, low: number, high: number): number | undefined => {
		const text = values[name];
		if (text === undefined) return undefined;
		const value = Number(text);
		if (text.trim() === "" || !Number.isFinite(value) || value < low || value > high)
			throw new UsageError(`--${name} ${text}: not a number from ${low} to ${high}`);
		return value;
	};
	const choice = <T extends string>(name: string, allowed: readonly T[]): T | undefined => {
		const text = values[name];
		if (text !== undefined && !allowed.includes(text as T))
			throw new UsageError(`--${name} ${text}: not one of ${allowed.join(", ")}`);
		return text as T | undefined;
	};
	const cycle = choice("drive", Object.keys(CYCLES) as (keyof typeof CYCLES)[]);
	const constant = DRIVING.find((name) => values[name] !== undefined);
	const withVehicle = choice("vehicle", ["none"]) === undefined;
	const isReplay = values["replay"] !== undefined;
	const [one, other] = [cycle && "drive", isReplay && "replay", constant, !withVehicle && "vehicle none"].filter((name) => name);
	if (other !== undefined) throw new UsageError(`--${one} and --${other} exclude each other`);
	for (const [name, needed, isThere] of [
		["record", "the vehicle or --replay", withVehicle],
		["fault", "the vehicle", withVehicle],
		["pace", "--replay", isReplay],
		["chassis", "--replay", isReplay],
	] as const)
		if (values[name] !== undefined && !isThere) throw new UsageError(`--${name} needs ${needed}`);
	const port = number("http", 0, 65535) ?? 8080;
	if (!Number.isInteger(port)) throw new UsageError(`--http ${values["http"]}: not a port (0..65535)`);
	const generation = choice("generation", ["1", "2", "4", "5", "51", "53"]);
	const faults = (values["fault"]?.split(",") ?? []) as FaultName[];
	const unknown = faults.find((name) => !FAULT_NAMES.includes(name));
	if (unknown !== undefined) throw new UsageError(`--fault ${unknown}: not one of ${FAULT_NAMES.join(", ")}`);
	return {
		httpPort: port,
		lan: flags.has("lan"),
		flashDir: values["flash"] ?? "build/flash",
		generation: generation === undefined ? undefined : (Number(generation) as Generation),
		drive: constant
			? {
					speedKmh: number("speed", 0, 250),
					pedalPercent: number("pedal", 0, 100) ?? 0,
					brakePercent: number("brake", 0, 100) ?? 0,
					steeringDeg: number("steering", -540, 540) ?? 0,
					selector: choice<Selector>("gear", ["P", "R", "N", "D"]) ?? "D",
					hazardLights: choice("hazard", ["on", "off"]) === "on",
					handbrake: choice("handbrake", ["on", "off"]) === "on",
				}
			: (cycle ?? "city"),
		coupling: (isReplay ? undefined : choice("coupling", ["lenient", "strict", "554k", "bent"])) ?? "lenient",
		faults,
		replayPath: values["replay"],
		busNames: isReplay ? { chassis: values["chassis"], coupling: values["coupling"] } : {},
		withoutFeedback: flags.has("without-feedback"),
		recordPath: values["record"],
		pace: choice("pace", ["real", "max"]),
		withVehicle: withVehicle && !isReplay,
		withControls: flags.has("controls"),
	};
}

/** @throws {UsageError} as parseOptions */
function readArguments(argv: readonly string[]): { values: Partial<Record<string, string>>; flags: Set<string> } {
	const options = Object.fromEntries(
		[...TAKES_VALUE].map(([name, takesValue]) => [name, { type: takesValue ? ("string" as const) : ("boolean" as const) }]),
	);
	// "--steering -30" means "--steering=-30"
	const at = argv.indexOf("--steering");
	const args = at < 0 ? [...argv] : [...argv.slice(0, at), `--steering=${argv[at + 1]}`, ...argv.slice(at + 2)];
	try {
		const { values } = parseArgs({ args, options });
		return { values: values as Partial<Record<string, string>>, flags: new Set(Object.keys(values)) };
	} catch (error) {
		throw new UsageError((error as Error).message.split("\n")[0]);
	}
}
