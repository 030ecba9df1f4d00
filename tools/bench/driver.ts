/** What a driver's client sends, and the flash of a driver who has set and kept all there is. */
import type { Generation } from "../vehicle/chassis.js";

/** Fields of a plain client. */
export const CLIENT = { Host: "192.168.4.1", Connection: "keep-alive" };
export const BROWSER = {
	...CLIENT,
	"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
	Accept: "*/*",
	Referer: "http://192.168.4.1/",
	"Accept-Encoding": "gzip, deflate",
	"Accept-Language": "en-US,en;q=0.9",
};
type Fields = Readonly<Record<string, string | number>>;

/** The head of a request. */
export function head(method: string, path: string, fields: Fields): string {
	const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
	return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

/** A request of a plain client, which sends these fields also when there is no body. */
export function request(method: string, path: string, body?: unknown, fields: Fields = {}): string {
	const text = body === undefined ? "" : JSON.stringify(body);
	const own = { ...CLIENT, "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) };
	return head(method, path, { ...own, ...fields }) + text;
}

const mapOf = (step: number) => ({
	speedBins: [0, 10, 20, 40, 60, 80, 110, 140, 160],
	throttleBins: [0, 10, 25, 40, 60, 80, 100],
	lockTable: Array.from({ length: 7 }, (_, row) => Array.from({ length: 9 }, () => row * step)),
});
/** Two maps of a driver. */
export const GENTLE = mapOf(5);
export const FIRM = mapOf(10);

const RPM_SIGNAL = "chassis|0x107|MO_Drehzahl_01|rpm";
const curve = (end: number) => Array.from({ length: 12 }, (_, i) => [Math.floor((i * end) / 12), i * 8]);
/** A value of the driver's own in each field, as src/settings/STORAGE.md has them. */
export const EVERYTHING = {
	generation: 5 as Generation,
	mode: "MAP",
	frameProfile: "corrected",
	broadcastOverCan: false,
	setupDone: true,
	respectInterventions: false,
	controlWithoutFeedback: true,
	disableThrottle: 5,
	disableSpeed: 200,
	releaseRate: 100,
	engageRate: 50,
	currentMap: "/maps/Winter.json",
	disengageUnder: { map: 1, speed: 2, throttle: 3, rpm: 4 },
	inputMappings: { speed: "", throttle: "", rpm: RPM_SIGNAL },
	curves: { speed: curve(300), throttle: curve(100), rpm: curve(9000) },
	dashboard: Array(8).fill(RPM_SIGNAL),
	conditions: [`true mode gte 9000 300 50 FWD true false - ${RPM_SIGNAL}`],
	logging: { file: true, can: false, error: false, serial: true, debugFirmware: true, debugNetwork: true, debugCan: false },
	lowPower: { sleepEnabled: true, sleepDelayMs: 45_000, wakeTimerSeconds: 600, probeDurationMs: 900 },
	pwm: { frequencyHz: 250, inverted: true },
};
/** And its other files. Earlier maps: all that are kept. */
export const STORED = {
	"maps/current.json": FIRM,
	"maps/Winter.json": FIRM,
	"history.json": {
		format: 1,
		states: Array.from({ length: 10 }, (_, i) => {
			const { speedBins, throttleBins, lockTable } = FIRM;
			return ["map", "/maps/Winter.json", `${speedBins} ${throttleBins} ${lockTable.flat().map((percent) => percent + i)}`];
		}),
	},
};
