/**
 * Judges single frames: a frame leaves as it came, or as the tables say, and then it tells which share of the
 * full bytes it asks for. Follows the counters. Whether a command is right at its moment is left to `judge.ts`.
 */
import { crc8Autosar } from "../vehicle/integrity.js";
import { word } from "./marks.js";
import {
	type Counter,
	type FrameChoice,
	FULL_SHARE,
	type Generation,
	isInvalid,
	OPEN_RAW,
	type Operation,
	type Profile,
	protection,
	type Row,
	type Share,
	steeringSum,
	type Table,
	type Torques,
	tableOf,
	torquesOf,
	wrongTorque,
} from "./tables.js";

/** A frame on the wire. `flags`: SocketCAN's bits 31 (extended) and 30 (remote). */
export interface WireFrame {
	readonly id: number;
	readonly flags: number;
	readonly data: Uint8Array;
}

/** Flags of a frame. */
export const EXTENDED = 0x8000_0000;
export const REMOTE = 0x4000_0000;

/**
 * What a frame tells. `undetermined`: as it came, and rewriting could have given the same. `mode`: where rows
 * differ by it, whose it is.
 */
export type Reading =
	| { readonly kind: "foreign" | "undetermined" }
	| { readonly kind: "stock"; readonly brake: boolean }
	| { readonly kind: "command"; readonly share: Share; readonly row: Row; readonly mode?: string }
	| { readonly kind: "wrong"; readonly why: string };

const FOREIGN: Reading = { kind: "foreign" };

type Values = ReadonlyMap<string, number>;

const hex = (data: Uint8Array): string => Buffer.from(data).toString("hex").toUpperCase();

/** Tells what a frame that left is (see `Reading`), for one generation and profile. */
export class FrameJudge {
	/**
	 * Modes whose rows may be active; the first that fits is taken. It matters for generation 1 in profile
	 * `reference` only.
	 */
	modes: readonly string[] = ["FWD"];
	readonly #generation: Generation;
	readonly #profile: Profile;
	readonly #isAlone: boolean;
	readonly #tables = new Map<string, Table>();
	/**
	 * By the names of a row's counters, values that they may have next; absent: the first ones, or any once
	 * all were forgotten.
	 */
	readonly #values = new Map<string, readonly Values[]>();
	#knowsNone = false;
	/** The share that the last frame fits if it left as it came; undefined: it was changed. */
	#unchanged: Share | undefined;
	readonly #choice: FrameChoice;
	/** Those that left last; undefined: unknown, or they were the car's. */
	#torques: Torques | undefined;

	/** @param isAlone without a car */
	constructor(generation: Generation, profile: Profile, isAlone = false, choice: FrameChoice = {}) {
		this.#choice = choice;
		this.#generation = generation;
		this.#profile = profile;
		this.#isAlone = isAlone;
	}

	get rows(): readonly Row[] {
		return this.#tableOf("FWD").rows;
	}

	/** A frame was received and will never arrive: it may have taken a counter's value with it, or not. */
	lose({ id, flags }: WireFrame): void {
		const table = this.#tableOf(this.modes[0]);
		const row = flags === 0 ? table.rows.find((one) => one.id === id) : undefined;
		if (row?.ceilingNm !== undefined) this.#torques = undefined;
		if (row === undefined || row.counters.length === 0) return;
		const values = this.#valuesOf(row, table);
		this.#remember(row, [...values, ...values.map((each) => advanced(each, row, table))]);
	}

	/** The next values of counters are unknown: frames were lost, or another plan was active. */
	forget(): void {
		this.#values.clear();
		this.#torques = undefined;
		this.#knowsNone = true;
	}

