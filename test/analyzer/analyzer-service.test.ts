/** The analyser port over real sockets: the test is SavvyCAN, and the car whose frames it sees. */
import assert from "node:assert/strict";
import net from "node:net";
import { AnalyzerService } from "../../src/analyzer/analyzer-service.js";
import type { SendPermission } from "../../src/analyzer/permission.js";
import { aSendPermission } from "../support/api-client.js";
import { TraceLines } from "../support/frame-lines.js";
import { TraceTable } from "../support/gateway-memory.js";
import { nodeSockets } from "../support/http-server.js";

/** What SavvyCAN says when it has connected. */
const HELLO = Buffer.from("e7e7f10cf106f107f101f109", "hex");
/** Commands that send one byte on the coupling bus. */
const SEND_111 = "f1001101000001011100";
const SEND_1A0 = "f100a001000001011100";
const FRAME = { timeUs: 99_000_007, id: 0x1a0, bus: 0 as const, received: [1, 2, 3], flags: 2 };

class Client {
	received = Buffer.alloc(0);
	isClosed = false;
	constructor(readonly socket: net.Socket) {
		socket.on("data", (data) => {
			this.received = Buffer.concat([this.received, data]);
		});
		socket.on("close", () => {
			this.isClosed = true;
		});
		socket.on("error", () => undefined);
	}
	get hex(): string {
		return this.received.toString("hex");
	}
}

