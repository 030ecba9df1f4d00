/**
 * A client that sends everything at random from its seed, on a connection of its own address: right, wrong and
 * hostile. None of it changes what is asked of the coupling, which the driver alone does (`driver.ts`): or else
 * nobody could judge it.
 */
import type { Socket } from "node:net";
import { AnswerReader } from "../campaign/answers.js";
import type { Drive } from "../campaign/drive.js";
import { OPENAPI, wrongAnswer } from "../openapi.js";
import { mutilatedRequests, type Random } from "../random.js";

/** How often each thing happened, by name: kinds of requests, codes of answers, changes, faults. */
export class Counts {
	readonly of: Record<string, number> = {};

	add(name: string | number, by = 1): void {
		this.of[name] = (this.of[name] ?? 0) + by;
	}
}

interface Request {
	readonly method: string;
	readonly path: string;
	readonly body?: string | Buffer;
	readonly headers?: Readonly<Record<string, string>>;
}

/** What asks the coupling's control unit, and what is a matter of its own below. */
const APART = /^\/api\/(uds|diag|events|canview\/dump)/;
/** Their effect follows without a body, or from any. */
const NEVER_POST = /^\/api\/(uds|diag|map\/swap|canview\/capture|update\/install|owner|learn\/(alive|cancel|clear))/;

const paths = (method: string): string[] =>
	Object.keys(OPENAPI.paths).filter((path) => OPENAPI.paths[path][method] !== undefined);
const READS: readonly string[] = [...paths("get").filter((path) => !APART.test(path)), "/api/uds/status"];
const WRITES: readonly string[] = paths("post").filter((path) => !NEVER_POST.test(path));
const PAGE: readonly string[] = ["/", "/index.html", "/app.js", "/app.css", "/none", "/favicon.ico", "/generate_204"];
const FILES: readonly string[] = [
	"/logs/all.txt",
	"/logs/all.1.txt",
	"/logs/all.4.txt",
	"/logs/error/error.txt",
	"/logs/can/can.txt",
];

const name = (random: Random): string => `x${random.below(6)}`;
const json = (method: string, path: string, value: unknown): Request => ({ method, path, body: JSON.stringify(value) });

/** Nine speeds, seven pedal positions, percent. */
export function aMap(random: Random): { speedBins: number[]; throttleBins: number[]; lockTable: number[][] } {
	const bins = (count: number, step: number): number[] => {
		const found = [random.below(3)];
		while (found.length < count) found.push(found[found.length - 1] + 1 + random.below(step));
		return found;
	};
	const row = (): number[] => Array.from({ length: 9 }, () => random.below(101));
	return { speedBins: bins(9, 24), throttleBins: bins(7, 15), lockTable: Array.from({ length: 7 }, row) };
}

function mapText(random: Random): string {
	const { speedBins, throttleBins, lockTable } = aMap(random);
	const head = ["ID", "Name", ...speedBins.map((kmh) => `S${kmh}`)].join("\t");
	return [head, ...throttleBins.map((pedal, i) => [`T${pedal}`, "x", ...lockTable[i]].join("\t"))].join("\n");
}

/** A right read. */
function read(random: Random): Request {
	const path = random.of(READS);
	const query: Readonly<Record<string, () => string>> = {
		"/api/logs/read": () => `?path=${random.of(FILES)}&max=${1 + random.below(70_000)}`,
		"/api/logs": () => random.of(["", "?scope=all", "?scope=error"]),
		"/api/maps/export": () => random.of(["", "?name=danger&format=json", `?name=${name(random)}&format=txt`]),
		"/api/preview": () => `?mode=${random.of(["MAP", "5050", "SPEED", "RPM"])}`,
		"/api/canview": () => random.of(["", "?bus=chassis", "?bus=coupling"]),
		"/api/canview/dbc": () => random.of(["", "?network=pq", "?network=mqb"]),
		"/api/map": () => random.of(["", "?before=1", "?before=9"]),
	};
	const asked = random.below(12) === 0 ? random.of(PAGE) : path + (query[path]?.() ?? "");
	return { method: random.below(10) === 0 ? "HEAD" : "GET", path: asked };
}

