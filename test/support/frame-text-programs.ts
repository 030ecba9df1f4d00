// The C code of modules/frame-text in programs of its own, under the sanitizers, for tests that run in Node.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { TextPort } from "../../hal/ports.js";
import { compile, ROOT, SANITIZERS } from "../modules/can-gateway/build.js";
import { recordBytes, type TraceTable } from "./gateway-memory.js";

const FRAME_TEXT = join(ROOT, "modules/frame-text");
const SOURCES = ["can_view.c", "signal_catalogue.c", "frame_lines.c", "generated/catalogue_data.c"];
const HEADER_BYTES = 48;
const ROOM_BYTES = 1400;
let program: string | undefined;

/**
 * Runs test/modules/frame-text/print.c, which is compiled once.
 * @param words as that file has them
 * @throws {Error} it fails
 */
export function printText(words: readonly string[], input: Uint8Array = new Uint8Array()): { text: Buffer; errors: string } {
	const files = ["test/modules/frame-text/print.c", ...SOURCES.map((file) => join("modules/frame-text", file))];
	program ??= compile(
		"print",
		files.map((file) => join(ROOT, file)),
		SANITIZERS,
		["-I", FRAME_TEXT],
	);
	const { status, stdout, stderr } = spawnSync(program, words, { input, maxBuffer: 1 << 26 });
	if (status !== 0) throw new Error(`print ${words.join(" ")} failed with ${status}: ${stderr}`);
	return { text: stdout, errors: stderr.toString() };
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
		return printText(["view", String(this.#roomBytes)], input).text;
	}

	readonly view = (generation: number, rows: number, decodedLimit: number, rawLimit: number): TextPort =>
		textPort(this.text(generation, rows, decodedLimit, rawLimit));
}
