/**
 * The short form of `npm run soak`: 12 s of the controller's time, on the 64-bit build that is there, with a
 * board's heap sizes.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { gzipSync } from "node:zlib";
import { AnswerReader } from "../../tools/campaign/answers.js";
import { Drive } from "../../tools/campaign/drive.js";
import { generator } from "../../tools/random.js";
import { FULL_BUS } from "../../tools/soak/buses.js";
import { Counts } from "../../tools/soak/client.js";
import { Driver } from "../../tools/soak/driver.js";
import { growthOf, type Held } from "../../tools/soak/growth.js";
import { type Options, soak } from "../../tools/soak/soak.js";
import { PROGRAM } from "../hal/host/host-program.js";

const OPTIONS: Options = { minutes: 0.2, seed: 1, framesPerSecond: FULL_BUS, program: PROGRAM, args: [], log: () => {} };
/** It goes on until then, so that this depends neither on the machine nor on when its sockets get their bytes. */
const LEAST = {
	commands: 500,
	faults: 1,
	changes: 1,
	answers: 1,
	"analyzer frames": 300,
	200: 50,
	read: 1,
	write: 1,
	wrong: 1,
	hostile: 1,
	pipelined: 1,
	stream: 1,
	dump: 1,
	diagnosis: 1,
};
const HELD: Held = {
	slots: 2000,
	chunkBytes: 20_000,
	names: 1,
	youngestNames: ["late"],
	descriptors: 8,
	residentKb: 20_000,
	files: 5,
	fileBytes: 9000,
	longestTurnBytecodes: 0,
};

describe("tools/soak", () => {
	it("finds nothing in 12 s of two full buses, eight clients and everything that goes wrong", async () => {
		const { complaints, frames, counts, minutes } = await soak({ ...OPTIONS, seed: 2, least: LEAST });
		assert.deepEqual(complaints, []);
		assert.ok(minutes >= 0.2 && frames > minutes * 60 * FULL_BUS, `${frames} frames in ${minutes} minutes`);
		console.log(`      ${frames} frames, ${JSON.stringify(counts.of)}`);
	});

	it("lists at its end what never happened", async () => {
		const least = { "answers of a stranger": 1 };
		const { complaints } = await soak({ ...OPTIONS, minutes: 0.05, framesPerSecond: 0, least, leastLimitMinutes: 0.02 });
		assert.match(complaints.join("\n"), /: answers of a stranger: undefined instead of 1 after \d+ ms/);
	});

	it("is a command that lists its checks", () => {
		const env = { ...process.env, OPENCOUPLING_HOST: PROGRAM };
		const args = ["tools/soak.mjs", "--minutes", "0.05", "--frames", "100"];
		const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", env });
		assert.equal(status, 0, stderr);
		assert.match(stdout, /"frames": \d{3,}[\s\S]*\n0 complaints\n$/);
	});

	for (const [what, fault, told] of [
		["frames that are lost", "tx-full-coupling=2000:400", /was lost or came late/],
		["a script that stands still", "script-stalled=2000:5000", /of the driver has no answer|the status answers nothing|expected/],
		["a crash", "script-crashed=2000", /the controller has ended with 105/],
	] as const)
		it(`would find ${what}`, async () => {
			const { complaints } = await soak({ ...OPTIONS, minutes: 0.1, framesPerSecond: 500, args: ["--fault", fault] });
			assert.match(complaints.join("\n"), told);
		});

	it("would find a 500 to the driver, unless the flash fails", async () => {
		const setting = { generation: 4, profile: "reference", wishes: { mode: "STOCK" }, args: ["--fault", "flash-full"] } as const;
		const drive = await Drive.start(PROGRAM, setting);
		try {
			for (const flashFails of [true, false]) {
				assert.deepEqual(drive.complaints, []);
				const driver = new Driver(drive, generator(1), new Counts(), () => flashFails);
				assert.equal((await driver.ask("POST", "/api/wifi", '{"apPassword":"password2"}')).code, 500);
			}
			assert.match(drive.complaints.join("\n"), /^: POST \/api\/wifi of the driver is answered 500 .*save failed/);
		} finally {
			await drive.end();
		}
	});

	it("would find what grows, each by itself", () => {
		assert.deepEqual(growthOf(HELD, HELD), []);
		for (const [what, found] of [
			["slots", /^slots: 2000, then 3000$/],
			["chunkBytes", /^chunkBytes: 20000, then 30000$/],
			["names", /^names: 1, then 2\nthe youngest names are late$/],
			["descriptors", /^descriptors: 8, then 12$/],
			["residentKb", /^residentKb: 20000, then 30000$/],
		] as const)
			assert.match(growthOf(HELD, { ...HELD, [what]: Math.ceil(HELD[what] * 1.5) }).join("\n"), found);
		assert.match(growthOf(HELD, { ...HELD, files: 200 }).join(), /^200 files/);
		assert.match(growthOf(HELD, { ...HELD, fileBytes: 9_000_000 }).join(), /^9000000 bytes of files/);
	});

	it("reads answers in any pieces, and reports invalid ones", () => {
		const packed = gzipSync("packed");
		const wire = Buffer.concat([
			Buffer.from("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Length: 3\r\n\r\nabc"),
			Buffer.from("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n\xc3\xa4\r\n1\r\n!\r\n0\r\n\r\n", "latin1"),
			Buffer.from("HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\n"),
			Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`),
			packed,
		]);
		for (const size of [1, 7, wire.length]) {
			const reader = new AnswerReader();
			for (const method of ["POST", "GET", "HEAD", "GET"]) reader.expect(method);
			for (let at = 0; at < wire.length; at += size) reader.take(wire.subarray(at, at + size));
			assert.equal(reader.problem, "");
			assert.deepEqual(
				reader.heard.map(({ status, type, text }) => `${status} ${type} ${text}`),
				["200 a/b abc", "200  ä!", "404  ", "200  packed"],
			);
		}
		for (const none of ["SSH-2.0\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"]) {
			const reader = new AnswerReader();
			reader.expect("GET");
			reader.take(Buffer.from(none));
			assert.notEqual(reader.problem, "");
		}
	});
});
