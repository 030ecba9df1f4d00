/**
 * The work that is counted: each endpoint of the description, streams, dumps, logs, files, uploads, and the
 * control loop in each mode.
 */
import { readdirSync, readFileSync } from "node:fs";
import { BROWSER, FIRM, GENTLE, head, request } from "./client.mjs";
import { counted, SETTLE_MS } from "./counting.mjs";
import { LOADING_INSTRUCTIONS, TICK_INSTRUCTIONS, TURN_INSTRUCTIONS } from "./limits.mjs";
import { EVERYTHING, STORED } from "./stored.mjs";
import { worst, worstBodies } from "./worst.mjs";

/** @typedef {import("./counting.mjs").Counting} Counting */

const { paths } = JSON.parse(readFileSync(new URL("../../src/api/generated/openapi.json", import.meta.url), "utf8"));
const ASSETS = readFileSync(new URL("../../src/web/generated/assets.ts", import.meta.url), "utf8");

const GENERATION = 5;
const OTHER_GENERATIONS = [1, 2, 4];
const PROFILES = ["corrected", "reference"];
const MODES = ["STOCK", "FWD", "5050", "6040", "7030", "8020", "9010", "MAP", "SPEED", "THROTTLE", "RPM"];
/** Four turns of it, of which half is that of any image. */
const WORST_IMAGE_BYTES = 8192;
/** A mode is active, and its ramp over. */
const MODE_MS = 1500;
/** What a change causes at once, such as lines of the log, has been done. */
const AFTER_MS = 100;
/** What a request changes is on flash. */
const STORED_MS = 2400;
/**
 * Changes that a driver makes while driving: each is counted by itself, up to when storing it would begin,
 * which has rows of its own.
 */
const DRIVEN = ["/api/mode", "/api/settings", "/api/map"];
/** The slowest of them. */
const SLOWEST_DRIVEN = "/api/map";
const DRIVEN_REQUESTS = 12;
/** Of each kind in a short count. */
const FEW_REQUESTS = 2;
const BEFORE_STORING_MS = 50;
const REQUESTS = 10;
const LARGE_REQUESTS = 3;
const STREAM_HZ = 10;
const STREAM_MS = 1000;
const LOG_MS = 1000;
/** A board's TCP window: what can come at once at the most. */
const WINDOW_BYTES = 5744;
const UPLOAD_WINDOWS = 12;

/** Queries without which an endpoint has nothing to do; a row each. @type {Record<string, readonly string[]>} */
const QUERIES = {
	"GET /api/canview": ["?decoded=200&raw=20", "?decoded=300&raw=60"],
	"GET /api/logs/read": ["?path=/logs/all.txt&max=2000"],
	"GET /api/maps/export": ["?name=fwd&format=txt"],
	"GET /api/preview": ["?mode=MAP&speed=40&throttle=40&rpm=3000"],
	"GET /api/uds/read": ["?did=F190"],
	"POST /api/maps/import": ["?name=Copy"],
};
/** A table of another coupling: what is measured after it is not followed by it. @param {number} slope */
const learned = (slope, generation = 4) => ({
	generation,
	frameProfile: "reference",
	date: "2026-11-23",
	table: Array.from({ length: 101 }, (_, factor) => factor * slope),
});
/**
 * Bodies where the description has no example, or one that changes nothing the second time: sent in turn.
 * @type {Record<string, readonly unknown[]>}
 */
const BODIES = {
	"/api/analyzer": [{ enabled: false }],
	"/api/learn/table": [learned(1), learned(0.5)],
	"/api/logs/delete": [{ path: "/logs/all.txt" }],
	"/api/map": [GENTLE, FIRM],
	"/api/maps/delete": [{ name: "Winter" }],
	"/api/maps/import": [GENTLE, FIRM],
	"/api/mode": [{ mode: "5050" }, { mode: "MAP" }],
	"/api/owner": [{ password: "" }],
	"/api/settings": [{ disableThrottle: 5 }, { disableThrottle: 0 }],
	"/api/uds/read": [{ did: "F190" }],
	"/api/wifi": [{ ssid: "Garage", password: "correct horse" }],
};
const LARGE = ["/api/canview", "/api/openapi.json"];
/**
 * The car takes its time to answer, and control goes on meanwhile: they cost a hundred times as much as
 * others.
 */
const ASKED_OF_CAR = ["/api/uds/read", "/api/uds/dtc", "/api/uds/probe", "/api/uds/identity"];
const CAR_REQUESTS = 2;
const OF_CONTROL_UNIT = /^\/api\/(uds|diag)\//;
/** Nothing is stored after these, as they begin. */
const STORES_NOTHING = [
	"/api/canview/",
	"/api/diag/",
	"/api/learn/start",
	"/api/learn/alive",
	"/api/learn/cancel",
	"/api/session",
	"/api/uds/",
	"/api/update/",
];
/** Rows of their own: what they cost depends on how much they send or take. */
const BY_AMOUNT = ["GET /api/events", "GET /api/canview/dump", "POST /ota/update"];

