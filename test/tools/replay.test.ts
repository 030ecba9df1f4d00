/** Recorded drives: what the controller asks for in them is what is stored, and a change is seen. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gunzipSync } from "node:zlib";
import { missingIn } from "../../tools/replay/advice.js";
import {
	addDrive,
	askedFor,
	differences,
	differencesOf,
	isStored,
	missingFor,
	play,
	playsIn,
	table,
} from "../../tools/replay/drives.js";
import { convertRecording } from "../../tools/replay/recording.js";
import { PROGRAM } from "../hal/host/host-program.js";
import { writeDriveLog } from "../support/drive-log.js";

const DRIVES = "test/drives";
const TIMEOUT_MS = 120_000;

const bytes = (text: string): AsyncIterable<Buffer> => Readable.from([Buffer.from(text)]);

async function all<T>(found: AsyncIterable<T>): Promise<T[]> {
	const list: T[] = [];
	for await (const one of found) list.push(one);
	return list;
}

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
			assert.ok(isStored(drive), "stored");
			const now = join(folder, "now.log");
			const { frames } = await play(drive, PROGRAM, now);
			assert.ok(frames > 1000, "it asks for something");
			const [count, lines] = await table(differencesOf(drive, now), 20);
			assert.equal(count, 0, `npm run replay shows it, --accept stores it\n${lines.join("\n")}`);
		});

	it("shows a change of behaviour frame by frame", async () => {
		const drive = playsIn(DRIVES).find(({ name }) => name === "launch/gen4-map")!;
		const settings = file("changed.json", readFileSync(drive.settings, "utf8").replace("MAP", "7030"));
		const asked = join(folder, "changed.log");
		await play({ ...drive, settings }, PROGRAM, asked);
		const found = await all(differencesOf(drive, asked));
		assert.ok(found.length > 100, `${found.length} differences`);
		for (const { id, stored, now } of found) assert.ok(/^[0-9A-F]{3}$/.test(id) && stored !== now);
	});

	it("tells what was rewritten, made and held back from what passed as it came", async () => {
		const came = "(0.1) can0 280#00\n(0.2) can0 281#01\n(0.3) can1 282#02\n(0.4) can0 283#03\n(0.4) can0 283#04\n";
		const left = "(0.1) can1 280#00\n(0.2) can1 281#FF\n(0.3) can1 3A0#05\n(0.4) can1 283#03\n";
		const asked = (await all(askedFor(bytes(came), bytes(left)))).join("");
		assert.equal(asked, "(0.2) can1 281#FF\n(0.3) can1 3A0#05\n(0.4) can1 283#not sent\n");
		assert.deepEqual(await all(differences(bytes(asked), bytes("(0.2) can1 281#FE\n(0.4) can1 283#not sent\n"))), [
			{ time: "0.2", id: "281", stored: "FF", now: "FE" },
			{ time: "0.3", id: "3A0", stored: "05", now: "as it came" },
		]);
		assert.deepEqual(await all(differences(bytes(asked), bytes(asked))), []);
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
		const [again, refused] = await replay("--add", log, "--generation", "4", "--mode", "5050");
		assert.deepEqual([again, /exists; --accept/.test(refused)], [2, true], refused);
	});

	it("keeps of a drive that is added what the controller needs, and not the time of day", async () => {
		const told = [
			"6B4#0053454352455431",
			"65F#02",
			"6B2#03",
			"6B7#04",
			"520#05",
			"5D2#09",
			"7D0#06",
			"77C#07",
			"300#08",
			"65D#08",
			"17FC007B#08",
		];
		const kept = ["(1436509052.300000) can0 280#00", "(1436509053.000001) can1 2C0#0102"];
		const lines = [...told.map((frame) => `(1436509052.249713) can0 ${frame}`), ...kept, "(1436509053.1) can0 17330A10#03"];
		const log = file("told.log", `${lines.join("\n")}\n`);
		const said: string[] = [];
		const drive = await addDrive(join(folder, "told"), log, { generation: 4, mode: "5050", say: (line) => said.push(line) });
		assert.equal(
			gunzipSync(readFileSync(drive.recording)).toString(),
			"(0000000000.050287) can0 280#00\n(0000000000.750288) can1 2C0#0102\n",
		);
		assert.equal(said.at(-1), "left out: 12 frames that the controller does not need");
		const numbered = file("WVWZZZ1KZ6W000001.log", readFileSync(log));
		await assert.rejects(
			addDrive(join(folder, "told"), numbered, { generation: 4, mode: "5050" }),
			/identification number: rename/,
		);
	});

	it("says what a recording of one bus lacks, and goes on without it", async () => {
		const drives = join(folder, "one-bus");
		const whole = join(folder, "whole.log");
		writeDriveLog(whole, 4, 2, "cruise");
		const log = file("chassis.log", readFileSync(whole, "utf8").replace(/^.* can1 .*\n/gm, ""));
		const added = await addDrive(drives, log, { generation: 4, mode: "5050" });
		const asked = join(folder, "chassis.asked");
		const { read, frames } = await play(added, PROGRAM, asked);
		assert.equal(frames, 0);
		assert.deepEqual(missingFor(added, read), ["nothing reports on the coupling bus (0x2C0): add --without-feedback"]);
		// it has no engine speed that could be missing
		assert.equal(missingIn(read, 5, false).length, 3, "another generation needs other frames");
		const without = await addDrive(drives, log, { generation: 4, mode: "5050", withoutFeedback: true });
		assert.ok((await play(without, PROGRAM, asked)).frames > 100);
		assert.deepEqual(missingFor(without, read), []);
		const swapped = { ...read, chassisIds: new Set([0x2c0]), couplingIds: read.chassisIds };
		assert.match(missingIn(swapped, 4, false)[0]!, /reports \(0x2C0\) on the chassis bus: say with --chassis/);
		assert.match(
			missingIn({ ...swapped, couplingIds: new Set() }, 4, false)[0]!,
			/on the only bus of the recording: add --without/,
		);
	});

	it("takes what only the coupling sends for its bus, in a recording of one bus with both", async () => {
		const whole = join(folder, "both.log");
		writeDriveLog(whole, 4, 2, "cruise");
		const log = file("one-name.log", readFileSync(whole, "utf8").replaceAll(" can1 ", " can0 "));
		const said: string[] = [];
		const added = await addDrive(join(folder, "split"), log, { generation: 4, mode: "5050", say: (line) => said.push(line) });
		assert.match(said.join("\n"), /^one bus: \d+ frames that only the coupling sends are taken as the coupling bus$/m);
		const { read, frames } = await play(added, PROGRAM, join(folder, "split.asked"));
		assert.ok(frames > 100);
		assert.deepEqual([missingFor(added, read), [...read.couplingIds]], [[], [0x2c0]]);
		// a second name that comes late is the coupling's bus after all
		const late = file("late.log", `${readFileSync(log, "utf8")}(9.0) can1 2C0#0A80000000000000\n`);
		const { couplingIds, chassisIds } = await convertRecording(late, join(folder, "late.out"), {
			couplingSends: new Set([0x2c0]),
		});
		assert.deepEqual([chassisIds.has(0x2c0), [...couplingIds]], [true, [0x2c0]]);
	});
});
