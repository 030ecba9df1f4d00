/**
 * A control unit that lies over TP2.0, in virtual time, while the coupling is commanded shut: whatever it
 * sends, no frame of the car is touched, control goes on, each job ends, the next one gets its answer, and
 * nothing stays in the heap or in the engine's table of names.
 */
import assert from "node:assert/strict";
import { EXTENDED, REMOTE, type WireFrame } from "../../tools/campaign/frame-judge.js";
import { generator } from "../support/random.js";
import { leavesNothing, withDrive } from "./with-drive.js";

const SETUP = 0x200;
const ANSWER = 0x20a;
const THEIRS = 0x300;
const OURS = 0x740;
const READY_MS = 3000;
/** Longer than a tester of somebody else, for whom our own channel of before may be taken, is waited for. */
const REST_MS = 5300;
/** It lies for this long. */
const LIES_MS = 2000;
/** A request and the lies to it end after 30 s. */
const OVER_MS = 35_000;
const LOOK_MS = 250;

const random = generator(16);
const several = (count: number, at: (i: number) => readonly number[]): number[][] =>
	Array.from({ length: count }, (_, i) => [...at(i)]);
const anything = (): number[] => Array.from({ length: random.below(9) }, () => random.below(256));

type Said = readonly [id: number, data: readonly number[], flags?: number];
/** Of the steps of a channel, what a liar says instead; undefined: the truth. */
interface Liar {
	readonly setup?: () => readonly Said[];
	readonly parameters?: () => readonly Said[];
	/** To the first packet of a request and each of ours behind it. */
	readonly packet?: (data: Uint8Array) => readonly Said[];
	/** In each ms while it lies, from our first frame on. */
	readonly sends?: (ms: number) => readonly Said[];
}

const says = (...lines: readonly (readonly number[])[]): Said[] => lines.map((data) => [THEIRS, data]);
const isRequest = (data: Uint8Array): boolean => data[0] >> 4 === 1;
const toRequest =
	(...lines: readonly (readonly number[])[]) =>
	(data: Uint8Array): readonly Said[] =>
		isRequest(data) ? says(...lines) : [];
const acknowledges = (data: Uint8Array): number => 0xb0 | ((data[0] + 1) & 15);

/** Packets behind the end of a message that was announced, each when the one before was acknowledged. */
function endless(): Liar {
	let isAsked = false;
	return {
		packet: (data) => {
			if (isRequest(data)) isAsked = true;
			else return isAsked && data[0] >> 4 === 0xb ? says([data[0] & 15, 1, 2, 3, 4, 5, 6, 7]) : [];
			return says([acknowledges(data)], [0x01, 0, 200, 0x61, 1, 2, 3, 4]);
		},
	};
}

/** That the answer will come, 20 times a second. */
function pending(): Liar {
	let said = 0;
	return {
		packet: (data) => {
			said ||= isRequest(data) ? 1 : 0;
			return isRequest(data) ? says([acknowledges(data)]) : [];
		},
		sends: (ms) => (said > 0 && ms % 50 === 0 ? says([0x10 | (said++ & 15), 0, 3, 0x7f, 0x21, 0x78]) : []),
	};
}

const liars = (): Readonly<Record<string, Liar>> => ({
	"set-up answers of any content, each ms": {
		sends: (ms) => [[ANSWER, [0, [0xd0, 0xd6, 0xd8, 0xc0][ms % 4], ms % 256, ms % 8, 0x40, 7, 1]]],
	},
	"channels named after frames of the car": { setup: () => [[ANSWER, [0, 0xd0, 0xc0, 0x02, 0x40, 0x07, 1]]] },
	"two channels at once": {
		setup: () => [
			[ANSWER, [0, 0xd0, 0, 3, 0x40, 7, 1]],
			[ANSWER, [0, 0xd0, 1, 3, 0x41, 7, 1]],
		],
	},
	"answers from ids that nobody asked": {
		setup: () => [
			[0x20b, [0, 0xd0, 0, 3, 0x40, 7, 1]],
			[ANSWER, [0, 0xd0, 0, 3, 0x40, 7, 1], EXTENDED],
			[ANSWER, [0, 0xd0, 0, 3, 0x40, 7, 1], REMOTE],
		],
	},
	"parameters cut off": { parameters: () => says([0xa1, 0]) },
	"a block of 0 and the longest times": { parameters: () => says([0xa1, 0, 0xff, 0xff, 0xfe, 0xff]) },
	"disconnects each ms": { sends: () => says([0xa8]) },
	"channel tests, 3 each ms": { sends: () => says([0xa3], [0xa3], [0xa3]) },
	"breaks each ms": { sends: () => says([0xa4]) },
	"not ready for ever": { sends: (ms) => says([0x90 | ((ms >> 4) & 15)]), packet: () => [] },
	"acknowledgements of anything": { sends: (ms) => says([0xb0 | (ms & 15)]) },
	"a length of 0": { packet: toRequest([0xb2], [0x11, 0, 0]) },
	"a length of 65,535": { packet: toRequest([0xb2], [0x21, 0xff, 0xff, 0x61, 1, 2, 3, 4]) },
	"a message longer than it says": {
		packet: toRequest(
			[0xb2],
			[0x21, 0, 4, 0x61, 1, 2, 3, 4],
			...several(40, (i) => [0x20 | ((i + 2) & 15), 1, 2, 3, 4, 5, 6, 7]),
		),
	},
	"a message that never ends, block after block": endless(),
	"a message that stops": { packet: toRequest([0xb2], [0x21, 0, 200, 0x61, 1, 2, 3, 4]) },
	"wrong sequence numbers": {
		packet: toRequest([0xb2], [0x21, 0, 60, 0x61, 1, 2, 3, 4], [0x29, 1, 2, 3], [0x23, 1, 2, 3]),
	},
	"pending for ever": pending(),
	"answers to another request": {
		packet: toRequest([0xb2], [0x11, 0, 3, 0x61, 0x55, 1], [0x12, 0, 3, 0x58, 0, 0], [0x13, 0, 2, 0x7f, 0x21]),
	},
	"bytes without sense": { sends: (ms) => [[ms % 3 === 0 ? ANSWER : THEIRS, anything(), ms % 7 === 0 ? REMOTE : 0]] },
});

