/**
 * The boards' UDP, hal/esp32/io/datagrams.ts, on a socket that behaves as Moddable's: it tells how many
 * packets wait, and throws what it can't send.
 */
import assert from "node:assert/strict";
import type { Datagrams, OpenDatagrams } from "../../../hal/network-ports.js";
import { importOn, withGlobals } from "./board-radio.js";

const FAKE_UDP = `
export default class UDP {
	constructor(options) {
		if (options.port === 53) throw new Error("port taken");
		Object.assign(globalThis.wire, { options, socket: this });
	}
	add(group) { globalThis.wire.groups.push(group); }
	read() {
		if (globalThis.wire.closed > 0) throw new Error("closed");
		return globalThis.wire.waiting.shift();
	}
	write(bytes, address, port) {
		if (globalThis.wire.full) throw new Error("no memory");
		globalThis.wire.sent.push([[...new Uint8Array(bytes)], address, port]);
	}
	close() { globalThis.wire.closed++; }
}`;

type Packet = ArrayBuffer & { address: string; port: number };
const packet = (address: string, port: number, ...bytes: number[]): Packet =>
	Object.assign(Uint8Array.from(bytes).buffer, { address, port });

describe("hal/esp32/io/datagrams", () => {
	const wire = {
		options: { port: 0, onReadable(_packets: number): void {} },
		socket: undefined as unknown,
		groups: [] as string[],
		waiting: [] as (Packet | undefined)[],
		sent: [] as unknown[],
		closed: 0,
		full: false,
	};
	const arrive = (...packets: (Packet | undefined)[]): void => {
		wire.waiting.push(...packets);
		wire.options.onReadable.call(wire.socket, packets.length);
	};
	let open: OpenDatagrams;
	let restore: () => void;
	before(async () => {
		restore = withGlobals({ wire });
		open = await importOn("hal/esp32/io/datagrams.ts", "embedded:io/socket/udp", FAKE_UDP);
	});
	beforeEach(() => Object.assign(wire, { groups: [], waiting: [], sent: [], closed: 0, full: false }));
	after(() => restore());

	it("opens the port, and joins the group that there is", () => {
		open({ port: 5353, group: "224.0.0.251", onReadable: () => {} });
		open({ port: 5354, group: "", onReadable: () => {} });
		assert.deepEqual([wire.options.port, wire.groups], [5354, ["224.0.0.251"]]);
		assert.throws(() => open({ port: 53, group: "", onReadable: () => {} }), /port taken/);
	});

	it("tells how many packets wait, and gives each with its sender when it is read", () => {
		const told: unknown[] = [];
		const socket: Datagrams = open({ port: 5353, group: "", onReadable: (waiting) => told.push(waiting) });
		arrive(packet("192.168.4.2", 5353, 1, 2), packet("192.168.4.3", 1024));
		for (const _ of "123") {
			const read = socket.read();
			told.push(read && [[...read.bytes], read.address, read.port]);
		}
		assert.deepEqual(told, [2, [[1, 2], "192.168.4.2", 5353], [[], "192.168.4.3", 1024], undefined]);
	});

	it("gives nothing once it is closed, and closes once", () => {
		const socket: Datagrams = open({ port: 5353, group: "", onReadable: () => {} });
		arrive(packet("192.168.4.2", 5353, 1));
		socket.close();
		socket.close();
		assert.deepEqual([socket.read(), wire.closed], [undefined, 1]);
	});

	it("sends at once or not at all, and nothing when it is closed", () => {
		const socket = open({ port: 5353, group: "", onReadable: () => {} });
		socket.send(Uint8Array.of(1), "192.168.4.2", 5353);
		wire.full = true;
		socket.send(Uint8Array.of(2), "192.168.4.2", 5353);
		wire.full = false;
		socket.close();
		socket.send(Uint8Array.of(3), "192.168.4.2", 5353);
		assert.deepEqual(wire.sent, [[[1], "192.168.4.2", 5353]]);
	});
});
