// A running HttpService on a real port with a raw client, for tests over real sockets.
import net from "node:net";
import { HTTP_LIMITS, type HttpLimits } from "../../src/http/limits.js";
import type { Router } from "../../src/http/router.js";
import { HttpService } from "../../src/runtime/http-service.js";
import { type NodeSocketOptions, nodeSockets } from "./node-sockets.js";

export interface TestServer {
	readonly port: number;
	readonly service: HttpService;
	readonly faults: unknown[];
	/** Sockets that the service holds. */
	openSockets(): number;
	close(): void;
}

/** Starts a service that ticks every 10 ms. */
export async function startServer(
	router: Router,
	limits: Partial<HttpLimits> = {},
	sockets: NodeSocketOptions = {},
): Promise<TestServer> {
	const faults: unknown[] = [];
	const ports = nodeSockets(sockets);
	const clock = {
		get ticks() {
			return Math.floor(performance.now());
		},
	};
	const service = new HttpService({
		Listener: ports.Listener,
		TCP: ports.TCP,
		port: 0,
		clock,
		later: (callback, delayMs) => setTimeout(callback, delayMs),
		hasHeap: () => true,
		router,
		limits: { ...HTTP_LIMITS, ...limits },
		onFault: (error) => faults.push(error),
	});
	const port = await ports.listening();
	const timer = setInterval(() => service.tick(clock.ticks), 10);
	return {
		port,
		service,
		faults,
		openSockets: () => ports.open,
		close() {
			clearInterval(timer);
			service.close();
		},
	};
}

export interface RawClient {
	readonly socket: net.Socket;
	/** Everything received so far. */
	received: string;
	readonly closed: Promise<void>;
	/** Resolves when `condition` holds for what was received. @throws when only a hang takes so long */
	until(condition: (received: string) => boolean): Promise<string>;
	send(text: string | Uint8Array): void;
}

/** A client that sends exactly what it is told. */
export function connect(port: number): RawClient {
	const socket = net.connect(port, "127.0.0.1");
	const client: RawClient = {
		socket,
		received: "",
		closed: new Promise((resolve) => socket.on("close", () => resolve())),
		async until(condition) {
			const end = Date.now() + 120_000;
			while (!condition(client.received)) {
				if (Date.now() > end) throw new Error(`timed out; received ${JSON.stringify(client.received.slice(0, 400))}`);
				await new Promise((resolve) => setTimeout(resolve, 5));
			}
			return client.received;
		},
		send: (text) => socket.write(text),
	};
	socket.setNoDelay(true);
	socket.on("error", () => {});
	socket.on("data", (data) => {
		client.received += data.toString("latin1");
	});
	return client;
}

/** Sends one request on its own connection and returns everything until the server closes it. */
export async function exchange(port: number, request: string): Promise<string> {
	const client = connect(port);
	client.send(request);
	await client.closed;
	return client.received;
}
