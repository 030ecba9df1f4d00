/**
 * A short life of the controller, in which each kind of event happens, each timer fires and each file is
 * written: the slowest turn of each. Requests and control ticks by themselves, and what clients do on
 * purpose, are counted in `work.ts`.
 */
import { pbkdf2Sync } from "node:crypto";
import { connect } from "node:net";
import { PORT } from "../campaign/lockstep.js";
import { ReleaseServer } from "../device/release-server.js";
import { anImage } from "../device/sample-image.js";
import type { Cycle } from "../vehicle/cycles.js";
import { type Client, Counted } from "./counted.js";
import { request } from "./driver.js";

const SETTLE_MS = 2500;
const STREAMS = 4;
const STREAM_HZ = 20;
/** A log that is about to be rotated. */
const FULL_LOG = "a line of the log that was there before\n".repeat(6550);
const BOOT_LOOP = "2";
const HOUR_MS = 3_600_000;
const WIFI = { format: 1, ssid: "Garage", password: "correct horse", accessPointPassword: "password1" };
/** The network's key, computed here: the host's radio would compute it in one turn. */
const WIFI_KEY = pbkdf2Sync(WIFI.password, WIFI.ssid, 4096, 32, "sha1").toString("hex");
/** What SavvyCAN says when it connects, and a frame that it sends. */
const HELLO = "e7e7f10cf106f107f101f109f10d";
const A_FRAME = "f100230100000008010203040506070800";
/** Questions with the slowest answers, and the shortest frame. */
const SHORT = ["f106", "f101", "f10023010000000000"];
/** As many pieces as fill the window and the buffer many times. */
const UPDATE_BYTES = 200_000;
/** Where most parameters are looked up, with one of them. */
const LOOKED_UP = [
	"/api/preview?mode=MAP",
	"/api/canview/dump?seconds=1",
	"/api/diag/measured?ids=1",
	"/api/maps/export?format=json",
];
/** Names that are long, and such that two requests come at once. */
const ODD_NAMES = [
	["%61".repeat(20), 1],
	["%61".repeat(9), 12],
] as const;
/** What Base64 has last, and a name and a key as long as they may be. */
const WRONG_KEYS = ["/".repeat(128), Buffer.from(`${"u".repeat(64)}:${"f".repeat(32)}`).toString("base64")];
/** As many as come at once. */
const PIPELINED = 30;
/** Heads of as many lines as they can have, and names and addresses that are as long as they may be. */
const HOSTILE_ANSWERS = [
	...["\n", "t\r\n", "content-length:1\r\n", "transfer-encodinG\r\n"].map(
		(line) => `${line.repeat(Math.floor(2000 / line.length))}\r\n`,
	),
	`\r\n${JSON.stringify({ version: "v0.1.1", firmware: "f".repeat(200), filesystem: "g".repeat(200), notes: "n".repeat(1000) })}`,
].map((text) => `HTTP/1.0 200 OK\r\n${text}`);
/** A car that may be calibrated. */
const PARKED: Cycle = { startKmh: 0, phases: [{ name: "standing", durationS: 4, brakePercent: 25, selector: "P" }] };
/** The last one makes the worker forget the route if the control unit rejects it. */
const DIAGNOSIS = ["/api/uds/identity", "/api/uds/dtc", "/api/uds/read", "/api/uds/probe"];
const MEASURED = "/api/diag/measured";
/** Longer than 16 values of 252 bytes take. */
const LONG_JOB_MS = 8000;
/**
 * Control units whose answers are the most work: as long as may be, no text, trouble codes and nothing else,
 * of a code without a name.
 */
const CONTROL_UNITS: readonly (readonly [name: string, answer: (request: Uint8Array) => Uint8Array])[] = [
	["says much", ([service, ...rest]) => Uint8Array.of(service + 0x40, ...rest.slice(0, 2), ...new Uint8Array(252).fill(0xcf))],
	["refuses all", ([service]) => Uint8Array.of(0x7f, service, 0xff)],
];
/** Lists of identifiers with as many separators as fit, and one of nothing else. */
const LISTS = [
	`dids=${",;".repeat(24)}${"F190,".repeat(16)}&localIds=${",".repeat(48)}${"1,".repeat(16)}&ids=${",".repeat(48)}${"2,".repeat(16)}`,
	`ids=${";".repeat(900)}`,
];

