import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { promises as dns } from "node:dns";
import type { AddressInfo } from "node:net";
import type { Datagram, DatagramOptions } from "../../hal/network-ports.js";
import { answerDns, answerMdns, DROPS_MAX, NameService, PACE_MS, WAITING_MAX } from "../../src/network/names.js";
import { ManualTime } from "../support/memory-files.js";

const NAMES = ["opencoupling.local", "openhaldex.local"];
const TAIL = [0, 1, 0, 1]; // address, internet

function query(name: string, { flags = [1, 0], tail = TAIL, questions = 1 } = {}): Uint8Array {
	const labels = name.split(".").flatMap((label) => [label.length, ...Buffer.from(label)]);
	return Uint8Array.from([0x12, 0x34, ...flags, 0, questions, 0, 0, 0, 0, 0, 0, ...labels, 0, ...tail]);
}

describe("network/names: answers", () => {
	it("answers what a resolver asks, every name being ours", async () => {
		const server = createSocket("udp4", (bytes, { address, port }) => {
			const answer = answerDns(new Uint8Array(bytes), "192.168.4.1");
			if (answer !== undefined) server.send(answer, port, address);
		});
		await new Promise<void>((done) => server.bind(0, "127.0.0.1", done));
		try {
			const resolver = new dns.Resolver({ timeout: 2000, tries: 2 });
			resolver.setServers([`127.0.0.1:${(server.address() as AddressInfo).port}`]);
			assert.deepEqual(await resolver.resolve4("connectivitycheck.gstatic.com"), ["192.168.4.1"]);
			assert.deepEqual(await resolver.resolve4("a.b", { ttl: true }), [{ address: "192.168.4.1", ttl: 60 }]);
			await assert.rejects(resolver.resolve6("example.com"), { code: "ENODATA" });
		} finally {
			server.close();
		}
	});

	it("leaves the additional records of a question out of its answer", () => {
		const plain = query("example.com");
		const extended = Uint8Array.from([...plain, 0, 0, 41, 0x10, 0, 0, 0, 0, 0, 0, 0]);
		extended[11] = 1;
		assert.deepEqual(answerDns(extended, "1.2.3.4"), answerDns(plain, "1.2.3.4"));
	});

	it("answers a multicast question for our names only, whatever their letters' case", () => {
		const name = [12, ...Buffer.from("openCoupling"), 5, ...Buffer.from("local"), 0];
		assert.deepEqual(
			[...answerMdns(query("openCoupling.local"), NAMES, "192.168.4.1")!],
			[0, 0, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 0, ...name, 0, 1, 0x80, 1, 0, 0, 0, 120, 0, 4, 192, 168, 4, 1],
		);
		assert.ok(answerMdns(query("OPENHALDEX.LOCAL", { tail: [0, 255, 0x80, 1] }), NAMES, "1.2.3.4"));
		for (const other of ["opencoupling.com", "opencoupling", "opencoupling.local.x", "xopencoupling.local", "opencouplinh.local"])
			assert.equal(answerMdns(query(other), NAMES, "1.2.3.4"), undefined, other);
		for (const tail of [
			[0, 28, 0, 1],
			[0, 1, 0, 3],
		])
			assert.equal(answerMdns(query(NAMES[0]!, { tail }), NAMES, "1.2.3.4"), undefined);
	});

	it("does not answer damaged questions, and never throws", () => {
		const whole = query(NAMES[0]!);
		const bad = [
			query("x", { flags: [0x80, 0] }),
			query("x", { flags: [0x28, 0] }),
			query("x", { questions: 0 }),
			Uint8Array.from([...whole.subarray(0, 12), 0xc0, 12, ...TAIL]),
			Uint8Array.from([...whole, ...new Array(500).fill(0)]),
			query(Array(128).fill("a").join(".")),
			...Array.from({ length: whole.length }, (_, length) => whole.subarray(0, length)),
		];
		for (const bytes of bad) {
			assert.equal(answerDns(bytes, "1.2.3.4"), undefined);
			assert.equal(answerMdns(bytes, NAMES, "1.2.3.4"), undefined);
		}
	});
});

