/**
 * A car that lies by single frames while the coupling is commanded shut, and clients at the worst moments, in
 * virtual time. Judged are each frame that leaves, the command, the heap and the engine's table of names.
 */
import assert from "node:assert/strict";
import { Drive, type Setting } from "../../tools/campaign/drive.js";
import { EXTENDED, REMOTE } from "../../tools/campaign/frame-judge.js";
import type { SendOn } from "../../tools/campaign/hostile-car.js";
import { judgeStatus } from "../../tools/campaign/status-judge.js";
import { generator } from "../../tools/random.js";
import { PROGRAM } from "../hal/host/host-program.js";

const READY_MS = 2500;
/** Alive by chance: what is just being sent, and the last lines of the log. */
const SLOTS_MORE = 150;
const LIES_MS = 800;
/** Until control is back from whatever a lie has said. */
const BACK_MS = 2600;
/** Sent in each ms. */
const LIES_PER_MS = 3;
/** Fills a bus of 500 kbit/s: 4,504 frames of 8 bytes a second. */
const BURST_PER_MS = 4.504;
/** What generation 5 and the others are told by, and what is rewritten. */
const CAR = {
	2: [0x1a0, 0x280, 0x288, 0x390, 0x488, 0x4a0, 0x5a0],
	5: [0x08a, 0x0a8, 0x0b2, 0x0fd, 0x106, 0x107, 0x116, 0x121, 0x366, 0x3be],
} as const;
const COUPLING = { 2: 0x2c0, 5: 0x118 } as const;

/** In mode 5050, of generation 5 and in profile reference unless the options say otherwise; ends without complaints. */
async function withDrive(options: Partial<Setting>, use: (drive: Drive) => Promise<void>): Promise<void> {
	const settings = { mode: "5050" };
	const wishes = { mode: "5050", disableSpeedKmh: 0, releaseRate: 120 };
	const drive = await Drive.start(PROGRAM, { generation: 5, profile: "reference", settings, wishes, ...options });
	try {
		await use(drive);
		assert.deepEqual(drive.complaints, []);
	} finally {
		await drive.end();
	}
}

describe("virtual time: a car that lies by single frames", () => {
	for (const [generation, profile, rewritten] of [
		[5, "reference", 0x0a8],
		[5, "corrected", 0x0a7],
		[2, "corrected", 0x280],
	] as const)
		it(`generation ${generation}, profile ${profile}: frames change only by the tables, and control returns`, async function () {
			this.timeout(900_000); // on a machine that does other things
			const random = generator(77);
			const ids = CAR[generation];
			const bytes = (length: number, values: readonly number[]): Uint8Array =>
				Uint8Array.from({ length }, () => random.of([...values, random.below(256)]));
			const several = (lie: (send: SendOn) => void) => (_: number, send: SendOn) => {
				for (let i = 0; i < LIES_PER_MS; i++) lie(send);
			};
			const lies: Readonly<Record<string, (ms: number, send: SendOn) => void>> = {
				"extended frames of the same number": several((send) =>
					send(0, { id: random.of(ids), flags: EXTENDED, data: bytes(8, [0, 255]) }),
				),
				"remote frames": several((send) => send(0, { id: random.of(ids), flags: REMOTE, data: new Uint8Array(random.below(9)) })),
				"frames that are too short": several((send) =>
					send(0, { id: random.of(ids), flags: 0, data: bytes(random.below(8), [0, 255]) }),
				),
				"the car's frames from the coupling": several((send) =>
					send(1, { id: random.of(ids), flags: 0, data: bytes(8, [0, 255]) }),
				),
				"the coupling's report from the car": several((send) =>
					send(0, { id: COUPLING[generation], flags: 0, data: bytes(8, [0, 255]) }),
				),
				"all of that, saturated": several((send) => {
					const flags = random.of([0, EXTENDED, REMOTE]);
					const data = new Uint8Array(random.below(9));
					if (flags !== REMOTE) data.fill(random.of([0, 0x7f, 0x80, 0xfe, 0xff]));
					send(random.of([0, 1] as const), { id: random.of([...ids, COUPLING[generation]]), flags, data });
				}),
				"bursts of a frame that is rewritten": (ms, send) => {
					const count = Math.floor((ms + 1) * BURST_PER_MS) - Math.floor(ms * BURST_PER_MS);
					for (let i = 0; i < count - 2; i++) send(0, { id: rewritten, flags: 0, data: bytes(8, [0, 255]) });
				},
			};
			const settings = { mode: "5050", disableSpeed: 60 };
			const wishes = { mode: "5050", disableSpeedKmh: 60, releaseRate: 120 };
			await withDrive({ generation, profile, settings, wishes }, async (drive) => {
				await drive.run(READY_MS);
				drive.judgeSteady("at first");
				const { heap: before } = await drive.lockstep.report();
				for (const [name, lie] of Object.entries(lies)) {
					drive.subject = name;
					drive.car.beside = lie;
					await drive.run(LIES_MS);
					drive.car.beside = undefined;
					await drive.run(BACK_MS);
					drive.judgeSteady("after it");
				}
				const { heap: after } = await drive.lockstep.report();
				assert.equal(after.keys, before.keys, "names of the engine");
				assert.ok(after.slotsLive - before.slotsLive <= SLOTS_MORE, `${after.slotsLive - before.slotsLive} slots more`);
				assert.ok(drive.figures.commands > 1000, `${drive.figures.commands} commands`);
			});
		});
});

describe("virtual time: hostile moments", () => {
	it("is stock for the first second after a start, whatever clients request", async function () {
		this.timeout(300_000);
		await withDrive({}, async (drive) => {
			for (let ms = 0; ms < 24; ms++) {
				drive.subject = `asked ${ms * 2} ms after a start`;
				await drive.boot();
				await drive.run(ms * 2);
				const asked = [
					["POST", "/api/mode", '{"mode":"5050"}'],
					["POST", "/api/learn/start", '{"confirmed":true}'],
					["POST", "/api/settings", JSON.stringify({ conditions: [] })],
					["GET", "/api/conditions", ""],
					["POST", "/ota/update", "no image"],
					["POST", "/api/learn/cancel", ""],
				] as const;
				for (let i = 0; i < asked.length; i++) {
					const [method, path, body] = asked[(i + ms) % asked.length] as (typeof asked)[number];
					const { code, text } = (await drive.ask(method, path, body)) ?? {};
					assert.ok([200, 400, 409, 415, 503].includes(code ?? 0), `${method} ${path}: ${code} ${text}`);
				}
				await judgeStatus(drive);
			}
			await drive.run(READY_MS);
			drive.judgeSteady("after all starts");
		});
	});
});