/** What a driver and their car do. */
async function driving(counted: Counted): Promise<void> {
	const { run, post, during } = counted;
	const streams: Client[] = [];
	await during("start", () => run(0));
	await during("inputs become valid, the log is rotated", () => run(SETTLE_MS));
	await during("event streams open", async () => {
		for (let i = 0; i < STREAMS; i++) {
			const stream = await counted.connect();
			await stream.send(request("GET", `/api/events?hz=${STREAM_HZ}`));
			await run(0);
			streams.push(stream);
		}
		await run(600);
	});
	await during("a mode takes effect", async () => {
		for (const mode of ["MAP", "5050", "RPM"]) {
			await post("/api/mode", { mode });
			await run(1100);
		}
	});
	counted.inStock = true; // another generation ends control
	await during("another generation takes effect", async () => {
		await post("/api/settings", { haldexGeneration: 4, frameProfile: "corrected" });
		await run(300);
		await post("/api/settings", { haldexGeneration: 5 });
		await run(2500);
	});
	counted.inStock = false;
	await during("the mode trigger", async () => {
		const signal = "chassis|0x107|mo drehzahl 01|";
		await post("/api/settings", { modeTrigger: { enabled: true, signal, operator: ">=", value: 1, mode: "FWD" } });
		await run(700);
		await post("/api/settings", { modeTrigger: { enabled: false } });
	});
	await during("bus-off and recovery", async () => {
		for (const bus of ["chassis", "coupling"]) {
			counted.command(`fault bus-off-${bus}=0:200`);
			await run(900);
		}
	});
	await during("the car goes away and returns", async () => {
		counted.command("disconnect chassis");
		await run(600);
		counted.command("connect chassis");
		await run(1200);
	});
	await during("the script stalls beyond its lease", async () => {
		counted.command("fault script-stalled=0:400");
		await run(2500);
	});
	await during("Wi-Fi is lost and returns", async () => {
		counted.command("fault wifi-lost=0:600");
		await run(1500);
	});
	await during("storage fails, and works again", async () => {
		counted.command("fault flash-write-fails=1");
		await post("/api/settings", { disableThrottle: 7 });
		await run(2400);
		await post("/api/settings", { disableThrottle: 8 });
		await run(2400);
	});
	await during("a map is tried, kept and undone", async () => {
		const map = await counted.call("GET", "/api/map");
		await post("/api/map", { ...map, try: true });
		await post("/api/maps/save", { name: "Kept" });
		await run(2400);
	});
	await during("a capture begins, and ends by itself", async () => {
		await post("/api/canview/capture", { active: true });
		await run(300);
		counted.command("fault clock-jump=0:600000");
		await run(600);
	});
	await during("sessions and time-outs, hours later", async () => {
		counted.command(`fault clock-jump=0:${7 * HOUR_MS}`);
		await run(1500);
	});
	for (const stream of streams) stream.close();
	await during("BOOT is pressed", async () => {
		counted.command("fault boot-key=0:2500");
		await run(2700);
	});
}

