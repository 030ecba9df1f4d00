/** Rare requests, which a hostile client may send on purpose. */
import { writeFileSync } from "node:fs";
import { type Counted, SETTLE_MS } from "./counted.js";
import { CLIENT, FIRM, head, request } from "./driver.js";

const GENERATIONS = [1, 5];
const PROFILES = ["corrected", "reference"];
const EFFECTS = ["open", "limit", "mode"];
const FAVOURITES = ["MAP 5050 FWD STOCK 8020 7030", "MAP 5050 FWD STOCK 8020 9010"];
/** What a request causes at once, such as lines of the log, has been done. */
const AFTER_MS = 100;
/** What a request changes is on flash. */
const STORED_MS = 2400;
/** All places are served. */
const SERVED_MS = 1500;
/** Of src/maps/map-store.ts and src/http/limits.ts. */
const STORED_MAPS = 64;
const PLACES = 8;
const CLIENTS_AT_ONCE = 16;
const TIME_OUTS_MS = 10_500;
/** The largest members, and the last one. */
const MOST_FIELDS =
	"power,uds,telemetry,frameDiag,learn,inputMappings,modeTrigger,dashMappings,dashboardSignals," +
	"controls,reason,loop,gateway,heap,steeringGain,apiVersion";
const LONG_NAME = "n".repeat(50);
/** A signal that the car of these counts sends, with decimals and a unit that is looked up. */
const SHOWN = "haldex|0x392|esp rta vr|";
/** What takes strtod() long, of 250 in a body. */
const NUMBERS = ["33.333333333333336", "1e-99", "2.4703282292062327208e-324"];
/** Numbers as long as they may be, blanks and lines as many as may be, before texts that are not numbers. */
const MAP_TEXTS = {
	"long numbers": mapText((n) => String(n).padStart(20, "0"), "\n"),
	"long fractions": mapText((n) => `"${`${n},`.padEnd(17, "1")}%"`, "\n"),
	"blanks and lines": mapText((n) => String(n).padEnd(21), `\n${" ".repeat(150)}`.repeat(5).concat("\n")),
	"blanks between columns": mapText((n) => String(n).padStart(3, "0"), "\n", " ".repeat(20)),
};

function mapText(written: (n: number) => string, lineEnd: string, separator = "\t"): string {
	const line = (row: number) => [written(10 * row), "x", ...Array.from({ length: 9 }, (_, i) => written(9 * i))];
	return Array.from({ length: 8 }, (_, row) => line(row).join(separator)).join(lineEnd);
}

/**
 * Every setting at once, each another one than before. Inputs, conditions, steering, button and dashboard
 * look at the most expensive signals there are.
 */
export function everySetting(haldexGeneration: number, isFirst: boolean): object {
	const signal = haldexGeneration === 5 ? "0x3d6|licht hinten 01 bz|" : "0x390|gk1 charisma mode|";
	const key = `all|${signal}`;
	const more = isFirst ? 1 : 0;
	const slots = Array.from({ length: 8 }, (_, i) => [`dash_${i + 1}`, `chassis|${signal}`]);
	const conditions = Array.from({ length: 8 }, (_, i) => ({
		enabled: true,
		signal: key,
		operator: isFirst ? ">" : "<",
		value: i + more,
		holdMs: 300 + i + more,
		effect: EFFECTS[i % EFFECTS.length],
		limitPercent: 40 + i + more,
		mode: isFirst ? "5050" : "FWD",
	}));
	return {
		haldexGeneration,
		couplingGeneration: haldexGeneration,
		frameProfile: PROFILES[more]!,
		disableController: false,
		broadcastControllerOverCAN: isFirst,
		respectInterventions: isFirst,
		controlWithoutFeedback: isFirst,
		disableThrottle: 5 + more,
		disableSpeed: 100 + more,
		lockReleaseRatePctPerSec: 80 + more,
		lockEngageRatePctPerSec: 80 + more,
		logErrorToFileEnabled: isFirst,
		logSerialEnabled: false,
		disengageUnderSpeed: { map: 1 + more, speed: 2 + more, throttle: 3 + more, rpm: 4 + more },
		inputMappings: { speed: key, throttle: key, rpm: key },
		dashMappings: Object.fromEntries(slots),
		conditions,
		steeringGain: { enabled: true, signal: key, startDeg: 90 + more, fullDeg: 300 + more, leastPercent: 20, lostPercent: 50 },
		controls: {
			favourites: FAVOURITES[more],
			heldMode: isFirst ? "5050" : "FWD",
			buttonSignal: key,
			buttonValue: more,
			followBrake: isFirst,
			invertBrake: isFirst,
			followHandbrake: isFirst,
			invertHandbrake: isFirst,
		},
		lowPower: { sleepEnabled: isFirst, sleepDelayMs: 30_000 + more, wakeTimerSeconds: 300 + more, probeDurationMs: 900 + more },
		pwm: { frequencyHz: 1000 + more, inverted: false },
	};
}

