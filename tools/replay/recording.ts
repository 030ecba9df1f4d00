/**
 * A recording in any form that people have becomes the candump log that the host program plays: what the car
 * sent, `can0` the chassis bus, `can1` the coupling bus. The content tells the form, not the name of the
 * file. Pieces of a file are read and written one by one, so its size does not matter.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { candumpLine } from "../vehicle/frame.js";
import { ASC } from "./asc-form.js";
import { blfFrames, isBlf } from "./blf-form.js";
import { CANDUMP } from "./candump-form.js";
import { CRTD } from "./crtd-form.js";
import { CSV } from "./csv-form.js";
import type { LeftOut, LineReader, RecordedFrame, TextForm } from "./form.js";
import { checkOpen, linesOf, openSource, peek, type Source, shown } from "./source.js";
import { Timeline } from "./timeline.js";
import { TRC } from "./trc-form.js";

/** In the order in which they are asked whether they know a line. */
const TEXT_FORMS: readonly TextForm[] = [TRC, CRTD, ASC, CANDUMP, CSV];
const ALLOWED =
	"what candump, SavvyCAN (CSV), Vector's tools (ASC, BLF), PCAN-View (TRC), OVMS (CRTD), python-can and cabana (CSV) write is allowed, " +
	"also with .gz";
/** Written at once. */
const BLOCK_CHARACTERS = 1 << 16;
const PROGRESS_MS = 2000;

/** Names of the two buses in a recording; absent: the first two names in order. */
export interface BusNames {
	readonly chassis?: string | undefined;
	readonly coupling?: string | undefined;
}

/** Frames of each name. */
type BusCounts = ReadonlyMap<string, number>;

/** "can2" before "can10". */
const inOrder = (a: string, b: string): number => a.localeCompare(b, "en", { numeric: true });

/**
 * @param seen names of the recording so far
 * @param asked on the command line
 * @returns the names that are taken: one of a single bus is the chassis. A name that was asked for stays even
 * if it is not there.
 */
function busesOf(seen: Iterable<string>, asked: BusNames): BusNames {
	const names = [...seen].sort(inOrder).filter((name) => name !== asked.chassis && name !== asked.coupling);
	const chassis = asked.chassis ?? names.shift();
	return { chassis, coupling: asked.coupling ?? names.shift() };
}

/** @throws {Error} a name that was asked for is not in the recording */
function checkBuses(seen: BusCounts, asked: BusNames): void {
	for (const option of ["chassis", "coupling"] as const) {
		const name = asked[option];
		if (name !== undefined && !seen.has(name))
			throw new Error(`--${option} ${name}: the recording has ${[...seen.keys()].sort(inOrder).join(", ")}`);
	}
	if (asked.chassis !== undefined && asked.chassis === asked.coupling)
		throw new Error(`--chassis and --coupling are both ${asked.chassis}: two names are allowed`);
}

/** The names that were taken, with the frames of each. */
function saidOfBuses(seen: BusCounts, { chassis, coupling }: BusNames): string {
	const bus = (name: string | undefined): string => (name === undefined ? "none" : `${name} (${seen.get(name) ?? 0} frames)`);
	const others = [...seen.keys()].filter((name) => name !== chassis && name !== coupling).sort(inOrder);
	const left = others.length === 0 ? "" : `, left out ${others.map(bus).join(", ")}`;
	return `chassis bus: ${bus(chassis)}, coupling bus: ${bus(coupling)}${left}; --chassis NAME --coupling NAME says otherwise`;
}

/** How a recording is read. */
export interface Reading {
	readonly names?: BusNames | undefined;
	/** Only the coupling sends these: in a recording of one bus they are its, all others the car's. */
	readonly couplingSends?: ReadonlySet<number> | undefined;
	/** The frames that are kept; absent: all. */
	readonly keeps?: (frame: RecordedFrame) => boolean;
	/** The first frame is at 0 s, so that the log does not tell when it was. */
	readonly fromZero?: boolean;
	/** Takes a line every 2 s. */
	readonly progress?: ((line: string) => void) | undefined;
	/** Takes what was taken for what, at the end. */
	readonly say?: ((line: string) => void) | undefined;
}

/** The frames that were read. */
export interface Read {
	/** Identifiers of each bus. */
	readonly chassisIds: ReadonlySet<number>;
	readonly couplingIds: ReadonlySet<number>;
	/** Time of the first frame. */
	readonly beginsAtS: number;
	readonly seconds: number;
}

type Found = RecordedFrame | LeftOut;

/** Takes the frames of a recording one after the other, and writes those that are kept. */
class Conversion {
	/** The two buses turned out to be others than those that were taken at first. */
	isStale = false;
	frames = 0;
	readonly ids = { can0: new Set<number>(), can1: new Set<number>() };
	readonly seen = new Map<string, number>();
	readonly timeline: Timeline;
	readonly #leftOut = new Map<string, number>();
	readonly #file: number;
	readonly #reading: Reading;
	readonly #known: Set<string>;
	#buses: BusNames;
	/** Frames of a single bus that are the coupling's. */
	#split = 0;
	#block = "";

	/** @param known names of the recording, as far as they are known */
	constructor(file: number, reading: Reading, known: readonly string[]) {
		this.#known = new Set(known);
		this.#file = file;
		this.#reading = reading;
		this.timeline = new Timeline(reading.fromZero);
		this.#buses = busesOf(known, reading.names ?? {});
	}

	take(found: Found): void {
		if (typeof found === "string") this.#leaveOut(found);
		else this.#frame(found);
	}

