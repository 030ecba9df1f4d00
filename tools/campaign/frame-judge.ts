/**
 * Judges single frames: a frame leaves as it came, or as the tables say, and then it tells which share of the full bytes it asks for.
 * Follows the counters, and knows what is sent but not what for: whether a command is right is the command judge's business.
 */
import { COUNTERS, crc8, FULL_SHARE, type Generation, type Profile, protection, type Row, rowsOf, type Share } from "./tables.js";

/** A frame on the wire. `flags`: SocketCAN's bits 31 (extended) and 30 (remote). */
export interface WireFrame {
	readonly id: number;
	readonly flags: number;
	readonly data: Uint8Array;
}

export const EXTENDED = 0x8000_0000;
export const REMOTE = 0x4000_0000;

/** What a frame tells. `undetermined`: as it came, and rewriting could have given the same. `mode`: where rows differ by it, whose it is. */
export type Reading =
	| { readonly kind: "foreign" | "undetermined" }
	| { readonly kind: "stock"; readonly brake: boolean }
	| { readonly kind: "command"; readonly share: Share; readonly brake: boolean; readonly mode?: string }
	| { readonly kind: "wrong"; readonly why: string };

const FOREIGN: Reading = { kind: "foreign" };
const STOCK: Reading = { kind: "stock", brake: false };
const BRAKE_STOCK: Reading = { kind: "stock", brake: true };
const UNDETERMINED: Reading = { kind: "undetermined" };

const hex = (data: Uint8Array): string => Buffer.from(data).toString("hex").toUpperCase();

export class FrameJudge {
	/** Modes whose rows may be in force; the first that fits is taken. It matters for generation 1 in profile `reference` only. */
	modes: readonly string[] = ["FWD"];
	readonly generation: Generation;
	readonly #profile: Profile;
	readonly #rows = new Map<string, ReadonlyMap<number, Row>>();
	/** By identifier, values that the counters of its row may have next: a frame that was lost may have taken one with it, or not. */
	readonly #values = new Map<number, readonly Values[]>();

	constructor(generation: Generation, profile: Profile) {
		this.generation = generation;
		this.#profile = profile;
	}

	/** A frame was received and will never arrive. */
	lose(frame: WireFrame): void {
		const row = this.#rowOf(this.modes[0], frame);
		if (row === undefined || countersOf(row).length === 0) return;
		const values = this.#valuesOf(row);
		this.#remember(row, [...values, ...values.map(advanced)]);
	}

	/** Counters begin anew, or go on: another plan may have been in force. */
	mayStartOver(): void {
		for (const row of rowsOf(this.generation, this.#profile, this.modes[0])) {
			if (!this.#values.has(row.id)) continue;
			const values = this.#valuesOf(row);
			this.#values.delete(row.id);
			this.#remember(row, [...values, ...this.#valuesOf(row)]);
		}
	}

	#valuesOf(row: Row): readonly Values[] {
		return this.#values.get(row.id) ?? [new Map(countersOf(row).map((name) => [name, COUNTERS[name].first]))];
	}

	#remember(row: Row, values: readonly Values[]): void {
		const distinct = new Map(values.map((each) => [[...each.values()].join(), each]));
		this.#values.set(row.id, [...distinct.values()]);
	}

	/** @param received on the chassis bus @param sent on the coupling bus */
	read(received: WireFrame, sent: WireFrame): Reading {
		let reading: Reading = FOREIGN;
		for (const mode of this.modes) {
			const row = this.#rowOf(mode, received);
			reading = this.#readAs(row, received, sent);
			if (reading.kind === "wrong") continue;
			return reading.kind === "command" && row?.followsMode ? { ...reading, mode } : reading;
		}
		return reading;
	}

