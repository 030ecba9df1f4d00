// The C code of modules/frame-text in programs of its own, under the sanitizers, for tests that run in Node.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { TextPort } from "../../hal/ports.js";
import { compile, ROOT, SANITIZERS } from "../modules/can-gateway/build.js";
import { recordBytes, type TraceTable } from "./gateway-memory.js";

const FRAME_TEXT = join(ROOT, "modules/frame-text");
const SOURCES = ["can_view.c", "dbc_file.c", "signal_catalogue.c", "frame_lines.c", "text_out.c", "generated/catalogue_data.c"];
const HEADER_BYTES = 48;
const ROOM_BYTES = 1400;
const programs = new Map<string, string>();

/**
 * @param name of a C file in test/modules/frame-text, without `.c`
 * @returns path of its program, compiled once
 */
export function frameTextProgram(name: string): string {
	const known = programs.get(name);
	if (known !== undefined) return known;
	const files = [join(ROOT, `test/modules/frame-text/${name}.c`), ...SOURCES.map((file) => join(FRAME_TEXT, file))];
	const program = compile(name, files, SANITIZERS, ["-I", FRAME_TEXT]);
	programs.set(name, program);
	return program;
}

/** Writes a text whole, as much of it as fits at a time. */
export function textPort(text: Uint8Array): TextPort {
	let at = 0;
	return {
		get isComplete() {
			return at === text.length;
		},
		write(into, start, end) {
			const piece = text.subarray(at, at + end - start);
			into.set(piece, start);
			at += piece.length;
			return piece.length;
		},
	};
}

/** CAN views of one controller: each knows what passed before. */
export class ViewProgram {
	readonly #table: TraceTable;
	readonly #roomBytes: number;
	readonly #requests: Uint8Array[] = [];

	/**
	 * @param table at the time of each view
	 * @param roomBytes of each piece
	 */
	constructor(table: TraceTable, roomBytes = ROOM_BYTES) {
		this.#table = table;
		this.#roomBytes = roomBytes;
	}

	/** The whole answer. */
	text(generation: number, rows: number, decodedLimit: number, rawLimit: number): Uint8Array {
		const { nowMs, lost, lostMeanwhile, records } = this.#table;
		const latest = this.#table.latestBytes();
		const header = new DataView(new ArrayBuffer(HEADER_BYTES));
		[nowMs * 1000, lost, lostMeanwhile].forEach((value, i) => {
			header.setBigUint64(8 * i, BigInt(value), true);
		});
		[generation, rows, decodedLimit, rawLimit, latest.length, records.length].forEach((value, i) => {
			header.setUint32(24 + 4 * i, value, true);
		});
		this.#requests.push(new Uint8Array(header.buffer), ...latest, ...records.map(recordBytes));
		const input = Buffer.concat(this.#requests);
		return execFileSync(frameTextProgram("print_view"), [String(this.#roomBytes)], { input, maxBuffer: 1 << 26 });
	}

	readonly view = (generation: number, rows: number, decodedLimit: number, rawLimit: number): TextPort =>
		textPort(this.text(generation, rows, decodedLimit, rawLimit));
}
