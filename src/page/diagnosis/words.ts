/** The control unit's answers in the driver's words, for the view and the report. */

import type { Fault, IdentityRecord } from "../net/types";
import { lookUp, T } from "../texts";
import type { Reading } from "./car";

/** An answer, and when it was read by the driver's clock. */
export interface Read<T> {
	readonly at: Date;
	readonly what: T;
}

/** Time of day, in the way of the driver's language. */
export const clockOf = (at: Date): string => at.toLocaleTimeString(T.locale);

/** KWP2000 has two bytes; nobody has told us what the bits of its status mean. */
const isKwp = ({ rawDtcHex }: Fault): boolean => rawDtcHex.length === 4;

/** The code that people look up: "U0101-00" of UDS, the decimal number "21045" of KWP2000. */
export function faultCode(fault: Fault): string {
	const code = Number.parseInt(fault.rawDtcHex.slice(0, 4), 16);
	if (isKwp(fault)) return `${code}`.padStart(5, "0");
	const digits = (code & 0x3fff).toString(16).toUpperCase().padStart(4, "0");
	return `${"PCBU"[code >> 14]}${digits}-${fault.rawDtcHex.slice(4)}`;
}

/** One that has no words stays as the interface calls it; "" of KWP2000. */
export function faultKind(fault: Fault): string {
	return isKwp(fault) ? "" : (lookUp(T.diagnosis.kinds, fault.odisFaultType) ?? fault.odisFaultType);
}

/** All bits of its status that are known, and its bytes. */
export function faultStatus(fault: Fault): string {
	const labels = isKwp(fault) ? [] : fault.statusLabels.map((label) => lookUp(T.diagnosis.bits, label) ?? label);
	return [...labels, T.diagnosis.raw(fault.rawDtcSpaced, fault.statusHex)].join(", ");
}

/** Name and value of each record; "–" if it is empty. */
export function identityRows(records: readonly IdentityRecord[]): readonly (readonly [string, string])[] {
	return records.map(({ field, value }) => [lookUp(T.diagnosis.fields, field) ?? field, value || "–"]);
}

/** A measured value's name; one that has none is called by its number. */
export function nameOf({ id, label }: Reading): string {
	return lookUp(T.diagnosis.values, id) ?? lookUp(T.diagnosis.blockValues, label ?? "") ?? T.diagnosis.group(id);
}

/** A measured value with its unit; "–" if it is not known. */
export function valueText({ number, unit }: Reading): string {
	return number === undefined ? "–" : `${number.toLocaleString(T.locale, { maximumFractionDigits: 2 })} ${unit ?? ""}`;
}

/** Whole seconds since it was asked for, undefined if it never came. */
export function ageOf({ atMs }: Reading): number | undefined {
	return atMs === undefined ? undefined : Math.round((performance.now() - atMs) / 1000);
}

/** Parts of a report; undefined = not read. */
export interface Findings {
	readonly version: string;
	readonly generation: number;
	readonly identity: Read<readonly IdentityRecord[]> | undefined;
	readonly faults: Read<readonly Fault[]> | undefined;
	readonly readings: readonly Reading[];
}

/** The report as text. */
export function report({ version, generation, identity, faults, readings }: Findings): string {
	const D = T.diagnosis;
	const section = (title: string, read: Read<readonly string[]> | undefined): string[] => [
		"",
		read === undefined ? `${title}: ${D.notRead}` : `${title} (${clockOf(read.at)})`,
		...(read?.what ?? []),
	];
	const map = <A>(read: Read<readonly A[]> | undefined, line: (item: A) => string): Read<readonly string[]> | undefined =>
		read && { at: read.at, what: read.what.map(line) };
	const now = new Date();
	const faultLines = map(
		faults,
		(fault) => `${faultCode(fault)}  ${[faultKind(fault), faultStatus(fault)].filter(Boolean).join(": ")}`,
	);
	const values = readings.filter(({ atMs }) => atMs !== undefined).map((row) => ({ row, age: ageOf(row) ?? 0 }));
	const value = ({ row, age }: (typeof values)[number]): string =>
		[
			`${nameOf(row)}: ${valueText(row)}`,
			`${row.id} = ${row.rawDataHex}`,
			D.ago(age),
			...(row.verified === false ? [D.notVerified] : []),
		].join(", ");
	return [
		`${T.name} ${version}, ${T.pages.diagnosis}, ${now.toLocaleString(T.locale)}`,
		`${T.about.generation}: ${generation}`,
		...section(D.identity, identity && { at: identity.at, what: identityRows(identity.what).map((row) => row.join(": ")) }),
		...section(D.faults, faultLines?.what.length === 0 ? { ...faultLines, what: [D.noFaults] } : faultLines),
		...section(D.measured, values.length === 0 ? undefined : { at: now, what: values.map(value) }),
		"",
	].join("\n");
}
