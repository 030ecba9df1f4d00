/**
 * A frame plan of format 2: sizes of its parts in bytes, in this order, offsets in them, and the groups of its
 * rules, bit masks for `GatewayPort.commit`. Source: modules/can-gateway/README.md "Frame plan".
 */

import type { SignalPlace } from "../can/signal-layout.js";

/** The first byte. */
export const PLAN_FORMAT = 2;
export const HEADER_BYTES = 12;
export const COUNTER_BYTES = 4;
/** DataIDs by counter nibble. */
export const DATA_ID_BYTES = 16;
export const RULE_BYTES = 44;
/** A code of an invalid signal. Marks stand in the order of their rules. */
export const MARK_BYTES = 8;
/** A value across bytes that follows the factor. Fields stand in the order of their rules, then of their bits. */
export const FIELD_BYTES = 8;
/** In a rule: a byte operation, and a checksum step. */
export const OPERATION_BYTES = 3;
export const CHECKSUM_BYTES = 6;

/** Offsets in the header. */
export const HEADER = Object.freeze({
	format: 0,
	counterSet: 1,
	crcPolynomial: 2,
	crcInitial: 3,
	crcFinalXor: 4,
	counterCount: 5,
	dataIdCount: 6,
	ruleCount: 7,
	generates: 8,
	markCount: 9,
	fieldCount: 10,
	reserved: 11,
});

/** Offsets in a rule. A plan that generates has phase and period in place of group and least DLC. */
export const RULE = Object.freeze({
	id: 0,
	bus: 4,
	group: 5,
	phase: 5,
	minDlc: 6,
	period: 6,
	dlcOut: 7,
	operations: 8,
	checksums: 32,
});

/** Identifier of a rule: no frame of a plan has one of 29 bits. @param rule its offset */
export function readId(plan: Uint8Array, rule: number): number {
	return plan[rule + RULE.id] | (plan[rule + RULE.id + 1] << 8);
}

/** @param rule its offset @param id of 11 bits */
export function writeId(plan: Uint8Array, rule: number, id: number): void {
	plan.set([id & 0xff, id >> 8], rule + RULE.id);
}

const LAST_WORD = 6;

/**
 * A mark without its rule: the bytes of a range of codes in a 16-bit word.
 * @param message names the frame in an error
 * @throws {RangeError} no word holds the bits
 */
export function markOf(
	message: string,
	place: Pick<SignalPlace, "start" | "length">,
	firstCode: number,
	lastCode: number,
): readonly number[] {
	const at = Math.min(place.start >> 3, LAST_WORD);
	const shift = place.start - 8 * at;
	if (shift + place.length > 16) throw new RangeError(`${message}: bit ${place.start} is the first of more than a word`);
	const [mask, first, last] = [2 ** place.length - 1, firstCode, lastCode].map((bits) => bits << shift);
	return [at, ...[mask, first, last].flatMap((word) => [word & 0xff, (word >> 8) & 0xff])];
}

/** Frames of brake systems, in `corrected`: left alone during an intervention. */
export const BRAKE_GROUP = 1;
export const ALL_GROUPS = 0xff;
export const WITHOUT_BRAKE_GROUP = ALL_GROUPS & ~(1 << BRAKE_GROUP);