/** @param {Counting} counting @param {boolean} isShort what reads, and the slowest change while driving */
async function endpoints(counting, isShort) {
	await counting.requests("GET /api/network, a browser's head", [head("GET", "/api/network", BROWSER)], REQUESTS);
	const operations = Object.entries(paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
	);
	// what changes nothing first; a station that looks for its network goes on doing so
	/** @param {{ method: string, path: string }} operation */
	const order = ({ method, path }) => (method === "GET" ? 0 : path === "/api/wifi" ? 2 : 1);
	for (const { method, path, operation } of operations.sort((a, b) => order(a) - order(b))) {
		const key = `${method} ${path}`;
		if (BY_AMOUNT.includes(key)) continue;
		if (isShort && !(method === "GET" ? !OF_CONTROL_UNIT.test(path) : path === SLOWEST_DRIVEN)) continue;
		const bodies = method === "GET" ? undefined : BODIES[path];
		for (const query of QUERIES[key] ?? [""]) {
			const texts = (bodies ?? [operation.requestBody?.content["application/json"]?.example]).map((body) =>
				request(method, path + query, body),
			);
			const isDriven = DRIVEN.includes(path) && method === "POST";
			// what was changed before makes other ticks
			if (method === "POST") await counting.idle();
			const afterMs = isDriven ? BEFORE_STORING_MS : method === "POST" ? AFTER_MS : 0;
			await counting.requests(key + query, texts, isShort ? FEW_REQUESTS : timesOf(path, isDriven), {
				// in a short count, what was changed before is stored later: each change puts that off
				prepare: () => prepare(counting, path, isDriven && !isShort),
				afterMs,
			});
		}
		if (method === "POST") await settleChange(counting, path);
	}
}

/** @param {string} path @param {boolean} isDriven */
function timesOf(path, isDriven) {
	if (isDriven) return DRIVEN_REQUESTS;
	return ASKED_OF_CAR.includes(path) ? CAR_REQUESTS : LARGE.includes(path) ? LARGE_REQUESTS : REQUESTS;
}

/**
 * What is deleted must be there, and not be the active map; what was changed before is stored.
 * @param {Counting} counting @param {string} path @param {boolean} isDriven
 */
async function prepare(counting, path, isDriven) {
	if (isDriven) await counting.controller.run(STORED_MS);
	if (path !== "/api/maps/delete") return;
	for (const name of ["Winter", "Summer"]) await counting.ask(request("POST", "/api/maps/save", { name }));
}

/** Until what a request has changed is stored; what that takes is a row of its own. @param {Counting} counting @param {string} path */
async function settleChange(counting, path) {
	if (path === "/api/canview/capture") await counting.ask(request("POST", path, { active: false }));
	await counting.disconnect();
	if (STORES_NOTHING.some((start) => path.startsWith(start))) return;
	await counting.controller.run(STORED_MS);
	const stored = counting.turns(`storing after ${path}`).filter(({ kind }) => kind === "timer0");
	if (path === "/api/settings") counting.add("settings stored", "once", 1, stored);
	if (path === "/api/map") counting.add("active map stored", "once", 1, stored);
}

/** @param {Counting} counting */
async function dumps(counting) {
	for (const format of ["text", "candump", "savvycan"])
		await counting.count(`dump row, ${format}`, "row", async () => {
			const answer = await counting.ask(request("GET", `/api/canview/dump?seconds=1&format=${format}`));
			return answer.toString("latin1").split("\n").length;
		});
	await counting.disconnect();
}

/** @param {Counting} counting @param {number} count */
async function streams(counting, count) {
	const { controller } = counting;
	/** @type {import("./counted-controller.mjs").Client[]} */
	const clients = [];
	for (let i = 0; i < count; i++) {
		const client = await controller.connect();
		clients.push(client);
		await client.send(request("GET", `/api/events?hz=${STREAM_HZ}`));
		await controller.run(0);
	}
	await controller.run(SETTLE_MS);
	await counting.count(`event of a stream, ${count} open`, "event", async () => {
		for (const client of clients) client.answer = Buffer.alloc(0);
		await controller.run(STREAM_MS);
		return clients.reduce((events, { answer }) => events + answer.toString().split("event: telemetry").length - 1, 0);
	});
	await controller.collect();
	counting.add(`collection of garbage, ${count} streams open`, "once", 1, counting.turns("collection"));
	for (const client of clients) client.close();
	await counting.disconnect();
}