	#tableOf(mode: string): Table {
		const table = this.#tables.get(mode) ?? tableOf(this.#generation, this.#profile, this.#isAlone, mode, this.#choice);
		this.#tables.set(mode, table);
		return table;
	}

	#valuesOf({ counters }: Row, table: Table): readonly Values[] {
		const known = this.#values.get(counters.join());
		if (known !== undefined) return known;
		let all: Values[] = [new Map()];
		for (const name of counters) {
			const values = this.#knowsNone ? orbit(table.counters[name]) : [table.counters[name].first];
			all = all.flatMap((each) => values.map((value) => new Map(each).set(name, value)));
		}
		return all;
	}

	#remember({ counters }: Row, values: readonly Values[]): void {
		const distinct = new Map(values.map((each) => [[...each.values()].join(), each]));
		this.#values.set(counters.join(), [...distinct.values()]);
	}

	/**
	 * @param received on the chassis bus; undefined: it was generated
	 * @param sent on the coupling bus
	 */
	read(received: WireFrame | undefined, sent: WireFrame): Reading {
		let reading: Reading | undefined;
		for (const mode of this.modes) {
			const table = this.#tableOf(mode);
			for (const row of table.rows) {
				if (row.id !== sent.id || sent.flags !== 0 || row.periodMs > 0 !== (received === undefined)) continue;
				reading = this.#readAs(row, table, received, sent);
				if (reading.kind !== "wrong") return reading.kind === "command" && row.followsMode ? { ...reading, mode } : reading;
			}
		}
		if (received === undefined) return reading ?? wrong("nobody sends it", received, sent);
		return reading ?? (isSame(received, sent) ? FOREIGN : wrong("a frame without a row was changed", received, sent));
	}

	#readAs(row: Row, table: Table, received: WireFrame | undefined, sent: WireFrame): Reading {
		const unchanged = received !== undefined && isSame(received, sent);
		const why = received === undefined ? "" : passes(row, table, received.data);
		if (why !== "") {
			if (row.ceilingNm !== undefined) this.#torques = undefined;
			return unchanged ? FOREIGN : wrong(why, received, sent);
		}
		const share = this.#share(row, table, received?.data, sent.data, unchanged);
		const before = this.#unchanged;
		this.#unchanged = unchanged && typeof share !== "string" ? share : undefined;
		if (!unchanged) return typeof share === "string" ? wrong(share, received, sent) : { kind: "command", share, row };
		if (typeof share === "string") return { kind: "stock", brake: row.brake };
		// a byte that the car itself may send says nothing, but no lock gives two such frames of different shares
		return before !== undefined && (before.most < share.least || share.most < before.least)
			? { kind: "stock", brake: false }
			: { kind: "undetermined" };
	}

	/**
	 * The shares with which the row gives what was sent, by all values that its counters may have, or what is
	 * wrong.
	 */
	#share(row: Row, table: Table, received: Uint8Array | undefined, sent: Uint8Array, unchanged: boolean): Share | string {
		const possible = this.#valuesOf(row, table);
		const fitting: Values[] = [];
		let share: Share | string = "";
		for (const values of possible) {
			const found = new Fit(row, table, values);
			const why = found.read(received, sent, this.#torques);
			if (why !== "") share ||= why;
			else {
				fitting.push(advanced(values, row, table));
				share = typeof share === "string" ? found : united(share, found);
			}
		}
		if (row.ceilingNm !== undefined && sent.length === 8)
			this.#torques = typeof share === "string" || unchanged ? undefined : torquesOf(sent);
		if (fitting.length > 0 && row.counters.length > 0) this.#remember(row, unchanged ? [...possible, ...fitting] : fitting);
		return share;
	}
}

const stepped = (value: number, { step }: Counter): number => (value + step) & 0xff;
const wrapped = (value: number, { above, wrapsTo }: Counter): number => (value > above ? wrapsTo : value);

/** All values that a counter comes by, in which `n:` has left out a wrap, too. */
function orbit(counter: Counter): number[] {
	const values = new Set<number>();
	for (let value = counter.first; !values.has(value); value = wrapped(stepped(value, counter), counter)) values.add(value);
	return [...new Set([...values].flatMap((value) => [value, stepped(value, counter)]))];
}

function advanced(values: Values, { operations }: Row, { counters }: Table): Values {
	const isBare = operations.some(({ kind }) => kind === "n");
	return new Map(
		[...values].map(([name, value]) => {
			const next = stepped(value, counters[name]);
			return [name, isBare ? next : wrapped(next, counters[name])];
		}),
	);
}

const united = (one: Share, other: Share): Share => ({
	least: Math.min(one.least, other.least),
	most: Math.max(one.most, other.most),
});

const isSame = (one: WireFrame, other: WireFrame): boolean => Buffer.compare(one.data, other.data) === 0;

function wrong(why: string, received: WireFrame | undefined, sent: WireFrame): Reading {
	const came = received === undefined ? "" : `${hex(received.data)} left as `;
	return { kind: "wrong", why: `0x${sent.id.toString(16)} ${came}${hex(sent.data)}: ${why}` };
}

/** Why the frame must stay as it is; "": it need not. */
function passes(row: Row, { profile }: Table, data: Uint8Array): string {
	if (!row.always8 && data.length < row.needed) return "a frame that is too short was changed";
	if (isInvalid(row, data)) return "a frame that the car marks as invalid was changed";
	const isVerified = profile === "corrected" && row.tokens[0] === "K";
	return isVerified && protection(row.id, profile, data) !== data[0] ? "a frame that does not verify was changed" : "";
}

