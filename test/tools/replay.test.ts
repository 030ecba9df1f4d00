/** Recorded drives: what the controller asks for in them is what is stored, and a change is seen. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { writeDriveLog } from "../../tools/bench/drive-log.js";
import { addDrive, askedFor, differences, play, playsIn, store, stored, table } from "../../tools/replay/drives.js";
import { readRecording } from "../../tools/replay/recording.js";
import type { FaultName } from "../../tools/vehicle/faults.js";
import { candumpLine } from "../../tools/vehicle/frame.js";
import { Vehicle } from "../../tools/vehicle/vehicle.js";
import { PROGRAM } from "../hal/host/host-program.js";
import { recordLines } from "../support/frame-lines.js";

const DRIVES = "test/drives";
const TIMEOUT_MS = 120_000;

/** As python-can 4.6.1 writes it. */
const ASC = `date Sun Nov 22 11:47:10.195 2026
base hex  timestamps absolute
internal events logged
Begin Triggerblock Tue Nov 14 22:13:20.0 2023
 0.000000 Start of measurement
 0.000000 1  280             Rx   d 3 00 11 FF
 0.001500 2  1B000010x       Rx   d 8 00 01 02 03 04 05 06 07
 0.002000 1  2A0             Rx   r 2 
 0.003000 2  281             Tx   d 1 01
 0.004000 1  282             Rx   d 0 
End TriggerBlock
`;
const AS_CANDUMP = `(0.000000) can0 280#0011FF
(0.001500) can1 1B000010#0001020304050607
(0.002000) can0 2A0#R
(0.004000) can0 282#
`;

