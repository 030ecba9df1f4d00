/**
 * Recordings as people have them: every form becomes the log that the controller plays, and what is wrong
 * with one is said.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync, gzipSync } from "node:zlib";
import { type BusNames, convertRecording, type Reading } from "../../tools/replay/recording.js";
import { recordLines } from "../support/frame-lines.js";

/** The frames of all forms: standard, extended, and without data. */
const FRAMES = `(0000000001.000000) can0 280#0011FF
(0000000001.001500) can1 1B000010#0001020304050607
(0000000001.004000) can0 282#
`;
/** The same without the bus, of forms that have one. */
const ONE_BUS = FRAMES.replace(/ can1 /, " can0 ");

/** An object of a BLF file. */
function blfObject(type: number, body: Buffer, ticks = 0n, tenMicroseconds = false): Buffer {
	const head = Buffer.alloc(32);
	head.write("LOBJ", "latin1");
	head.writeUInt16LE(32, 4);
	head.writeUInt16LE(1, 6);
	head.writeUInt32LE(32 + body.length, 8);
	head.writeUInt32LE(type, 12);
	head.writeUInt32LE(tenMicroseconds ? 1 : 2, 16);
	head.writeBigUInt64LE(ticks, 24);
	return Buffer.concat([head, body, Buffer.alloc(body.length % 4)]);
}

function blfFrame(channel: number, flags: number, id: number, data: readonly number[]): Buffer {
	const body = Buffer.alloc(16);
	body.writeUInt16LE(channel, 0);
	body[2] = flags;
	body[3] = data.length;
	body.writeUInt32LE(id, 4);
	body.set(data, 8);
	return body;
}

function blfContainer(data: Buffer, method: 0 | 2): Buffer {
	const packed = method === 2 ? deflateSync(data) : data;
	const head = Buffer.alloc(32);
	head.write("LOBJ", "latin1");
	head.writeUInt16LE(16, 4);
	head.writeUInt16LE(1, 6);
	head.writeUInt32LE(32 + packed.length, 8);
	head.writeUInt32LE(10, 12);
	head.writeUInt16LE(method, 16);
	head.writeUInt32LE(data.length, 24);
	return Buffer.concat([head, packed, Buffer.alloc((32 + packed.length) % 4)]);
}

function blf(): Buffer {
	const file = Buffer.alloc(144);
	file.write("LOGG", "latin1");
	file.writeUInt32LE(144, 4);
	const objects = Buffer.concat([
		blfObject(1, blfFrame(1, 0, 0x280, [0, 0x11, 0xff]), 1_000_000_000n),
		blfObject(73, Buffer.alloc(32), 1_000_500_000n),
		blfObject(86, blfFrame(2, 0, 0x9b000010, [0, 1, 2, 3, 4, 5, 6, 7]), 100_150n, true),
		blfObject(1, blfFrame(2, 1, 0x281, [1]), 1_003_000_000n), // sent
		blfObject(96, Buffer.from("a marker"), 1_003_500_000n),
		blfObject(1, blfFrame(1, 0, 0x282, []), 1_004_000_000n),
	]);
	// objects go on in the next container
	return Buffer.concat([file, blfContainer(objects.subarray(0, 75), 2), blfContainer(objects.subarray(75), 0)]);
}

