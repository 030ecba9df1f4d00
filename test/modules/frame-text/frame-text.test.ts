/**
 * The text of frames and of the catalogue: C against golden files and the plain writers of test/support, and its
 * bindings on XS.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { FRAME_BYTES } from "../../../src/can/frame-dump.js";
import { catalogueTexts } from "../../../tools/build-catalogue.mjs";
import { generator } from "../../../tools/random.js";
import { runScript } from "../../hal/host/host-program.js";
import { dbcText, recordLines } from "../../support/frame-lines.js";
import { printText, ViewProgram } from "../../support/frame-text-programs.js";
import { type Latest, type Record, recordBytes, TraceTable } from "../../support/gateway-memory.js";

const HERE = dirname(fileURLToPath(import.meta.url));
const FORMATS = [0, 1, 2, 3, 4];
/** Of the golden file. */
const TEXTS = [0, 1, 2, 3];
const ALL_ROWS = 15;
const ROOM = 1400;
const RECORD_BYTES = 32;
/** CAN_VIEW_ROW_BYTES, DBC_LINE_BYTES. */
const [ROW_BYTES, DBC_LINE_BYTES] = [300, 240];

interface Golden {
	/** Requests for the view, the last one of which was answered. */
	readonly input: string;
	readonly text: string;
}

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
	const print = (records: Buffer, format: number, rows = ALL_ROWS, room = ROOM) =>
		printText(["lines", String(format), String(rows), String(room)], records).text.toString("latin1");

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

	it("are the same for every buffer size, and never exceed it", () => {
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
			const { text, errors } = printText(["lines", "1", "15", "1400", String(windowUs), String(nowUs)], records);
			return [text.toString().match(/(?<= )\w+(?=#)/g)?.length ?? 0, Number(errors)];
		};
		assert.deepEqual(lookBack(30e6, 31e6), [4, 30e6]);
		assert.deepEqual(lookBack(11e6, 31e6), [3, 11e6]);
		assert.deepEqual(lookBack(10_999_999, 31e6), [1, 10_999_999]);
		assert.deepEqual(lookBack(1e6 - 1, 31e6), [0, 1e6 - 1]);
		assert.deepEqual(lookBack(120e6, 31e6), [4, 31e6], "all since the start");
	});
});

describe("modules/frame-text, CAN view", function () {
	this.timeout(60_000);

	it("is that of the golden file, byte for byte, however little room each call gets", () => {
		const file = gunzipSync(readFileSync(join(HERE, "golden/views.json.gz"))).toString();
		for (const { input, text } of JSON.parse(file) as Golden[])
			for (const room of [ROW_BYTES, ROOM])
				assert.equal(printText(["view", String(room)], Buffer.from(input, "base64")).text.toString(), text);
	});

	it("keeps each row within ROW_BYTES", () => {
		const frames = catalogueTexts().networks.flat();
		const ids = frames.map((text) => Number.parseInt(text, 16) + (/^\w+x /.test(text) ? 0x80000000 : 0));
		for (const byte of [0xff, 0x80])
			for (const generation of [4, 5]) {
				const table = new TraceTable();
				table.nowMs = 2 ** 32 - 1;
				const seen = { ageMs: 1500, count: 0xffff, data: Array(8).fill(byte) };
				table.entries.push(
					...[...ids, 0x118].flatMap((id) => [0, 1].map((bus) => ({ bus, id, received: seen, sent: seen }) as Latest)),
				);
				const program = new ViewProgram(table);
				program.text(generation, ALL_ROWS, 0, 0);
				table.nowMs += 1000;
				const rows =
					program
						.text(generation, ALL_ROWS, 1e6, 0)
						.toString()
						.match(/\{"bus".*?\}(?=[,\]])/g) ?? [];
				assert.ok(rows.length > 1000, String(rows.length));
				assert.ok(Math.max(...rows.map(({ length }) => length)) + 1 <= ROW_BYTES);
				for (const row of rows) JSON.parse(row);
			}
	});

	it("has the catalogue's texts as the DBC files give them", async () => {
		const { units, networks } = catalogueTexts();
		const selecting = [0x580, 0x2a0];
		// identifier, and names as they are looked for
		const namesOf = (text: string) => {
			const signals = text.split("|").slice(1, -1);
			return [Number.parseInt(text, 16), ...signals.map((signal) => signal.split(",")[0]!.toLowerCase().replace(/_+$/, ""))];
		};
		const { lines } = await runScript(`
			import { Catalogue } from "../../modules/frame-text/catalogue.js";
			const names = ${JSON.stringify(networks.map((texts) => texts.map(namesOf)))};
			names.forEach((frames, network) =>
				frames.forEach(([id, ...signals]) => {
					const texts = signals.map((name) => Catalogue.signal(network, Number(id), name));
					print([Catalogue.frame(network, Number(id)), ...texts, ""].join("|"));
				}));
			for (const id of ${JSON.stringify(selecting)}) print(String(Catalogue.selector(0, id)));
			for (let unit = 0; unit < ${units.length}; unit++) print("unit " + Catalogue.unit(unit));
			for (const id of [0x118, 0x800001a0]) print(String(Catalogue.frame(1, id)));
			for (const wrong of [() => Catalogue.frame(2, 1), () => Catalogue.frame(0, -1), () => Catalogue.unit(${units.length})])
				try { print(String(wrong())); } catch (error) { print((error as Error).message); }
		`);
		assert.deepEqual(lines, [
			...networks.flat(),
			...["Multiplex_Switch_Engine_Flexia,0,1,M", "undefined"],
			...units.map((unit) => `unit ${unit}`),
			...["undefined", "undefined"],
			"network is 2, must be an integer 0..1",
			"frameId is -1, must be an integer 0..4294967295",
			`number is ${units.length}, must be an integer 0..${units.length - 1}`,
		]);
	});
});