async function until(what: () => boolean): Promise<void> {
	while (!what()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe("the analyser port", () => {
	const clock = { ticks: 1000, microseconds: 5_000_000 };
	let table: TraceTable;
	let service: AnalyzerService;
	let told: string[];
	let wanted: number[];
	let mostInStep: number;
	let permission: SendPermission;
	let hasHeap: boolean;
	let sockets: ReturnType<typeof nodeSockets>;
	const clients: Client[] = [];

	beforeEach(() => {
		table = new TraceTable();
		told = [];
		wanted = [];
		mostInStep = 0;
		hasHeap = true;
		permission = aSendPermission({}, (_bus, id) => wanted.push(id) > 0);
		clock.ticks = 1000;
		sockets = nodeSockets({ windowBytes: 1400 });
		service = aService();
	});
	const aService = (changes: Partial<ConstructorParameters<typeof AnalyzerService>[0]> = {}) =>
		new AnalyzerService({
			Listener: sockets.Listener,
			TCP: sockets.TCP,
			port: 0,
			clock,
			later: (callback, delayMs) =>
				setTimeout(() => {
					const before = wanted.length;
					callback();
					mostInStep = Math.max(mostInStep, wanted.length - before);
				}, delayMs),
			newFrameLines: (format, rows) => new TraceLines(table, format, rows),
			permission,
			hasHeap: () => hasHeap,
			log: (message) => told.push(message),
			...changes,
		});
	afterEach(async () => {
		for (const { socket } of clients.splice(0)) socket.destroy();
		service.observe(false);
		await until(() => sockets.open === 0);
	});

	const connect = async (hello = HELLO): Promise<Client> => {
		service.observe(true);
		const port = await sockets.listening();
		const client = await new Promise<Client>((resolve) => {
			const socket = net.connect(port, "127.0.0.1", () => resolve(new Client(socket)));
		});
		clients.push(client);
		client.socket.write(hello);
		return client;
	};

	it("listens only while it is wanted", async () => {
		assert.equal(service.port, 0);
		const client = await connect();
		await until(() => client.received.length > 0);
		service.observe(false);
		await until(() => client.isClosed);
		assert.equal(service.port, 0);
		assert.equal(told.at(-1), "does not listen any more");
	});

	it("admits one client in a turn, however many come at once", () => {
		const turns: (() => void)[] = [];
		let reads = 0;
		let onReadable: (count: number) => void = () => undefined;
		class Listener {
			constructor(options: { onReadable: (count: number) => void }) {
				onReadable = options.onReadable;
			}
			read() {
				reads++;
				return { read: () => undefined, write: () => undefined, close: () => undefined };
			}
			close() {}
		}
		hasHeap = false;
		const busy = aService({ Listener, later: (callback) => void turns.push(callback) });
		busy.observe(true);
		onReadable(12);
		onReadable(4);
		assert.equal(reads, 0);
		for (let turn = 1; turn <= 16; turn++) {
			turns.shift()?.();
			assert.deepEqual([reads, turns.length], [turn, turn < 16 ? 1 : 0]);
		}
	});

	it("greets SavvyCAN, and then sends it each frame of both buses", async () => {
		const client = await connect();
		const greeting = "f10c02f1060120a107000120a10700f107640020000000f101404b4c00f109dead";
		await until(() => client.hex.length >= greeting.length);
		assert.equal(client.hex, greeting);
		client.received = Buffer.alloc(0);
		table.records.push(FRAME, { ...FRAME, bus: 1, id: 0x2c0, flags: 0 });
		const records = ["f100c79ee605a00100000301020300", "f100c79ee605c00200001301020300", "f100c79ee605c00200000301020300"];
		const whole = records.join("");
		await until(() => client.hex.length >= whole.length);
		assert.equal(client.hex, whole);
	});

	it("sends no frame before the client has chosen the binary form", async () => {
		const client = await connect(Buffer.from("f109", "hex"));
		await until(() => client.hex === "f109dead");
		table.records.push(FRAME);
		client.socket.write(Buffer.from("f109", "hex"));
		await until(() => client.hex.length >= 16);
		assert.equal(client.hex, "f109deadf109dead");
	});

	it("has two slots, and a silent client is evicted for a third one", async () => {
		const [first, second] = [await connect(), await connect()];
		await until(() => first.received.length > 0 && second.received.length > 0);
		const third = await connect();
		await until(() => third.isClosed);
		assert.equal(service.clients.length, 2);
		clock.ticks += 9_000;
		second.received = Buffer.alloc(0);
		second.socket.write(Buffer.from("f109", "hex"));
		await until(() => second.received.length > 0);
		clock.ticks += 1_500;
		const fourth = await connect();
		await until(() => first.isClosed && fourth.received.length > 0);
		assert.equal(second.isClosed, false);
	});

	it("drops frames of a slow client, and counts them", async () => {
		const slow = await connect();
		await until(() => slow.received.length > 0);
		slow.socket.pause();
		const lines = 400_000;
		for (let i = 0; i < lines; i++) table.records.push(FRAME);
		// the ring forgets
		await new Promise((resolve) => setTimeout(resolve, 200));
		table.lost = lines - 10;
		slow.socket.resume();
		await until(() => (service.clients[0]?.lostFrames ?? 0) > 0);
		const lost = service.clients[0]?.lostFrames as number;
		slow.socket.destroy();
		await until(() => service.clients.length === 0);
		assert.equal(told.at(-1), `a client has gone; it was too slow for ${lost} frames`);
	});

	it("sends what clients want while the owner allows it, and says once why not", async () => {
		const client = await connect(Buffer.from(`e7e7${SEND_111}${SEND_111}`, "hex"));
		await until(() => service.rejectedFrames === 2);
		assert.equal(permission.give(), "");
		client.socket.write(Buffer.from(SEND_111 + SEND_1A0, "hex"));
		await until(() => service.rejectedFrames === 3);
		assert.deepEqual([wanted, service.sentFrames], [[0x111], 1]);
		const reasons = ["sending is not allowed: the owner allows it on the page", "0x1a0 is an identifier of the controller's own"];
		assert.deepEqual(
			told.filter((message) => message.includes("rejected")),
			[`rejected a client's frame 0x111 for bus 1: ${reasons[0]}`, `rejected a client's frame 0x1a0 for bus 1: ${reasons[1]}`],
		);
		assert.equal(service.lastRejection, reasons[1]);
		service.observe(false);
		assert.equal(permission.isGiven, false);
	});

	it("closes a new client while the heap is too full", async () => {
		hasHeap = false;
		const client = await connect();
		await until(() => client.isClosed);
		assert.equal(service.clients.length, 0);
	});

	it("says when it can't listen, once, and tries again", async () => {
		let fails = true;
		class Listener {
			constructor() {
				if (fails) throw new Error("in use");
			}
			read = () => undefined;
			close = () => undefined;
		}
		const failing = aService({ port: 23, Listener });
		failing.observe(true);
		clock.ticks += 5000;
		failing.observe(true);
		assert.deepEqual(told, ["can't listen on port 23: Error: in use"]);
		fails = false;
		failing.observe(true);
		assert.equal(failing.port, 0);
		clock.ticks += 5000;
		failing.observe(true);
		assert.equal(failing.port, 23);
	});

	it("sends all frames that a client wants, with data or without, a few in a step: a turn has its limit", async () => {
		for (const [frame, most] of [
			[SEND_111, 9],
			["f10011010000010000", 6],
		] as const) {
			const client = await connect();
			permission.give();
			wanted = [];
			mostInStep = 0;
			client.socket.write(Buffer.from(frame.repeat(40), "hex"));
			await until(() => wanted.length === 40);
			assert.ok(mostInStep <= most, `${mostInStep} frames`);
		}
	});

	it("answers each of many questions", async () => {
		const client = await connect(Buffer.from("f103f101f10b1101000001010900".repeat(100), "hex"));
		const answers = `f103${"00".repeat(15)}f101404b4c00f100404b4c0011010000110900`.repeat(100);
		await until(() => client.hex.length >= answers.length);
		assert.equal(client.hex, answers);
	});
});