describe("a recording", () => {
	let folder: string;
	before(() => {
		folder = mkdtempSync(join(tmpdir(), "oc-recording-"));
	});
	after(() => rmSync(folder, { recursive: true }));

	let said: string[] = [];
	/** @returns the log that it becomes; `said` is what was said of it */
	async function read(content: string | Uint8Array, names: BusNames = {}, more: Reading = {}): Promise<string> {
		const [path, into] = [join(folder, "recording"), join(folder, "played.log")];
		writeFileSync(path, content);
		said = [];
		await convertRecording(path, into, { names, say: (line) => said.push(line), ...more });
		return readFileSync(into, "utf8");
	}

	const ours = (format: number): string =>
		[
			{ timeUs: 1_000_000, id: 0x280, bus: 0 as const, received: [0, 0x11, 0xff] },
			{ timeUs: 1_001_500, id: 0x9b000010, bus: 1 as const, received: [0, 1, 2, 3, 4, 5, 6, 7] },
			{ timeUs: 1_004_000, id: 0x282, bus: 0 as const, received: [] },
		]
			.map((row) => recordLines(format, row, 5))
			.join("");
	const SAVVYCAN = "Time Stamp,ID,Extended,Dir,Bus,LEN,D1,D2,D3,D4,D5,D6,D7,D8\n";

	/** Name, file, what it becomes. */
	const forms: [string, string | Buffer, string][] = [
		["our dump as candump", ours(1), FRAMES],
		["our dump as SavvyCAN's CSV", SAVVYCAN + ours(2), FRAMES],
		[
			"candump -l with other names, directions and nanoseconds",
			"(1.000000123) slcan0 280#0011FF R\n(1.001500999)  slcan1  1B000010#00.01.02.03.04.05.06.07_9\n(1.003) slcan1 281#01 T\n(1.00400000) slcan0 282#\n",
			FRAMES,
		],
		[
			"candump -ta",
			" (0000000001.000000)  vcan0  280   [3]  00 11 FF\n (0000000001.001500)  vcan1  1B000010   [8]  00 01 02 03 04 05 06 07   '........'\n (0000000001.004000)  vcan0  282   [0] \n",
			FRAMES,
		],
		[
			"candump -td -x in colours, with error frames, FD, lost frames and a prompt",
			"$ candump any -td -x -e -d\n (000.000000)  can0  TX - -  280   [1]  00\n\u001b[1m (001.000000)  can0  RX - -  280   [3]  00 11 FF\u001b[0m\n (000.001500)  can1  RX - -  1B000010   {8}  00 01 02 03 04 05 06 07\n" +
				" (000.000500)  can0  RX - -  20000004   [8]  00 08 00 00 00 00 00 00   ERRORFRAME\n\tcontroller-problem{rx-error-warning}\nDROPCOUNT: dropped 1 CAN frame on 'can0' socket (total drops 1)\n" +
				" (000.001000)  can0  RX B -  282  [12]  00 00 00 00 00 00 00 00 00 00 00 00\n (000.001000)  can0  RX - -  282   [0] \n",
			FRAMES,
		],
		[
			"candump -tA -i",
			" (1970-01-01 00:00:01.000000)  can0  280   [3]  00000000 00010001 11111111\n (1970-01-01 00:00:01.001500)  can1  1B000010   [8]  00000000 00000001 00000010 00000011 00000100 00000101 00000110 00000111\n (1970-01-01 00:00:01.004000)  can0  282   [0] \n",
			FRAMES,
		],
		[
			"SavvyCAN without directions, saved by a spreadsheet",
			"\ufeffTime Stamp;ID;Extended;Bus;LEN;D1;D2;D3;D4;D5;D6;D7;D8\r\n1000000;280;false;0;3;0;11;FF\r\n1001500;1B000010;false;1;8;0;1;2;3;4;5;6;7\r\n1004000;282;false;0;0\r\n",
			FRAMES,
		],
		[
			"Vector ASC",
			"date Sun Nov 22 11:47:10.195 2026\nbase hex  timestamps absolute\ninternal events logged\nBegin Triggerblock Tue Nov 14 22:13:20.0 2023\n 0.000000 Start of measurement\n" +
				" 1.000000 1  280             Rx   d 3 00 11 FF  Length = 244000 BitCount = 125 ID = 640\n 1.000100 1 ErrorFrame\n 1.000200 1 Statistic: D 0 R 0\n 1.001500 2  1B000010x       Rx   d 8 00 01 02 03 04 05 06 07\n" +
				" 1.003000 2  281             Tx   d 1 01\n 1.003500 CANFD 1 Rx 283 1 0 9 12 00 01 02 03 04 05 06 07 08 09 0a 0b 0 0 1000 0 0 0 0 0\n 1.004000 CANFD 1 Rx 282 0 0 0 0 0 0 0 0 0 0 0 0\nEnd TriggerBlock\n",
			FRAMES,
		],
		[
			"Vector ASC, decimal and relative",
			"base dec  timestamps relative\n1.0 1 640 Rx d 3 0 17 255\n0.0015 2 452984848x Rx d 8 0 1 2 3 4 5 6 7\n0.0025 1 642 Rx d 0\n",
			FRAMES,
		],
		[
			"PCAN-View 1.1",
			";$FILEVERSION=1.1\r\n;$STARTTIME=45000.5\r\n;\r\n     1)      1000.0  Rx         0280  3  00 11 FF \r\n     2)      1001.5  Rx     1B000010  8  00 01 02 03 04 05 06 07 \r\n     3)      1002.0  Warng  FFFFFFFF  4  00 00 00 08  BUSHEAVY\r\n     4)      1003.0  Tx         0281  1  01 \r\n     5)      1004.0  Rx         0282  0  \r\n",
			ONE_BUS,
		],
		[
			"PCAN-View 1.0",
			";##########\n     1)      1000       0280  3  00 11 FF\n     2)      1001.5 1B000010  8  00 01 02 03 04 05 06 07\n     3)      1004       0282  0\n",
			ONE_BUS,
		],
		[
			"PCAN-Explorer 1.3",
			";$FILEVERSION=1.3\n     1)      1000.0 1  Rx        0280 -  3    00 11 FF\n     2)      1001.5 2  Rx    1B000010 -  8    00 01 02 03 04 05 06 07\n     3)      1004.0 1  Rx        0282 -  0\n",
			FRAMES,
		],
		[
			"PCAN-View 2.1",
			";$FILEVERSION=2.1\n;$STARTTIME=45000.5\n;$COLUMNS=N,O,T,B,I,d,R,L,D\n      1      1000.000 DT  1      0280 Rx -  3    00 11 FF\n      2      1001.500 DT  2  1B000010 Rx -  8    00 01 02 03 04 05 06 07\n" +
				"      3      1002.000 FD  1      0281 Rx -  9    00 01 02 03 04 05 06 07 08 09 0A 0B\n      4      1002.500 ST  1           Rx -  4    00 00 00 00\n      5      1002.600 ER  1         - Rx -  5    04 00 02 00 00\n      6      1004.000 DT  1      0282 Rx -  0\n",
			FRAMES,
		],
		[
			"CRTD",
			"1.000000 CXX OVMS CRTD\n1.000000 1R11 280 00 11 FF\n1.001500 2R29 1B000010 00 01 02 03 04 05 06 07\n1.002 CEV event\n1.003 1T11 281 01\n1.004 R11 00000282\n",
			FRAMES,
		],
		[
			"python-can's CSV",
			"timestamp,arbitration_id,extended,remote,error,dlc,data\n1.0,0x280,0,0,0,3,ABH/\n1.0015,0x1b000010,1,0,0,8,AAECAwQFBgc=\n1.002,0x0,0,0,1,0,\n1.004,0x282,0,0,0,0,\n",
			ONE_BUS,
		],
		[
			"cabana's CSV",
			"time,addr,bus,data\n1.000,0x280,0,0x0011FF\n1.0015,452984848,1,0001020304050607\n1.003,0x281,128,0x01\n1.004,642,0,\n",
			FRAMES,
		],
		["Vector BLF", blf(), FRAMES],
	];
	for (const [name, content, right] of forms) {
		it(`is read as ${name} writes it, plain, compressed, with other ends of lines, and cut off`, async () => {
			assert.equal(await read(content), right);
			const text = typeof content === "string" ? content : undefined;
			assert.equal(await read(gzipSync(content)), right, "gzip");
			if (text === undefined) return;
			assert.equal(await read(text.replace(/\r?\n/g, "\r\n")), right, "CRLF");
			assert.equal(await read(Buffer.from(`\ufeff${text}`, "utf16le")), right, "UTF-16");
			assert.equal(await read(text.trimEnd()), right, "no end of the last line");
			// another frame whose end is missing, as a logger that lost its power leaves it
			const lines = text.trimEnd().split(/\r?\n/);
			const frame = lines.find((line) => / ?280|640/.test(line) && !line.startsWith("$"))!;
			const cut = await read(`${text}${frame.slice(0, frame.search(/[^ (]/) + 1)}\0\0\0`);
			assert.equal(cut, right, "cut");
		});
	}

	it("reads no data from remote frames", async () => {
		const remote = "(0000000001.000000) can0 280#R\n";
		assert.equal(await read("(1.000000) can0 280#R2\n"), remote);
		assert.equal(await read(" (1.000000)  can0  280   [2]  remote request\n"), remote);
		assert.equal(await read("1.000000 1 280 Rx r 2\n"), remote);
		assert.equal(
			await read("     1)      1000.0  Rx         0280  2  RTR \n;$FILEVERSION=1.1\n".split("\n").reverse().join("\n")),
			remote,
		);
	});

	it("tells by its names which bus is which, in order, and says what it has taken", async () => {
		const log = "(1.0) can10 2C0#08\n(1.1) can2 280#00\n(1.2) can11 281#00\n";
		assert.equal(await read(log), "(0000000001.000000) can1 2C0#08\n(0000000001.100000) can0 280#00\n");
		assert.equal(
			said[1],
			"chassis bus: can2 (1 frames), coupling bus: can10 (1 frames), left out can11 (1 frames); --chassis NAME --coupling NAME says otherwise",
		);
		assert.equal(await read(log, { chassis: "can11" }), "(0000000001.100000) can1 280#00\n(0000000001.200000) can0 281#00\n");
		assert.equal(
			await read(log, { coupling: "can2", chassis: "can10" }),
			"(0000000001.000000) can0 2C0#08\n(0000000001.100000) can1 280#00\n",
		);
		assert.equal(await read("(1.0) can1 280#00\n"), "(0000000001.000000) can0 280#00\n", "one bus is the chassis");
		await assert.rejects(read(log, { chassis: "can0" }), /--chassis can0: the recording has can2, can10, can11$/);
		await assert.rejects(read(log, { chassis: "can2", coupling: "can2" }), /are both can2: two names are allowed/);
	});

	it("learns a name late and takes the two in order all the same", async () => {
		const early = Array.from({ length: 30_000 }, (_, i) => `(1.${String(i).padStart(6, "0")}) can1 2C0#08\n`).join("");
		const log = await read(`${early}(2.0) can0 280#00\n`);
		assert.ok(log.startsWith("(0000000001.000000) can1 2C0#08\n") && log.endsWith("(0000000002.000000) can0 280#00\n"));
		assert.equal(log.split("\n").length, 30_002);
	});

	it("keeps the order of the file whatever the times are", async () => {
		const times = async (...texts: string[]): Promise<string> => {
			const log = await read(texts.map((time) => `(${time}) can0 280#00\n`).join(""));
			return log
				.replace(/^\(0*(\d.*)\) .*$/gm, "$1")
				.trim()
				.replaceAll("\n", " ");
		};
		assert.equal(await times("1.0", "2.5", "5000.5", "5001.0"), "1.000000 2.500000 4.500000 5.000000");
		assert.deepEqual(said.slice(2), ["1 pauses above 2 s have 2 s now, 4996.0 s less together"]);
		assert.equal(await times("1.0", "1.2", "1.1", "1.3"), "1.000000 1.200000 1.200000 1.300000");
		assert.deepEqual(said.slice(2), ["the time runs back 1 times: the order of the file counts"]);
		assert.equal(
			await times("100.0", "101.0", "3.0", "3.5"),
			"100.000000 101.000000 101.000000 101.500000",
			"another recording behind it",
		);
		assert.equal(await times("1.0", "9000000.0", "1.1", "1.2"), "1.000000 3.000000 3.000000 3.100000", "one wrong time");
	});

	it("spreads frames that all have one time, or none", async () => {
		const log = await read(Array(2000).fill(" can0  280   [1]  00\n").join(""));
		assert.match(log, /^\(0000000000\.000000\)/);
		assert.match(log, /\(0000000000\.975000\) can0 280#00\n$/);
		assert.deepEqual(said.slice(2), ["1950 frames stand at one time with too many others: they come every 0.5 ms"]);
	});

	it("plays the clock of the system that SavvyCAN saves as a negative number, or as one without a sign", async () => {
		const two = (first: string, second: string) => `${SAVVYCAN}${first},280,false,Rx,0,1,0A\n${second},2C0,false,Rx,1,1,08\n`;
		const right = "(0000000000.000000) can0 280#0A\n(0000000000.000002) can1 2C0#08\n";
		assert.equal(await read(two("-1769872318258854", "-1769872318258852")), right);
		assert.equal(
			await read(two("18444974201391292762", "18444974201391292764")),
			"(0000000000.000000) can0 280#0A\n(0000000000.000002) can1 2C0#08\n",
		);
		assert.equal(
			await read(two("1769872318258852", "1769872318258854")),
			right.replaceAll("(000000000", "(176987231").replace("0.000000", "8.258852").replace("0.000002", "8.258854"),
		);
	});

	it("reads what Windows writes: UTF-16 of either order, with a mark or without, and Excel's first line", async () => {
		const table = `${SAVVYCAN}1000000,280,false,Rx,0,2,0011\n`.replace("0011", "00,11").replaceAll("\n", "\r\n");
		const wide = Buffer.from(`\ufeff${table}`, "utf16le");
		const right = "(0000000001.000000) can0 280#0011\n";
		for (const content of [wide, Buffer.from(wide).swap16(), wide.subarray(2), Buffer.from(wide.subarray(2)).swap16()])
			assert.equal(await read(content), right);
		assert.equal(await read(`sep=;\r\n${table.replaceAll(",", ";")}`), right);
	});

	it("says which frames are left out", async () => {
		await read(
			"(1.0) can0 280#00\n(1.1) can0 20000004#0008000000000000\n(1.2) can0 280##100112233\n(1.3) can0 281#00 T\n(1.4) can0 28",
		);
		assert.deepEqual(said, [
			"candump: 1 frames in 0.0 s",
			"chassis bus: can0 (1 frames), coupling bus: none; --chassis NAME --coupling NAME says otherwise",
			"left out: 1 error frames, 1 CAN FD frames, 1 frames marked as sent, 1 cut last lines",
		]);
	});

	for (const [name, content, wrong] of [
		[
			"no recording",
			"a letter\nto somebody\n",
			/recording: line 1 "a letter": what candump, SavvyCAN \(CSV\), .* write is allowed/,
		],
		["nothing", "", /recording: the file is empty$/],
		["lines that never end", "x".repeat(1 << 20), /line 1 "x{80}\.\.\.": what candump/],
		["bytes", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 10, 0, 10]), /line 1 "\?ELF"/],
		["a ZIP archive", Buffer.from("PK\x03\x04\x14\0\n", "latin1"), /recording: a ZIP archive or a spreadsheet: unpack it, .*CSV/],
		["a 7-Zip archive", Buffer.from("7z\xbc\xaf\x27\x1c", "latin1"), /recording: packed with 7-Zip: unpack it/],
		["twice compressed", gzipSync(gzipSync(FRAMES)), /recording: packed with gzip twice: unpack it/],
		["a measurement", "MDF     4.10    amda", /recording: a measurement in MDF: save it as ASC/],
		[
			"damaged compression",
			Buffer.concat([gzipSync(FRAMES).subarray(0, -8), Buffer.alloc(8)]),
			/recording: its compression is damaged \(incorrect data check\): "gzip -dc"/,
		],
		[
			"rubbish",
			"(1.000000) can0 280#00\nrubbish\n(2.0) can0 1#\n",
			/line 2 "rubbish": not like \(1436509052\.249713\) can0 1A0#0041/,
		],
		[
			"an identifier above 7ff",
			"(1.000000) can0 800#00\n",
			/line 1 "\(1\.000000\) can0 800#00": identifier 800 is too large, 7ff or/,
		],
		[
			"too much data",
			"(1.0) can0 280#00\n(1.0) can0 280#001122334455667788\n",
			/line 2 .*: data "001122334455667788", up to 8 bytes/,
		],
		["sent frames only", "(1.0) can0 280#00 T\n", /no frame that the car sent, only 1 frames marked as sent/],
		["another table", "Time,ID,Name\n1,2,3\n", /line 1 "Time,ID,Name": these columns are unknown; allowed are "Time Stamp,ID/],
		[
			"a time without a number",
			`${SAVVYCAN}soon,280,false,Rx,0,1,00\n`,
			/line 2 .*: time stamp "soon", microseconds are allowed/,
		],
		["a length above 8", `${SAVVYCAN}1,280,false,Rx,0,9,00\n`, /line 2 .*: length "9", 0 to 8 is allowed/],
		["missing data", `${SAVVYCAN}1,280,false,Rx,0,2,01\n`, /line 2 .*: 1 data bytes, its length says 2/],
		["another version", ";$FILEVERSION=9.9\n", /line 1 .*: version 9\.9 of TRC, 1\.0, 1\.1, .* are allowed/],
		[
			"names",
			"base hex\n0.1 1 EngineData Rx d 1 00\n",
			/line 2 .*: identifier "EngineData", a hexadecimal number is allowed: save it without names/,
		],
		["a BLF without its head", "LOGG", /recording: the file ends in its head$/],
		[
			"a broken BLF",
			Buffer.concat([blf().subarray(0, 144), Buffer.from("nothing to see here")]),
			/no object where one is expected/,
		],
	] as [string, string | Buffer, RegExp][])
		it(`of ${name} is rejected with line, text and what is allowed`, async () => {
			await assert.rejects(read(content), wrong);
		});

	it("of asammdf 8.8.28, whose ASC may have times before its date, keeps the order of its lines", async () => {
		const into = join(folder, "asammdf.out");
		const path = join(folder, "asammdf.asc");
		const lines = ["-95743631.033863 0  1a0             Rx   d 2 00 41", "-95743631.031863 1  2c0             Rx   d 2 0A 88"];
		writeFileSync(path, ["date Fri Nov 27 01:40:31.033863 AM 2026", "base hex  timestamps absolute", ...lines, ""].join("\n"));
		await convertRecording(path, into);
		const played = "(0000000000.000000) can0 1A0#0041\n(0000000000.002000) can1 2C0#0A88\n";
		assert.equal(readFileSync(into, "utf8"), played);
	});

	it("is played as far as it goes when its compressed end is missing", async () => {
		const long = Array.from(
			{ length: 5000 },
			(_, i) => `(1.${String(i).padStart(6, "0")}) can0 280#${(i * 7919).toString(16).padStart(8, "0")}\n`,
		).join("");
		const zipped = gzipSync(long);
		const log = await read(zipped.subarray(0, zipped.length >> 1));
		assert.ok(
			log.length > 10_000 && long.replace(/^\(1/gm, "(0000000001").toUpperCase().replaceAll("CAN", "can").startsWith(log),
		);
	});

	/** A generator of numbers below 2^31, the same every time. */
	const chances = (seed: number) => () => (seed = (seed * 1103515245 + 12345) & 0x7fffffff);

	it("ends in every case, with frames or with an error of one line, when bytes of it are changed", async () => {
		const next = chances(141);
		const runs = Number(process.env["FUZZ_RUNS"] ?? 20);
		for (const [name, content] of forms)
			for (let run = 0; run < runs; run++) {
				const bytes = Buffer.from(content as Buffer);
				for (let changes = 1 + (next() % 4); changes > 0; changes--)
					bytes[next() % bytes.length] = next() & (next() % 3 ? 0x7f : 0xff);
				const cut = next() % 4 ? bytes : bytes.subarray(0, next() % bytes.length);
				const log = await read(next() % 5 ? cut : gzipSync(cut).subarray(0, 12 + (next() % 200))).catch((error: Error) => error);
				if (log instanceof Error) assert.match(log.message, /^\/.*recording: [^\n]+$/, name);
				else
					for (const line of log.split("\n").slice(0, -1))
						assert.match(line, /^\(\d{10}\.\d{6}\) can[01] ([0-7]..|[01].{7})#(R|([0-9A-F]{2}){0,8})$/, name);
			}
	});
});