/** A valid write without effect on the drive. */
function write(random: Random): Request {
	const makers: readonly (() => Request)[] = [
		() =>
			json("POST", "/api/settings", {
				dashMappings: { [`dash_${1 + random.below(8)}`]: random.of(["", "chassis|0xfd|x|", "speed"]) },
			}),
		() =>
			json("POST", "/api/settings", { lowPower: { sleepDelayMs: 5000 + random.below(9000) }, setupDone: random.below(2) === 0 }),
		() => json("POST", "/api/settings", { logErrorToFileEnabled: random.below(2) === 0 }),
		() => json("POST", "/api/wifi", { ssid: random.of(["home", "", "far"]), password: random.of(["", "password1"]) }),
		() => json("POST", "/api/wifi", { apPassword: random.of(["", "password2", "password3"]) }),
		() => ({ method: "POST", path: `/api/maps/import?name=${name(random)}`, body: mapText(random) }),
		() => json("POST", `/api/maps/import?name=${name(random)}`, aMap(random)),
		() => json("POST", "/api/maps/delete", { name: name(random) }),
		() => json("POST", "/api/logs/delete", { path: random.of(FILES) }),
		() => json("POST", "/api/logs/clear", { scope: random.of(["all", "can", "error", "everything"]) }),
		() => json("POST", "/api/session", { password: `guess ${random.below(99)}` }),
		() => json("POST", "/api/update/check", {}),
		() => json("POST", "/api/learn/start", random.of([{}, { confirmed: false }, { confirmed: true, date: "today" }])),
	];
	return random.of(makers)();
}

const many = (text: string, bytes = 8000): string => text.repeat(Math.floor(bytes / text.length));
const BODIES: readonly ((random: Random) => string)[] = [
	() => "",
	() => "[]",
	() => "{mode:1}",
	() => `{"x":[${many("[],")}[]]}`,
	() => `{${many('"x":1,')}"x":1}`,
	() => `{"mode":"${many("m")}"}`,
	() => many("["),
	() => many("a\tb\n"),
	() => many("ß", 9000),
	(random) => `{"mode":"foreign${random.below(1e9)}","foreign${random.below(1e9)}":${random.below(9)}}`,
	(random) => `{"name":"../foreign${random.below(1e9)}","speedBins":[${random.below(9)}],"lockTable":[[${random.below(200)}]]}`,
	(random) => `{"points":[{"x":${random.below(9)},"lock":"foreign${random.below(1e9)}"}]}`,
	(random) => `{"password":${random.below(9)},"modeTrigger":{"operator":"foreign${random.below(1e9)}"}}`,
	(random) => String.fromCharCode(...Array.from({ length: 200 }, () => random.below(0x300))),
];

/** A request that is wrong in what it asks, or in how. */
function wrong(random: Random): Request {
	const foreign = `foreign${random.below(1e9)}`;
	const makers: readonly (() => Request)[] = [
		() => ({ method: "POST", path: random.of(WRITES), body: random.of(BODIES)(random) }),
		() => ({ method: "POST", path: `${random.of(WRITES)}?name=${foreign}`, body: random.of(BODIES)(random) }),
		() => ({ method: random.of(["PUT", "DELETE", "OPTIONS", "PATCH"]), path: random.of(READS) }),
		() => ({ method: "GET", path: `${random.of(READS)}?${foreign}=${foreign}&path=${foreign}&name=${foreign}&mode=${foreign}` }),
		() => ({ method: "GET", path: `${random.of(READS)}?${many("a=&", 900)}` }),
		() => ({ method: "GET", path: `/api/${foreign}`, headers: { Origin: "http://elsewhere.example" } }),
		() => ({ method: "POST", path: random.of(WRITES), headers: { Authorization: `Bearer ${foreign}` }, body: "{}" }),
		() => ({
			method: "GET",
			path: random.of(READS),
			headers: { "If-None-Match": many("a,", 400), [`X-${foreign}`]: many("v", 900) },
		}),
	];
	return random.of(makers)();
}

/** Bytes of a hostile client, or of a bad radio. */
function hostile(random: Random): Buffer {
	const makers: readonly (() => string | Buffer)[] = [
		// what is whole among them would choose a mode
		() => [...mutilatedRequests(random.below(2 ** 31), 1)][0].toString("latin1").replaceAll("map", "mop"),
		() => `GET /api/status HTTP/1.1\r\nHost: a\r\n${many("X-A: b\r\n", random.of([6, 6000]))}`,
		() => `GET /${many("a", 3000)}`,
		() => "POST /api/settings HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8000\r\n\r\n{",
		() => "POST /api/settings HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1000\r\n",
		() => `POST /ota/update HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n${many("x", 4000)}`,
		() => Buffer.from(Array.from({ length: random.below(3000) }, () => random.below(256))),
	];
	const bytes = random.of(makers)();
	return typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes;
}

