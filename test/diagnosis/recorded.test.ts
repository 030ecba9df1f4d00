/**
 * Conversations with implementations of other people's making, recorded once (candump, `recorded/`): our
 * worker says again what it said then, and so does the simulated control unit.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { IDENTITY } from "../../src/can/layouts/diagnosis-data.js";
import { Diagnosis } from "../../src/diagnosis/diagnosis.js";
import { clearDtcs, readDid, readDtcs } from "../../src/diagnosis/services.js";
import { ControlUnit } from "../../tools/vehicle/control-unit/knowledge.js";
import { type ControlUnitFaults, IsoTpServer, noFaults } from "../../tools/vehicle/control-unit/servers.js";

const REQUEST = 0x70f;
const RESPONSE = 0x779;
const POLL_MS = 5;
/** Longer than either side waits for the next frame. */
const PATIENCE_MS = 6000;

interface Line {
	/** Since the line before. */
	readonly afterMs: number;
	readonly id: number;
	readonly hex: string;
}

/** The sections of a recording, by title. */
function sections(name: string): ReadonlyMap<string, readonly Line[]> {
	const text = readFileSync(new URL(`recorded/${name}`, import.meta.url), "utf8");
	return new Map(
		text
			.split(/^# /m)
			.slice(1)
			.map((section) => {
				const [title, ...lines] = section.trim().split("\n");
				let before = 0;
				const frames = lines.map((line) => {
					const [, seconds, id, hex] = /^\((.+)\) can1 ([0-9A-F]{3})#([0-9A-F]*)$/.exec(line) as unknown as string[];
					const afterMs = (Number(seconds) - before) * 1000;
					before = Number(seconds);
					return { afterMs, id: Number.parseInt(id!, 16), hex: hex! };
				});
				return [title!, frames];
			}),
	);
}

/** Plays the control unit of a section; the worker must say what it said then. */
class Replay {
	readonly worker: Diagnosis;
	readonly #lines: readonly Line[];
	#at = 0;
	#nowMs = 0;
	/** When the line before happened. */
	#thenMs = 0;

	constructor(lines: readonly Line[]) {
		this.#lines = lines;
		this.worker = new Diagnosis({
			openDiagnosis: () => undefined,
			closeDiagnosis: () => undefined,
			receivedAgeMs: () => 0xffffffff,
			send: (_bus, id, data) => this.#said(id, Buffer.from(data).toString("hex").toUpperCase()),
			receiveDiagnosis: (into) => this.#next(into),
		});
	}

	get isOver(): boolean {
		return this.#at === this.#lines.length;
	}

	run(requests: readonly Uint8Array[]): string[] {
		this.#skip();
		let outcome: string[] | undefined;
		const ended = (results: readonly { readonly status: string; readonly response: Uint8Array }[]): void => {
			outcome = results.map(({ status, response }) => `${status} ${response.length}`);
		};
		const job = { transport: "uds_can", timeoutMs: 1500, probeMs: 900, isProbe: false } as const;
		this.worker.start({ ...job, requests, ended }, this.#nowMs);
		for (let passed = 0; passed < 60_000 && outcome === undefined; passed += POLL_MS) {
			this.#nowMs += POLL_MS;
			this.worker.poll(this.#nowMs);
		}
		this.#skip();
		return outcome ?? ["never ended"];
	}

	/** The rest of an answer that was dropped. */
	#skip(): void {
		while (this.#lines[this.#at]?.id === RESPONSE) this.#at++;
		this.#thenMs = this.#nowMs;
	}

	#said(id: number, hex: string): boolean {
		assert.deepEqual([id, hex], [REQUEST, this.#lines[this.#at]?.hex]);
		this.#step();
		return true;
	}

	#next(into: Uint8Array): number {
		const line = this.#lines[this.#at];
		if (line?.id !== RESPONSE || this.#nowMs < this.#thenMs + line.afterMs) return -1;
		const data = Buffer.from(line.hex, "hex");
		new DataView(into.buffer).setUint32(0, RESPONSE, true);
		into.set([data.length, ...data], 4);
		this.#step();
		return data.length;
	}

	#step(): void {
		this.#at++;
		this.#thenMs = this.#nowMs;
	}
}

const did = (number: number): Uint8Array[] => [readDid(number)];

describe("recorded conversations", () => {
	describe("of our requests with a control unit on can-isotp", () => {
		const recorded = sections("our-requests.log");
		let replay: Replay | undefined;
		const jobs: readonly (readonly [title: string, requests: readonly (readonly Uint8Array[])[], outcome: readonly string[]])[] =
			[
				[
					"identity, trouble codes, long answers, a refusal",
					[did(0xf190), IDENTITY.map(({ did }) => readDid(did)), [readDtcs(0xaf)], did(0x600), did(0x601), did(0x1234)],
					[
						...["positive 20", "positive 30", "positive 9", "positive 14", "positive 7", "positive 13", "positive 20"],
						...["positive 14", "positive 6", "positive 14", "positive 7", "positive 203", "positive 243", "positive 256"],
						"negative_response 3",
					],
				],
				["answers that are too long", [did(0x602), did(0x603)], ["payload_too_large 0", "payload_too_large 0"]],
				["response pending", [did(0x600)], ["positive 243"]],
				["a lost frame", [did(0x600)], ["bad_sequence 0"]],
				["silence in mid-message", [did(0x600)], ["timeout 0"]],
				["clearing", [did(0xf189), [clearDtcs(0xffffff)], [readDtcs(0xaf)]], ["positive 7", "positive 1", "positive 3"]],
			];
		it("have an outcome for each section of the recording", () => {
			assert.deepEqual(
				[...recorded.keys()],
				jobs.map(([title]) => title),
			);
		});
		for (const [title, requests, outcome] of jobs)
			it(`are held again, with the same outcome: ${title}`, () => {
				const lines = recorded.get(title)!;
				// where it begins with the search for a route, none was known
				if (replay === undefined || lines[0]?.hex.startsWith("0322F19E")) replay = new Replay(lines);
				else {
					const known = new Replay([{ afterMs: 0, id: REQUEST, hex: "0322F19E55555555" }, FOUND, ASKED, FOUND, ...lines]);
					assert.deepEqual(known.run(did(0xf19e)), ["positive 7"]);
					replay = known;
				}
				assert.deepEqual(
					requests.flatMap((job) => replay!.run(job)),
					outcome,
				);
				assert.ok(replay.isOver, "all that was said");
			});
	});

	describe("of udsoncan's requests with the simulated control unit", () => {
		const recorded = sections("their-requests.log");
		/** Faults of the control unit at each request of a section. */
		const faults: Readonly<Record<string, readonly Partial<ControlUnitFaults>[]>> = {
			"values and trouble codes": [],
			"a long request, refusals, clearing": [],
			"response pending, a late one, a refusal": [{ pendingMs: 4000 }, { lateMs: 700 }, { negativeCode: 0x33 }],
			"wrong sequence, silence": [{ wrongSequenceAt: 2 }, { silentFrom: 2 }, { silent: true }],
			"a request in blocks": [{ blockSize: 2, separationMs: 15 }],
		};
		it("have the faults of each section of the recording", () => {
			assert.deepEqual([...recorded.keys()], Object.keys(faults));
		});
		const state = { engagementPercent: 40, supplyV: 13.8, temperatureC: 52 };
		for (const [title, atRequests] of Object.entries(faults))
			it(`are answered as they were: ${title}`, () => {
				const unit = new ControlUnit();
				unit.faults = Array.from({ length: 50 }, (_, i) => [0x100000 + i * 7, 0x08 + (i & 1)]);
				const at = noFaults();
				const server = new IsoTpServer({ request: REQUEST, response: RESPONSE, extended: false }, at, (request) =>
					unit.uds(request, state),
				);
				const said: string[] = [];
				let nowMs = 0;
				let count = 0;
				const step = (): void =>
					server.step(++nowMs, (_id, _extended, data) => said.push(Buffer.from(data).toString("hex").toUpperCase()));
				for (const { id, hex, afterMs } of recorded.get(title)!) {
					if (id === RESPONSE) {
						for (let waited = 0; said.length === 0 && waited < PATIENCE_MS; waited++) step();
						assert.equal(said.shift(), hex);
						continue;
					}
					for (let waited = 0; waited < afterMs; waited++) step();
					if (/^[01]/.test(hex)) Object.assign(at, noFaults(), atRequests[count++]);
					server.receive({ id, extended: false, rtr: false, data: Buffer.from(hex, "hex") }, nowMs);
				}
				for (let waited = 0; waited < PATIENCE_MS; waited++) step();
				assert.deepEqual(said, [], "and nothing more");
			});
	});
});

const FOUND: Line = { afterMs: 0, id: RESPONSE, hex: "0762F19E41424344" };
const ASKED: Line = { afterMs: 0, id: REQUEST, hex: "0322F19E55555555" };
