/** Requests of UDS and KWP2000, and their responses. Source: docs/control-and-can.md 5.3, 5.4. */

import {
	COLDEST_C,
	HOTTEST_C,
	KWP_DIFFERENCE,
	KWP_FORMULAS,
	KWP_QUOTIENT,
	type KwpValue,
	type MeasuredValue,
} from "../can/layouts/diagnosis-data.js";
import { decodeUtf8 } from "../text/bytes.js";

/** Source: ISO 14229-1 table A.1. */
const NRC_NAMES: Readonly<Record<number, string>> = Object.freeze({
	[0x10]: "generalReject",
	[0x11]: "serviceNotSupported",
	[0x12]: "subFunctionNotSupported",
	[0x13]: "incorrectMessageLengthOrInvalidFormat",
	[0x21]: "busyRepeatRequest",
	[0x22]: "conditionsNotCorrect",
	[0x24]: "requestSequenceError",
	[0x31]: "requestOutOfRange",
	[0x33]: "securityAccessDenied",
	[0x35]: "invalidKey",
	[0x36]: "exceedNumberOfAttempts",
	[0x37]: "requiredTimeDelayNotExpired",
	[0x78]: "requestCorrectlyReceivedResponsePending",
});

/** Source: docs/control-and-can.md 5.3. */
export function nrcName(code: number): string {
	return NRC_NAMES[code] ?? "unknownNrc";
}

/** UDS ReadDataByIdentifier. @param did 0..0xFFFF */
export const readDid = (did: number): Uint8Array => Uint8Array.of(0x22, did >> 8, did & 0xff);

/** UDS ReadDTCInformation by status mask. @param statusMask 0..0xFF */
export const readDtcs = (statusMask: number): Uint8Array => Uint8Array.of(0x19, 0x02, statusMask);

/** UDS ClearDiagnosticInformation. @param group 0..0xFFFFFF */
export const clearDtcs = (group: number): Uint8Array => Uint8Array.of(0x14, group >> 16, (group >> 8) & 0xff, group & 0xff);

/** KWP: the session for everything else. */
export const startSession = (): Uint8Array => Uint8Array.of(0x10, 0x89);

/** KWP readDataByLocalIdentifier. @param id 0..0xFF */
export const readLocalId = (id: number): Uint8Array => Uint8Array.of(0x21, id);

/** KWP readDiagnosticTroubleCodesByStatus: all of every group. */
export const readKwpDtcs = (): Uint8Array => Uint8Array.of(0x18, 0x02, 0xff, 0x00);

/** KWP clearDiagnosticInformation. @param group 0..0xFFFF */
export const clearKwpDtcs = (group: number): Uint8Array => Uint8Array.of(0x14, group >> 8, group & 0xff);

/** Three bytes on UDS, two on KWP, and a status byte. */
export interface TroubleCode {
	readonly code: number;
	readonly status: number;
}

/** Reads `59 02 mask (hh mm ll status)...`; undefined for another report. */
export function troubleCodes(
	response: Uint8Array,
): { readonly statusMask: number; readonly codes: readonly TroubleCode[] } | undefined {
	if (response.length < 3 || response[1] !== 0x02) return undefined;
	const codes: TroubleCode[] = [];
	for (let at = 3; at + 4 <= response.length; at += 4) {
		const code = (response[at] << 16) | (response[at + 1] << 8) | response[at + 2];
		if (code !== 0) codes.push({ code, status: response[at + 3] });
	}
	return { statusMask: response[2], codes };
}

/** Reads `58 count (hh ll status)...`. */
export function kwpTroubleCodes(response: Uint8Array): readonly TroubleCode[] {
	const codes: TroubleCode[] = [];
	for (let at = 2; at + 3 <= response.length; at += 3) {
		const code = (response[at] << 8) | response[at + 1];
		if (code !== 0) codes.push({ code, status: response[at + 2] });
	}
	return codes;
}

/** Bits 0 to 7 of a trouble code's status. Source: ISO 14229-1 D.2. */
export const STATUS_LABELS = Object.freeze([
	"testFailed",
	"testFailedThisOperationCycle",
	"pendingDTC",
	"confirmedDTC",
	"testNotCompletedSinceLastClear",
	"testFailedSinceLastClear",
	"testNotCompletedThisOperationCycle",
	"warningIndicatorRequested",
] as const);

const TEST_FAILED = statusBit("testFailed");
const PENDING = statusBit("pendingDTC");
const CONFIRMED = statusBit("confirmedDTC");

function statusBit(label: (typeof STATUS_LABELS)[number]): number {
	return 1 << STATUS_LABELS.indexOf(label);
}

/** A status in the words of the maker's tester; "" = none of them. */
export function faultType(status: number): string {
	if ((status & TEST_FAILED) !== 0) return "active/static";
	if ((status & CONFIRMED) !== 0) return "passive/sporadic";
	return (status & PENDING) !== 0 ? "pending" : "";
}

/** @param data behind the identifier @returns NaN for another length, or beyond the range */
export function measuredNumber(what: MeasuredValue, data: Uint8Array): number {
	const size = Math.abs(what.size);
	if (data.length !== size) return Number.NaN;
	const raw = size === 1 ? data[0] : what.size < 0 ? data[0] | (data[1] << 8) : (data[0] << 8) | data[1];
	const number = raw * what.factor + what.offset;
	return raw > what.rawMax || (what.unit === "°C" && !isPossibleC(number)) ? Number.NaN : number;
}

function isPossibleC(celsius: number): boolean {
	return celsius >= COLDEST_C && celsius <= HOTTEST_C;
}

/** Values of a KWP block begin behind `61` and its number. */
export const BLOCK_VALUES_AT = 2;
/** Formula, a and b. */
export const BLOCK_VALUE_BYTES = 3;

interface Quantity {
	readonly number: number;
	readonly unit: string;
}

/** undefined for a formula without a number. */
export function kwpQuantity(formula: number, a: number, b: number): Quantity | undefined {
	if (formula === KWP_DIFFERENCE) return { number: b - a, unit: "°C" };
	if (formula === KWP_QUOTIENT) return a === 0 ? undefined : { number: (100 * b) / a, unit: "%" };
	const known = KWP_FORMULAS.find((row) => row.formula === formula);
	return known === undefined ? undefined : { number: known.factor * a * (b - known.offset), unit: known.unit };
}

/** NaN for another block or formula, or if no coupling is that cold or hot. */
export function blockTemperatureC(response: Uint8Array, { block, formula, place }: KwpValue): number {
	const at = BLOCK_VALUES_AT + BLOCK_VALUE_BYTES * place;
	const celsius = response[at + 2] - response[at + 1];
	return response[1] === block && response[at] === formula && isPossibleC(celsius) ? celsius : Number.NaN;
}

/** Trimmed bytes from `start` on if three of four are printable ASCII or NUL. */
export function asText(data: Uint8Array, start: number): string | undefined {
	const printable = new Uint8Array(data.length - start);
	let count = 0;
	let others = 0;
	for (let i = start; i < data.length; i++) {
		const byte = data[i];
		if (byte >= 0x20 && byte < 0x7f) printable[count++] = byte;
		else if (byte !== 0) others++;
	}
	return data.length === start || others * 4 > data.length - start ? undefined : decodeUtf8(printable, 0, count)?.trim();
}
