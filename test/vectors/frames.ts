/**
 * Checks what leaves, frame by frame, in profile `reference`: lock core, command factor and frame plan
 * together. The gateway's C core applies the plan.
 */

import type { Bus } from "../../hal/ports.js";
import { GatewayCore } from "../../modules/can-gateway/gateway-core.js";
import { framePlan } from "../../src/coupling/frame-plan.js";
import { STOCK } from "../../src/lock/modes.js";
import { isMarked } from "../../tools/campaign/marks.js";
import { Control, type Json, OTHER_TARGET } from "./control.js";
import { bugsOf, bytesOf, hexOf, type Report } from "./report.js";

/** Frame flags after which the reference's counters have advanced for a frame that we pass through. */
const PASSED_THROUGH = /dlc-ignored|extd-ignored|rtr-processed/;

/** Odd counters of the reference: flagged, and sent by profile `reference` all the same. */
const FOLLOWED = /^(gen2-\S+|gen4-brakes1-counter-wrap|esp\S+|gen1-torque-direction)$/;

const SLOT_MS = 5;
/** By then all that is due within five milliseconds is. */
const SLOT_END_MS = 4;
const LEASE_MS = 1000;
const LISTEN_MS = 3000;

/** Loads and applies frame plans. */
class PlanRunner {
	readonly #core = new GatewayCore();
	#nowMs = 0;
	#factor = 0;

	load(plan: Uint8Array): void {
		this.#core.loadPlan(plan);
	}

	commit(factor: number, groups: number): void {
		this.#nowMs++;
		this.#factor = factor;
		this.#core.commit(factor, groups, LEASE_MS, this.#nowMs);
	}

	/** @param id with bit 31 for extended and bit 30 for remote frames. @returns the data that leaves */
	pass(bus: Bus, id: number, dlc: number, data: Uint8Array): Uint8Array {
		const frame = new Uint8Array(8);
		frame.set(data.subarray(0, dlc));
		const sentDlc = this.#core.pass(bus, id >>> 0, dlc, frame, this.#nowMs);
		return frame.subarray(0, Math.max(sentDlc, 0));
	}

	/**
	 * What a plan sends by itself within 5 ms from `tMs` on: identifier (two bytes, the high one first) and data
	 * of each frame.
	 */
	generated(tMs: number): Uint8Array[] {
		const frames: Uint8Array[] = [];
		const into = new Uint8Array(13);
		// the first commit began to listen at 1 ms
		this.#nowMs = 1 + LISTEN_MS + tMs;
		if (tMs === 0) this.#core.commit(this.#factor, 0xff, LEASE_MS, this.#nowMs);
		for (;;) {
			const dlc = this.#core.next(into, this.#nowMs);
			if (dlc >= 0) frames.push(Uint8Array.of(into[1], into[0], ...into.subarray(5, 5 + dlc)));
			else if (this.#nowMs < 1 + LISTEN_MS + tMs + SLOT_END_MS) this.#nowMs++;
			else return frames;
		}
	}
}

/** A case's control, and the plans of its mode. */
class FrameControl extends Control {
	readonly #generation: 1 | 2 | 4 | 5;
	readonly #runner = new PlanRunner();
	#plan: Uint8Array | undefined;

	constructor(generation: 1 | 2 | 4 | 5, config: Json) {
		super(config);
		this.#generation = generation;
	}

