/** A signal of the bus, picked from those that are seen on it now, with their values. */

import { useEffect, useId, useRef, useState } from "preact/hooks";
import { valueText } from "../can/units";
import { repeatWhileSeen } from "../net/live";
import { get } from "../net/request";
import type { CanView, DecodedSignal } from "../net/types";
import { lookUp, T } from "../texts";
import { distanceOf, isProtection } from "./synonyms";

/** All that the interface gives: docs/api.md, "CAN buses". */
const ROWS_ASKED = 2000;
/** More than one looks through; a word of the name finds the others. */
const ROWS_SHOWN = 80;
/** Time between an answer and the next request. */
const PERIOD_MS = 1500;

function keyOf({ bus, id, name, unit }: DecodedSignal): string {
	return `${bus}|0x${id.toString(16)}|${name.replaceAll("_", " ")}|${unit}`.toLowerCase();
}

/**
 * By key, of all signals that were seen: whether it is known which of their values mean that there is none.
 */
const codesKnown = new Map<string, boolean>();

/** Signals of the car on its buses now. @throws {ApiError} {LinkError} */
async function readSignals(): Promise<readonly DecodedSignal[]> {
	const { decoded } = await get<CanView>(`/api/canview?decoded=${ROWS_ASKED}&raw=0&bus=all`);
	const received = decoded.filter(({ dir }) => dir === "RX");
	for (const row of received) codesKnown.set(keyOf(row), row.codesKnown);
	return received;
}

/** The value of each signal on the bus by key, while `asked`; undefined before it is known. */
export function useSignals(asked: boolean): ReadonlyMap<string, string> | undefined {
	const [values, setValues] = useState<ReadonlyMap<string, string>>();
	useEffect(() => {
		if (!asked) return undefined;
		setValues(undefined);
		return repeatWhileSeen(
			async () => setValues(new Map((await readSignals()).map((row) => [keyOf(row), valueText(row.value, row.unit)]))),
			PERIOD_MS,
		);
	}, [asked]);
	return values;
}

/** A key's signal, for people. */
export function signalLabel(key: string): string {
	const [, frame = "", name = ""] = key.split("|");
	return key === "" ? T.settings.noSignal : `${name} (${frame})`;
}

/**
 * The chosen signal's name as a button, which opens the list.
 * @param value its key, "" = none
 * @param isNeeded a signal must be chosen, and none is recommended here
 * @param live what it is now, absent = not shown
 * @param valid whether that counts, absent = not yet
 * @param known whether its codes are known, absent = as the list had it
 */
export function SignalField({
	label,
	value,
	isNeeded = false,
	live,
	valid,
	known = codesKnown.get(value),
	onChange,
}: {
	label: string;
	value: string;
	isNeeded?: boolean;
	live?: string;
	valid?: boolean | undefined;
	known?: boolean | undefined;
	onChange: (key: string) => void;
}) {
	const [open, setOpen] = useState(false);
	const id = useId();
	const isMissing = isNeeded && value === "";
	return (
		<div class={live === undefined ? "field setting" : "field setting wide"}>
			<span id={`${id}l`}>{label}</span>
			<button
				type="button"
				class="signal"
				id={`${id}b`}
				aria-labelledby={`${id}l ${id}b`}
				aria-describedby={isMissing ? `${id}m` : undefined}
				aria-haspopup="dialog"
				onClick={() => setOpen(true)}
			>
				<span>{signalLabel(value)}</span>
				{live !== undefined && <b class={valid === undefined ? "muted" : valid ? "good" : "bad"}>{live}</b>}
			</button>
			{isMissing && (
				<small class="bad" id={`${id}m`}>
					{T.settings.chooseSignal}
				</small>
			)}
			{known === false && <small class="warn">{T.settings.codesUnknown}</small>}
			{open && <Picker label={label} value={value} isNeeded={isNeeded} onClose={() => setOpen(false)} onChange={onChange} />}
		</div>
	);
}

interface PickerProps {
	readonly label: string;
	readonly value: string;
	readonly isNeeded: boolean;
	readonly onClose: () => void;
	readonly onChange: (key: string) => void;
}

function Picker({ label, value, isNeeded, onClose, onChange }: PickerProps) {
	const dialog = useRef<HTMLDialogElement>(null);
	const [rows, setRows] = useState<readonly DecodedSignal[]>();
	const [filter, setFilter] = useState("");
	useEffect(() => {
		dialog.current?.showModal();
		return repeatWhileSeen(async () => setRows(await readSignals()), PERIOD_MS);
	}, []);
	const wordsOf = (text: string): readonly string[] => text.toLowerCase().split(/\s+/);
	// without a filter what the label names comes first
	const distance = (row: DecodedSignal): number => {
		const text = keyOf(row).replaceAll("_", " ");
		if (filter.trim() !== "") return distanceOf(text, wordsOf(filter));
		return Math.min(99, ...wordsOf(label).map((word) => distanceOf(text, [word])));
	};
	const fitting = (rows ?? [])
		.filter(({ name }) => !isProtection(name.replaceAll("_", " ")))
		.map((row) => ({ row, by: distance(row) }))
		.filter(({ by }) => by < Number.POSITIVE_INFINITY)
		.sort((a, b) => a.by - b.by)
		.map(({ row }) => row);
	const take = (key: string): void => {
		onChange(key);
		onClose();
	};
	return (
		<dialog ref={dialog} class="picker" aria-label={label} onClose={onClose}>
			<div class="bar">
				<label class="field grow">
					<span>{T.settings.search(label)}</span>
					<input type="search" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
				</label>
				{!isNeeded && (
					<button type="button" onClick={() => take("")}>
						{T.settings.recommended}
					</button>
				)}
				<button type="button" onClick={onClose}>
					{T.map.cancel}
				</button>
			</div>
			<p class="muted">{T.settings.codesHint}</p>
			<p class="muted" role="status">
				{rows === undefined ? T.shell.loading : rows.length === 0 ? T.settings.silent : T.settings.found(fitting.length)}
			</p>
			<ul class="picks">
				{fitting.slice(0, ROWS_SHOWN).map((row) => {
					const key = keyOf(row);
					return (
						<li key={key}>
							<button type="button" aria-pressed={key === value} onClick={() => take(key)}>
								<span>{row.name.replaceAll("_", " ")}</span>
								<small>
									{`${lookUp(T.can.buses, row.bus) ?? row.bus} 0x${row.id.toString(16)}${row.codesKnown ? "" : `, ${T.settings.codes}`}`}
								</small>
								<b>{valueText(row.value, row.unit)}</b>
							</button>
						</li>
					);
				})}
			</ul>
		</dialog>
	);
}