	#leaveOut(why: string): void {
		this.#leftOut.set(why, (this.#leftOut.get(why) ?? 0) + 1);
	}

	#frame(frame: RecordedFrame): void {
		const count = this.seen.get(frame.bus) ?? 0;
		this.seen.set(frame.bus, count + 1);
		if (count === 0) this.#learn(frame.bus);
		const bus = this.#busOf(frame);
		if (bus === undefined) return;
		const timeUs = this.timeline.play(frame.timeUs);
		if (this.#reading.keeps?.(frame) === false) {
			this.#leaveOut("frames that the controller does not need");
			return;
		}
		this.frames++;
		this.ids[bus].add(frame.id);
		this.#block += candumpLine(timeUs, bus, frame);
		if (this.#block.length >= BLOCK_CHARACTERS) this.#flush();
	}

	#busOf({ bus, id, extended }: RecordedFrame): "can0" | "can1" | undefined {
		const { chassis, coupling } = this.#buses;
		if (bus === coupling) return "can1";
		if (bus !== chassis) return undefined;
		if (coupling !== undefined || extended || !this.#reading.couplingSends?.has(id)) return "can0";
		this.#split++;
		return "can1";
	}

	/** A name that was not known may change which two are taken. */
	#learn(name: string): void {
		if (this.#known.has(name)) return;
		this.#known.add(name);
		const { chassis, coupling } = this.#buses;
		const now = busesOf(this.#known, this.#reading.names ?? {});
		this.isStale ||= this.#split > 0 && now.coupling !== undefined;
		this.isStale ||= (chassis !== undefined && chassis !== now.chassis) || (coupling !== undefined && coupling !== now.coupling);
		this.#buses = now;
	}

	#flush(): void {
		writeSync(this.#file, this.#block);
		this.#block = "";
	}

	/** @returns what was taken for what. @throws {Error} nothing was taken */
	end(form: string): string[] {
		this.#flush();
		const leftOut = [...this.#leftOut].map(([why, count]) => `${count} ${why}`).join(", ");
		if (this.seen.size === 0) throw new Error(`no frame that the car sent${leftOut && `, only ${leftOut}`}`);
		checkBuses(this.seen, this.#reading.names ?? {});
		const kept = `${form}: ${this.frames} frames in ${this.timeline.seconds.toFixed(1)} s`;
		const split =
			this.#split > 0 ? [`one bus: ${this.#split} frames that only the coupling sends are taken as the coupling bus`] : [];
		return [
			kept,
			saidOfBuses(this.seen, this.#buses),
			...split,
			...(leftOut ? [`left out: ${leftOut}`] : []),
			...this.timeline.said(),
		];
	}
}

/** @throws {Error} no form knows one of the lines */
function formOf(lines: readonly string[]): TextForm {
	for (const line of lines) {
		const form = TEXT_FORMS.find((one) => one.knows(line));
		if (form !== undefined) return form;
	}
	throw new Error(`line 1 "${shown(lines.find((line) => line !== "") ?? "")}": ${ALLOWED}`);
}

/** @throws {Error} with line, text, and what is allowed. A last line that is cut off is left out. */
async function* textPieces(bytes: AsyncIterable<Buffer>, named: (form: string) => void): AsyncGenerator<Iterable<Found>> {
	let read: LineReader | undefined;
	let number = 0;
	function* foundIn(lines: readonly string[], isCut: boolean): Generator<Found> {
		for (const line of lines) {
			number++;
			try {
				const found = line === "" ? undefined : read?.(line);
				if (found !== undefined) yield found;
			} catch (error) {
				if (!isCut) throw new Error(`line ${number} "${shown(line)}": ${(error as Error).message}`);
				yield "cut last lines";
			}
		}
	}
	for await (const { lines, isCut } of linesOf(bytes)) {
		if (lines.length === 0) continue;
		if (read === undefined) {
			const form = formOf(lines);
			named(form.name);
			read = form.reader(lines);
		}
		yield foundIn(lines, isCut);
	}
}

/** Frames of a file, piece after piece. @param named takes the name of its form */
async function* pieces(source: Source, named: (form: string) => void): AsyncGenerator<Iterable<Found>> {
	const [first, bytes] = await peek(source.bytes);
	checkOpen(first);
	if (!isBlf(first)) yield* textPieces(bytes, named);
	else {
		named("Vector BLF");
		yield* blfFrames(bytes);
	}
}

async function convertOnce(path: string, into: string, reading: Reading, known: readonly string[]): Promise<Conversion | Read> {
	const source = openSource(path);
	const file = openSync(into, "w");
	try {
		const conversion = new Conversion(file, reading, known);
		let form = "";
		let saidMs = Date.now();
		const named = (name: string): void => {
			form = name;
		};
		for await (const piece of pieces(source, named)) {
			for (const found of piece) conversion.take(found);
			if (conversion.isStale) return conversion;
			if (Date.now() - saidMs < PROGRESS_MS) continue;
			saidMs = Date.now();
			reading.progress?.(`read ${Math.floor(source.done() * 100)} %, ${conversion.frames} frames`);
		}
		for (const line of conversion.end(form)) reading.say?.(line);
		const { ids, timeline } = conversion;
		return { chassisIds: ids.can0, couplingIds: ids.can1, beginsAtS: timeline.beginsAtS, seconds: timeline.seconds };
	} finally {
		closeSync(file);
	}
}

/**
 * @param path of a recording in one of the forms above, plain or gzip
 * @param into the candump log that is written
 * @throws {Error} with file, line, its text and what is allowed
 */
export async function convertRecording(path: string, into: string, reading: Reading = {}): Promise<Read> {
	try {
		let known: readonly string[] = [];
		for (;;) {
			const read = await convertOnce(path, into, reading, known);
			if (!(read instanceof Conversion)) return read;
			known = [...read.seen.keys()];
		}
	} catch (error) {
		throw new Error(`${path}: ${(error as Error).message}`);
	}
}
