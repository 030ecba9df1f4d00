/**
 * The diagnosis worker and the simulated control unit on a bus of their own: a frame takes a millisecond, the
 * worker looks each fifth.
 */
import assert from "node:assert/strict";
import type { DiagnosisPort } from "../../hal/ports.js";
import type { ApiContext } from "../../src/api/context.js";
import type { DiagnosisRoute } from "../../src/can/layouts/diagnosis-ids.js";
import type { ExchangeResult } from "../../src/diagnosis/diagnosis.js";
import { Diagnosis, type DiagnosisJob } from "../../src/diagnosis/diagnosis.js";
import { ControlUnit } from "../../tools/vehicle/control-unit/knowledge.js";
import { IsoTpServer, noFaults, Tp20Server } from "../../tools/vehicle/control-unit/servers.js";

const STATE = { engagementPercent: 40, supplyV: 13.8, temperatureC: 52 };
const POLL_MS = 5;

export interface Frame {
	readonly id: number;
	readonly extended: boolean;
	readonly data: Uint8Array;
}

export class ControlUnitBench {
	readonly faults = noFaults();
	readonly unit = new ControlUnit();
	readonly worker: Diagnosis;
	readonly port: DiagnosisPort;
	/** Frames of both sides in their order, as `id#bytes`, ours with `>`. */
	readonly traffic: string[] = [];
	/** Identifiers that are kept back at the moment. */
	kept: number[] = [];
	/**
	 * In place of the simulated control unit: what is said to a frame of ours, or to none each millisecond,
	 * as `id#bytes`; of 29 bits with eight digits.
	 */
	script: ((frame: string | undefined) => readonly string[]) | undefined;
	/** Identifiers that were ever kept back. */
	readonly everKept = new Set<number>();
	/** How many frames of ours still fit. */
	room = Number.POSITIVE_INFINITY;
	foreignAgeMs = 0xffffffff;
	/** How long ago something was heard from an identifier on. */
	ageOf: (bus: number, first: number) => number = () => this.foreignAgeMs;
	#yielded = false;
	nowMs = 0;
	readonly #isoTp: IsoTpServer;
	readonly #tp20: Tp20Server;
	readonly #queue: Frame[] = [];
	readonly #scripted: string[] = [];

	/** @param udsIds of the one route that the control unit has */
	constructor(udsIds = { request: 0x70f, response: 0x779, extended: false }) {
		this.#isoTp = new IsoTpServer(udsIds, this.faults, (request) => this.unit.uds(request, STATE));
		const connected = () => this.unit.connect();
		this.#tp20 = new Tp20Server(this.faults, (request) => this.unit.kwp(request, STATE), connected);
		const port: DiagnosisPort = {
			receivedAgeMs: (bus, first) => this.ageOf(bus, first),
			openDiagnosis: (ids) => {
				this.kept = this.#yielded ? [] : [...new Uint32Array(ids.buffer)];
				for (const id of this.kept) this.everKept.add(id);
			},
			closeDiagnosis: () => {
				this.kept = [];
				this.#yielded = false;
			},
			send: (bus, word, data) => {
				assert.equal(bus, 1);
				if (this.room <= 0) return false;
				this.room--;
				const frame = { id: word & 0x1fffffff, extended: word >>> 31 === 1, rtr: false, data: Uint8Array.from(data) };
				this.traffic.push(`> ${text(frame)}`);
				if (this.script !== undefined) {
					this.#scripted.push(...this.script(text(frame)));
					return true;
				}
				this.#isoTp.receive(frame, this.nowMs);
				this.#tp20.receive(frame, this.nowMs);
				return true;
			},
			receiveDiagnosis: (into) => {
				const frame = this.#queue.shift();
				if (frame === undefined) return this.#yielded ? -2 : -1;
				new DataView(into.buffer).setUint32(0, (frame.extended ? frame.id | 0x80000000 : frame.id) >>> 0, true);
				into[4] = frame.data.length;
				into.set(frame.data, 5);
				return frame.data.length;
			},
		};
		this.port = port;
		this.worker = new Diagnosis(port);
	}

	/**
	 * Does a job to its end.
	 * @returns its results and the route
	 * @throws {Error} it does not end within a minute
	 */
	run(job: Partial<DiagnosisJob> & Pick<DiagnosisJob, "requests">): {
		results: readonly ExchangeResult[];
		route: DiagnosisRoute | undefined;
	} {
		let ended: { results: readonly ExchangeResult[]; route: DiagnosisRoute | undefined } | undefined;
		this.worker.start(
			{
				transport: "uds_can",
				timeoutMs: 1500,
				probeMs: 900,
				isProbe: false,
				...job,
				ended: (results, route) => {
					ended = { results, route };
				},
			},
			this.nowMs,
		);
		for (let passed = 0; passed < 60_000 && ended === undefined; passed++) this.step();
		if (ended === undefined) throw new Error("the job does not end");
		return ended;
	}

	/** For the interface: a job is done before `start` returns. */
	get context(): ApiContext["diagnosis"] {
		const bench = this;
		return {
			worker: this.worker,
			get nowMs() {
				return bench.nowMs;
			},
			start: (job) => {
				this.worker.start(job, this.nowMs);
				while (this.worker.active) this.step();
			},
		};
	}

	/** Another tester sends a frame: as in the gateway, nothing is kept back from here on. */
	hearTester(): void {
		this.foreignAgeMs = 0;
		this.#yielded = this.kept.length > 0;
		this.kept = [];
		this.#queue.length = 0;
	}

	/** A millisecond passes. */
	step(): void {
		this.nowMs++;
		const say = (id: number, extended: boolean, data: Uint8Array): void => {
			const frame = { id, extended, data: Uint8Array.from(data) };
			this.traffic.push(`< ${text(frame)}`);
			const word = (extended ? id | 0x80000000 : id) >>> 0;
			if (this.kept.includes(word)) this.#queue.push(frame);
		};
		if (this.script === undefined) {
			this.#isoTp.step(this.nowMs, say);
			this.#tp20.step(this.nowMs, say);
		} else
			for (const frame of this.#scripted.splice(0).concat(this.script(undefined))) {
				const [id, bytes] = frame.split("#") as [string, string];
				say(Number.parseInt(id, 16), id.length === 8, Buffer.from(bytes, "hex"));
			}
		if (this.nowMs % POLL_MS === 0) this.worker.poll(this.nowMs);
	}
}

const text = ({ id, data }: Frame): string => `${id.toString(16)}#${Buffer.from(data).toString("hex")}`;