/** Reads a frame as what a row gives: narrows, byte by byte, the shares that fit. */
class Fit {
	least = 0;
	most = FULL_SHARE;
	readonly #row: Row;
	readonly #profile: Profile;
	readonly #values: Values;

	constructor(row: Row, { profile }: Table, values: Values) {
		this.#row = row;
		this.#profile = profile;
		this.#values = values;
	}

	/**
	 * @param received undefined: it was generated
	 * @param last torques that left before
	 * @returns what is wrong, "" = nothing
	 */
	read(received: Uint8Array | undefined, sent: Uint8Array, last: Torques | undefined): string {
		const { always8, ceilingNm, operations, tokens } = this.#row;
		const length = received === undefined ? tokens.length : always8 ? 8 : received.length;
		if (sent.length !== length) return `has ${sent.length} bytes, ${length} expected`;
		if (ceilingNm !== undefined) return this.#readTorques(ceilingNm, received, sent, last);
		for (let i = 0; i < sent.length; i++) {
			if (operations[i].kind === "f") {
				if (!this.#isAdded(word(received as Uint8Array, i), word(sent, i)))
					return `bytes ${i} and ${i + 1} are not a wheel speed and a(CA)`;
				i++; // the high byte belongs to it
			} else if (!this.#fits(operations[i], i, received, sent))
				return `byte ${i} is ${sent[i].toString(16).toUpperCase()}, not ${tokens[i]} of ${[...this.#values].join(" ")}`;
		}
		return "";
	}

	/** The same of a frame with the torques of 3.14. */
	#readTorques(ceilingNm: number, received: Uint8Array | undefined, sent: Uint8Array, last: Torques | undefined): string {
		const { id, operations } = this.#row;
		const counter = operations[1].kind === "c" ? this.#values.get(operations[1].counter) : received?.[1];
		if ((sent[1] & 0x0f) !== ((counter ?? 0) & 0x0f)) return `its counter is ${sent[1] & 0x0f}, not ${counter}`;
		if (sent[0] !== protection(id, this.#profile, sent)) return "its checksum is wrong";
		const torques = torquesOf(sent);
		const why = wrongTorque(torques, received && torquesOf(received), last, ceilingNm);
		if (why !== "") return why;
		return this.#isScaled(ceilingNm - 10, torques.requested - OPEN_RAW)
			? ""
			: `${torques.requested} is no torque of this ceiling`;
	}

	/** Whether a share is left with which a value is floor(full * share). */
	#isScaled(full: number, got: number): boolean {
		if (full === 0) return got === 0;
		this.most = Math.min(this.most, Math.ceil(((got + 1) * FULL_SHARE) / full) - 1);
		return this.#isAtLeast((got * FULL_SHARE) / full);
	}

	#isAtLeast(share: number): boolean {
		this.least = Math.max(this.least, Math.ceil(share));
		return this.least <= this.most;
	}

	/** Words of a wheel speed: a(CA) more, up to FEFF; from FF00 on it is no speed. */
	#isAdded(before: number, after: number): boolean {
		if (before >= 0xff00) return after === before;
		return after === 0xfeff
			? this.#isAtLeast(((after - before) * FULL_SHARE) / 0xca)
			: after >= before && this.#isScaled(0xca, after - before);
	}

	#fits({ kind, byte, counter }: Operation, at: number, received: Uint8Array | undefined, sent: Uint8Array): boolean {
		const got = sent[at];
		switch (kind) {
			case "..":
				return got === received?.[at];
			case "set":
				return got === byte;
			case "a":
				return this.#isScaled(byte, got);
			case "FE-a":
				return this.#isScaled(byte, (0xfe - got) & 0xff);
			case "80+a":
				if (got !== 0) return this.#isAtLeast(1) && this.#isScaled(byte, got - 0x80);
				this.most = 0;
				return this.#isAtLeast(0);
			case "7F+a":
				return this.#isScaled(byte, got - 0x7f);
			case "c":
				return got === this.#values.get(counter);
			case "s":
				return this.#isScaled(((this.#values.get(counter) as number) + byte) & 0xff, got);
			case "n":
				return got === 0;
			case "K":
				return got === protection(this.#row.id, this.#profile, sent);
			case "X":
				return sent.reduce((sum, each) => sum ^ each, 0) === 0;
			case "Y":
				return got === crc8Autosar([...sent.subarray(0, 6), 0xc2]);
			default:
				return got === steeringSum(sent);
		}
	}
}