/** What SavvyCAN and diagnosis do, and the CAN log; all of it in stock, of a car that stands. */
async function standing(counted: Counted): Promise<void> {
	const { run, post, during } = counted;
	await run(SETTLE_MS);
	await during("start in stock", () => run(0));
	await during("SavvyCAN connects, looks and sends", async () => {
		await post("/api/analyzer", { enabled: true });
		await run(200);
		await post("/api/analyzer", { maySend: true }).catch(() => undefined);
		const { port } = await counted.call("GET", "/api/analyzer");
		const clients = [0, 1].map(() => counted.waitedFor(connect({ host: "127.0.0.1", port: Number(port) })));
		const heard = clients.map(() => 0);
		for (const [i, client] of clients.entries()) {
			client.on("error", () => {}).on("data", (data) => (heard[i] += data.length));
			client.write(Buffer.from(HELLO, "hex"));
		}
		await counted.until("SavvyCAN's frames", async () => heard.every((bytes) => bytes > 2000));
		for (const client of clients) for (let i = 0; i < 20; i++) client.write(Buffer.from(A_FRAME, "hex"));
		await run(300);
		for (const text of SHORT) {
			for (const client of clients) client.write(Buffer.from(text.repeat(100), "hex"));
			await run(600); // all of it is read: what is left would be waited for
		}
		for (const client of clients) client.destroy();
		await run(200);
		await post("/api/analyzer", { enabled: false });
		await run(200);
	});
	const untilAnswered = () =>
		counted.until("the last value", async () => (await counted.call("GET", "/api/uds/status"))["active"] !== true, 20_000);
	for (const path of DIAGNOSIS) {
		await during(`the control unit answers ${path}`, async () => {
			await post(path, path.endsWith("read") ? { did: "F190" } : undefined);
			await untilAnswered();
		});
	}
	await during("lists of identifiers", async () => {
		for (const list of LISTS) {
			await counted.send(`GET ${MEASURED}?${list} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`, 300);
			await untilAnswered();
		}
	});
	for (const [name, answer] of CONTROL_UNITS) {
		counted.controlUnit.uds = answer;
		for (const path of [`${MEASURED}?ids=${Array.from({ length: 16 }, (_, i) => i.toString(16))}`, ...DIAGNOSIS])
			await during(`a control unit that ${name}: ${path.replace(/\?.*/, "")}`, async () => {
				const body = path.endsWith("read") ? '{"did":"F190"}' : "";
				const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${body.length}\r\n\r\n`;
				await counted.send(head + body, LONG_JOB_MS);
				await untilAnswered();
				await counted.call("GET", "/api/status");
			});
	}
	await during("frames are logged", async () => {
		await post("/api/settings", { logCanToFileEnabled: true, logDebugCanEnabled: true });
		await run(2500);
	});
	await during("parameters that nobody asks for", async () => {
		for (const path of LOOKED_UP)
			for (const [name, count] of ODD_NAMES)
				await counted.send(`GET ${path}${`&${name}`.repeat(14)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`.repeat(count), 300);
	});
	await post("/api/settings", { logCanToFileEnabled: false, logDebugCanEnabled: false });
	await post("/api/owner", { password: "correct horse" });
	await during("wrong keys", async () => {
		for (const key of WRONG_KEYS) {
			const wrong = `POST /api/mode HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Basic ${key}\r\nContent-Length: 0\r\n\r\n`;
			await counted.send(wrong.repeat(PIPELINED), 400);
		}
	});
}

/** A calibration from its start to its table. */
async function calibrating(counted: Counted): Promise<void> {
	const { run, post, during } = counted;
	await run(SETTLE_MS);
	await during("a calibration, and its table", async () => {
		await post("/api/learn/start", { confirmed: true });
		while ((await post("/api/learn/alive"))["active"] === true) await run(1000);
		await run(200);
		if ((await counted.call("GET", "/api/learn/status"))["progress"] !== 101)
			throw new Error("the calibration has brought no table");
	});
}

/** An update that the board fetches, and its first start. */
async function updating(counted: Counted, server: ReleaseServer): Promise<void> {
	const { run, post, during } = counted;
	await run(SETTLE_MS);
	const says = (member: string) => async () => (await counted.call("GET", "/api/update"))[member] === true;
	await during("an update is looked for", async () => {
		await post("/api/update/check");
		await counted.until("the manifest", says("available"));
	});
	await during("a hostile update server", async () => {
		for (const answer of HOSTILE_ANSWERS) {
			server.manifestAnswer = answer;
			await post("/api/update/check");
			await counted.until("the end of the check", async () => (await counted.call("GET", "/api/update"))["checking"] === false);
		}
		server.manifestAnswer = undefined;
		await post("/api/update/check");
		await counted.until("the manifest", says("available"));
	});
	await during("an update is fetched and written", async () => {
		await post("/api/update/install");
		await counted.until("the image", says("restarting"), 20_000);
	});
}

/** What runs after three crashes in a row. */
async function bootLoop({ run, during, call }: Counted): Promise<void> {
	await during("start", () => run(0));
	await during("a boot loop", async () => {
		await run(1000);
		const { bootLoop: isOne } = await call("GET", "/api/status");
		if (isOne !== true) throw new Error("the start is no boot loop");
	});
}

/** The slowest turns of what no request or tick of `work.ts` causes. */
export async function everyTurn(): Promise<Counted[]> {
	const [settings, wifi] = [{ generation: 5, mode: "STOCK" } as const, { "wifi.json": WIFI }];
	const args = ["--analyzer", "0"];
	const crashed = { crashes: BOOT_LOOP, "partitions/crashed": "" };
	const all = [
		await Counted.counted(
			{ settings: { generation: 5 }, cycle: "cruise", files: { ...wifi, "logs/all.txt": FULL_LOG }, args },
			driving,
		),
		await Counted.counted({ settings, cycle: "standing", files: wifi, args }, standing),
		await Counted.counted({ settings: { generation: 2 }, cycle: PARKED, files: wifi }, calibrating),
		await Counted.counted({ settings, cycle: "standing", files: crashed }, bootLoop),
	];
	const server = await ReleaseServer.start();
	server.image = anImage({ version: "v0.2.0", segments: [600, 40, UPDATE_BYTES] });
	const update = ["--wifi", `${WIFI.ssid}:${WIFI_KEY}`, "--update-url", server.url];
	try {
		all.push(
			await Counted.counted({ settings, cycle: "standing", files: wifi, args: update, http: PORT }, (counted) =>
				updating(counted, server),
			),
		);
	} finally {
		server.close();
	}
	return all;
}
