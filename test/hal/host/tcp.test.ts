import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { finish, runScript, startScript, waitForLine } from "./host-program.js";

const SETUP = `
	import { TCP } from "../../hal/io/sockets.js";
	import { Listener } from "../../hal/io/sockets.js";
	import Timer from "timer";
	import { Instrumentation } from "../../hal/io/machine.js";
`;

/**
 * Starts a listening script, which prints "port N"; connects and runs the peer; returns the lines and exit
 * code.
 */
async function withPeer(script: string, peer: (connection: Socket, port: number) => Promise<void> | void) {
	const child = await startScript(SETUP + script, "--heap", "device");
	const outcome = finish(child);
	const port = Number((await waitForLine(child, /port (\d+)\n/))[1]);
	const connection = connect(port, "127.0.0.1");
	connection.on("error", () => {});
	await once(connection, "connect");
	await peer(connection, port);
	const { code, lines, stderr } = await outcome;
	connection.destroy();
	return { code, lines: lines.slice(1), stderr };
}

const ECHO = `
	const listener = new Listener({ port: 0, onReadable(requests) {
		for (; requests > 0; requests--) new TCP({
			from: this.read()!,
			onReadable(count) { this.write(this.read(count)!); },
			onError() { this.close(); print("peer left"); listener.close(); },
		});
	} });
	print("port " + listener.port);
`;

describe("hal/host sockets", () => {
	it("may be closed in their own callbacks, unread bytes and all", async () => {
		const { code, lines } = await withPeer(
			`const listener = new Listener({ port: 0, onReadable() {
				new TCP({ from: this.read()!, onReadable() { this.close(); this.close(); listener.close(); print("closed"); Instrumentation.collect(); } });
			} });
			print("port " + listener.port);`,
			(connection) => {
				connection.write("x".repeat(3000));
			},
		);
		assert.equal(code, 0);
		assert.deepEqual(lines, ["closed"]);
	});

	it("announce space for writing as a slow reader frees it, and lose nothing", async () => {
		const total = 400_000;
		const { code, lines } = await withPeer(
			`let sent = 0, waits = 0, largest = 0;
			const block = new Uint8Array(5744);
			const listener = new Listener({ port: 0, onReadable() {
				const from = this.read()!;
				listener.close();
				new TCP({ from, onWritable(room) {
					largest = Math.max(largest, room);
					while (room > 0 && sent < ${total}) {
						const count = Math.min(room, ${total} - sent);
						for (let i = 0; i < count; i += 97) block[i] = (sent + i) & 255;
						this.write(block.subarray(0, count));
						room -= count;
						sent += count;
					}
					waits++;
					if (sent === ${total}) { this.close(); print("sent " + (waits > 1) + " " + largest); }
				} });
			} });
			print("port " + listener.port);`,
			async (connection) => {
				let received = 0;
				connection.pause();
				await new Promise((done) => setTimeout(done, 50));
				connection.on("data", (data: Buffer) => {
					received += data.length;
				});
				connection.resume();
				await once(connection, "end");
				assert.equal(received, total);
			},
		);
		assert.equal(code, 0);
		assert.deepEqual(lines, ["sent true 5744"]);
	});

	it("throw when more is written than fits, or more is read than there is", async () => {
		const { lines } = await withPeer(
			`const listener = new Listener({ port: 0, onReadable() {
				const from = this.read()!;
				listener.close();
				new TCP({ from, onReadable(count) {
					for (const act of [() => this.write(new ArrayBuffer(5745)), () => this.read(count + 1), () => this.read(0)])
						try { act(); print("done"); } catch (error) { print((error as Error).message); }
					print(new Uint8Array(this.read(3)!).join());
					print(new Uint8Array(this.read(2)!).join());
					print(String(this.read(1)));
					this.close();
				} });
			} });
			print("port " + listener.port);`,
			(connection) => {
				connection.write(Buffer.from([1, 2, 3, 4, 5]));
			},
		);
		const tooMuch = "asks for more than is there";
		assert.deepEqual(lines, ["would block", tooMuch, tooMuch, "1,2,3", "4,5", "undefined"]);
	});

	it("do not call a script again and again about bytes it leaves unread, but do when it reads some", async () => {
		const { lines } = await withPeer(
			`let calls = 0;
			const listener = new Listener({ port: 0, onReadable() {
				const from = this.read()!;
				listener.close();
				const tcp = new TCP({ from, onReadable(count) { calls++; if (calls === 2) { print("then " + count); this.close(); } } });
				Timer.set(() => { print("calls " + calls); tcp.read(2); }, 50);
			} });
			print("port " + listener.port);`,
			(connection) => {
				connection.write("hello");
			},
		);
		assert.deepEqual(lines, ["calls 1", "then 3"]);
	});

	it("report a reset by the peer, once", async () => {
		const { code, lines } = await withPeer(ECHO, (connection) => {
			connection.resetAndDestroy();
		});
		assert.equal(code, 0);
		assert.deepEqual(lines, ["peer left"]);
	});

	it("connect to a peer, and tell its address", async () => {
		const server = createServer((connection) => connection.end("welcome"));
		server.listen(0, "127.0.0.1");
		await once(server, "listening");
		const { port } = server.address() as { port: number };
		const { lines } = await runScript(`${SETUP}
			const tcp = new TCP({ address: "127.0.0.1", port: ${port},
				onWritable(room) { print(this.remoteAddress + " " + room); },
				onReadable(count) { print(String.fromArrayBuffer(this.read(count)!)); },
				onError() { print("end"); this.close(); } });
			try { tcp.write(new ArrayBuffer(1)); } catch (error) { print((error as Error).message); }
		`);
		server.close();
		assert.deepEqual([lines[0], lines.includes("welcome"), lines.at(-1)], ["not ready", true, "end"]);
		assert.ok(lines.includes("127.0.0.1 5744"), lines.join());
	});

	it("reject bad options", async () => {
		const { lines } = await runScript(`${SETUP}
			const wrong: (() => unknown)[] = [
				() => new TCP({ address: "localhost", port: 1 }),
				() => new TCP({ address: "127.0.0.1", port: 65536 }),
				() => new TCP({ address: "127.0.0.1", port: 1, onReadable: 1 as never }),
				() => new TCP({ from: {} as never }),
				() => new Listener({ port: -1 }),
			];
			for (const act of wrong) try { act(); print("made"); } catch (error) { print((error as Error).name); }`);
		assert.deepEqual(lines, ["Error", "RangeError", "TypeError", "SyntaxError", "RangeError"]);
	});

	it("end the program with exit code 3 and a hint when the interface's port is in use, throw for any other", async () => {
		const server = createServer();
		server.listen(0, "127.0.0.1");
		await once(server, "listening");
		const { port } = server.address() as { port: number };
		const script = `${SETUP} try { new Listener({ port: ${port} }); } catch (error) { print((error as Error).message); } print("on")`;
		const interfaces = await runScript(script, "--http", String(port));
		const other = await runScript(script);
		server.close();
		assert.deepEqual(interfaces.lines, []);
		assert.equal(interfaces.code, 3);
		assert.equal(interfaces.stderr, `opencoupling: port ${port} is in use: choose another with --http PORT\n`);
		assert.deepEqual(other.lines, [`port ${port}: Address already in use`, "on"]);
		assert.equal(other.code, 0);
	});
});