/** No rows, but each of its turns counts for the longest. */
export async function worst(counted: Counted): Promise<void> {
	const once = async (name: string, text: string) => {
		await counted.ask(text);
		await counted.run(AFTER_MS);
		counted.turns(name);
		await counted.disconnect();
	};
	await counted.run(SETTLE_MS);
	counted.turns("start");
	await once("the first status after a start", request("GET", "/api/status"));
	for (let i = 0; i < STORED_MAPS; i++)
		writeFileSync(`${counted.flash}/maps/${String(i).padStart(2, "0")} ${LONG_NAME}.json`, JSON.stringify(FIRM));
	await once("a list of all maps that can be stored", request("GET", "/api/maps"));
	for (const format of ["txt", "json"])
		await once(`a map of a long name as ${format}`, request("GET", `/api/maps/export?name=07%20${LONG_NAME}&format=${format}`));
	await once("a map in the place of a stored one", request("POST", "/api/maps/save", { name: `07 ${LONG_NAME}` }));
	await once("a text of one long line", request("POST", "/api/mode", { mode: "x".repeat(8000) }));
	await once(
		"a text of many escapes",
		`${head("POST", "/api/mode", { ...CLIENT, "Content-Length": 7814 })}{"mode":"${"\\u00e9".repeat(1300)}"}   `,
	);
	for (const generation of GENERATIONS) {
		// another generation and eight other conditions beside the old ones are more than the heap has
		await once("no conditions", request("POST", "/api/settings", { conditions: [] }));
		for (const isFirst of [true, false]) {
			counted.inStock = isFirst; // another generation ends control
			await once(`all settings, generation ${generation}`, request("POST", "/api/settings", everySetting(generation, isFirst)));
		}
		await once("a map made from an earlier one", request("POST", "/api/map", { ...FIRM, revision: 0 }));
		await once("all conditions", request("GET", "/api/conditions"));
		await once("the first status after that", request("GET", "/api/status"));
		await once("most of the status in one piece", request("GET", `/api/status?fields=${MOST_FIELDS}`));
		await counted.run(STORED_MS);
		counted.turns("all settings stored");
	}
	for (const letter of ["x", "\u{1f600}"]) {
		const key = letter.repeat(990 / Buffer.byteLength(letter));
		const slots = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`dash_${i + 1}`, key]));
		const inputs = { speed: key, throttle: key, rpm: key };
		await once(`a dashboard of long keys, ${letter}`, request("POST", "/api/settings", { dashMappings: slots }));
		await once(
			`inputs of long keys, ${letter}`,
			request("POST", "/api/settings", { inputMappings: inputs, modeTrigger: { signal: key } }),
		);
		await counted.run(STORED_MS);
		counted.turns("long keys stored");
	}
	const shown = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`dash_${i + 1}`, SHOWN]));
	await once("a dashboard whose signals all come", request("POST", "/api/settings", { dashMappings: shown }));
	for (const which of ["first", "second"]) await once(`its ${which} status`, request("GET", "/api/status"));
	for (const [name, text] of Object.entries(MAP_TEXTS)) {
		const fields = { ...CLIENT, "Content-Type": "text/plain", "Content-Length": text.length };
		await once(`a map of ${name}`, head("POST", "/api/maps/import?name=Copy", fields) + text);
	}
	for (const number of NUMBERS)
		await once(
			`numbers such as ${number}`,
			`${head("POST", "/api/session", { ...CLIENT, "Content-Length": 15 + 250 * (number.length + 1) - 1 })}{"password":[${Array(250).fill(number)}]}`,
		);
	await once("a map of commas", request("POST", "/api/maps/import?name=Copy", "0,".repeat(3600)));
	const crowds: [name: string, text: string, count: number, ms: number][] = [
		["clients at once", "", CLIENTS_AT_ONCE, AFTER_MS],
		["heads that end together", "GET /api", PLACES, TIME_OUTS_MS],
		["bodies that end together", head("POST", "/api/settings", { ...CLIENT, "Content-Length": 5000 }), PLACES, TIME_OUTS_MS],
		["a status for each place", request("GET", "/api/status"), PLACES, SERVED_MS],
	];
	for (const [name, text, count, ms] of crowds) {
		const clients = [];
		for (let i = 0; i < count; i++) clients.push(await counted.connect());
		await counted.run(0);
		for (const client of clients) if (text !== "") await client.send(text);
		await counted.run(ms);
		for (const client of clients) client.close();
		await counted.run(AFTER_MS);
		counted.turns(name);
	}
}

/**
 * Bodies that cost as much as they can, into a car that stands, in STOCK. No rows either.
 * @param image comes as a form's file
 */
export async function worstBodies(counted: Counted, image: Buffer): Promise<void> {
	const type = "multipart/form-data; boundary=b";
	const file = `--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n${image.toString("latin1")}`;
	const bodies: [name: string, path: string, type: string, body: string][] = [
		["a form of semicolons", "/ota/update", type, `--b\r\nContent-Disposition: ${";".repeat(480)}\r\n\r\n\r\n`.repeat(16)],
		["a form's type of semicolons", "/ota/update", `multipart/form-data${";".repeat(440)}boundary=b`, file],
		["a form of empty parts", "/ota/update", type, "--b\r\n\r\n\r\n".repeat(900)],
		["a form of short lines", "/ota/update", type, `--b\r\n${"x\n".repeat(4000)}`],
		["a form of blanks", "/ota/update", type, `--b${" ".repeat(8000)}`],
		["a form with a header of blanks", "/ota/update", type, `--b\r\n${"a ".repeat(255)}\r\n\r\n\r\n`],
		["a form with an image of CR", "/ota/update", type, file],
	];
	for (const [name, path, ofType, body] of bodies) {
		const text = `${head("POST", path, { ...CLIENT, "Content-Type": ofType, "Content-Length": String(body.length) })}${body}`;
		const client = await counted.connect();
		await counted.run(0);
		counted.turns("connecting");
		await client.send(Buffer.from(text, "latin1"));
		await counted.run(AFTER_MS);
		counted.turns(name);
		if (!/^HTTP\/1.1 [24]/.test(client.answer.toString())) throw new Error(`${name}: ${client.answer}`);
		client.close();
		await counted.disconnect();
	}
}