/** @param {Counting} counting */
async function pageFiles(counting) {
	const files = [...ASSETS.matchAll(/Object\.freeze\(\{ path: "([^"]+)"/g)].map(([, path]) => path);
	let largest = { path: "", bytes: 0 };
	await counting.count("page, all of its files", "once", async () => {
		for (const path of files) {
			const { length } = await counting.ask(head("GET", path, BROWSER));
			if (length > largest.bytes) largest = { path, bytes: length };
		}
		return 1;
	});
	await counting.count("page's largest file", "KB", async () => {
		await counting.ask(head("GET", largest.path, BROWSER));
		return largest.bytes / 1024;
	});
	await counting.disconnect();
}

/** @param {Counting} counting @param {number} generation */
async function ticks(counting, generation) {
	await counting.start(generation);
	for (const mode of MODES) {
		await counting.ask(request("POST", "/api/mode", { mode }));
		await counting.disconnect();
		await counting.controller.run(MODE_MS);
		await counting.ticks(`tick, generation ${generation}, ${mode}`);
	}
	await counting.ask(request("POST", "/api/learn/table", learned(0.9, generation)));
	await counting.disconnect();
	await counting.controller.run(STORED_MS);
	await counting.ticks(`tick, generation ${generation}, ${MODES[MODES.length - 1]}, learned`);
}

/** Frames go to the log in STOCK only. @param {Counting} counting */
async function canLog(counting) {
	const { controller } = counting;
	await counting.ask(request("POST", "/api/mode", { mode: "STOCK" }));
	await counting.disconnect();
	await controller.run(STORED_MS);
	await counting.idle();
	await counting.ask(request("POST", "/api/settings", { logCanToFileEnabled: true, logDebugCanEnabled: true }));
	await counting.disconnect();
	await controller.run(MODE_MS);
	const folder = `${controller.flash}/logs/can`;
	const rows = () =>
		readdirSync(folder).reduce((lines, name) => lines + readFileSync(`${folder}/${name}`, "latin1").split("\n").length - 1, 0);
	await counting.count("CAN log row", "row", async () => {
		const before = rows();
		await controller.run(LOG_MS);
		return rows() - before;
	});
}

/** A firmware image for this program that goes on for longer than anybody reads. @param {number} bytes */
function imageStart(bytes) {
	const image = Buffer.alloc(bytes, 0x5a);
	image.set([0xe9, 1]);
	image.writeUInt16LE(0xffff, 12); // chip: none
	image[23] = 1;
	image.writeUInt32LE(bytes, 28); // length of the segment: it is not over when the upload breaks off
	image.fill(0, 32, 288);
	image.writeUInt32LE(0xabcd5432, 32);
	image.write("v9.0.0", 48);
	image.write("opencoupling-host", 80);
	return image;
}

/** Into a car that stands, in STOCK; it breaks off before the end. @param {Counting} counting @param {boolean} isForm */
async function upload(counting, isForm) {
	const { controller } = counting;
	const name = isForm ? "upload of a form" : "upload";
	const boundary = "----WebKitFormBoundary7MA4YWxkTrZu0gW";
	const part = `--${boundary}\r\nContent-Disposition: form-data; name="update"; filename="firmware.bin"\r\n\r\n`;
	const image = imageStart((UPLOAD_WINDOWS + 1) * WINDOW_BYTES);
	const client = await controller.connect();
	const send = async (/** @type {string | Uint8Array} */ bytes) => {
		await client.send(bytes);
		await controller.run(0);
	};
	const type = isForm ? `multipart/form-data; boundary=${boundary}` : "application/octet-stream";
	await send(head("POST", "/ota/update", { ...BROWSER, "Content-Type": type, "Content-Length": 2 * image.length }));
	await send(Buffer.concat([Buffer.from(isForm ? part : ""), image.subarray(0, WINDOW_BYTES)]));
	const first = counting.turns(name);
	const work = async () => {
		for (let i = 1; i <= UPLOAD_WINDOWS; i++) await send(image.subarray(i * WINDOW_BYTES, (i + 1) * WINDOW_BYTES));
		return (UPLOAD_WINDOWS * WINDOW_BYTES) / 1024;
	};
	await counting.count(name, "KB", work, first);
	const folder = `${controller.flash}/partitions`;
	const isStored = readdirSync(folder).some((slot) =>
		readFileSync(`${folder}/${slot}`).includes(image.subarray(0, image.length / 2)),
	);
	if (!isStored) throw new Error(`${name}: ${client.answer || "nothing was stored"}`);
	client.close();
	await counting.disconnect();
}

/** What the owner's password costs: to set it, to sign in, and each write from then on. @param {Counting} counting */
async function ownersPassword(counting) {
	const path = "/api/learn/cancel";
	const password = { password: "correct horse" };
	let key = "";
	await counting.count("owner's password set", "once", async () => {
		const answer = await counting.ask(request("POST", "/api/owner", password));
		key = /"key":"(\w+)"/.exec(answer.toString())?.[1] ?? "";
		return 1;
	});
	await counting.requests(`POST ${path}, key missing`, [request("POST", path)], REQUESTS);
	await counting.requests(
		`POST ${path}, with the key`,
		[request("POST", path, undefined, { Authorization: `Bearer ${key}` })],
		REQUESTS,
	);
	await counting.requests("POST /api/session, right", [request("POST", "/api/session", password)], 1);
}

/**
 * Instructions of the start with such a flash; then every plan and every watch list there is.
 * @param {{ generation: number, mode: string }} settings @param {Record<string, object>} [files] as `counted`
 */
async function startAndChanges(settings, files) {
	let start = 0;
	const work = async (/** @type {Counting} */ counting) => {
		await counting.controller.run(0);
		[{ instructions: start }] = counting.turns("start");
		await counting.controller.run(SETTLE_MS);
		counting.turns("start");
		for (const frameProfile of PROFILES)
			for (const haldexGeneration of [...OTHER_GENERATIONS, GENERATION]) {
				await counting.ask(request("POST", "/api/settings", { haldexGeneration, frameProfile }));
				await counting.controller.run(MODE_MS);
				counting.turns(`generation ${haldexGeneration}, ${frameProfile}`);
			}
	};
	const counting = await counted("count", settings, { seconds: 20, cycle: "cruise" }, work, files);
	return { start, counting };
}

/**
 * Counts all of it. @param {{ isShort: boolean }} options isShort: what a car on the road meets each minute
 * @returns {Promise<{ rows: import("./counting.mjs").Row[], longest: Record<string, { instructions: number, during: string }>,
 *   limits: { name: string, instructions: number, most: number }[] }>}
 *   longest: the slowest turn of each kind; limits: of turns, and of a start
 */
export async function countWork({ isShort }) {
	const inMap = { generation: GENERATION, mode: "MAP" };
	const all = [
		await counted("count", inMap, { seconds: 300, cycle: "cruise" }, async (counting) => {
			if (isShort) await counting.start(GENERATION);
			else {
				await counting.controller.run(SETTLE_MS);
				counting.turns("start");
			}
			await counting.idle("nobody connected, MAP");
			await pageFiles(counting);
			if (!isShort) await dumps(counting);
			for (const count of isShort ? [1] : [1, 4]) await streams(counting, count);
			await endpoints(counting, isShort);
			if (isShort) await counting.ticks(`tick, generation ${GENERATION}, MAP`);
		}),
	];
	const limits = [];
	if (!isShort) {
		all.push(
			await counted("count", inMap, { seconds: 50, cycle: "cruise" }, async (counting) => {
				await ticks(counting, GENERATION);
				await canLog(counting);
			}),
			await counted("count", { ...inMap, mode: "STOCK" }, { seconds: 20, cycle: "standing" }, async (counting) => {
				await counting.controller.run(SETTLE_MS);
				counting.turns("start");
				await counting.idle("nobody connected, STOCK");
				for (const isForm of [false, true]) await upload(counting, isForm);
				await worstBodies(counting, imageStart(WORST_IMAGE_BYTES).fill("\r", WORST_IMAGE_BYTES / 2));
				await ownersPassword(counting);
			}),
		);
		for (const generation of OTHER_GENERATIONS)
			all.push(
				await counted("count", { ...inMap, generation }, { seconds: 50, cycle: "cruise" }, (counting) =>
					ticks(counting, generation),
				),
			);
		all.push(await counted("count", inMap, { seconds: 40, cycle: "cruise" }, worst));
		const bare = await startAndChanges(inMap);
		const stored = await startAndChanges(EVERYTHING, STORED);
		all.push(bare.counting, stored.counting);
		const loading = { name: "loading settings, two maps and ten earlier ones at start", instructions: stored.start - bare.start };
		limits.push({ ...loading, most: LOADING_INSTRUCTIONS });
	}
	/** @type {Record<string, { instructions: number, during: string }>} */
	const longest = {};
	for (const [kind, turn] of all.flatMap((counting) => [...counting.longest]))
		if (turn.instructions > (longest[kind]?.instructions ?? 0)) longest[kind] = turn;
	for (const [kind, { instructions, during }] of Object.entries(longest)) {
		if (kind === "start") continue;
		const name = kind === "timer10" ? `a control tick, ${during}` : `a turn of a ${kind.replace(/\d/, " of $&")}, ${during}`;
		limits.push({ name, instructions, most: kind === "timer10" ? TICK_INSTRUCTIONS : TURN_INSTRUCTIONS });
	}
	return { rows: all.flatMap(({ rows }) => rows), longest, limits };
}
