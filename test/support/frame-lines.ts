// The lines of frames, made from a ring that tests fill: what `modules/frame-text` does in C, written for
// reading.
import type { FrameLinesPort, FrameTextPort } from "../../hal/ports.js";
import type { Network } from "../../src/can/catalogue.js";
import { catalogueTexts, modeValues, shortFrames } from "../../tools/build-catalogue.mjs";
import { textPort, ViewProgram } from "./frame-text-programs.js";
import type { Record, TraceTable } from "./gateway-memory.js";

const ROOM_BYTES = 144;
const BUSES = ["chassis", "haldex"];
const hex = (bytes: readonly number[], separator: string) =>
	bytes.map((byte) => byte.toString(16).padStart(2, "0")).join(separator);

/**
 * One line, LF included; a character per byte.
 * @param format 0 table, 1 candump, 2 SavvyCAN, 3 log, 4 GVRET
 */
export function frameLine(format: number, record: Record, isSent: boolean): string {
	const { timeUs, id: identifier, bus, flags = 0, received = [], sent = received } = record;
	const isCyclic = (flags & 4) !== 0;
	const on = isSent && !isCyclic ? bus ^ 1 : bus;
	const isGenerated = isSent && (flags & 5) !== 0 && on === 1;
	const id = identifier & 0x1fffffff;
	const isExtended = identifier >>> 31 === 1;
	const isRemote = (identifier & 0x40000000) !== 0;
	const bytes = isSent ? sent : received;
	const dlc = record.dlcs?.[isSent ? 1 : 0] ?? bytes.length;
	const data = isRemote ? [] : bytes.slice(0, dlc);
	const direction = isSent ? "Tx" : "Rx";
	if (format === 1) {
		const seconds = String(Math.trunc(timeUs / 1e6) % 1e10).padStart(10, "0");
		const name = id.toString(16).padStart(isExtended ? 8 : 3, "0");
		const text = isRemote ? `R${dlc || ""}` : hex(data, "");
		return `(${seconds}.${String(timeUs % 1e6).padStart(6, "0")}) can${on} ${`${name}#${text}`.toUpperCase()}\n`;
	}
	if (format === 2) {
		const columns = [...data, ...Array(8 - data.length).fill(0)];
		const name = id.toString(16).padStart(8, "0").toUpperCase();
		return `${timeUs},${name},${isExtended},${direction},${on},${data.length},${hex(columns, ",").toUpperCase()},\n`;
	}
	if (format === 4) {
		const head = Buffer.alloc(11);
		head.writeUInt16BE(0xf100);
		head.writeUInt32LE(timeUs % 2 ** 32, 2);
		head.writeUInt32LE((id | (isExtended ? 0x80000000 : 0)) >>> 0, 6);
		head[10] = on * 16 + data.length;
		return `${head.toString("latin1")}${String.fromCharCode(...data, 0)}`;
	}
	const fields = [BUSES[on], direction.toUpperCase(), isGenerated ? "GEN" : "-", `0x${id.toString(16)}`, dlc, hex(data, " ")];
	return `${[Math.trunc(timeUs / 1000) % 2 ** 32, ...(format === 3 ? ["CAN"] : []), ...fields].join("\t")}\n`;
}

/**
 * The lines of a record that are wanted.
 * @param wanted 1, 4 received on chassis, coupling bus; 2, 8 sent on them
 */
export function recordLines(format: number, record: Record, wanted: number): string {
	const { bus, flags = 0 } = record;
	const sentOn = flags & 4 ? bus : bus ^ 1;
	const rows = (flags & 4 ? 0 : [1, 4][bus]) | (flags & 2 ? 0 : [2, 8][sentOn]);
	const isWanted = rows & wanted;
	return (isWanted & 5 ? frameLine(format, record, false) : "") + (isWanted & 10 ? frameLine(format, record, true) : "");
}

export class TraceLines implements FrameLinesPort {
	cursor: number;
	overwritten = 0;
	readonly #table: TraceTable;
	readonly #format: number;
	readonly #rows: number;
	#end = Infinity;

	constructor(table: TraceTable, format: number, rows: number) {
		this.#table = table;
		this.#format = format;
		this.#rows = rows;
		this.cursor = table.records.length;
	}

