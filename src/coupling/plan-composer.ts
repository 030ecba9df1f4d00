/**
 * The parts of an encoded frame plan, and a plan that is composed of some of them. Nothing here knows the
 * driver's settings. Source of the bytes: modules/can-gateway/README.md "Frame plan".
 */

import { OPEN_NM, type TorqueField, type TorqueFrame } from "./coupling.js";
import {
	COUNTER_BYTES,
	DATA_ID_BYTES,
	HEADER,
	HEADER_BYTES,
	MARK_BYTES,
	OPERATION_BYTES,
	RULE,
	RULE_BYTES,
	readId,
} from "./plan-format.js";

/** Checksum and counter before it stay the profile's. */
const PAYLOAD = 2;
const FULL_DLC = 8;

/** Offset of the first rule, behind counters and DataIDs. */
function firstRuleOf(plan: Uint8Array): number {
	return HEADER_BYTES + plan[HEADER.counterCount] * COUNTER_BYTES + plan[HEADER.dataIdCount] * DATA_ID_BYTES;
}

/** @param id of 11 bits */
export function hasRule(plan: Uint8Array, id: number): boolean {
	const first = firstRuleOf(plan);
	const end = first + plan[HEADER.ruleCount] * RULE_BYTES;
	for (let rule = first; rule < end; rule += RULE_BYTES) if (readId(plan, rule) === id) return true;
	return false;
}

/**
 * The plan without the frames that are `off`, with the torques of `torque` up to the ceiling. Allocates.
 * @param torque undefined: the torques stay those of the plan
 * @param ceilingNm unused without `torque`
 */
export function composed(
	plan: Uint8Array,
	off: readonly number[],
	torque: TorqueFrame | undefined,
	ceilingNm: number,
): Uint8Array {
	const generates = plan[HEADER.generates] === 1;
	const oldRules = rulesOf(plan);
	const oldMarks = partsOf(plan, firstRuleOf(plan) + oldRules.length * RULE_BYTES, plan[HEADER.markCount], MARK_BYTES);
	const rules: Uint8Array[] = [];
	const marks: Uint8Array[] = [];
	const fields: Uint8Array[] = [];
	oldRules.forEach((rule, oldNumber) => {
		const id = readId(rule, 0);
		if (off.includes(id) && !onlyPasses(plan, rule)) return;
		const number = rules.length;
		if (id === torque?.id) {
			rules.push(withoutPayload(rule, generates));
			// a plan that generates has no marks
			if (!generates) marks.push(...torque.codes.map((code) => Uint8Array.of(number, ...code)));
			fields.push(...torque.fields.map((field) => fieldBytes(number, field, ceilingNm)));
		} else {
			rules.push(rule);
			for (const mark of oldMarks) if (mark[0] === oldNumber) marks.push(Uint8Array.of(number, ...mark.subarray(1)));
		}
	});
	return withParts(plan, rules, marks, fields);
}

/** The rules in their order; views of the plan's bytes. */
export function rulesOf(plan: Uint8Array): readonly Uint8Array[] {
	return partsOf(plan, firstRuleOf(plan), plan[HEADER.ruleCount], RULE_BYTES);
}

function partsOf(plan: Uint8Array, from: number, count: number, size: number): readonly Uint8Array[] {
	return Array.from({ length: count }, (_, index) => plan.subarray(from + index * size, from + (index + 1) * size));
}

/** In a plan that generates, a rule without a period lets diagnosis pass: it is never off. */
export function onlyPasses(plan: Uint8Array, rule: Uint8Array): boolean {
	return plan[HEADER.generates] === 1 && rule[RULE.period] === 0;
}

/** A plan of these parts, with the counters and DataIDs of `plan`. */
function withParts(
	plan: Uint8Array,
	rules: readonly Uint8Array[],
	marks: readonly Uint8Array[],
	fields: readonly Uint8Array[],
): Uint8Array {
	let at = firstRuleOf(plan);
	const parts = [...rules, ...marks, ...fields];
	const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, at));
	whole.set(plan.subarray(0, at));
	whole[HEADER.ruleCount] = rules.length;
	whole[HEADER.markCount] = marks.length;
	whole[HEADER.fieldCount] = fields.length;
	for (const part of parts) {
		whole.set(part, at);
		at += part.length;
	}
	return whole;
}

/** Leaves all but checksum and counter as received; the fields need eight bytes. */
function withoutPayload(rule: Uint8Array, generates: boolean): Uint8Array {
	const bytes = rule.slice();
	bytes.fill(0, RULE.operations + PAYLOAD * OPERATION_BYTES, RULE.operations + FULL_DLC * OPERATION_BYTES);
	if (!generates) bytes[RULE.minDlc] = FULL_DLC;
	return bytes;
}

function fieldBytes(rule: number, { signal: { start, length }, raw, rises, step }: TorqueField, ceilingNm: number): Uint8Array {
	const span = rises ? ceilingNm - OPEN_NM : 0;
	return Uint8Array.of(rule, start, length, step, raw & 0xff, raw >> 8, span & 0xff, span >> 8);
}