function aDump(random: Random): Request {
	const format = random.of(["text", "candump", "savvycan"]);
	const bus = random.of(["", "&bus=chassis", "&bus=coupling"]);
	return { method: "GET", path: `/api/canview/dump?seconds=${1 + random.below(4)}&format=${format}${bus}` };
}

/** Asks the coupling's control unit, which answers as it likes; or looks at what became of that. */
function diagnosis(random: Random): Request {
	const digits = random.below(0x1_0000).toString(16);
	const method = random.of(["GET", "POST"]);
	const makers: readonly (() => Request)[] = [
		() => json("POST", "/api/uds/probe", {}),
		() => json("POST", "/api/uds/identity", {}),
		() => json("POST", "/api/uds/clear-dtc", {}),
		() => ({ method, path: `/api/uds/read?did=${digits}` }),
		() => ({ method, path: `/api/uds/dtc?statusMask=${digits.slice(0, 2)}` }),
		() => ({ method, path: `/api/diag/measured?ids=${random.of(["", "2be4,2be5", "1,2,3,4"])}` }),
		() => ({ method, path: "/api/uds/read?did=f187" }),
	];
	return random.of(makers)();
}

const aStream = (random: Random): Request => ({ method: "GET", path: `/api/events?hz=${1 + random.below(20)}` });

/** As it goes over the wire. */
function bytesOf({ method, path, body = "", headers = {} }: Request): Buffer {
	const content = Buffer.from(body);
	const lines = Object.entries({ Host: "127.0.0.1", "Content-Length": String(content.length), ...headers }).map(
		([header, value]) => `${header}: ${value}`,
	);
	return Buffer.concat([Buffer.from(`${[`${method} ${path} HTTP/1.1`, ...lines].join("\r\n")}\r\n\r\n`), content]);
}

/** An answer that has not come by then will not come: longer than each limit of the server. */
const ANSWER_MS = 45_000;
/** How many requests may wait on a connection at once. */
const PIPELINED = 6;
/** Allowed of what no description tells: it was no request. */
const REFUSALS = new Set([200, 400, 401, 403, 404, 405, 408, 409, 411, 413, 414, 415, 417, 431, 501, 503, 504, 505]);

/** What a client does, how often of a hundred times, and how long it rests afterwards, at most; the other times it only rests. */
const KINDS: readonly {
	readonly name: string;
	readonly percent: number;
	/** Undefined: hostile bytes. */
	readonly make?: (random: Random) => Request;
	readonly restMs: number;
}[] = [
	{ name: "read", percent: 37, make: read, restMs: 120 },
	{ name: "diagnosis", percent: 3, make: diagnosis, restMs: 200 },
	{ name: "write", percent: 15, make: write, restMs: 200 },
	{ name: "wrong", percent: 17, make: wrong, restMs: 100 },
	{ name: "pipelined", percent: 4, make: read, restMs: 400 },
	{ name: "stream", percent: 4, make: aStream, restMs: 8000 },
	{ name: "dump", percent: 4, make: aDump, restMs: 3000 },
	{ name: "hostile", percent: 13, restMs: 0 },
];

/** Of the page, which no description has. */
const PAGE_CODES = new Set([200, 302, 304]);

export class Client {
	readonly #drive: Drive;
	readonly #address: string;
	readonly #random: Random;
	readonly #counts: Counts;
	readonly #flashFails: () => boolean;
	#socket: Socket | undefined;
	#reader = new AnswerReader();
	/** Sent and not answered yet; undefined: hostile bytes, whose answers nobody foretells. */
	#waiting: { readonly request: Request | undefined; readonly sinceMs: number }[] = [];
	/** Rests, or lets the other side wait, until then. */
	#untilMs = 0;
	/** What is sent a piece at a time. */
	#rest: Buffer = Buffer.alloc(0);
	#isHostile = false;

	/**
	 * @param address it comes from
	 * @param flashFails flash may be failing: 500 is right then
	 */
	constructor(drive: Drive, address: string, random: Random, counts: Counts, flashFails: () => boolean) {
		this.#drive = drive;
		this.#address = address;
		this.#random = random;
		this.#counts = counts;
		this.#flashFails = flashFails;
	}

