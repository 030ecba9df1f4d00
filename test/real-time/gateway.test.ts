/** The gateway of the host with its own thread, on sockets: each end of a bus is a peer of this test. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	compileGateway,
	frame,
	GatewayProgram,
	milliseconds,
	Peer,
	PLAN,
	runGateway,
	until,
} from "../hal/host/gateway-program.js";
import { SANITIZERS } from "../modules/can-gateway/build.js";
import { loadBuses } from "./bus-load.js";

describe("real time: gateway", () => {
	let folder: string;
	let program: string;
	let gateway: GatewayProgram | undefined;
	let chassis: Peer;
	let coupling: Peer;

	const path = (name: string) => join(folder, name);

	before(() => {
		folder = mkdtempSync(join(tmpdir(), "gateway-"));
		program = compileGateway("gateway", SANITIZERS);
		writeFileSync(path("plan"), PLAN);
	});
	afterEach(async () => {
		assert.equal((await gateway?.stop()) ?? 0, 0);
		gateway = undefined;
	});
	after(() => rmSync(folder, { recursive: true, force: true }));

	async function start(plan?: string): Promise<GatewayProgram> {
		gateway = await GatewayProgram.start(program, {
			chassis: `unix:${path("chassis")}`,
			coupling: `unix:${path("coupling")}`,
			...(plan ? { plan } : {}),
		});
		return gateway;
	}

	async function connectBoth(running: GatewayProgram): Promise<void> {
		chassis = await Peer.connect(path("chassis"));
		coupling = await Peer.connect(path("coupling"));
		await until(async () => {
			const states = await running.states();
			return states.chassis === 1 && states.coupling === 1;
		});
	}

	describe("on UNIX sockets", () => {
		it("forwards in both directions, with flags and length as they came, and rewrites by plan", async () => {
			const running = await start(path("plan"));
			await connectBoth(running);
			chassis.send(frame(0x280, [1, 2, 3]), frame(0x281, []), frame(0x80000280, [1, 2, 3]));
			coupling.send(frame(0x2c0, [9, 8, 7, 6, 5, 4, 3, 2]), frame(0x40000280, []));
			assert.deepEqual(await coupling.wait(3), ["280#550203", "281#", "80000280#010203"]);
			assert.deepEqual(await chassis.wait(2), ["2c0#0908070605040302", "40000280#"]);
			const report = await running.report();
			assert.equal(report["forwardedToCoupling"], 3);
			assert.equal(report["rewritten"], 1);
		});

		it("joins records in pieces, counts garbage and half a record, and takes one peer after the other", async () => {
			const running = await start();
			await connectBoth(running);
			const bytes = Buffer.concat([frame(0x100, [1, 2]), frame(0x101, [3])]);
			chassis.socket.setNoDelay(true);
			for (const piece of [bytes.subarray(0, 1), bytes.subarray(1, 15), bytes.subarray(15, 20), bytes.subarray(20)]) {
				chassis.send(piece);
				await milliseconds(5);
			}
			const long = frame(0x100, [1]);
			long[4] = 9;
			chassis.send(long, frame(0x800, [1]), frame(0x20000001, [1]), Buffer.alloc(16, 0xff), frame(0x100, [4]));
			assert.deepEqual(await coupling.wait(3), ["100#0102", "101#03", "100#04"]);
			assert.equal((await running.report())["malformed"], 4);

			const second = await Peer.connect(path("chassis"));
			await until(() => second.closed);
			chassis.send(frame(1, [1]), frame(0x101, [2]).subarray(0, 7));
			assert.equal((await coupling.wait(4)).at(-1), "1#01");
			await chassis.disconnect();
			await until(async () => (await running.states()).chassis === 0);
			assert.equal((await running.report())["malformed"], 5);
			chassis = await Peer.connect(path("chassis"));
			chassis.send(frame(0x102, [3]));
			assert.equal((await coupling.wait(5)).at(-1), "102#03");
		});

		it("removes its sockets at the end, takes over a stale one and rejects a live one or a file", async () => {
			await start();
			const endpoint = { chassis: `unix:${path("chassis")}` };
			const second = await runGateway(program, endpoint);
			assert.equal(second.code, 5);
			assert.match(second.stderr, /chassis: another program is listening there\n$/);
			gateway!.child.kill("SIGKILL");
			await until(() => gateway!.child.signalCode !== null);
			assert.ok(existsSync(path("chassis")));
			await start();
			await gateway!.stop();
			assert.ok(!existsSync(path("chassis")));
			assert.equal((await runGateway(program, { chassis: `unix:${path("plan")}` })).code, 5);
			assert.equal(readFileSync(path("plan")).length, PLAN.length);
			assert.equal((await runGateway(program, { chassis: `unix:${path("x".repeat(200))}` })).code, 5);
			assert.equal((await runGateway(program, { chassis: "tcp:1234" })).code, 2);
			const server = createServer().listen(path("other"));
			assert.equal((await runGateway(program, { coupling: `unix:${path("other")}` })).code, 5);
			server.close();
		});

		it("ends with exit code 5 and one line where the kernel has no such CAN interface", async () => {
			const { code, stderr } = await runGateway(program, { chassis: "can:nosuchcan0" });
			assert.equal(code, 5);
			assert.match(stderr, /^can:nosuchcan0: .+\n$/);
		});
	});

	it("has no data race between its threads", async () => {
		const checked = compileGateway("gateway-tsan", ["-O1", "-fsanitize=thread"]);
		gateway = await GatewayProgram.start(checked, {
			chassis: `unix:${path("chassis")}`,
			coupling: `unix:${path("coupling")}`,
			plan: path("plan"),
		});
		const load = loadBuses([path("chassis"), path("coupling")], 1000, 1);
		gateway.command("cyclic");
		for (let i = 0; i < 5; i++) {
			await gateway.report();
			gateway.command(`fault tx-full-coupling ${i & 1}`);
			await gateway.states();
			await milliseconds(100);
		}
		await load;
	});
});