describe("recorded drives", function () {
	this.timeout(TIMEOUT_MS);
	let folder: string;
	before(() => {
		folder = mkdtempSync(join(tmpdir(), "oc-drives-"));
	});
	after(() => rmSync(folder, { recursive: true }));

	const file = (name: string, content: string | Uint8Array): string => {
		writeFileSync(join(folder, name), content);
		return join(folder, name);
	};

	for (const drive of playsIn(DRIVES))
		it(`asks in ${drive.name} for what is stored`, async () => {
			const before = stored(drive);
			assert.ok(before, "stored");
			const now = await play(drive, PROGRAM);
			assert.ok(now.split("\n").length > 1000, "it asks for something");
			const found = differences(before, now);
			assert.deepEqual(found, [], `npm run replay shows it, --accept stores it\n${table(found, 20).join("\n")}`);
		});

	it("shows a change of behaviour frame by frame", async () => {
		const drive = playsIn(DRIVES).find(({ name }) => name === "launch/gen4-map")!;
		const settings = file("changed.json", readFileSync(drive.settings, "utf8").replace("MAP", "7030"));
		const found = differences(stored(drive)!, await play({ ...drive, settings }, PROGRAM));
		assert.ok(found.length > 100, `${found.length} differences`);
		for (const { id, stored, now } of found) assert.ok(/^[0-9A-F]{3}$/.test(id) && stored !== now);
	});

	it("tells what was rewritten, made and held back from what passed as it came", () => {
		const came = "(0.1) can0 280#00\n(0.2) can0 281#01\n(0.3) can1 282#02\n(0.4) can0 283#03\n(0.4) can0 283#04\n";
		const left = "(0.1) can1 280#00\n(0.2) can1 281#FF\n(0.3) can1 3A0#05\n(0.4) can1 283#03\n";
		const asked = askedFor(came, left);
		assert.equal(asked, "(0.2) can1 281#FF\n(0.3) can1 3A0#05\n(0.4) can1 283#not sent\n");
		assert.deepEqual(differences(asked, "(0.2) can1 281#FE\n(0.4) can1 283#not sent\n"), [
			{ time: "0.2", id: "281", stored: "FF", now: "FE" },
			{ time: "0.3", id: "3A0", stored: "05", now: "as it came" },
		]);
		assert.deepEqual(differences(asked, asked), []);
	});

	it("reads the three forms as one drive, and of each what the car sent", () => {
		const rows = [
			{ timeUs: 0, id: 0x280, bus: 0 as const, received: [0, 0x11, 0xff] },
			{ timeUs: 1500, id: 0x9b000010, bus: 1 as const, received: [0, 1, 2, 3, 4, 5, 6, 7] },
			{ timeUs: 2000, id: 0x282, bus: 0 as const, received: [] },
		];
		const head = "Time Stamp,ID,Extended,Dir,Bus,LEN,D1,D2,D3,D4,D5,D6,D7,D8\r\n";
		const csv = head + rows.map((row) => recordLines(2, row, 15)).join("");
		const log = rows.map((row) => recordLines(1, row, 5)).join("") + "(0000000000.003000) can1 281#01 T\n";
		const withoutRemote = AS_CANDUMP.replace(/.*2A0.*\n/, "").replace("0.004", "0.002");
		assert.equal(readRecording(file("drive.csv", csv)), withoutRemote);
		assert.equal(readRecording(file("drive.log", log)), withoutRemote);
		assert.equal(readRecording(file("drive.asc", ASC)), AS_CANDUMP);
		assert.equal(readRecording(file("drive.asc.gz", gzipSync(ASC))), AS_CANDUMP);
		const relative = "base dec  timestamps relative\n0.5 1 640 Rx d 1 16\n0.5 2 641 Rx d 1 255\n";
		assert.equal(readRecording(file("relative.asc", relative)), "(0.500000) can0 280#10\n(1.000000) can1 281#FF\n");
		const older = "Time Stamp,ID,Extended,Bus,LEN,D1,D2\n7,00000280,false,0,2,1,A,\n";
		assert.equal(readRecording(file("older.csv", older)), "(0.000007) can0 280#010A\n");
		const unordered = "(2.000000) can0 280#02\n(1.000000) can1 281#01\n";
		assert.equal(readRecording(file("unordered.log", unordered)), "(1.000000) can1 281#01\n(2.000000) can0 280#02\n");
	});

	it("says of a wrong recording which line is wrong, and what is allowed", () => {
		const head = "Time Stamp,ID,Extended,Dir,Bus,LEN,D1\n";
		for (const [name, content, wrong] of [
			["a.txt", "", /a\.txt: \.log \(candump\), \.csv \(SavvyCAN\), \.asc \(Vector\) or \.trc/],
			["a.log", "(1.000000) can0 280#00\nrubbish\n", /a\.log line 2: not like/],
			["b.log", "(1.000000) slcan0 280#00\n", /line 1: interface slcan0, can0 \(chassis\).*--chassis NAME/],
			["c.log", "(1.000000) can0 800#00\n", /line 1: identifier 800 is too large/],
			["d.log", "\n", /no frame that the car sent/],
			["a.csv", "time,id\n", /a\.csv line 1: no column "time stamp"/],
			["a.log.gz", "(1.000000) can0 280#00\n", /a\.log\.gz: incorrect header check/],
			["b.csv", `${head}1,280,false,Rx,2,1,00\n`, /line 2: bus 2, 0 \(chassis\) or 1/],
			["c.csv", `${head}1,280,false,Rx,0,9,00\n`, /line 2: length "9"/],
			["d.csv", `${head}1,280,false,Rx,0,1,\n`, /line 2: data byte ""/],
			["a.asc", "0.1 3 280 Rx d 1 00\n", /line 1: bus 3, 1 \(chassis\) or 2/],
			["b.asc", "0.1 1 280 Rx d 2 00\n", /line 1: less data/],
			["c.asc", "0.1 CANFD 1 Rx 280 0 0 8 8 00\n", /line 1: a CAN FD frame/],
		] as const)
			assert.throws(() => readRecording(file(name, content)), wrong, name);
	});

	it("is one command: adds a drive, finds it as stored, and shows in a table what has changed", async () => {
		const program = join(folder, "program"); // by another name than the one that the command would build first
		symlinkSync(PROGRAM, program);
		const log = join(folder, "mine.log");
		writeDriveLog(log, 4, 2, "cruise");
		const drives = join(folder, "mine");
		const replay = async (...args: string[]): Promise<[code: number, output: string]> => {
			const env = { ...process.env, OPENCOUPLING_HOST: program };
			const child = spawn(process.execPath, ["tools/replay.mjs", drives, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
			let output = "";
			for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
			return [(await once(child, "close"))[0], output];
		};
		const [added, told] = await replay("--add", log, "--generation", "4", "--mode", "5050");
		assert.deepEqual([added, /^mine\/gen4-5050: \d+ frames asked for, stored$/m.test(told)], [0, true], told);
		const [same, saysSo] = await replay();
		assert.deepEqual([same, /, as stored$/m.test(saysSo)], [0, true], saysSo);
		const settings = join(drives, "mine", "gen4-5050.settings.json");
		writeFileSync(settings, readFileSync(settings, "utf8").replace("5050", "7030"));
		const [changed, table] = await replay("--rows", "3");
		assert.equal(changed, 1);
		const rows =
			/, \d+ differences\n {2}time +frame +stored +now\n(?: {2}\d+\.\d{6} +[0-9A-F]{3} +[0-9A-F]+ +[0-9A-F]+\n){3} {2}\.\.\. and \d+ more\n/;
		assert.match(table, rows);
		assert.equal((await replay("--mode", "5051"))[0], 2);
	});

	it("takes out of a drive that is added whose car it was, its odometer and the time of day", () => {
		const told = ["6B4#0053454352455431", "65F#02", "6B2#03", "6B7#04", "520#05", "5D2#09", "7D0#06", "77C#07", "17FC007B#08"];
		const kept = ["(1436509052.300000) can0 280#00", "(1436509053.000001) can1 2C0#0102", "(1436509053.500000) can0 17330A10#03"];
		const lines = [...told.map((frame) => `(1436509052.249713) can0 ${frame}`), ...kept];
		const drive = addDrive(join(folder, "told"), file("told.log", `${lines.join("\n")}\n`), 4, "5050");
		assert.equal(
			readRecording(drive.recording),
			"(0.000000) can0 280#00\n(0.700001) can1 2C0#0102\n(1.200000) can0 17330A10#03\n",
		);
	});

	it("takes each of two names for its bus, leaves out error frames, and keeps the order of negative times", () => {
		const names = { chassis: "slcan0", coupling: "slcan1" };
		const log = "(1.000000) slcan0 280#00\n(1.000001) slcan0 20000004#0008000000000000\n(1.000002) slcan1 2C0#08880000\n";
		assert.equal(readRecording(file("slcan.log", log), names), "(1.000000) can0 280#00\n(1.000002) can1 2C0#08880000\n");
		assert.throws(() => readRecording(file("other.log", "(1.000000) can0 280#00\n"), names), /interface can0 is neither/);
		const csv =
			"Time Stamp,ID,Extended,Dir,Bus,LEN,D1\n-1769872318258854,280,false,Rx,1,1,0A\n-1769872318258852,2C0,false,Rx,2,1,08\n";
		assert.equal(
			readRecording(file("negative.csv", csv), { chassis: "1", coupling: "2" }),
			"(0.000000) can0 280#0A\n(0.000002) can1 2C0#08\n",
		);
	});

	it("reads what PCAN-View writes", () => {
		const trc =
			";$FILEVERSION=1.1\n     1)         1.0  Rx         01A0  2  00 40 \n     2)         2.5  Tx         0280  1  01 \n";
		assert.equal(readRecording(file("pcan.trc", trc)), "(0.001000) can0 1A0#0040\n");
		assert.throws(() => readRecording(file("newer.trc", ";$FILEVERSION=2.0\n")), /version 2\.0 of TRC, 1\.1 is allowed/);
	});

	/** What is asked for in so many seconds of a car that goes on as told. @param during its faults, from 2 to 4 s */
	async function askedOf(
		generation: 2 | 4,
		speedKmh: number,
		mode: string,
		during: readonly FaultName[] = [],
	): Promise<string[]> {
		const vehicle = new Vehicle(generation, { speedKmh, pedalPercent: 38, brakePercent: 0, steeringDeg: 0, selector: "D" });
		let lines = "";
		for (let ms = 0; ms < 5000; ms++) {
			if (ms === 2000) vehicle.breakDown(during);
			if (ms === 4000) vehicle.breakDown([]);
			const line = (bus: string) => (id: number, extended: boolean, data: Uint8Array) => {
				lines += candumpLine(ms * 1000, bus, { id, extended, rtr: false, data });
			};
			vehicle.step(line("can0"), line("can1"));
		}
		const recording = file("told.log", lines);
		const settings = file("told.json", JSON.stringify({ format: 1, generation, mode }));
		const log = await play({ name: "told", recording, settings, asked: "" }, PROGRAM);
		return log.split("\n").filter((text) => text !== "");
	}
	const secondsOf = (lines: readonly string[]): number[] => lines.map((line) => Number(/^\((\d+\.\d+)\)/.exec(line)?.[1]));

	it("controls a coupling of generation 2 that reports with four bytes, from 1 s on", async () => {
		const seconds = secondsOf(await askedOf(2, 30, "5050"));
		assert.ok(seconds.length > 500, `${seconds.length} frames`);
		assert.ok(seconds[0]! >= 1 && seconds[0]! < 1.3, `from ${seconds[0]} s on`);
	});

	for (const code of ["speed-initialising", "speed-undervoltage", "speed-error"] as const)
		it(`asks for nothing while 0x1A0 carries a code in place of the speed: ${code}`, async () => {
			const seconds = secondsOf(await askedOf(4, 30, "MAP", [code]));
			assert.ok(seconds.some((s) => s < 2) && seconds.some((s) => s > 4.7), "before and afterwards it asks");
			assert.deepEqual(
				seconds.filter((s) => s > 2.9 && s < 4),
				[],
			);
		});

	it("adds a drive with what it asks for, once", async () => {
		const log = join(folder, "own.log");
		writeDriveLog(log, 4, 2, "cruise");
		const drives = join(folder, "drives");
		const drive = addDrive(drives, log, 4, "5050");
		assert.equal(stored(drive), undefined, "nothing yet");
		const asked = await play(drive, PROGRAM);
		store(drive, asked);
		assert.deepEqual(playsIn(drives), [drive]);
		assert.equal(stored(drive), asked);
		assert.ok(asked.split("\n").length > 100, "it asks for something");
		assert.throws(() => addDrive(drives, log, 4, "5050"), /exists; --accept/);
	});
});
