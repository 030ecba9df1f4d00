// Requests on the real program beside its work: a control loop of 100 Hz with a plan active and 2 x 2,000
// frames a second.
// 1. What GET /api/status costs in bytecodes, and how many a kept-alive connection gets per second.
// 2. Mixed requests to every endpoint of the description, 10,000 unless told otherwise, on 6 connections with
// two event streams open.
//    Afterwards the heap must be where it was, no frame lost and no property name added.
// 3. How long a control tick had to wait for all of this at the most: in bytecodes, which no other program
// changes, and in us of CPU time. Usage: node tools/bench/requests.mjs [REQUESTS]. Prints one JSON line; exit
// code 1 when a limit is missed.
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { BenchController, besideLoad, TURN_BYTECODES } from "./bus-load.mjs";

const FRAMES_PER_SECOND = 2000;
const CONNECTIONS = 6;
const STREAMS = 2;
/**
 * What is still in flight when the report is taken, and what was not done because the heap was too full:
 * after each of twelve rounds of 158 requests between 2,505 and 2,662 slots were alive, without growing. A
 * slot kept by each fortieth of 10,000 requests is found.
 */
const SLOTS_SLACK = 240;
/**
 * From look to look up to 5 KB more or less are alive, after 3,000 requests as after 250: a leak would grow
 * with them.
 */
const CHUNKS_SLACK = 6144;
/** Until changes are on flash and time-outs are over. */
const SETTLE_MS = 3000;
const requests = Number(process.argv[2] ?? 10_000);

const { paths } = JSON.parse(readFileSync(new URL("../../src/api/generated/openapi.json", import.meta.url), "utf8"));
const MAP = {
	speedBins: [0, 10, 20, 40, 60, 80, 110, 140, 160],
	throttleBins: [0, 10, 25, 40, 60, 80, 100],
	lockTable: Array.from({ length: 7 }, (_, row) => Array.from({ length: 9 }, () => row * 10)),
};
/** Bodies and queries beside the description's examples: some are wrong on purpose. @type {Record<string, readonly unknown[]>} */
const MORE = {
	"POST /api/mode": [{ mode: "MAP" }, { mode: "5050" }, { mode: "SPORT" }],
	"POST /api/settings": [
		{ disableSpeed: 120 },
		{ inputMappings: { speed: "" } },
		{ disableThrottle: null },
		{ modeTrigger: { operator: ">" } },
	],
	"POST /api/map": [MAP, { ...MAP, speedBins: [] }, { ...MAP, try: true }],
	"GET /api/map": ["?before=1", "?before=10", "?before=x"],
	"POST /api/maps/load": [{ path: "/maps/fwd.txt" }, { name: "aggressive" }, { path: "/maps/../x.json" }],
	"POST /api/maps/save": [{ name: "one" }, { name: "two" }, { name: " " }],
	"POST /api/maps/delete": [{ name: "one" }, { name: "two" }],
	"POST /api/wifi": [{ ssid: "Garage", password: "12345678" }, { apPassword: "x" }],
	"POST /api/canview/capture": [{ active: true }, { active: false }],
	"GET /api/logs/read": ["?path=/logs/all.txt&max=2000", "?path=/logs/x"],
	"GET /api/canview": ["?decoded=50&raw=20", "?bus=coupling"],
	"GET /api/canview/dump": ["?seconds=1&dir=rx&bus=chassis", "?seconds=1&dir=rx&bus=haldex&format=candump"],
	"GET /api/uds/read": ["?did=F190", "?did=x"],
};

/** One request of each kind, as [method, path, body]. */
const MIX = Object.entries(paths).flatMap(([path, methods]) =>
	Object.entries(methods).flatMap(([lower, { requestBody }]) => {
		const method = lower.toUpperCase();
		if (path === "/api/events" || path === "/ota/update") return [];
		const isEndless = path === "/api/canview/dump"; // 30 s of two busy buses are 12 MB
		const example = requestBody?.content["application/json"]?.example;
		const more = (MORE[`${method} ${path}`] ?? []).map((item) =>
			method === "GET" ? [method, path + item] : [method, path, item],
		);
		return isEndless ? more : [[method, path, example ?? (requestBody ? {} : undefined)], ...more];
	}),
);

const controller = new BenchController();
const port = await controller.port();

/** @returns {Promise<number>} the status */
/**
 * Without requests to the coupling: those put frames of our own on the bus, which the load counts as wrong.
 */
const QUIET = MIX.filter(([, path]) => !path.startsWith("/api/uds") && !path.startsWith("/api/diag"));

/** @param {Agent} agent @param {string} method @param {string} path @param {unknown} [body] */
function ask(agent, method, path, body) {
	return new Promise((resolve, reject) => {
		const text = body === undefined ? "" : JSON.stringify(body);
		const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) };
		const message = request({ host: "127.0.0.1", port, method, path, agent, headers }, (response) => {
			response.resume();
			response.on("end", () => resolve(response.statusCode));
			response.on("error", reject);
		});
		// a kept connection that was idle may have been evicted for another just when it was used again
		message.on("error", (error) => (message.reusedSocket ? ask(agent, method, path, body).then(resolve, reject) : reject(error)));
		message.end(text);
	});
}

