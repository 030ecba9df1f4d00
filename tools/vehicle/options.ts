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
	/** What is wrong with the car. */
	readonly faults: readonly FaultName[];
	readonly replayPath: string | undefined;
	/** What the recording calls the two buses. */
	readonly busNames: BusNames;
	/** Control also while nothing reports on the coupling bus. */
	readonly withoutFeedback: boolean;
	readonly recordPath: string | undefined;
	readonly pace: string | undefined;
	readonly withVehicle: boolean;
	/** What is typed presses the board's controls. */
	readonly withControls: boolean;
	/** undefined = until it is told to end. */
	readonly durationS: number | undefined;
}

/** What the user got wrong, as one line. */
export class UsageError extends Error {}

const DRIVING = ["speed", "pedal", "brake", "steering", "gear", "hazard", "handbrake"] as const;
/** What the help lists, and whether it takes a value: behind its name stands one blank then. */
const TAKES_VALUE = new Map(
	[...HELP.matchAll(/^ {2}--([\w-]+)( \S)?/gm)].map(([, name, value]) => [name, value !== undefined] as const),
);

/**
 * @param argv arguments after the program's name.
 * @throws {UsageError} one line that says what is wrong and what is allowed
 */
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
	exclude(cycle && "drive", constant);
	const driven = cycle ? "drive" : constant;
	exclude(values["replay"] === undefined ? undefined : "replay", driven);
	exclude(withVehicle ? undefined : "vehicle none", driven);
	exclude(withVehicle ? undefined : "vehicle none", values["replay"] === undefined ? undefined : "replay");
	if (!withVehicle && values["record"] !== undefined) throw new UsageError("--record needs the vehicle or --replay");
	if (values["pace"] !== undefined && values["replay"] === undefined) throw new UsageError("--pace works only with --replay");
	const isReplay = values["replay"] !== undefined;
	if (values["chassis"] !== undefined && !isReplay) throw new UsageError("--chassis works only with --replay");
	const port = number("http", 0, 65535) ?? 8080;
	if (!Number.isInteger(port)) throw new UsageError(`--http ${values["http"]}: not a port (0..65535)`);
	const generation = choice("generation", ["1", "2", "4", "5", "51", "53"]);
	const faults = (values["fault"]?.split(",") ?? []) as FaultName[];
	const unknown = faults.find((name) => !FAULT_NAMES.includes(name));
	if (unknown !== undefined) throw new UsageError(`--fault ${unknown}: not one of ${FAULT_NAMES.join(", ")}`);
	exclude(withVehicle ? undefined : "vehicle none", faults.length > 0 ? "fault" : undefined);
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
		withVehicle: withVehicle && values["replay"] === undefined,
		withControls: flags.has("controls"),
		durationS: number("duration", 0.1, 1e6),
	};
}

type Values = Partial<Record<string, string>>;

function readArguments(argv: readonly string[]): { values: Values; flags: Set<string> } {
	const options = Object.fromEntries(
		[...TAKES_VALUE].map(([name, takesValue]) => [name, { type: takesValue ? ("string" as const) : ("boolean" as const) }]),
	);
	// Tokens rather than the strict mode: its messages differ between Node versions, and "--steering -30"
	// needs its own look.
	const { tokens } = parseArgs({ args: joinNegative(argv), options, strict: false, tokens: true, allowPositionals: true });
	const values: Values = {};
	const flags = new Set<string>();
	for (const token of tokens) {
		if (token.kind === "option-terminator") continue;
		if (token.kind === "positional") throw new UsageError(`unknown argument ${token.value}`);
		if (TAKES_VALUE.get(token.name) === false) {
			if (token.value !== undefined) throw new UsageError(`--${token.name} takes no value`);
			flags.add(token.name);
		} else if (!TAKES_VALUE.has(token.name)) throw new UsageError(`unknown option ${token.rawName}`);
		else if (!token.value) throw new UsageError(`--${token.name} needs a value`);
		else values[token.name] = token.value;
	}
	return { values, flags };
}

// "--steering -30" means "--steering=-30", and "--http --flash x" has no port.
function joinNegative(argv: readonly string[]): string[] {
	const joined: string[] = [];
	for (const argument of argv) {
		const previous = joined[joined.length - 1];
		if (/^-\d/.test(argument) && previous !== undefined && /^--[a-z]+$/.test(previous))
			joined[joined.length - 1] = `${previous}=${argument}`;
		else joined.push(argument);
	}
	return joined.map((argument, i) => (isBareOption(argument) && isOption(joined[i + 1]) ? `${argument}=` : argument));
}

const isOption = (argument: string | undefined) => argument?.startsWith("--") ?? false;
const isBareOption = (argument: string) => isOption(argument) && TAKES_VALUE.get(argument.slice(2)) === true;

function exclude(one: string | undefined, other: string | undefined): void {
	if (one !== undefined && other !== undefined) throw new UsageError(`--${one} and --${other} exclude each other`);
}
