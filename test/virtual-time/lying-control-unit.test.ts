/**
 * A control unit that lies to diagnosis, in virtual time: whatever it sends, no frame of the car is touched,
 * control goes on, each job ends, and nothing stays in the heap or in the engine's table of names.
 */
import assert from "node:assert/strict";
import { generator } from "../support/random.js";
import { leavesNothing, withDrive } from "./with-drive.js";

const REQUEST = 0x70f;
const RESPONSE = 0x779;
/** Where diagnosis looks for a control unit. */
const QUESTIONS = new Set([REQUEST, 0x71d, 0x1c40000f, 0x200]);
const READY_MS = 3000;
/** It lies for this long. */
const LIES_MS = 3000;
/** A request and the lies to it end after 30 s, and a job has a few. */
const OVER_MS = 150_000;
const LOOK_MS = 1000;
const ASKED = ["/api/uds/dtc", "/api/uds/measured?dids=0286,028d", "/api/uds/clear-dtc", "/api/uds/probe"];

/** What it sends: to a frame that it gets, and by itself in each ms. */
interface Liar {
	readonly answers?: (frame: Uint8Array) => readonly (readonly number[])[];
	/** Only so much later, ms. */
	readonly laterMs?: number;
	readonly sends?: (ms: number) => readonly number[] | undefined;
}

/** The service that a single frame asks for, or that of the last one. */
const serviceOf = (frame: Uint8Array): number => (frame[0] >> 4 === 0 ? frame[1] : 0x22);
const consecutive = (count: number, number: (i: number) => number): number[][] =>
	Array.from({ length: count }, (_, i) => [0x20 | (number(i) & 15), 1, 2, 3, 4, 5, 6, 7]);
const first = (length: number, service: number): number[] => [
	0x10 | (length >> 8),
	length & 0xff,
	service + 0x40,
	2,
	0xff,
	1,
	2,
	3,
];
const isRequest = (frame: Uint8Array): boolean => frame[0] >> 4 === 0;

const random = generator(9);

const LIARS: Readonly<Record<string, Liar>> = {
	"lengths that do not fit": {
		answers: (frame) => [
			[0x0f, serviceOf(frame) + 0x40],
			[0x07, serviceOf(frame) + 0x40, 1],
			[0],
			[0x10, 7, 0x59, 2, 0, 0, 0, 0],
			[],
		],
	},
	"flow control without end": { sends: (ms) => [0x30 | (ms % 3), ms % 256, ms % 128] },
	"flow control that says wait": { sends: (ms) => (ms % 20 === 0 ? [0x31, 0, 0] : undefined) },
	"wrong sequence numbers": {
		answers: (frame) => (isRequest(frame) ? [first(200, serviceOf(frame)), ...consecutive(30, (i) => 3 * i)] : []),
	},
	"a message that stops in the middle": {
		answers: (frame) => (isRequest(frame) ? [first(200, serviceOf(frame)), ...consecutive(5, (i) => i + 1)] : []),
	},
	"a message of 4 KB": {
		answers: (frame) => (isRequest(frame) ? [first(4095, serviceOf(frame)), ...consecutive(40, (i) => i + 1)] : []),
	},
	"a length of 32 bits": { answers: () => [[0x10, 0, 0xff, 0xff, 0xff, 0xff, 0x59, 2]] },
	"messages that begin anew each ms": { sends: (ms) => first(100 + (ms % 156), 0x19) },
	"answers to another request": {
		answers: () => [
			[4, 0x62, 0x12, 0x34, 1],
			[2, 0x7e, 0],
			[3, 0x7f, 0x3e, 0x11],
		],
	},
	"answers after the time is over": { answers: (frame) => [[4, serviceOf(frame) + 0x40, 2, 0x86, 7]], laterMs: 2500 },
	"pending for ever": { sends: (ms) => (ms % 100 === 0 ? [3, 0x7f, ms % 200 === 0 ? 0x22 : 0x19, 0x78] : undefined) },
	"bytes without sense": { sends: () => Array.from({ length: random.below(9) }, () => random.below(256)) },
};

describe("virtual time: a control unit that lies", () => {
	it("changes nothing but its own answers, and leaves nothing behind", async function () {
		this.timeout(900_000); // on a machine that does other things
		await withDrive({}, async (drive) => {
			Object.assign(drive, { questions: QUESTIONS, answers: new Set([RESPONSE]), pieceMs: 25 });
			let liar: Liar = {};
			let untilMs = 0;
			let asked = 0;
			const due: { ms: number; data: readonly number[] }[] = [];
			drive.asked = (ms, { data }) => {
				asked++;
				for (const answer of liar.answers?.(data) ?? []) due.push({ ms: ms + (liar.laterMs ?? 0), data: answer });
			};
			drive.car.beside = (ms, send) => {
				const lies = [ms < untilMs ? liar.sends?.(ms) : undefined];
				while (due.length > 0 && (due[0] as { ms: number }).ms <= ms) lies.push(due.shift()?.data);
				for (const data of lies) if (data !== undefined) send(1, { id: RESPONSE, flags: 0, data: Uint8Array.from(data) });
			};
			const isActive = async (): Promise<boolean> =>
				JSON.parse((await drive.ask("GET", "/api/uds/status"))?.text ?? '{"active":true}').active;
			const ends = async (): Promise<void> => {
				const fromMs = drive.nowMs;
				while (await isActive()) {
					assert.ok(drive.nowMs - fromMs < OVER_MS, `${drive.subject}: it does not end`);
					await drive.run(LOOK_MS);
				}
			};
			/** In answer to each second request: a lie meets each of them on its way through all liars. */
			const lie = async (name: string, turn: number): Promise<void> => {
				drive.subject = name;
				for (const path of ASKED.filter((_, i) => i % 2 === turn % 2)) {
					liar = LIARS[name] as Liar;
					untilMs = drive.nowMs + LIES_MS;
					const socket = await drive.lockstep.connect();
					socket.write(`POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n`);
					await drive.run(LIES_MS);
					await ends();
					socket.destroy();
				}
			};
			await drive.run(READY_MS);
			for (const turn of [0, 1]) await lie("bytes without sense", turn);
			await drive.run(LOOK_MS);
			await leavesNothing(drive, async () => {
				for (const [turn, name] of Object.keys(LIARS).entries()) await lie(name, turn);
				await drive.run(LOOK_MS);
			});
			drive.judgeSteady("after all lies");
			assert.ok(asked > 100, `${asked} questions`);
			assert.ok(drive.figures.commands > 10_000, `${drive.figures.commands} commands`);
		});
	});
});
