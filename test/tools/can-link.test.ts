import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BusLink } from "../../tools/vehicle/bus-link.js";
import { writeRecord } from "../../tools/vehicle/frame.js";

const soon = async (condition: () => boolean) => {
	for (let tries = 0; !condition(); tries += 1) {
		assert.ok(tries < 200, "within 2 s");
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
};

describe("the vehicle's end of a bus", () => {
	let folder: string;
	let path: string;
	let server: Server;
	let peers: Socket[];
	let link: BusLink | undefined;

	const listen = () =>
		new Promise<void>((resolve) => {
			server = createServer((socket) => {
				socket.on("error", () => {});
				peers.push(socket);
			}).listen(path, resolve);
		});

	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), "link-test-"));
		path = join(folder, "bus");
		peers = [];
	});
	afterEach(() => {
		link?.close();
		for (const peer of peers) peer.destroy();
		server?.close();
		rmSync(folder, { recursive: true });
	});

	it("waits for a controller that is not there yet, and finds it again after a restart", async () => {
		link = new BusLink(path, () => {});
		link.send(1, false, new Uint8Array(8));
		link.flush();
		assert.deepEqual([link.sent, link.dropped], [0, 1], "no peer: dropped and counted");
		await listen();
		await soon(() => link!.connected);
		peers[0].destroy();
		server.close();
		await soon(() => !link!.connected);
		rmSync(path, { force: true });
		await listen();
		await soon(() => link!.connected);
	});

	it("drops and counts what a peer that does not read leaves waiting, and never blocks", async () => {
		await listen();
		link = new BusLink(path, () => {});
		await soon(() => link!.connected && peers.length === 1);
		peers[0].pause();
		for (let i = 0; i < 200_000; i += 1) {
			link.send(i & 0x7ff, false, new Uint8Array(8));
			if (i % 100 === 99) {
				link.flush();
				if (i % 10_000 === 9_999) await new Promise((resolve) => setImmediate(resolve));
			}
		}
		assert.ok(link.dropped > 0);
		assert.equal(link.sent + link.dropped, 200_000);
	});

	it("delivers frames that arrive in pieces of any size", async () => {
		await listen();
		const received: number[] = [];
		link = new BusLink(path, ({ id }) => received.push(id));
		await soon(() => peers.length === 1);
		const records = Buffer.alloc(48);
		for (const [i, id] of [0x100, 0x200, 0x300].entries()) writeRecord(records, 16 * i, id, false, Uint8Array.of(i));
		for (const [from, to] of [
			[0, 7],
			[7, 17],
			[17, 48],
		]) {
			peers[0].write(records.subarray(from, to));
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
		await soon(() => received.length === 3);
		assert.deepEqual(received, [0x100, 0x200, 0x300]);
	});
});