	#rowOf(mode: string, { id, flags }: WireFrame): Row | undefined {
		let rows = this.#rows.get(mode);
		if (rows === undefined) {
			rows = new Map(rowsOf(this.generation, this.#profile, mode).map((row) => [row.id, row]));
			this.#rows.set(mode, rows);
		}
		return flags === 0 ? rows.get(id) : undefined;
	}

	#readAs(row: Row | undefined, received: WireFrame, sent: WireFrame): Reading {
		const unchanged = isSame(received.data, sent.data);
		if (row === undefined) return unchanged ? FOREIGN : wrong("a frame without a row was changed", received, sent);
		if (passes(row, received.data)) return unchanged ? FOREIGN : wrong("a frame that must pass was changed", received, sent);
		if (countersOf(row).length === 0) {
			const share = shareOf(row, received.data, sent.data, NO_VALUES);
			return this.#reading(row, share, unchanged, received, sent);
		}
		const possible = this.#valuesOf(row);
		const fitting: Values[] = [];
		let share: Share | string = "";
		for (const values of possible) {
			const found = shareOf(row, received.data, sent.data, values);
			if (typeof found === "string") share ||= found;
			else {
				fitting.push(advanced(values));
				share = typeof share === "string" ? found : united(share, found);
			}
		}
		if (fitting.length > 0) this.#remember(row, unchanged ? [...possible, ...fitting] : fitting);
		return this.#reading(row, share, unchanged, received, sent);
	}

	#reading(row: Row, share: Share | string, unchanged: boolean, received: WireFrame, sent: WireFrame): Reading {
		if (unchanged) return typeof share !== "string" ? UNDETERMINED : row.brake ? BRAKE_STOCK : STOCK;
		if (typeof share === "string") return wrong(share, received, sent);
		return { kind: "command", share, brake: row.brake === true };
	}
}

type Values = ReadonlyMap<string, number>;
const NO_VALUES: Values = new Map();

function advanced(values: Values): Values {
	return new Map([...values].map(([name, value]) => [name, next(name, value)]));
}

function united(one: Share, other: Share): Share {
	return { least: Math.min(one.least, other.least), most: Math.max(one.most, other.most) };
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
	if (one.length !== other.length) return false;
	for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
	return true;
}

function wrong(why: string, received: WireFrame, sent: WireFrame): Reading {
	return { kind: "wrong", why: `0x${received.id.toString(16)} ${hex(received.data)} left as ${hex(sent.data)}: ${why}` };
}

/** Too short, or not verifiable: it must stay as it is. */
function passes(row: Row, data: Uint8Array): boolean {
	if (row.verified && data.length === 8 && protection(row, data) !== data[0]) return true;
	return !row.always8 && data.length < plainly(row).needed;
}

interface Plain {
	readonly operations: readonly Operation[];
	readonly counters: readonly string[];
	/** Least length of a frame that is rewritten. */
	readonly needed: number;
}

interface Operation {
	readonly kind: ".." | "f" | "K" | "X" | "Y" | "Z" | "a" | "FE-a" | "80+a" | "7F+a" | "c" | "s" | "set";
	/** The full byte, what is added, or the byte itself. */
	readonly byte: number;
	readonly counter: string;
}

const plainRows = new WeakMap<Row, Plain>();

/** The row's bytes as operations; each row is read once. */
function plainly(row: Row): Plain {
	let plain = plainRows.get(row);
	if (plain === undefined) {
		const operations = row.bytes.map(operationOf);
		const counters = [...new Set(operations.map(({ counter }) => counter).filter((name) => name !== ""))];
		let needed = 0;
		row.bytes.forEach((token, i) => {
			if (token === "f") needed = i + 2;
			else if (!["..", "X", "K"].includes(token)) needed = i + 1;
		});
		// in a row that writes all up to it, the checksum belongs to what must fit
		if (row.bytes[7] === "X" && row.bytes[6] !== "..") needed = 8;
		plain = { operations, counters, needed };
		plainRows.set(row, plain);
	}
	return plain;
}

