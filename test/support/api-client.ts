// Requests to the interface without sockets: bytes through a connection and the real router.
import { gunzipSync } from "node:zlib";
import type { SendPort } from "../../hal/ports.js";
import { SendPermission } from "../../src/analyzer/permission.js";
import { ApiRouter } from "../../src/api/api-router.js";
import type { ApiContext } from "../../src/api/context.js";
import { ROUTES } from "../../src/api/routes.js";
import { Changes } from "../../src/controller/changes.js";
import { Connection, type ConnectionContext } from "../../src/http/connection.js";
import { HTTP_LIMITS } from "../../src/http/limits.js";
import { InputBuffers } from "../../src/http/request.js";
import { DEFAULT_WIFI } from "../../src/network/wifi-settings.js";
import { Revisions } from "../../src/settings/revisions.js";
import { Ignition } from "../../src/sleep/ignition.js";
import { Awake, ParkedSleep } from "../../src/sleep/parked-sleep.js";
import { Dashboard } from "../../src/vehicle/dashboard.js";
import { LatestFrames } from "../../src/vehicle/latest-frames.js";
import { ControlUnitBench } from "./control-unit-bench.js";
import { aController, type ControllerChanges, type FakeController } from "./controller-view.js";
import { frameTextOf } from "./frame-lines.js";
import { LatestTable, TraceTable } from "./gateway-memory.js";
import { aLogBench } from "./memory-files.js";
import { NetworkBench } from "./network-bench.js";
import { OwnerBench } from "./owner-bench.js";
import { aHistory, aLearning, aMapStore } from "./stores.js";
import { UpdateBench } from "./update-bench.js";

const PAUSES = 20;

export interface Answer {
	readonly status: number;
	/** Names in lower case. */
	readonly headers: Readonly<Record<string, string>>;
	readonly text: string;
	/** The parsed body. @throws if it is no JSON */
	json(): Record<string, unknown>;
}

/**
 * Sends one request to a fresh connection, which it closes, and returns its answer; without one `status` is NaN.
 * @param parts of the context
 * @param lines further header lines
 */
export function request(
	parts: Partial<ApiContext>,
	method: string,
	path: string,
	body: string | Uint8Array = "",
	...lines: string[]
): Answer {
	const faults: unknown[] = [];
	const due: (() => void)[] = [];
	const context = anApiContext({ later: (callback) => due.push(callback), ...parts });
	const shared: ConnectionContext = {
		limits: HTTP_LIMITS,
		router: new ApiRouter(context, ROUTES),
		buffers: new InputBuffers(),
		hasHeap: () => true,
		evictFor: () => false,
		isWanted: () => false,
		onFault: (error) => faults.push(error),
	};
	const connection = new Connection(shared, 0);
	const bytes = Buffer.from(body);
	const has = (name: string): boolean => lines.some((line) => line.startsWith(name));
	const host = has("Host:") ? [] : ["Host: localhost"];
	const hasLength = (bytes.length > 0 || method === "POST") && !has("Content-Length:");
	const length = hasLength ? [`Content-Length: ${bytes.length}`] : [];
	const head = [`${method} ${path} HTTP/1.1`, ...host, ...length, ...lines, "", ""].join("\r\n");
	const all = new Uint8Array(Buffer.concat([Buffer.from(head), bytes]));
	for (let at = 0; at < all.length && connection.space() > 0; ) {
		const end = Math.min(all.length, at + connection.space());
		connection.receive(all.slice(at, end), 0);
		while (connection.isPaused) connection.resume(0);
		at = end;
	}
	let answer = "";
	const into = new Uint8Array(1400);
	// a producer that has worked long enough, or waits, gives nothing for once
	for (let pauses = 0; pauses < PAUSES; ) {
		const end = connection.pull(into, 0, 1400, 0);
		if (end === 0) pauses++;
		for (const callback of due.splice(0)) callback();
		answer += Buffer.from(into.subarray(0, end)).toString("latin1");
	}
	connection.close();
	if (faults.length > 0) throw faults[0];
	return parseAnswer(Buffer.from(answer, "latin1"));
}

