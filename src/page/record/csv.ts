/** A drive as a file that spreadsheets read: a header, then a line for each sample; an empty cell = unknown. */

import type { Sample } from "../state/samples";

/** The columns, in the order of the file. */
const COLUMNS: readonly (readonly [name: string, value: keyof Sample, largest: number, decimals: number])[] = [
	["time_s", "atMs", 1e6, 2],
	["speed_kmh", "speedKmh", 1000, 1],
	["pedal_percent", "pedalPercent", 110, 1],
	["engine_rpm", "rpm", 20_000, 0],
	["lock_asked_percent", "requestedPercent", 100, 1],
	["lock_engaged_percent", "engagedPercent", 100, 1],
];
const HEADER = COLUMNS.map(([name]) => name).join(",");
/** Characters of what was found, in a message. */
const SHOWN_MAX = 60;

/** A fault of a file: the page says it in its own words. */
export class CsvProblem extends RangeError {
	/** Counted from 1; the header is the first. */
	readonly line: number;
	readonly found: string;
	readonly allowed: string;

	constructor(line: number, found: string, allowed: string) {
		super();
		this.line = line;
		this.found = found.slice(0, SHOWN_MAX);
		this.allowed = allowed;
	}
}

/** The first sample is at 0 s. */
export function csvOf(drive: readonly Sample[]): string {
	const startMs = drive[0]?.atMs ?? 0;
	const lines = drive.map((sample) =>
		COLUMNS.map(([, key, , decimals]) => {
			const value = key === "atMs" ? (sample.atMs - startMs) / 1000 : sample[key];
			return Number.isNaN(value) ? "" : value.toFixed(decimals);
		}).join(","),
	);
	return [HEADER, ...lines, ""].join("\r\n");
}

/** @param most samples @throws {CsvProblem} */
export function driveOf(csv: string, most: number): Sample[] {
	const [header = "", ...lines] = csv.replace(/^\ufeff/, "").split(/\r?\n/);
	if (header !== HEADER) throw new CsvProblem(1, header, HEADER);
	while (lines[lines.length - 1] === "") lines.pop();
	if (lines.length === 0 || lines.length > most) throw new CsvProblem(lines.length + 1, `${lines.length}`, `1..${most}`);
	let lastS = 0;
	return lines.map((line, i) => {
		const cells = line.split(",");
		if (cells.length !== COLUMNS.length) throw new CsvProblem(i + 2, line, HEADER);
		const values = COLUMNS.map(([name, key, largest], column): [keyof Sample, number] => {
			const text = cells[column]!.trim();
			const value = text === "" ? Number.NaN : Number(text);
			// all but the time may be unknown
			if ((text !== "" || key === "atMs") && !(value >= 0 && value <= largest))
				throw new CsvProblem(i + 2, `${name} ${text}`, `0..${largest}`);
			return [key, value];
		});
		const timeS = values[0]![1];
		// samples that Wi-Fi has held up come all at once
		if (timeS < lastS) throw new CsvProblem(i + 2, `time_s ${timeS}`, `>= ${lastS}`);
		lastS = timeS;
		return { ...(Object.fromEntries(values) as unknown as Sample), atMs: timeS * 1000 };
	});
}
