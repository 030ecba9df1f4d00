/**
 * The work that is counted: each endpoint of the description, streams, dumps, logs, files, uploads, and the
 * control loop in each mode.
 */
import { readdirSync, readFileSync } from "node:fs";
import type { Generation } from "../vehicle/chassis.js";
import { type Client, Counted, SETTLE_MS } from "./counted.js";
import { BROWSER, EVERYTHING, FIRM, GENTLE, head, request, STORED } from "./driver.js";
import { everyTurn } from "./every-turn.js";
import { worst, worstBodies } from "./worst.js";

interface Operation {
	readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
}

const { paths }: { paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> } = JSON.parse(
	readFileSync(new URL("../../src/api/generated/openapi.json", import.meta.url), "utf8"),
);
const ASSETS = readFileSync(new URL("../../src/web/generated/assets.ts", import.meta.url), "utf8");

const GENERATION = 5;
const OTHER_GENERATIONS: readonly Generation[] = [1, 2, 4, 51, 53];
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

/** Queries without which an endpoint has nothing to do; a row each. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
	"GET /api/canview": ["?decoded=200&raw=20", "?decoded=300&raw=60"],
	"GET /api/logs/read": ["?path=/logs/all.txt&max=2000"],
	"GET /api/maps/export": ["?name=fwd&format=txt"],
	"GET /api/preview": ["?mode=MAP&speed=40&throttle=40&rpm=3000"],
	"GET /api/uds/read": ["?did=F190"],
	"POST /api/maps/import": ["?name=Copy"],
};
/** A table of another coupling: what is measured after it is not followed by it. */
const learned = (slope: number, generation = 4) => ({
	generation,
	frameProfile: "reference",
	date: "2026-11-23",
	table: Array.from({ length: 101 }, (_, factor) => factor * slope),
});
/** Bodies where the description has no example, or one that changes nothing the second time: sent in turn. */
const BODIES: Readonly<Record<string, readonly unknown[]>> = {
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

/** @param isShort what reads, and the slowest change while driving */
async function endpoints(counted: Counted, isShort: boolean): Promise<void> {
	await counted.requests("GET /api/network, a browser's head", [head("GET", "/api/network", BROWSER)], REQUESTS);
	const operations = Object.entries(paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
	);
	// what changes nothing first; a station that looks for its network goes on doing so
	const order = ({ method, path }: { method: string; path: string }) => (method === "GET" ? 0 : path === "/api/wifi" ? 2 : 1);
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
			if (method === "POST") await counted.idle();
			const afterMs = isDriven ? BEFORE_STORING_MS : method === "POST" ? AFTER_MS : 0;
			await counted.requests(key + query, texts, isShort ? FEW_REQUESTS : timesOf(path, isDriven), {
				// in a short count, what was changed before is stored later: each change puts that off
				prepare: () => prepare(counted, path, isDriven && !isShort),
				afterMs,
			});
		}
		if (method === "POST") await settleChange(counted, path);
	}
}

function timesOf(path: string, isDriven: boolean): number {
	if (isDriven) return DRIVEN_REQUESTS;
	return ASKED_OF_CAR.includes(path) ? CAR_REQUESTS : LARGE.includes(path) ? LARGE_REQUESTS : REQUESTS;
}

/** What is deleted must be there, and not be the active map; what was changed before is stored. */
async function prepare(counted: Counted, path: string, isDriven: boolean): Promise<void> {
	// the radio follows a change, and the key of its network is made in many turns
	if (isDriven || path === "/api/wifi") await counted.run(STORED_MS);
	if (path !== "/api/maps/delete") return;
	for (const name of ["Winter", "Summer"]) await counted.ask(request("POST", "/api/maps/save", { name }));
}

/** Until what a request has changed is stored; what that takes is a row of its own. */
async function settleChange(counted: Counted, path: string): Promise<void> {
	if (path === "/api/canview/capture") await counted.ask(request("POST", path, { active: false }));
	await counted.disconnect();
	if (STORES_NOTHING.some((start) => path.startsWith(start))) return;
	await counted.run(STORED_MS);
	const stored = counted.turns(`storing after ${path}`).filter(({ kind }) => kind === "timer0");
	if (path === "/api/settings") counted.add("settings stored", "once", 1, stored);
	if (path === "/api/map") counted.add("active map stored", "once", 1, stored);
}