function parseAnswer(answer: Buffer): Answer {
	const end = answer.indexOf("\r\n\r\n");
	const [first, ...lines] = answer.subarray(0, end).toString().split("\r\n");
	const headers: Record<string, string> = {};
	for (const line of lines) headers[line.slice(0, line.indexOf(":")).toLowerCase()] = line.slice(line.indexOf(":") + 2);
	let body = answer.subarray(end + 4);
	if (headers["transfer-encoding"] === "chunked") body = dechunk(body);
	if (headers["content-encoding"] === "gzip" && body.length > 0) body = gunzipSync(body);
	const text = body.toString();
	return { status: Number(first.split(" ")[1]), headers, text, json: () => JSON.parse(text) };
}

function dechunk(body: Buffer): Buffer {
	const parts: Buffer[] = [];
	for (let at = 0; ; ) {
		const feed = body.indexOf("\r\n", at);
		const size = Number.parseInt(body.subarray(at, feed).toString(), 16);
		if (!(size > 0)) return Buffer.concat(parts);
		parts.push(body.subarray(feed + 2, feed + 2 + size));
		at = feed + 4 + size;
	}
}

/** Parked sleep is off. */
const AWAKE: ApiContext["sleep"] = {
	armed: false,
	override: false,
	ignition: new Ignition(),
	ignitionOn: false,
	port: { wakeCause: "power_on_or_reset", entries: 0, enter() {} },
	waits: Awake.OFF,
	parked: new ParkedSleep(false),
};

/** What API handlers get: a driving car, and everything else at rest. `changes` override single parts. */
export function anApiContext(changes: Partial<ApiContext> = {}): ApiContext {
	const controller = (changes.controller as FakeController | undefined) ?? aController();
	const maps = changes.maps ?? aMapStore();
	if (changes.maps === undefined)
		maps.serve({
			get settings() {
				return controller.settings;
			},
			applySettings: (settings) => controller.applySettings(settings),
			useStoredMaps: () => {},
		});
	const frames = changes.frames ?? new LatestFrames(new LatestTable());
	return {
		diagnosis: new ControlUnitBench().context,
		analyzer: anAnalyzer(),
		dashboard: new Dashboard(frames),
		hasHeap: () => true,
		heapFigure: (name) => (name === "slots" ? 1234 : undefined),
		controller,
		gatewayCounters: () => ({ chassisReceived: 10, couplingSent: 9 }),
		learning: aLearning(controller),
		later: (callback, delayMs) => setTimeout(callback, delayMs),
		maps,
		revisions: new Revisions(),
		history: aHistory(),
		changes: new Changes(),
		underWay: { events: 0, dumps: 0 },
		frames,
		frameText: frameTextOf(new TraceTable()),
		log: aLogBench().log,
		network: new NetworkBench().network,
		owner: new OwnerBench().owner,
		updater: new UpdateBench().updater,
		sleep: AWAKE,
		storageProblems: [],
		writes: { waiting: false },
		boardControls: true,
		boardInputs: () => -1,
		bootReason: "power on",
		bootLoop: false,
		version: "v0.1.0",
		commit: "",
		...changes,
	};
}

/**
 * Permission that may be given: the car stands in stock, and the networks have passwords.
 * @param changes of the controller
 */
export function aSendPermission(changes: ControllerChanges = {}, send: SendPort["send"] = () => true): SendPermission {
	const controller = aController({ selectedMode: 0, controlActive: false, speedKmh: 0, generation: 4, ...changes });
	const wifi = { ...DEFAULT_WIFI, accessPointPassword: "password1" };
	return new SendPermission(controller, { wifi, changes: 0 }, { changes: 0 }, { send });
}

/** The analyser port as handlers see it: no client is connected. */
export function anAnalyzer(permission = aSendPermission()): ApiContext["analyzer"] {
	const analyzer = {
		port: 0,
		clients: [],
		sentFrames: 0,
		rejectedFrames: 0,
		lastRejection: "",
		permission,
		observe(isEnabled: boolean): void {
			analyzer.port = isEnabled ? 23 : 0;
			if (!isEnabled) analyzer.permission.withdraw();
		},
	};
	return analyzer;
}