/**
 * Whole rounds of mixed requests on several connections: what is set, stored and learned at their end is the same.
 * @param {number} atLeast @returns how many answers had which status
 */
async function mixed(atLeast) {
	const count = Math.ceil(atLeast / QUIET.length) * QUIET.length;
	const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
	/** @type {Record<number, number>} */
	const statuses = {};
	let next = 0;
	const worker = async () => {
		while (next < count) {
			const [method, path, body] = QUIET[next++ % QUIET.length];
			// every hundredth comes on a connection of its own
			const status = await ask(next % 100 === 0 ? new Agent() : agent, method, path, body);
			statuses[status] = (statuses[status] ?? 0) + 1;
		}
	};
	await Promise.all(Array.from({ length: CONNECTIONS }, worker));
	agent.destroy();
	return statuses;
}

/** Does something while event streams are open. @template T @param {() => Promise<T>} work */
async function besideStreams(work) {
	const streams = Array.from({ length: STREAMS }, () => {
		const options = { host: "127.0.0.1", port, path: "/api/events?hz=20", agent: new Agent() };
		const stream = request(options, (response) => response.resume());
		stream.on("error", () => {});
		stream.end();
		return stream;
	});
	const result = await work();
	for (const stream of streams) stream.destroy();
	return result;
}

/** @param {number} ms */
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Bytecodes and time of requests for the status, less what the controller does meanwhile anyway. @param {number} count */
async function statusCost(count) {
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	/** @param {() => Promise<unknown>} work */
	const run = async (work) => {
		const before = (await controller.report()).meter;
		const from = performance.now();
		await work();
		const ms = performance.now() - from;
		const { meter, longestTurnUs, longestTurnBytecodes } = await controller.report();
		return { ms, bytecodes: (meter - before) >>> 0, longestTurnUs, longestTurnBytecodes };
	};
	for (let i = 0; i < 50; i++) await ask(agent, "GET", "/api/status");
	const idle = await run(() => sleep(1000));
	const busy = await run(async () => {
		for (let i = 0; i < count; i++) await ask(agent, "GET", "/api/status");
	});
	agent.destroy();
	const own = busy.bytecodes - (idle.bytecodes / idle.ms) * busy.ms;
	return {
		statusBytecodes: Math.round(own / count),
		statusPerSecond: Math.round((count / busy.ms) * 1000),
		idleBytecodesPerSecond: idle.bytecodes,
		idleTurnBytecodes: idle.longestTurnBytecodes,
		statusTurnBytecodes: busy.longestTurnBytecodes,
		statusTurnUs: busy.longestTurnUs,
	};
}

const failures = [];
try {
	const { result, frames } = await besideLoad(controller.sockets, FRAMES_PER_SECOND, async () => {
		// the plan is built when control begins: that tick takes longer, once, in stock
		while (!(await (await fetch(`http://127.0.0.1:${port}/api/status`)).json()).controlActive) await sleep(100);
		const status = await statusCost(Math.min(1000, requests));
		// every place, stream and table has been used once before the heap is looked at
		await besideStreams(() => mixed(Math.max(MIX.length * 8, 250)));
		await sleep(SETTLE_MS);
		const { heap: before } = await controller.report();
		const from = performance.now();
		const statuses = await besideStreams(() => mixed(requests));
		const requestsPerSecond = Math.round((requests / (performance.now() - from)) * 1000);
		await sleep(SETTLE_MS);
		const { heap: after, longestTurnUs, longestTurnBytecodes } = await controller.report();
		const { loop } = await (await fetch(`http://127.0.0.1:${port}/api/status`)).json();
		const longestTurn = { longestTurnUs, longestTurnBytecodes };
		return { status, statuses, requestsPerSecond, before, after, loop, longestTurn };
	});
	const { status, statuses, requestsPerSecond, before, after, loop, longestTurn } = result;
	const figures = {
		bench: "requests",
		requests,
		kinds: MIX.length,
		requestsPerSecond,
		statuses,
		...status,
		slotsBefore: before.slotsLive,
		slotsAfter: after.slotsLive,
		chunksBefore: before.chunksLive,
		chunksAfter: after.chunksLive,
		slotsPeak: after.slotsPeak,
		chunksPeak: after.chunksPeak,
		keysBefore: before.keys,
		keysAfter: after.keys,
		...longestTurn,
		lateMaxUs: loop.lateMaxUs,
		overruns: loop.overruns,
		framesSent: frames.sent,
		framesLost: frames.lost,
		framesWrong: frames.wrong,
	};
	console.log(JSON.stringify(figures));
	if (after.slotsLive > before.slotsLive + SLOTS_SLACK) failures.push("the heap has more slots");
	if (after.chunksLive > before.chunksLive + CHUNKS_SLACK) failures.push("the heap has more chunks");
	if (after.keys !== before.keys) failures.push("property names were added");
	if (longestTurn.longestTurnBytecodes > TURN_BYTECODES) failures.push("a control tick may have waited too long");
	if (frames.lost || frames.wrong) failures.push("frames were lost or changed");
	if (statuses[500] || statuses[504]) failures.push("answers of 500 or 504");
} finally {
	await controller.end();
}
for (const failure of failures) console.error(`requests: ${failure}`);
if (failures.length > 0) process.exitCode = 1;
