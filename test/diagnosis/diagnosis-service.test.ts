import assert from "node:assert/strict";
import type { Condition } from "../../src/controller/conditions.js";
import type { ExchangeResult } from "../../src/diagnosis/diagnosis.js";
import { DiagnosisService } from "../../src/diagnosis/diagnosis-service.js";
import { readLocalId } from "../../src/diagnosis/services.js";
import { ControlUnitBench } from "../support/control-unit-bench.js";

const ASKED = { block: 2, place: 0, formula: 0x1a };
const LOOK_MS = 500;

class Desk {
	readonly unit = new ControlUnitBench();
	readonly service: DiagnosisService;
	/** Temperatures that the condition got. */
	readonly answers: number[] = [];
	asking = true;
	/** When a channel was asked for. */
	readonly askedMs: number[] = [];
	#due: { atMs: number; callback: () => void }[] = [];

	constructor() {
		const { unit } = this;
		const one = { asked: ASKED, answer: (celsius: number) => this.answers.push(celsius) } as unknown as Condition;
		const desk = this;
		const controller = {
			nowMs: 0,
			get asking() {
				return desk.asking ? [one] : undefined;
			},
		};
		const clock = {
			get ticks() {
				return unit.nowMs;
			},
		};
		const later = (callback: () => void, delayMs: number) => this.#due.push({ atMs: unit.nowMs + delayMs, callback });
		this.service = new DiagnosisService(unit.port, clock, later, controller);
	}

	run(ms: number): void {
		for (let i = 0; i < ms; i++) {
			const before = this.unit.traffic.length;
			this.unit.step();
			const { nowMs } = this.unit;
			const due = this.#due.filter(({ atMs }) => atMs <= nowMs);
			this.#due = this.#due.filter((one) => !due.includes(one));
			for (const { callback } of due) callback();
			if (nowMs % LOOK_MS === 0) this.service.look();
			if (this.unit.traffic.slice(before).some((line) => line.startsWith("> 200#"))) this.askedMs.push(nowMs);
		}
	}

	/** What a client is told. */
	ask(block: number): ExchangeResult[] {
		const told: ExchangeResult[] = [];
		const requests = [readLocalId(block)];
		const job = { transport: "kwp_tp20", requests, timeoutMs: 5000, probeMs: 900, isProbe: false } as const;
		this.service.start({ ...job, ended: (results) => told.push(...results) });
		return told;
	}
}

describe("diagnosis/diagnosis-service", () => {
	it("asks for conditions every 2 s, as long as any needs it", () => {
		const desk = new Desk();
		desk.run(8400);
		assert.deepEqual(desk.askedMs, [2000, 4000, 6000, 8000]);
		assert.equal(desk.answers[0], 52);
		desk.asking = false;
		desk.run(5000);
		assert.deepEqual([desk.askedMs.length, desk.answers.length], [4, 4]);
	});

	it("lets one client wait for the end of its own question, and asks for conditions between those of clients", () => {
		const desk = new Desk();
		desk.run(2002);
		assert.equal(desk.service.worker.active, true);
		const first = desk.ask(1);
		const second = desk.ask(3);
		assert.deepEqual([first.length, second.map(({ status }) => status)], [0, ["busy"]]);
		desk.run(1000);
		assert.deepEqual([first.map(({ status }) => status), desk.answers.length], [["positive"], 1]);
		const told: string[] = [];
		for (let i = 0; i < 40; i++) {
			const answer = desk.ask(1);
			for (let ms = 0; ms < 1000 && answer.length === 0; ms++) desk.run(1);
			told.push(answer[0]?.status ?? "none");
		}
		assert.deepEqual([...new Set(told)], ["positive"]);
		assert.ok(desk.answers.length >= 2, `${desk.answers.length}`);
	});

	it("falls silent with a tester's first frame, and asks on when it has gone", () => {
		const desk = new Desk();
		desk.run(2002);
		desk.unit.hearTester();
		const { length } = desk.unit.traffic;
		desk.run(2000);
		const ours = desk.unit.traffic.slice(length).filter((line) => line.startsWith(">"));
		assert.ok(ours.length <= 1, ours.join());
		assert.deepEqual([desk.answers.length, desk.askedMs.length, desk.service.worker.active], [0, 1, false]);
		desk.unit.foreignAgeMs = 0xffffffff;
		desk.run(5000);
		assert.ok(desk.answers.length > 0);
	});

	it("gets no answer of a control unit that is silent, rejects or says nonsense, and asks no faster", () => {
		for (const faults of [{ silent: true }, { negativeCode: 0x31 }, { wrongSequenceAt: 1 }, { lateMs: 3000 }]) {
			const desk = new Desk();
			Object.assign(desk.unit.faults, faults);
			desk.run(20_000);
			assert.ok(desk.answers.length === 0 || "lateMs" in faults, JSON.stringify(faults));
			assert.ok(desk.askedMs.every((ms, i) => i === 0 || ms - (desk.askedMs[i - 1] as number) >= 2000));
		}
	});
});