/** What the car's control unit says to a frame of ours, where the liar has nothing else. */
function answered({ id, data }: WireFrame, liar: Liar): readonly Said[] {
	if (id === SETUP) return liar.setup?.() ?? [[ANSWER, [0, 0xd0, 0, 3, 0x40, 7, 1]]];
	if (data[0] === 0xa0) return liar.parameters?.() ?? says([0xa1, 0x0f, 0x8a, 0xff, 0x0a, 0xff]);
	if (data[0] === 0xa8) return says([0xa8]);
	if (data[0] >> 4 === 1 && data[3] === 0x10) return says([acknowledges(data)], [0x10, 0, 2, 0x50, 0x89]);
	if (liar.packet !== undefined) return liar.packet(data);
	return isRequest(data) && data[3] === 0x21 ? says([acknowledges(data)], [0x11, 0, 3, 0x61, data[4], 7]) : [];
}

describe("virtual time: a control unit that lies over its channel", () => {
	// both speak the same protocol: each lie is told by one of them
	for (const [turn, generation] of ([2, 4] as const).entries())
		it(`of generation ${generation} changes nothing but its own answers, and leaves nothing behind`, async function () {
			this.timeout(900_000); // on a machine that does other things
			await withDrive({ generation }, async (drive) => {
				const answers = [ANSWER, 0x20b, ...several(32, (i) => [THEIRS + i]).flat()];
				const questions = [SETUP, ...several(128, (i) => [OURS + i]).flat()];
				Object.assign(drive, { questions: new Set(questions), answers: new Set(answers), pieceMs: 25 });
				const all = liars();
				let liar: Liar = {};
				let untilMs = 0;
				let asked = 0;
				let isAsked = false;
				const due: Said[] = [];
				drive.asked = (_, question) => {
					asked++;
					isAsked = true;
					due.push(...answered(question, liar));
				};
				drive.car.beside = (ms, send) => {
					const said = due.splice(0).concat(isAsked && ms < untilMs ? (liar.sends?.(ms) ?? []) : []);
					for (const [id, data, flags = 0] of said) send(1, { id, flags, data: Uint8Array.from(data) });
				};
				const measured = async (): Promise<string> => {
					const socket = await drive.lockstep.connect();
					let text = "";
					socket.on("data", (chunk) => (text += chunk));
					socket.write("POST /api/diag/measured?localIds=01 HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n");
					const fromMs = drive.nowMs;
					// the client is dropped after 30 s, and its job ends at most as late
					while (!text.endsWith("0\r\n\r\n") && !text.startsWith("HTTP/1.1 504")) {
						assert.ok(drive.nowMs - fromMs < OVER_MS, `${drive.subject}: no answer, ${text}`);
						await drive.run(LOOK_MS);
					}
					socket.destroy();
					return text;
				};
				const lie = async (name: string): Promise<void> => {
					drive.subject = name;
					liar = all[name] as Liar;
					isAsked = false;
					untilMs = drive.nowMs + (name === "pending for ever" ? OVER_MS : LIES_MS);
					await measured();
					await drive.run(Math.max(0, untilMs - drive.nowMs));
					liar = {};
					await drive.run(REST_MS);
					assert.match(await measured(), /"positiveResponseCount":1\b/, name);
					await drive.run(LOOK_MS);
				};
				await drive.run(READY_MS);
				await lie("bytes without sense");
				await leavesNothing(drive, async () => {
					for (const name of Object.keys(all).filter((_, i) => i % 2 === turn)) await lie(name);
				});
				drive.judgeSteady("after all lies");
				assert.ok(asked > 50, `${asked} questions`);
				assert.ok(drive.figures.commands > 5_000, `${drive.figures.commands} commands`);
			});
		});
});