	get isComplete(): boolean {
		return this.cursor >= this.#end;
	}

	lookBack(windowMs: number): number {
		const { records, lost, nowMs } = this.#table;
		const sinceUs = (nowMs - windowMs) * 1000;
		const found = records.findIndex(({ timeUs }, number) => number >= lost && timeUs >= sinceUs);
		this.#end = records.length;
		this.cursor = found < 0 ? this.#end : found;
		const isShort = lost > 0 && found === lost;
		return Math.min(windowMs, isShort ? nowMs - Math.trunc(records[found].timeUs / 1000) : nowMs);
	}

	write(into: Uint8Array, start: number, end: number): number {
		let at = start;
		const put = (text: string) => {
			into.set(Buffer.from(text, "latin1"), at);
			at += text.length;
		};
		while (end - at >= ROOM_BYTES && this.cursor < Math.min(this.#end, this.#table.records.length)) {
			this.#table.onRead();
			const overwritten = Math.max(0, Math.min(this.#table.lost, this.#end) - this.cursor);
			this.overwritten += overwritten;
			this.cursor += overwritten;
			if (overwritten > 0 && this.#format === 0) put(`# ${overwritten} frames were overwritten before they could be sent\n`);
			else if (this.cursor < this.#end) put(recordLines(this.#format, this.#table.records[this.cursor++], this.#rows));
		}
		return at - start;
	}
}

/** All text of a table. */
export function frameTextOf(table: TraceTable): FrameTextPort {
	return {
		lines: (format, rows) => new TraceLines(table, format, rows),
		view: new ViewProgram(table).view,
		dbcFile: (network) => textPort(Buffer.from(dbcText(network === 1 ? "mqb" : "pq"))),
	};
}

// A DBC file of the signal catalogue, as `modules/frame-text/signal_catalogue.c` writes it.

const EXTENDED = 0x80000000;
/**
 * The first two lie on bits of another signal of their frame, in the sources too: strict readers reject the
 * whole file. The third is there for one of 16 values of its selector: they reject the frame. The firmware
 * decodes them.
 */
export const LEFT_OUT = ["GK1_Counter_Trailer", "PLA_Bremsmoment", "GK1_Charisma_Mode"];

/** Bytes of the frames that have fewer than 8. */
const SHORT = {
	pq: new Map(shortFrames("src/can/dbc/pq.dbc")),
	mqb: new Map(shortFrames("src/can/dbc/mqb.dbc")),
};

function signalLine(text: string, units: readonly string[]): string {
	const [name, start, length, flags = "", factor = "1", offset = "0", unit = "0"] = text.split(",");
	const multiplex = /M|m\d+/.exec(flags)?.[0];
	const order = flags.includes("B") ? 0 : 1;
	const sign = flags.includes("S") ? "-" : "+";
	const selected = multiplex === undefined ? "" : ` ${multiplex}`;
	return ` SG_ ${name}${selected} : ${start}|${length}@${order}${sign} (${factor},${offset}) [0|0] "${units[Number(unit)]}" Vector__XXX`;
}

function frameLines(network: Network, text: string, units: readonly string[]): string[] {
	const [frame = "", ...signals] = text.split("|").slice(0, -1);
	const [id = "", name] = frame.split(" ");
	const number = Number.parseInt(id, 16) + (id.endsWith("x") ? EXTENDED : 0);
	const shown = signals.filter((signal) => !LEFT_OUT.includes(signal.slice(0, signal.indexOf(","))));
	const length = SHORT[network].get(number) ?? 8;
	return [`BO_ ${number} ${name}: ${length} Vector__XXX`, ...shown.map((signal) => signalLine(signal, units)), ""];
}

/** Reading the sources takes a second. */
let texts: ReturnType<typeof catalogueTexts> | undefined;

/** The file of a network. */
export function dbcText(network: Network): string {
	texts ??= catalogueTexts();
	const { units, networks, own } = texts;
	const number = network === "mqb" ? 1 : 0;
	const frames = [...networks[number]!, ...own[number]!];
	const lines = ['VERSION "OpenCoupling"', "", "NS_ :", "", "BS_:", "", "BU_:", ""];
	return `${[...lines, ...frames.flatMap((text) => frameLines(network, text, units))].join("\n")}\n${modeValues()}`;
}
