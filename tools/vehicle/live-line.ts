/**
 * The one line that shows what is going on: rewritten in place on a terminal, a plain line per second
 * elsewhere. The car's own values where there is a vehicle, the controller's otherwise.
 */
import type { ControllerStatus } from "./controller-process.js";
import type { VehicleRunner } from "./runner.js";

const TERMINAL_MS = 250;
const PLAIN_MS = 1000;

/** What the line shows; undefined is shown as a dash. */
interface LiveValues {
	readonly speedKmh?: number | undefined;
	readonly pedalPercent?: number | undefined;
	readonly rpm?: number | undefined;
	readonly mode?: string | undefined;
	readonly lockPercent?: number | undefined;
	readonly engagementPercent?: number | undefined;
	readonly chassisFramesPerS?: number | undefined;
	readonly couplingFramesPerS?: number | undefined;
	readonly dropped: number;
	/** In place of the frames: seconds of a recording that were played, and all of them. */
	readonly played?: { readonly seconds: number; readonly of: number } | undefined;
}

/**
 * The line as text, of constant width as far as the values allow; what must be seen fits a terminal of 80
 * columns, the rest is behind it.
 */
export function formatLine(values: LiveValues): string {
	const number = (value: number | undefined, width: number) => (value === undefined ? "-" : value.toFixed(0)).padStart(width);
	const { played } = values;
	const frames = `${number(values.couplingFramesPerS, 4)} fr/s of ${number(values.chassisFramesPerS, 4)} sent`;
	const lost = values.dropped > 0 ? `dropped ${values.dropped}  ` : "";
	return (
		`${number(values.speedKmh, 3)} km/h  pedal ${number(values.pedalPercent, 3)} %  ${number(values.rpm, 4)} rpm  ` +
		`${(values.mode ?? "-").padEnd(8)}  lock ${number(values.lockPercent, 3)} %  engaged ${number(values.engagementPercent, 3)} %  ` +
		`${lost}${played === undefined ? frames : `${number(played.seconds, 4)} of ${played.of.toFixed(0)} s`}`
	);
}

/** Collects the values, counting frames since the call before. */
export function liveValues(
	status: ControllerStatus | undefined,
	runner: VehicleRunner | undefined,
	before: { sent: number; received: number },
	elapsedS: number,
): LiveValues {
	const telemetry = status?.telemetry;
	const common = { mode: modeText(status), lockPercent: telemetry?.spec };
	if (!runner) {
		const { speed, throttle, rpm, act } = telemetry ?? {};
		return { ...common, speedKmh: speed, pedalPercent: throttle, rpm, engagementPercent: act, dropped: 0 };
	}
	const { car, coupling } = runner.vehicle;
	return {
		...common,
		speedKmh: Math.abs(car.velocityKmh),
		pedalPercent: car.pedalPercent,
		rpm: car.rpm,
		engagementPercent: coupling.engagementPercent,
		chassisFramesPerS: (runner.chassis.sent - before.sent) / elapsedS,
		couplingFramesPerS: (runner.coupling.received - before.received) / elapsedS,
		dropped: runner.chassis.dropped + runner.coupling.dropped,
	};
}

// "MAP", or "STOCK (MAP)" while something keeps the selected mode from taking effect.
function modeText(status: ControllerStatus | undefined): string | undefined {
	const { mode, effectiveMode } = status ?? {};
	if (effectiveMode === undefined || mode === undefined || mode === effectiveMode) return effectiveMode ?? mode;
	return `${effectiveMode} (${mode})`;
}

/** Writes lines to standard output. */
export class LiveLine {
	readonly intervalMs: number;
	readonly #terminal: boolean;
	#shown = false;

	constructor(terminal: boolean) {
		this.#terminal = terminal;
		this.intervalMs = terminal ? TERMINAL_MS : PLAIN_MS;
	}

	/** Shows the live values in place of those before. */
	show(text: string): void {
		if (!this.#terminal) {
			process.stdout.write(`${text}\n`);
			return;
		}
		// A line that wraps can't be rewritten in place.
		const width = process.stdout.columns || 80;
		process.stdout.write(`\r\x1b[K${text.slice(0, width - 1)}`);
		this.#shown = true;
	}

	/** Prints a line that stays, above the live one. */
	print(text: string, isError = false): void {
		this.finish(true);
		(isError ? process.stderr : process.stdout).write(`${text}\n`);
	}

	/**
	 * Ends the live line, so that other output starts on its own.
	 * @param erase the live line disappears instead
	 */
	finish(erase = false): void {
		if (this.#shown) process.stdout.write(erase ? "\r\x1b[K" : "\n");
		this.#shown = false;
	}
}
