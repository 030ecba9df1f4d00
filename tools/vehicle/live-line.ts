/** The line that shows what is going on: rewritten in place on a terminal, else a plain line per second. */
import type { ControllerStatus } from "./controller-process.js";
import type { VehicleRunner } from "./runner.js";

const TERMINAL_MS = 250;
const PLAIN_MS = 1000;

/**
 * The line as text, of constant width; what is unknown is a dash. The important part fits a terminal of 80 columns.
 * @param before frames at the line before, elapsedS ago
 * @param played seconds of a recording that were played, and all of them, in place of the frames
 */
export function lineOf(
	status: ControllerStatus | undefined,
	runner: VehicleRunner | undefined,
	before: { readonly sent: number; readonly received: number },
	elapsedS: number,
	played?: { readonly seconds: number; readonly of: number },
): string {
	const number = (value: number | undefined, width: number) => (value === undefined ? "-" : value.toFixed(0)).padStart(width);
	const { speed, throttle, rpm, spec, act } = status?.telemetry ?? {};
	const { car, coupling } = runner?.vehicle ?? {};
	const [kmh, pedal, engine, engaged] = car
		? [Math.abs(car.velocityKmh), car.pedalPercent, car.rpm, coupling?.engagementPercent]
		: [speed, throttle, rpm, act];
	const dropped = runner ? runner.chassis.dropped + runner.coupling.dropped : 0;
	const arrived = runner && (runner.coupling.received - before.received) / elapsedS;
	const sent = runner && (runner.chassis.sent - before.sent) / elapsedS;
	return [
		`${number(kmh, 3)} km/h`,
		`pedal ${number(pedal, 3)} %`,
		`${number(engine, 4)} rpm`,
		(modeText(status) ?? "-").padEnd(8),
		`lock ${number(spec, 3)} %`,
		`engaged ${number(engaged, 3)} %`,
		...(dropped > 0 ? [`dropped ${dropped}`] : []),
		played
			? `${number(played.seconds, 4)} of ${played.of.toFixed(0)} s`
			: `${number(arrived, 4)} fr/s of ${number(sent, 4)} sent`,
	].join("  ");
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

	/** Ends the live line. @param erase it disappears */
	finish(erase = false): void {
		if (this.#shown) process.stdout.write(erase ? "\r\x1b[K" : "\n");
		this.#shown = false;
	}
}
