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

/** The natives are the boards' (hal/esp32/tcp_natives.c), the link is the host's. */
describe("hal/io sockets", () => {
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

	it("throw when more is written than fits, or more is read than there is", async () => {
		const { lines } = await withPeer(
			`const listener = new Listener({ port: 0, onReadable() {
				const from = this.read()!;
				listener.close();
				const attempt = (act: () => void) => {
					try { act(); print("done"); } catch (error) { print((error as Error).message); }
				};
				let isFirst = true;
				const early = new TCP({ from, onWritable(count) {
					for (const size of isFirst ? [count + 1, count, 1] : []) attempt(() => this.write(new ArrayBuffer(size)));
					isFirst = false;
				}, onReadable(count) {
					attempt(() => this.read(count + 1));
					print(new Uint8Array(this.read(3)!).join());
					print(new Uint8Array(this.read(2)!).join());
					print(String(this.read(1)));
					this.close();
				} });
				attempt(() => early.write(new ArrayBuffer(1)));
			} });
			print("port " + listener.port);`,
			async (connection) => {
				await once(connection, "data");
				connection.write(Buffer.from([1, 2, 3, 4, 5]));
			},
		);
		const read = ["asks for more than is there", "1,2,3", "4,5", "undefined"];
		assert.deepEqual(lines, ["would block", "would block", "done", "would block", ...read]);
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
		assert.deepEqual([lines[0], lines.includes("welcome"), lines.at(-1)], ["would block", true, "end"]);
		assert.ok(lines.includes("127.0.0.1 5744"), lines.join());
	});

	it("reject bad options", async () => {
		const { lines } = await runScript(`${SETUP}
			const client = new TCP({ address: "127.0.0.1", port: 1, onError() { this.close(); } });
			const wrong: (() => unknown)[] = [
				() => new TCP({ address: "localhost", port: 1 }),
				() => new TCP({ address: "127.0.0.1", port: 65536 }),
				() => new TCP({ address: "127.0.0.1", port: 0 }),
				() => new TCP({ from: {} as never }),
				() => new TCP({ from: client }),
				() => new Listener({ port: -1 }),
			];
			for (const act of wrong) try { act(); print("made"); } catch (error) { print((error as Error).name); }`);
		assert.deepEqual(lines, ["Error", "RangeError", "RangeError", "SyntaxError", "Error", "RangeError"]);
	});

	it("are not made when an option's getter throws, or closes the connection", async () => {
		const { code, lines } = await withPeer(
			`const listener = new Listener({ port: 0, onReadable() {
				const from = this.read()!;
				listener.close();
				const getter = (get: () => unknown) => Object.defineProperty({ from }, "onReadable", { get });
				for (const get of [() => { throw new Error("thrown"); }, () => from.close()])
					try { new TCP(getter(get) as never); print("made"); } catch (error) { print((error as Error).message); }
			} });
			print("port " + listener.port);`,
			() => {},
		);
		assert.equal(code, 0);
		assert.deepEqual(lines, ["thrown", "closed"]);
	});

	it("end the program with exit code 3 and a hint when the interface's port is in use, throw the system's reason for any other", async () => {
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
		assert.deepEqual(other.lines, ["Address already in use", "on"]);
		assert.equal(other.code, 0);
	});
});