describe("modules/frame-text, DBC file", function () {
	this.timeout(60_000);
	const print = (...words: string[]) => printText(["dbc", ...words]).text.toString();

	for (const [number, network] of (["pq", "mqb"] as const).entries()) {
		it(`has the signals of the catalogue, however little room each call gets: ${network}`, () => {
			for (const room of [DBC_LINE_BYTES, DBC_LINE_BYTES + 1, 1400])
				assert.equal(print(`${number}`, `${room}`), dbcText(network));
		});

		it(`keeps each line within DBC_LINE_BYTES: ${network}`, () => {
			const longest = Math.max(
				...dbcText(network)
					.split("\n")
					.map(({ length }) => length + 1),
			);
			assert.ok(longest > 100 && longest <= DBC_LINE_BYTES, `${longest}`);
		});
	}

	it("cuts the report of a coupling that sends four bytes, and changes nothing else", () => {
		const four = print("0", "1400", "4");
		const expected = dbcText("pq")
			.replace("BO_ 704 Allrad_1: 8 ", "BO_ 704 Allrad_1: 4 ")
			.replace(/ SG_ AWD_Clutch_Temperature : 32\|8.*\n/, "");
		assert.equal(four, expected);
		assert.equal(print("0", "1400", "8"), dbcText("pq"));
	});
});

describe("modules/frame-text, bindings", () => {
	it("reject values outside of their limits, and wrong receivers; write all that fits, and then nothing more", async () => {
		const dbc = dbcText("mqb");
		const wrongReceiver = /(no|not a) host object/; // XS 13, XS 17
		const rows: readonly (readonly [statement: string, says: string | RegExp])[] = [
			["new FrameLines(5, 15)", "format is 5, must be an integer 0..4"],
			["new FrameLines(0, 16)", "rows is 16, must be an integer 0..15"],
			['new FrameLines("0", 15)', "format is not a number"],
			["lines.isComplete", "false"],
			["lines.write(into, 0, 401)", "end is 401, the buffer has 400 bytes"],
			["lines.write(into, 9, 8)", "start is 9, must be an integer 0..8"],
			["lines.write([], 0, 0)", /./],
			["lines.lookBack(-1)", "windowMs is -1, must be an integer 0..4294967295"],
			["lines.write.call({}, into, 0, 300)", wrongReceiver],
			["[lines.lookBack(0), lines.isComplete, lines.write(into, 0, 400), lines.cursor, lines.overwritten]", "0,true,0,0,0"],
			["new CanView(256, 15, 200, 20)", "generation is 256, must be an integer 0..255"],
			["new CanView(5, 16, 200, 20)", "rows is 16, must be an integer 0..15"],
			["new CanView(5, 15, -1, 20)", "decodedLimit is -1, must be an integer 0..4294967295"],
			["new CanView(5, 15, 200, 0.5)", "rawLimit is 0.5, must be an integer 0..4294967295"],
			[`view.write(into, 0, ${ROW_BYTES - 1})`, "0"],
			["view.isComplete", "false"],
			["view.write(into, 0, 400)", "23"],
			["textOf(23)", '{"decoded":[],"raw":[]}'],
			["[view.isComplete, view.write(into, 0, 400)]", "true,0"],
			["view.write.call({}, into, 0, 400)", wrongReceiver],
			["new DbcFile(2)", "network is 2, must be an integer 0..1"],
			[`file.write(into, 1, ${DBC_LINE_BYTES})`, "0"],
			["bytes = file.write(into, 0, 400)", /^\d+$/],
			["textOf(22)", dbc.slice(0, 22)],
			["{ while (!file.isComplete) bytes += file.write(into, 0, 400); return bytes; }", `${dbc.length}`],
			["file.write(into, 0, 400)", "0"],
			["file.write.call({}, into, 0, 400)", wrongReceiver],
		];
		const { lines } = await runScript(`
			import { CanView, DbcFile, FrameLines } from "../../modules/frame-text/frame-text.js";
			const [lines, view, file] = [new FrameLines(0, 15), new CanView(0, 15, 200, 20), new DbcFile(1)];
			const into = new Uint8Array(400);
			const textOf = (length: number) => String.fromCharCode(...into.subarray(0, length));
			let bytes = 0;
			const say = (what: () => unknown) => { try { print(String(what())); } catch (error) { print((error as Error).message); } };
			${rows.map(([statement]) => `say(() => ${statement});`).join("\n")}
		`);
		assert.equal(lines.length, rows.length);
		for (const [i, [statement, says]] of rows.entries())
			if (typeof says === "string") assert.equal(lines[i], says, statement);
			else assert.match(lines[i]!, says, statement);
	});
});