	/** Goes away, whatever is under way. */
	leave(): void {
		this.#socket?.destroy();
		this.#socket = undefined;
		this.#waiting = [];
		this.#rest = Buffer.alloc(0);
		this.#isHostile = false;
	}

	step(nowMs: number): void {
		const random = this.#random;
		this.#hear(nowMs);
		if (this.#rest.length > 0) this.#dribble();
		if (nowMs < this.#untilMs) return;
		if (this.#socket === undefined) this.#open();
		else if (this.#reader.isStream || this.#isHostile || random.below(12) === 0) this.leave();
		else if (this.#socket.isPaused()) this.#socket.resume();
		if (this.#socket === undefined || this.#waiting.length > 0) return;
		let what = random.below(100);
		const kind = KINDS.find(({ percent }) => {
			what -= percent;
			return what < 0;
		});
		if (kind === undefined) {
			this.#untilMs = nowMs + random.of([1000, 1000, 1000, 35_000]);
			return;
		}
		const { name, make, restMs } = kind;
		this.#counts.add(name);
		if (make === undefined) this.#assault(hostile(random), nowMs);
		else {
			for (let n = name === "pipelined" ? 1 + random.below(PIPELINED) : 1; n > 0; n--) this.#send(make(random), nowMs);
			this.#untilMs = nowMs + random.below(restMs);
			if (name === "dump" && random.below(3) === 0) this.#socket.pause();
		}
	}

	#open(): void {
		const socket = this.#drive.lockstep.dial(this.#address);
		const reader = new AnswerReader();
		socket.on("data", (chunk: Buffer) => reader.take(chunk));
		socket.on("close", () => {
			if (this.#socket === socket) this.leave();
		});
		this.#socket = socket;
		this.#reader = reader;
	}

	#send(request: Request, nowMs: number): void {
		this.#reader.expect(request.method);
		this.#waiting.push({ request, sinceMs: nowMs });
		this.#socket?.write(bytesOf(request));
	}

	/** At once, or a few bytes at a time; then it waits, or goes. */
	#assault(bytes: Buffer, nowMs: number): void {
		const random = this.#random;
		this.#isHostile = true;
		this.#waiting.push({ request: undefined, sinceMs: nowMs });
		if (random.below(2) === 0) this.#socket?.write(bytes);
		else this.#rest = bytes;
		this.#untilMs = nowMs + random.of([0, 0, 20, 20, 100, 100, 500, 500, 2000, 25_000]);
	}

	#dribble(): void {
		const random = this.#random;
		const length = 1 + random.below(random.of([1, 3, 60]));
		this.#socket?.write(this.#rest.subarray(0, length));
		this.#rest = this.#rest.subarray(length);
	}

	/** Judges what has come. */
	#hear(nowMs: number): void {
		const reader = this.#reader;
		const complain = (text: string): void => this.#drive.complain(text);
		const show = (request: Request | undefined): string => `${request?.method ?? "hostile"} ${request?.path ?? "bytes"}`;
		for (const { status, type, text } of reader.heard.splice(0)) {
			this.#counts.add(status);
			const waiting = this.#waiting.length > 0 && !this.#isHostile ? this.#waiting.shift() : undefined;
			if (status === 500 && this.#flashFails()) continue;
			if (status === 500) complain(`${show(waiting?.request)} is answered 500 ${text}`);
			else if (waiting?.request === undefined) {
				if (!REFUSALS.has(status)) complain(`hostile bytes are answered ${status} ${text}`);
			} else {
				const { method, path } = waiting.request;
				const problem = path.startsWith("/api/") || !PAGE_CODES.has(status) ? wrongAnswer(method, path, status, type, text) : "";
				if (problem !== "") complain(problem);
			}
		}
		if (reader.problem !== "") {
			complain(`${show(this.#waiting[0]?.request)}: ${reader.problem}`);
			this.leave();
		}
		const [first] = this.#waiting;
		const isKept = this.#socket?.isPaused() === true || this.#isHostile;
		if (first !== undefined && !isKept && nowMs - first.sinceMs > ANSWER_MS) {
			complain(`${show(first.request)} has no answer after ${ANSWER_MS} ms`);
			this.leave();
		}
	}
}