describe("network/names: service", () => {
	interface Open extends DatagramOptions {
		sent: [number, string, number][];
		closed: boolean;
		/** In the socket. */
		waiting: Datagram[];
		reads: number;
		/** Questions come in one event. */
		arrive(...questions: Question[]): void;
		/** One question, and the time that its answer takes. */
		ask(...question: Question): void;
	}
	type Question = [bytes: Uint8Array, address: string, port: number];

	function serve(formerName = true) {
		const opened: Open[] = [];
		const time = new ManualTime();
		const warnings: string[] = [];
		const addresses = { accessPointIp: "", stationIp: "" };
		const open = (options: DatagramOptions) => {
			if (addresses.stationIp === "9.9.9.9") throw new Error("no memory");
			const socket: Open = {
				...options,
				sent: [],
				closed: false,
				waiting: [],
				reads: 0,
				arrive(...questions) {
					for (const [bytes, address, port] of questions) socket.waiting.push({ bytes, address, port });
					socket.onReadable(socket.waiting.length);
				},
				ask(...question) {
					socket.arrive(question);
					time.pass(PACE_MS);
				},
			};
			opened.push(socket);
			return {
				read: () => {
					socket.reads++;
					return socket.waiting.shift();
				},
				send: (bytes: Uint8Array, address: string, port: number) => void socket.sent.push([bytes.length, address, port]),
				close: () => {
					socket.closed = true;
				},
			};
		};
		const log = (_level: string, message: string) => void warnings.push(message);
		const service = new NameService({ formerName, addresses, open, log, later: time.later });
		const tick = (accessPointIp: string, stationIp: string) => {
			Object.assign(addresses, { accessPointIp, stationIp });
			service.tick();
			return opened.filter((socket) => !socket.closed);
		};
		return { tick, opened, warnings, time };
	}

	it("listens on the networks there are, and anew when they change", () => {
		const { tick, opened } = serve();
		const listening = (...addresses: Parameters<typeof tick>) => tick(...addresses).map(({ port, group }) => `${port} ${group}`);
		assert.deepEqual(listening("", ""), []);
		for (let again = 0; again < 2; again++) assert.deepEqual(listening("192.168.4.1", ""), ["53 ", "5353 224.0.0.251"]);
		assert.equal(opened.length, 2);
		assert.deepEqual(listening("", "10.0.0.7"), ["5353 224.0.0.251"]);
		assert.deepEqual(listening("", ""), []);
	});

	it("answers to the former name only where that is wanted", () => {
		for (const formerName of [true, false]) {
			const [, mdns] = serve(formerName).tick("192.168.4.1", "");
			for (const name of NAMES) mdns.ask(query(name), "192.168.4.2", 5353);
			assert.equal(mdns.sent.length > 0 && new Set(mdns.sent.map(([bytes]) => bytes)).size, formerName ? 2 : 1);
		}
	});

	it("answers with the address of the network that the question came from", () => {
		const { tick } = serve();
		const [dnsServer, mdns] = tick("192.168.4.1", "10.0.0.7") as [Open, Open];
		dnsServer.ask(query("a.b"), "192.168.4.9", 1111);
		dnsServer.ask(query("a.b"), "10.0.0.9", 1111);
		dnsServer.ask(new Uint8Array(3), "192.168.4.9", 1111);
		assert.deepEqual(dnsServer.sent, [[37, "192.168.4.9", 1111]]);
		mdns.ask(query("opencoupling.local"), "10.0.0.9", 5353);
		mdns.ask(query("printer.local"), "10.0.0.9", 5353);
		assert.deepEqual(mdns.sent, [
			[46, "224.0.0.251", 5353],
			[46, "10.0.0.9", 5353],
		]);
		const [only] = tick("", "10.0.0.7") as [Open];
		only.ask(query("opencoupling.local"), "192.168.4.9", 5353);
		assert.equal(only.sent.length, 2);
	});

	for (const [name, port] of [
		["DNS", 0],
		["multicast DNS", 1],
	] as const)
		it(`answers one question of ${name} in a turn, keeps a few, and drops what comes faster`, () => {
			const { tick, time } = serve();
			const socket = tick("192.168.4.1", "")[port];
			const question: Question = [query("opencoupling.local"), "192.168.4.2", 5353];
			const answers = () => socket.sent.length / (port + 1);
			socket.arrive(...Array(48).fill(question));
			assert.deepEqual([answers(), socket.reads], [0, DROPS_MAX], "what one event may cost");
			for (let turn = 1; turn <= WAITING_MAX; turn++) {
				const reads = socket.reads;
				time.pass(PACE_MS);
				assert.equal(answers(), turn, "one in each turn");
				assert.ok(socket.reads - reads <= DROPS_MAX + 1);
			}
			time.pass(100 * PACE_MS);
			const answered = answers();
			assert.ok(answered <= WAITING_MAX + 1, `${answered} of 48`);
			assert.equal(socket.waiting.length, 0);
			for (let ms = 0; ms < 1000; ms++) {
				socket.arrive(question, question);
				assert.ok(socket.waiting.length <= WAITING_MAX, "a flood fills no memory");
				time.pass(1);
			}
			assert.equal(answers() - answered, 1000 / PACE_MS);
		});

	it("answers nothing of what waits when its socket is closed", () => {
		const { tick, time } = serve();
		const [dnsServer] = tick("192.168.4.1", "");
		dnsServer.arrive([query("a.b"), "192.168.4.9", 1111]);
		tick("", "10.0.0.7");
		time.pass(10 * PACE_MS);
		assert.deepEqual([dnsServer.sent, dnsServer.reads], [[], 0]);
	});

	it("says once that it can't be found by name", () => {
		const { tick, warnings } = serve();
		tick("192.168.4.1", "9.9.9.9");
		tick("192.168.4.1", "9.9.9.9");
		assert.deepEqual(warnings, ["not to be found by name: no memory"]);
	});
});
