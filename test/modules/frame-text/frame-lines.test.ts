/** The lines of frames: C against a golden file, and against the plain writer of the tests. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { FRAME_BYTES } from "../../../src/can/frame-dump.js";
import { runScript } from "../../hal/host/host-program.js";
import { recordLines } from "../../support/frame-lines.js";
import { frameTextProgram } from "../../support/frame-text-programs.js";
import { type Record, recordBytes } from "../../support/gateway-memory.js";
import { generator } from "../../support/random.js";

const HERE = dirname(fileURLToPath(import.meta.url));
const FORMATS = [0, 1, 2, 3, 4];
/** Of the golden file. */
const TEXTS = [0, 1, 2, 3];
const ALL_ROWS = 15;
const ROOM = 1400;
const RECORD_BYTES = 32;

function randomRecord({ below, of }: ReturnType<typeof generator>): Record {
	const standard = of([below(0x800), 0, 0x7ff]);
	const extended = of([below(0x20000000), standard, 0x1fffffff]) + 0x80000000;
	const bytes = () => Array.from({ length: 8 }, () => of([0, 255, below(256)]));
	const dlc = below(9);
	return {
		timeUs: of([below(5), below(2 ** 32), below(2 ** 32) * 1e6, 2 ** 32 * 1000, 2 ** 32 * 1000 - 1, 999_999, 1e6, 2 ** 53 - 1]),
		id: of([standard, extended]) + of([0, 0, 0, 0x40000000]),
		bus: of([0, 1] as const),
		flags: below(8),
		received: bytes(),
		sent: bytes(),
		dlcs: [dlc, of([dlc, below(9)])],
	};
}

const bytesOf = (records: readonly Record[]) => Buffer.concat(records.map(recordBytes));

describe("modules/frame-text, lines", function () {
	this.timeout(60_000);
	let program: string;

	before(() => {
		program = frameTextProgram("print_lines");
	});

	const print = (records: Buffer, format: number, rows = ALL_ROWS, room = ROOM) =>
		execFileSync(program, [String(format), String(rows), String(room)], { input: records, maxBuffer: 1 << 26 }).toString(
			"latin1",
		);

	it("are those of the golden file, byte for byte", () => {
		const file = gunzipSync(readFileSync(join(HERE, "golden/lines.json.gz"))).toString();
		const { records, texts } = JSON.parse(file) as { records: string; texts: string[] };
		for (const format of TEXTS) assert.equal(print(Buffer.from(records, "base64"), format), texts[format]);
	});

	it("agree with a plain writer for random frames and rows", () => {
		const random = generator(1);
		const records = Array.from({ length: 400 }, () => randomRecord(random));
		const bytes = bytesOf(records);
		for (const format of FORMATS)
			for (const rows of [ALL_ROWS, 0, 1, 2, 4, 8])
				assert.equal(print(bytes, format, rows), records.map((record) => recordLines(format, record, rows)).join(""));
	});

	it("are the same however little room each call gets, and never fill more", () => {
		const random = generator(2);
		const bytes = bytesOf(Array.from({ length: 60 }, () => randomRecord(random)));
		for (const format of FORMATS) {
			const whole = print(bytes, format);
			for (const room of [FRAME_BYTES, FRAME_BYTES + 1]) assert.equal(print(bytes, format, ALL_ROWS, room), whole);
		}
		assert.equal(print(bytes, 0, ALL_ROWS, FRAME_BYTES - 1), "");
	});

	it("count frames that the ring has lost, in the table only", () => {
		const lost = Buffer.alloc(RECORD_BYTES);
		lost[15] = 255;
		const [first, last] = [0x100, 0x200].map((id) => bytesOf([{ timeUs: 0, id, bus: 0, received: [], flags: 2 }]));
		const records = Buffer.concat([first!, lost, lost, last!]);
		const told = "# 3 frames were overwritten before they could be sent\n";
		assert.equal(print(records, 0), `${told}0\tchassis\tRX\t-\t0x200\t0\t\n`);
		assert.equal(print(records, 1), "(0000000000.000000) can0 200#\n");
		assert.equal(print(Buffer.concat([first!, lost]), 0), "# 2 frames were overwritten before they could be sent\n");
	});

	it("begin with the first frame of the window, and say how much they cover", () => {
		const records = bytesOf([10, 20, 20, 30].map((s, id) => ({ timeUs: s * 1e6, id, bus: 0, received: [], flags: 2 })));
		const lookBack = (windowUs: number, nowUs: number) => {
			const { stdout, stderr } = spawnSync(program, ["1", "15", "1400", String(windowUs), String(nowUs)], { input: records });
			return [stdout.toString().match(/(?<= )\w+(?=#)/g)?.length ?? 0, Number(stderr)];
		};
		assert.deepEqual(lookBack(30e6, 31e6), [4, 30e6]);
		assert.deepEqual(lookBack(11e6, 31e6), [3, 11e6]);
		assert.deepEqual(lookBack(10_999_999, 31e6), [1, 10_999_999]);
		assert.deepEqual(lookBack(1e6 - 1, 31e6), [0, 1e6 - 1]);
		assert.deepEqual(lookBack(120e6, 31e6), [4, 31e6], "all since the start");
	});

	it("reject an unknown format, row or size, and end with the last frame", async () => {
		const { lines } = await runScript(`
			import { FrameLines } from "../../modules/frame-text/frame-text.js";
			const say = (what: () => unknown) => { try { print(String(what())); } catch (error) { print((error as Error).message); } };
			say(() => new FrameLines(5, 15));
			say(() => new FrameLines(0, 16));
			say(() => new FrameLines("0" as never, 15));
			const lines = new FrameLines(0, 15);
			const into = new Uint8Array(300);
			say(() => lines.isComplete);
			say(() => lines.write(into, 0, 301));
			say(() => lines.write(into, 9, 8));
			say(() => lines.write([] as never, 0, 0));
			say(() => lines.lookBack(-1));
			say(() => lines.write.call({} as never, into, 0, 300));
			say(() => lines.lookBack(0) + " " + lines.isComplete + " " + lines.write(into, 0, 300) + " " + lines.cursor + " " + lines.overwritten);
		`);
		assert.deepEqual(lines.slice(0, 7), [
			"format is 5, must be an integer 0..4",
			"rows is 16, must be an integer 0..15",
			"format is not a number",
			"false",
			"end is 301, the buffer has 300 bytes",
			"start is 9, must be an integer 0..8",
			lines[6],
		]);
		assert.equal(lines[7], "windowMs is -1, must be an integer 0..4294967295");
		assert.equal(lines[9], "0 true 0 0 0");
	});
});
