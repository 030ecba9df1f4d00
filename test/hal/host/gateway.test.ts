import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SANITIZERS } from "../../modules/can-gateway/build.js";
import { compileGateway, PLAN, runGateway } from "./gateway-program.js";

describe("hal/host gateway", () => {
	let folder: string;
	let program: string;

	const path = (name: string) => join(folder, name);

	before(() => {
		folder = mkdtempSync(join(tmpdir(), "gateway-"));
		program = compileGateway("gateway", SANITIZERS);
		writeFileSync(path("plan"), PLAN);
	});
	after(() => rmSync(folder, { recursive: true, force: true }));

	describe("replay", () => {
		const LOG = [
			"(1436509052.249713) can0 280#0102030405060708",
			"(1436509052.249713) vcan1 2C0#00",
			"(1436509052.250000) chassis 12345678#DEADBEEF T",
			"(1436509052.250001) can0 281#R",
			"(1436509052.350000) vcan0 281#R8",
			"(1436509053.350000) can0 00000280#0A",
			"(1436509053.350002) can0 280#ff",
			"(1436509054.000000) coupling 7ff#",
		];

		async function replay(lines: string[]) {
			writeFileSync(path("in.log"), lines.map((line) => `${line}\n`).join(""));
			return runGateway(program, { replay: path("in.log"), record: path("out.log"), plan: path("plan") });
		}

		it("records what leaves on the coupling bus, in the log's own time, byte for byte the same each time", async () => {
			const { code, stdout, stderr } = await replay(LOG);
			assert.equal(code, 0, stderr);
			const record = readFileSync(path("out.log"), "utf8");
			assert.equal(
				record,
				[
					"(1436509052.249713) can1 280#5502030405060708\n",
					"(1436509052.250000) can1 12345678#DEADBEEF\n",
					"(1436509052.250001) can1 281#R\n",
					"(1436509052.350000) can1 281#R8\n",
					"(1436509053.350000) can1 00000280#0A\n",
					"(1436509053.350002) can1 280#55\n",
				].join(""),
			);
			assert.equal(JSON.parse(stdout)["receivedCoupling"], 2);
			await replay(LOG);
			assert.equal(readFileSync(path("out.log"), "utf8"), record);
		});

		for (const [what, line] of [
			["time stamp", "1436509052.249713 can0 280#01"],
			["interface", "(1436509052.249713) can7 280#01"],
			["identifier", "(1436509052.249713) can0 800#01"],
			["data", "(1436509052.249713) can0 280#010203040506070809"],
			["time runs backwards", "(1436509052.249712) can0 280#01"],
			["line too long", `(1436509052.249713) can0 280#${"0".repeat(200)}`],
		])
			it(`rejects a log with a bad line before it starts: ${line.slice(0, 50)}`, async () => {
				const { code, stderr } = await replay([LOG[0], line]);
				assert.equal(code, 2);
				assert.match(stderr, new RegExp(`in.log line 2: ${what}.*\\n$`));
			});

		it("rejects a log that is not there or cannot be read", async () => {
			assert.equal((await runGateway(program, { replay: "/" })).code, 2);
			assert.equal((await runGateway(program, { replay: path("nothing") })).code, 2);
		});
	});
});