	#commit(isStandalone: boolean, lockPercent: number): void {
		const plan = framePlan(this.#generation, "reference", this.mode, isStandalone);
		if (plan !== this.#plan) this.#runner.load(plan);
		this.#plan = plan;
		this.#runner.commit(this.factor(lockPercent), 0xff);
	}

	/** The data that leaves for a chassis frame. */
	rewrite(lockPercent: number, id: number, dlc: number, data: Uint8Array): Uint8Array {
		if (this.mode === STOCK) return data;
		this.#commit(false, lockPercent);
		return this.#runner.pass(0, id, dlc, data);
	}

	/** What is sent from `t` on in standalone operation. */
	generated(lockPercent: number, t: number): Uint8Array[] {
		this.#commit(true, lockPercent);
		return this.#runner.generated(t);
	}

	/** Lock after a chassis frame, and what leaves for it. */
	checkFrame(row: Json, where: string, report: Report): void {
		const [, t, id, dlc, inHex, outHex, lock, extra] = row;
		const data = bytesOf(inHex.padEnd(2 * dlc, "0"));
		const received = hexOf(data);
		const lockPercent = this.mode === STOCK ? 0 : this.lockPercent(t);
		const bits = (extra?.ext ? 0x80000000 : 0) + (extra?.rtr ? 0x40000000 : 0);
		this.checkLock(lockPercent, lock, extra, where, report);
		const actual = hexOf(this.rewrite(lockPercent, id + bits, dlc, data));
		const isInvalid = isMarkedInvalid(id, dlc, data);
		// brings the counters to where the reference's are
		if ((PASSED_THROUGH.test(bugsOf(extra)) || isInvalid) && actual === received)
			this.rewrite(lockPercent, id, 8, validFrame(id));
		if (bugsOf(extra) !== "") return;
		const expected = outHex || received;
		if (isInvalid && actual !== expected && actual === received) report.skip("the car marks a signal as invalid");
		else report.check(actual === expected, `${where} id ${id.toString(16)}: ${actual}, expected ${expected}`);
	}
}

export function checkMutate(set: Json, report: Report): void {
	for (const test of set.cases) {
		const control = new FrameControl(set.generation, test.config);
		test.rows.forEach((row: Json, i: number) => {
			if (row[0] === "s") control.apply(row[2]);
			else control.checkFrame(row, `${test.id} row ${i}`, report);
		});
	}
}

/**
 * Checks lock and sent frames of the telemetry vectors' `clean` cases. Decoding is checked in `telemetry.ts`;
 * here the control side gets the reference's own telemetry, so that the error codes which we reject
 * (docs/decisions.md 5) do not hide the rest.
 */
export function checkSentFrames(set: Json, report: Report): void {
	for (const test of set.cases) {
		if (test.profile !== "clean") continue;
		const control = new FrameControl(set.generation, test.config);
		let lock = 0;
		test.rows.forEach((row: Json, i: number) => {
			if (row[0] === "s") {
				control.apply(row[2]);
				return;
			}
			const [bus, t, id, dlc, inHex, changed, extra] = row;
			control.setInputs(changed.speed, changed.throttle, changed.rpm);
			if (changed.lock !== undefined) lock = changed.lock;
			if (bus !== "c") return;
			const sent = extra?.tx?.[0];
			const outHex = sent === undefined ? 0 : sent[3].slice(0, 2 * sent[2]);
			control.checkFrame(["f", t, id, dlc, inHex, outHex, lock, extra], `${test.id} row ${i}`, report);
		});
	}
}

export function checkStandalone(set: Json, report: Report): void {
	for (const test of set.cases) {
		const control = new FrameControl(set.generation, test.config);
		let sent: Uint8Array[] = [];
		let next = 0;
		let lockPercent = 0;
		test.rows.forEach((row: Json, i: number) => {
			const where = `${test.id} row ${i}`;
			const [kind, t] = row;
			if (kind === "s") control.apply(row[2]);
			for (; next <= t; next += SLOT_MS) {
				report.check(sent.length === 0, `${where}: ${sent.length} frames more than expected`);
				// what changes at this time is said before its frames
				if (kind === "s" && next === t) break;
				sent = control.generated(lockPercent, next);
			}
			if (kind === "l") {
				const [, , lock, extra] = row;
				lockPercent = control.lockPercent(t);
				control.checkLock(lockPercent, lock, extra, where, report);
				if (OTHER_TARGET.test(bugsOf(extra))) lockPercent = lock;
			}
			if (kind === "f") checkSent(sent.shift(), row, where, report);
		});
	}
}

function checkSent(sent: Uint8Array | undefined, row: Json, where: string, report: Report): void {
	const [, , , id, , hex, extra] = row;
	const actual = sent === undefined ? "nothing" : `${hexOf(sent.subarray(0, 2))} ${hexOf(sent.subarray(2))}`;
	const bugs = bugsOf(extra).split(",");
	const expected = `${(id as number).toString(16).padStart(4, "0")} ${hex}`;
	report.row(
		bugs.every((bug) => FOLLOWED.test(bug)) ? undefined : extra,
		actual === expected,
		`${where}: ${actual}, expected ${expected}`,
	);
}

/**
 * Whether a received frame carries a code in place of a value. The reference overwrites it, and real cars send
 * such codes, so its row does not bind. @param data at least `dlc` bytes; those beyond count as 0
 */
function isMarkedInvalid(id: number, dlc: number, data: Uint8Array): boolean {
	const received = new Uint8Array(8);
	received.set(data.subarray(0, Math.min(dlc, 8)));
	return isMarked(id, received);
}

/** A frame of this identifier in which every signal has a value. */
function validFrame(id: number): Uint8Array {
	const data = new Uint8Array(8);
	if (id === 0x0c2) data[4] = 0x80;
	return data;
}
