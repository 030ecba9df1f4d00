/**
 * A driver who has set all there is to set, and a house full of clients: whoever else is rejected, his mode
 * is not.
 */
import assert from "node:assert/strict";
import { HTTP_LIMITS } from "../../src/http/limits.js";
import { Drive } from "../../tools/campaign/drive.js";
import { PROGRAM } from "../hal/host/host-program.js";

const EIGHT = [1, 2, 3, 4, 5, 6, 7, 8] as const;
const RPM = "chassis|0x107|mo drehzahl 01|unit_minutinvers";
const SIGNALS = [
	...["chassis|0x366|hazard switch|", "chassis|0x3be|mo fahrer bremst|", RPM, "chassis|0x86|lwi lenkradwinkel|unit_degreofarc"],
	"haldex|0x118|haldex state|",
];
const EARLIER_MAPS = 10;
/** Until what was changed is on flash. */
const STORED_MS = 2500;
const STREAMS = 5;
const POLLERS = 2;
const POLL_MS = 20;

const SETTINGS: readonly object[] = [
	{ dashMappings: Object.fromEntries(EIGHT.map((i) => [`dash_${i}`, SIGNALS[i % 5]])) },
	{
		conditions: EIGHT.map((i) => ({
			enabled: true,
			effect: "limit",
			operator: ">=",
			value: 1,
			holdMs: 1000,
			limitPercent: 100,
			signal: SIGNALS[i % 4],
		})),
	},
	{
		steeringGain: { enabled: true, leastPercent: 100, lostPercent: 100 },
		inputMappings: {
			speed: "chassis|0xfd|esp v signal|unit_kilometerperhour",
			throttle: "chassis|0x121|mo fahrpedalrohwert 01|unit_percentage",
			rpm: RPM,
		},
	},
	{ controls: { favourites: "STOCK MAP 8020 5050 FWD 7030", buttonSignal: "chassis|0x5bf|mfl tastencode 1|" } },
];

describe("virtual time: a full house", function () {
	this.timeout(300_000);

	it("takes the driver's mode though the heap is too full for other requests", async () => {
		const wishes = { mode: "5050", disableSpeedKmh: 0, releaseRate: 120 };
		const drive = await Drive.start(PROGRAM, {
			generation: 5,
			profile: "reference",
			settings: { mode: "5050" },
			wishes,
			onPort: true,
			// less than a board has, so that it is too full
			args: ["--heap", "4400:65536"],
		});
		const post = async (path: string, body: object): Promise<number | undefined> =>
			(await drive.ask("POST", path, JSON.stringify(body)))?.code;
		const set = async (path: string, body: object): Promise<void> =>
			assert.equal(await post(path, body), 200, JSON.stringify(body));
		try {
			await drive.run(2500);
			for (const settings of SETTINGS) await set("/api/settings", settings);
			for (const [curve, step] of Object.entries({ speed: 10, throttle: 8, rpm: 500 }))
				await set(`/api/curve/${curve}`, { points: Array.from({ length: 12 }, (_, i) => ({ x: i * step, lock: 50 + i })) });
			await set("/api/analyzer", { enabled: true });
			await set("/api/wifi", { ssid: "home", password: "password1" });
			const learned = { generation: 5, frameProfile: "reference", date: "2026-11-26" };
			await set("/api/learn/table", { ...learned, table: Array.from({ length: 101 }, (_, i) => i) });
			for (let i = 0; i < EARLIER_MAPS; i++) {
				const [speedBins, throttleBins] = [
					[0, 5, 10, 20, 40, 60, 80, 100, 140 + i],
					[0, 5, 10, 20, 40, 60, 100],
				];
				await set("/api/map", { speedBins, throttleBins, lockTable: Array(7).fill([0, 10, 20, 30, 40, 50, 60, 70, 80]) });
				await drive.run(STORED_MS);
				await set("/api/maps/save", { name: `Winter tyres, snow in the Alps, number ${i}` });
				await drive.run(STORED_MS);
			}
			// others sit down, each at an address of his own, and two poll
			const others = Array.from({ length: STREAMS + POLLERS }, (_, i) => drive.lockstep.dial(`127.0.0.${2 + i}`));
			const pollers = others.slice(STREAMS);
			let refused = 0;
			for (const poller of pollers) poller.on("data", (data) => (refused += String(data).startsWith("HTTP/1.1 503") ? 1 : 0));
			for (const stream of others.slice(0, STREAMS)) {
				stream.resume().write("GET /api/events?hz=20 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
				await drive.lockstep.delivered();
				await drive.run(100);
			}
			for (const mode of ["STOCK", "7030", "STOCK", "8020", "STOCK"])
				for (let ms = 0; ms < 400; ms += POLL_MS) {
					if (ms === 200) assert.equal(await post("/api/mode", { mode }), 200, mode);
					for (const poller of pollers) poller.write("GET /api/status HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
					await drive.lockstep.delivered();
					await drive.run(POLL_MS);
				}
			await drive.run(HTTP_LIMITS.heapTimeoutMs);
			assert.ok(refused > 0, "the heap had enough for everybody: the test shows nothing");
			for (const socket of others) socket.destroy();
		} finally {
			await drive.end();
		}
	});
});