async function dumps(counted: Counted): Promise<void> {
	for (const format of ["text", "candump", "savvycan"])
		await counted.count(`dump row, ${format}`, "row", async () => {
			const answer = await counted.ask(request("GET", `/api/canview/dump?seconds=1&format=${format}`));
			return answer.toString("latin1").split("\n").length;
		});
	await counted.disconnect();
}

async function streams(counted: Counted, count: number): Promise<void> {
	const clients: Client[] = [];
	for (let i = 0; i < count; i++) {
		const client = await counted.connect();
		clients.push(client);
		await client.send(request("GET", `/api/events?hz=${STREAM_HZ}`));
		await counted.run(0);
	}
	await counted.run(SETTLE_MS);
	await counted.count(`event of a stream, ${count} open`, "event", async () => {
		for (const client of clients) client.answer = Buffer.alloc(0);
		await counted.run(STREAM_MS);
		return clients.reduce((events, { answer }) => events + answer.toString().split("event: telemetry").length - 1, 0);
	});
	counted.add(`collection of garbage, ${count} streams open`, "once", 1, await counted.collect("events"));
	for (const client of clients) client.close();
	await counted.disconnect();
}

async function pageFiles(counted: Counted): Promise<void> {
	const files = [...ASSETS.matchAll(/Object\.freeze\(\{ path: "([^"]+)"/g)].map(([, path]) => path!);
	let largest = { path: "", bytes: 0 };
	await counted.count("page, all of its files", "once", async () => {
		for (const path of files) {
			const { length } = await counted.ask(head("GET", path, BROWSER));
			if (length > largest.bytes) largest = { path, bytes: length };
		}
		return 1;
	});
	await counted.count("page's largest file", "KB", async () => {
		await counted.ask(head("GET", largest.path, BROWSER));
		return largest.bytes / 1024;
	});
	await counted.disconnect();
}

async function ticks(counted: Counted, generation: number): Promise<void> {
	await counted.start(generation);
	await counted.idle(`nobody connected, generation ${generation}, MAP`);
	for (const mode of MODES) {
		await counted.ask(request("POST", "/api/mode", { mode }));
		await counted.disconnect();
		await counted.run(MODE_MS);
		await counted.ticks(`tick, generation ${generation}, ${mode}`);
	}
	await counted.ask(request("POST", "/api/learn/table", learned(0.9, generation)));
	await counted.disconnect();
	await counted.run(STORED_MS);
	await counted.ticks(`tick, generation ${generation}, ${MODES[MODES.length - 1]}, learned`);
}

/** Frames go to the log in STOCK only. */
async function canLog(counted: Counted): Promise<void> {
	await counted.ask(request("POST", "/api/mode", { mode: "STOCK" }));
	await counted.disconnect();
	await counted.run(STORED_MS);
	await counted.idle();
	await counted.ask(request("POST", "/api/settings", { logCanToFileEnabled: true, logDebugCanEnabled: true }));
	await counted.disconnect();
	await counted.run(MODE_MS);
	const folder = `${counted.flash}/logs/can`;
	const rows = () =>
		readdirSync(folder).reduce((lines, name) => lines + readFileSync(`${folder}/${name}`, "latin1").split("\n").length - 1, 0);
	await counted.count("CAN log row", "row", async () => {
		const before = rows();
		await counted.run(LOG_MS);
		return rows() - before;
	});
}

/** A firmware image for this program that is longer than the client reads. */
function imageStart(bytes: number): Buffer {
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

/** Into a car that stands, in STOCK; it breaks off before the end. */
async function upload(counted: Counted, isForm: boolean): Promise<void> {
	const name = isForm ? "upload of a form" : "upload";
	const boundary = "----WebKitFormBoundary7MA4YWxkTrZu0gW";
	const part = `--${boundary}\r\nContent-Disposition: form-data; name="update"; filename="firmware.bin"\r\n\r\n`;
	const image = imageStart((UPLOAD_WINDOWS + 1) * WINDOW_BYTES);
	const client = await counted.connect();
	const send = async (bytes: string | Uint8Array) => {
		await client.send(bytes);
		await counted.run(0);
	};
	const type = isForm ? `multipart/form-data; boundary=${boundary}` : "application/octet-stream";
	await send(head("POST", "/ota/update", { ...BROWSER, "Content-Type": type, "Content-Length": 2 * image.length }));
	await send(Buffer.concat([Buffer.from(isForm ? part : ""), image.subarray(0, WINDOW_BYTES)]));
	const first = counted.turns(name);
	const work = async () => {
		for (let i = 1; i <= UPLOAD_WINDOWS; i++) await send(image.subarray(i * WINDOW_BYTES, (i + 1) * WINDOW_BYTES));
		return (UPLOAD_WINDOWS * WINDOW_BYTES) / 1024;
	};
	await counted.count(name, "KB", work, first);
	const folder = `${counted.flash}/partitions`;
	const isStored = readdirSync(folder).some((slot) =>
		readFileSync(`${folder}/${slot}`).includes(image.subarray(0, image.length / 2)),
	);
	if (!isStored) throw new Error(`${name}: ${client.answer || "nothing was stored"}`);
	client.close();
	await counted.disconnect();
}

/** What the owner's password costs: to set it, to sign in, and each write from then on. */
async function ownersPassword(counted: Counted): Promise<void> {
	const path = "/api/learn/cancel";
	const password = { password: "correct horse" };
	let key = "";
	await counted.count("owner's password set", "once", async () => {
		const answer = await counted.ask(request("POST", "/api/owner", password));
		key = /"key":"(\w+)"/.exec(answer.toString())?.[1] ?? "";
		return 1;
	});
	await counted.requests(`POST ${path}, key missing`, [request("POST", path)], REQUESTS);
	await counted.requests(
		`POST ${path}, with the key`,
		[request("POST", path, undefined, { Authorization: `Bearer ${key}` })],
		REQUESTS,
	);
	await counted.requests("POST /api/session, right", [request("POST", "/api/session", password)], 1);
}

/** The start with all that a driver may have stored; then every plan and every watch list there is. */
async function startAndChanges(counted: Counted): Promise<void> {
	await counted.run(0);
	counted.add("start, everything stored", "once", 1, counted.turns("start").slice(0, 1));
	await counted.run(SETTLE_MS);
	counted.turns("start");
	counted.inStock = true; // another generation ends control
	for (const frameProfile of PROFILES)
		for (const haldexGeneration of [...OTHER_GENERATIONS, GENERATION]) {
			await counted.ask(request("POST", "/api/settings", { haldexGeneration, frameProfile }));
			await counted.run(MODE_MS);
			counted.turns(`generation ${haldexGeneration}, ${frameProfile}`);
		}
}

/**
 * What all of it costs.
 * @param isShort what a car on the road meets each minute
 */
export async function countWork(isShort: boolean): Promise<Pick<Counted, "rows" | "slowest">> {
	const inMap = { settings: { generation: GENERATION, mode: "MAP" }, cycle: "cruise" } as const;
	const all = [
		await Counted.counted(inMap, async (counted) => {
			if (isShort) await counted.start(GENERATION);
			else {
				await counted.run(SETTLE_MS);
				counted.turns("start");
			}
			await counted.idle("nobody connected, MAP");
			await pageFiles(counted);
			if (!isShort) await dumps(counted);
			for (const count of isShort ? [1] : [1, 4]) await streams(counted, count);
			await endpoints(counted, isShort);
			if (isShort) await counted.ticks(`tick, generation ${GENERATION}, MAP`);
		}),
	];
	if (!isShort) {
		all.push(
			await Counted.counted(inMap, async (counted) => {
				await ticks(counted, GENERATION);
				await canLog(counted);
			}),
			await Counted.counted({ settings: { generation: GENERATION, mode: "STOCK" }, cycle: "standing" }, async (counted) => {
				await counted.run(SETTLE_MS);
				counted.turns("start");
				await counted.idle("nobody connected, STOCK");
				for (const isForm of [false, true]) await upload(counted, isForm);
				await worstBodies(counted, imageStart(WORST_IMAGE_BYTES).fill("\r", WORST_IMAGE_BYTES / 2));
				await ownersPassword(counted);
			}),
		);
		for (const generation of OTHER_GENERATIONS)
			all.push(
				await Counted.counted({ ...inMap, settings: { generation, mode: "MAP" } }, (counted) => ticks(counted, generation)),
			);
		all.push(
			await Counted.counted(inMap, worst),
			...(await everyTurn()),
			await Counted.counted({ settings: EVERYTHING, files: STORED, cycle: "cruise" }, startAndChanges),
		);
	}
	const rows = all.flatMap((counted) => counted.rows);
	return { rows, slowest: all.flatMap(({ slowest }) => slowest) };
}
