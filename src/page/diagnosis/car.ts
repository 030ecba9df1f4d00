/**
 * Requests to the coupling's control unit, one at a time: two requests at once would be one answer
 * and one "busy".
 */

import { DIAGNOSIS } from "../generated/coupling-table";
import { post } from "../net/request";
import type {
	Fault,
	IdentityRecord,
	Status,
	UdsDtcAnswer,
	UdsIdentityAnswer,
	UdsMeasuredAnswer,
	UdsMeasuredItem,
} from "../net/types";
import { lookUp, T } from "../texts";

/** Three routes of 3 s, or ten answers that all come late. */
const TIMEOUT_MS = 30_000;

/** Why there is nothing, as the interface says it. */
interface Failure {
	readonly status?: string;
	readonly message?: string;
}

interface Answer extends Failure {
	readonly ok: boolean;
	readonly result?: Failure;
}

/** A measured value. */
export interface Reading extends Pick<UdsMeasuredItem, "id" | "rawDataHex" | "number" | "verified"> {
	readonly unit?: string | undefined;
	/** What a block's value is, if it is known. */
	readonly label?: string | undefined;
	/** When it was asked for, on `performance.now()`; undefined before the first answer. */
	readonly atMs?: number;
	/** Why there is none, or no newer one; "" = it is the newest. */
	readonly problem: string;
}

let line: Promise<unknown> = Promise.resolve();

function inTurn<A extends Answer>(request: () => Promise<A>): Promise<A> {
	const mine = line.then(request);
	line = mine.catch(() => {});
	return mine;
}

function words({ status, message = "" }: Failure): string {
	const ours = lookUp(T.said, message);
	if (status !== "negative_response") return ours ?? message;
	// the standard's name for it, "requestOutOfRange"
	return T.diagnosis.rejected(ours ?? message.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
}

/** @throws {Error} why not, in words */
function demand(answer: Answer): void {
	if (!answer.ok) throw new Error(words(answer.result ?? answer));
}

/** @throws {Error} why not, in words */
export async function readIdentity(): Promise<readonly IdentityRecord[]> {
	const answer = await inTurn(() => post<UdsIdentityAnswer>("/api/uds/identity", {}, TIMEOUT_MS));
	demand(answer);
	return answer.records ?? [];
}

/** @throws {Error} why not, in words */
export async function readFaults(): Promise<readonly Fault[]> {
	const answer = await inTurn(() => post<UdsDtcAnswer>("/api/uds/dtc", {}, TIMEOUT_MS));
	demand(answer);
	// never "no faults" where the answer was not understood
	if (answer.dtc.records === undefined) throw new Error(T.diagnosis.notUnderstood);
	return answer.dtc.records;
}

/** @throws {Error} why not, in words */
export async function clearFaults(): Promise<void> {
	demand(await inTurn(() => post<Answer>("/api/uds/clear-dtc", {}, TIMEOUT_MS)));
}

/** What to ask a control unit for: values by name, or blocks of them; "" = nothing. */
const ASKED_FOR = { uds_can: "values", kwp_tp20: "blocks", "": "" } as const;

/** See `ASKED_FOR`; "" before a coupling is chosen. */
export function askedFor(generation: Status["couplingGeneration"]): "values" | "blocks" | "" {
	return generation === 0 ? "" : ASKED_FOR[DIAGNOSIS[generation]];
}

/** Rows before anything is read; those of blocks are told by the control unit. */
export function unread(generation: Status["couplingGeneration"]): readonly Reading[] {
	return askedFor(generation) === "values" ? Object.keys(T.diagnosis.values).map((id) => ({ id, problem: "" })) : [];
}

/** Reads all values once. One that is missing keeps its last value and age. @throws {Error} why not, in words */
export async function readMeasured(before: readonly Reading[]): Promise<readonly Reading[]> {
	const dids = before.map(({ id }) => id).filter((id) => id.startsWith("0x"));
	let atMs = 0;
	const answer = await inTurn(() => {
		atMs = performance.now();
		return post<UdsMeasuredAnswer>(`/api/diag/measured${dids.length > 0 ? `?dids=${dids}` : ""}`, {}, TIMEOUT_MS);
	});
	const items = answer.items.flatMap(valuesOf);
	if (!answer.ok) throw new Error(words(items.find(({ ok }) => !ok) ?? answer));
	const known = [
		...before,
		...items.filter(({ id }) => !before.some((row) => row.id === id)).map(({ id }) => ({ id, problem: "" })),
	];
	return known.map((row) => {
		const item = items.find(({ id }) => id === row.id);
		if (item === undefined) return row;
		if (!item.ok) return { ...row, problem: words(item) };
		const { id, label, rawDataHex, number, unit, verified } = item;
		return { id, atMs, problem: "", label, rawDataHex, number, unit, verified } as Reading;
	});
}

type BlockItem = Omit<UdsMeasuredItem, "values" | "unit"> & { readonly unit?: string };

/** A block's values as items of their own, "01.2" for its second one; any other item as it is. */
function valuesOf({ values = [], ...item }: UdsMeasuredItem): readonly BlockItem[] {
	return values.length === 0 ? [item] : values.map((value, place) => ({ ...item, ...value, id: `${item.id}.${place + 1}` }));
}