function operationOf(token: string): Operation {
	if (["..", "f", "K", "X", "Y", "Z"].includes(token)) return { kind: token as Operation["kind"], byte: 0, counter: "" };
	const [kind, argument] = token.split(":");
	if (argument === undefined) return { kind: "set", byte: Number.parseInt(token, 16), counter: "" };
	if (["a", "FE-a", "80+a", "7F+a"].includes(kind))
		return { kind: kind as Operation["kind"], byte: Number.parseInt(argument, 16), counter: "" };
	const [counter, added = "0"] = argument.split("+");
	return { kind: kind as Operation["kind"], byte: Number.parseInt(added, 16), counter };
}

function countersOf(row: Row): readonly string[] {
	return plainly(row).counters;
}

function next(name: string, value: number): number {
	const { step, above, wrapsTo } = COUNTERS[name];
	const stepped = (value + step) & 0xff;
	return stepped > above ? wrapsTo : stepped;
}

/** Shares that fit what was seen so far; narrowed byte by byte. */
export class Shares {
	least = 0;
	most = FULL_SHARE;

	/** Byte `got` is floor(full * share). @returns false if no share is left */
	scaled(full: number, got: number): boolean {
		if (full === 0) return got === 0;
		this.least = Math.max(this.least, Math.ceil((got * FULL_SHARE) / full));
		this.most = Math.min(this.most, Math.ceil(((got + 1) * FULL_SHARE) / full) - 1);
		return this.least <= this.most;
	}

	/** Byte `got` is 0 without a share, else 80 + floor(full * share). @returns false if no share is left */
	raised(full: number, got: number): boolean {
		if (got === 0) this.most = 0;
		else {
			this.least = Math.max(this.least, 1);
			if (!this.scaled(full, got - 0x80)) return false;
		}
		return this.least <= this.most;
	}

	/** Words `before` and `after` of a wheel speed: a(CA) more, up to FEFF; from FF00 on it is no speed. */
	added(before: number, after: number): boolean {
		if (before >= 0xff00) return after === before;
		if (after !== 0xfeff) return after >= before && this.scaled(0xca, after - before);
		this.least = Math.max(this.least, Math.ceil(((after - before) * FULL_SHARE) / 0xca));
		return this.least <= this.most;
	}
}

/** The shares with which the row gives what was sent, or what is wrong. */
function shareOf(row: Row, received: Uint8Array, sent: Uint8Array, values: Values): Share | string {
	const length = row.always8 ? 8 : received.length;
	if (sent.length !== length) return `has ${sent.length} bytes, ${length} expected`;
	const { operations } = plainly(row);
	const shares = new Shares();
	for (let i = 0; i < sent.length; i++) {
		const operation = operations[i];
		if (operation.kind === "f") {
			const word = (data: Uint8Array): number => data[i] | (data[i + 1] << 8);
			if (!shares.added(word(received), word(sent))) return `bytes ${i} and ${i + 1} are not a wheel speed and a(CA)`;
			i++; // the high byte belongs to it
		} else if (!fits(operation, i, received, sent, values, shares, row))
			return `byte ${i} is ${sent[i].toString(16)}, not ${row.bytes[i]}`;
	}
	return { least: shares.least, most: shares.most };
}

function fits(
	{ kind, byte, counter }: Operation,
	index: number,
	received: Uint8Array,
	sent: Uint8Array,
	values: Values,
	shares: Shares,
	row: Row,
): boolean {
	const got = sent[index];
	switch (kind) {
		case "..":
			return got === received[index];
		case "set":
			return got === byte;
		case "a":
			return shares.scaled(byte, got);
		case "FE-a":
			return shares.scaled(byte, (0xfe - got) & 0xff);
		case "80+a":
			return shares.raised(byte, got);
		case "7F+a":
			return shares.scaled(byte, got - 0x7f);
		case "c":
			return got === values.get(counter);
		case "s":
			return shares.scaled(((values.get(counter) as number) + byte) & 0xff, got);
		case "K":
			return got === protection(row, sent);
		case "X":
			return got === sent.subarray(0, 7).reduce((sum, each) => sum ^ each, 0);
		case "Y":
			return got === crc8([...sent.subarray(0, 6), 0xc2]);
		default:
			return got === ((0xff - (sent[0] + sent[1] + sent[2] + sent[3] + sent[5])) & 0xff);
	}
}
