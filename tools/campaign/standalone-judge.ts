/**
 * Judges standalone operation by single frames: when the controller has to be silent, which frames it may send at which pace, with which
 * counters and checksums, and what of the chassis may pass meanwhile. Written from `docs/control-and-can.md` 3.9 and the gateway's README.
 */
import { EXTENDED, Shares, type WireFrame } from "./frame-judge.js";
import type { Bus } from "./lockstep.js";
import { DIAGNOSIS, type Generated, type GeneratedRow, generatedOf } from "./standalone-tables.js";
import { type Counter, crc8, type Generation, type Profile, type Share } from "./tables.js";

const LISTEN_MS = 3000;
const LEASE_MS = 250;
/** What an output may be behind what caused it. */
const PROMPT_MS = 1;
/** From the moment in which nothing forbids it until frames leave. */
const BEGIN_MS = 60;
/** Frames that are due together may go so long after one another. */
const LATEST_PHASE_MS = 5;

type Values = ReadonlyMap<string, number>;

/** What a frame for the coupling is. */
export type Sent = { readonly kind: "generated"; readonly share: Share } | { readonly kind: "wrong"; readonly why: string };

export class StandaloneJudge {
	/** Modes whose rows may be in force. */
	modes: readonly string[] = ["FWD"];
	/** The setting is on, and no fault of the controller stands against it; undefined: that is about to change. */
	isOn: boolean | undefined = true;
	/** Frames may be lost until then: counters may go on without being seen. */
	lossyUntilMs = Number.NEGATIVE_INFINITY;
	readonly #generation: Generation;
	readonly #profile: Profile;
	readonly #tables = new Map<string, Generated>();
	readonly #ids: ReadonlySet<number>;
	#silentUntilMs = Number.POSITIVE_INFINITY;
	#stalledFromMs = Number.POSITIVE_INFINITY;
	#stalledUntilMs = Number.NEGATIVE_INFINITY;
	readonly #downMs: (number | undefined)[] = [undefined, undefined];
	/** When something last forbade it, ended or began to. */
	#changedMs = Number.NEGATIVE_INFINITY;
	/** By row, when it was sent last. */
	readonly #sending = new Map<string, number>();
	/** By the names of the counters of a row: what they may be. */
	readonly #possible = new Map<string, readonly Values[]>();
	/** Since the start no frame was lost and no other plan in force. */
	#isFresh = true;

	constructor(generation: Generation, profile: Profile) {
		this.#generation = generation;
		this.#profile = profile;
		this.#ids = new Set(this.#tableOf("FWD").rows.map(({ id }) => id));
	}

	/** Identifiers that it sends. */
	get ids(): readonly number[] {
		return [...this.#ids];
	}

	#tableOf(mode: string): Generated {
		const table = this.#tables.get(mode) ?? generatedOf(this.#generation, this.#profile, mode);
		this.#tables.set(mode, table);
		return table;
	}

	/** The controller starts: it listens, and its counters begin anew. */
	boot(ms: number): void {
		this.#stalledFromMs = Number.POSITIVE_INFINITY;
		this.#stalledUntilMs = Number.NEGATIVE_INFINITY;
		this.listen(ms);
		this.#possible.clear();
		this.#isFresh = true;
	}

	/** It listens anew from now on. */
	listen(ms: number): void {
		this.#silentUntilMs = ms + LISTEN_MS;
		this.#changedMs = this.#silentUntilMs;
		this.#sending.clear();
	}

	/** It is switched off. */
	end(): void {
		this.isOn = false;
		this.#sending.clear();
	}

	/** It is switched on, which a controller that has heard nobody meanwhile takes for a lease that is renewed. */
	begin(ms: number): void {
		this.isOn = true;
		this.#changedMs = Math.max(this.#changedMs, ms);
	}

	/** Which counters are shown next nobody knows: another plan was in force meanwhile, or frames were lost. */
	forgetCounters(): void {
		this.#possible.clear();
		this.#isFresh = false;
	}

	stall(fromMs: number, ms: number): void {
		this.#stalledFromMs = fromMs;
		this.#stalledUntilMs = fromMs + ms;
		this.#changedMs = Math.max(this.#changedMs, fromMs + ms);
	}

	busDown(bus: Bus, ms: number): void {
		this.#downMs[bus] ??= ms;
		this.#sending.clear();
	}

	/** @param ms when it came back at the earliest @param surelyMs when at the latest */
	busUp(bus: Bus, ms: number, surelyMs = ms): void {
		this.#downMs[bus] = undefined;
		this.listen(ms);
		this.#changedMs = surelyMs + LISTEN_MS;
	}

	/** A frame reaches the controller's pins. */
	arrives(ms: number, bus: Bus, { id, flags }: WireFrame): void {
		if (this.#downMs[bus] === undefined && this.#ids.has(id) && !(flags & EXTENDED)) this.listen(ms);
	}

	/** Why no generated frame may leave now; undefined: it may. */
	silentAt(ms: number): string | undefined {
		if (this.isOn === false) return "it is off";
		if (ms < this.#silentUntilMs - PROMPT_MS && ms > this.#silentUntilMs - LISTEN_MS + PROMPT_MS)
			return "somebody else sends its frames, or it listens";
		if (this.#downMs.some((downMs) => downMs !== undefined && ms > downMs + PROMPT_MS)) return "a bus is down";
		const leaseMs = this.#stalledFromMs + LEASE_MS;
		if (ms > leaseMs && ms < this.#stalledUntilMs - PROMPT_MS) return "the script is stalled for longer than its lease";
		return undefined;
	}

	/** True if nothing stands against it, for long enough that frames must leave. */
	mustSendAt(ms: number): boolean {
		const disturbed = ms <= this.#changedMs + BEGIN_MS || ms <= this.lossyUntilMs || this.#stalledUntilMs > ms;
		return (
			this.isOn === true && !disturbed && this.silentAt(ms) === undefined && this.#downMs.every((downMs) => downMs === undefined)
		);
	}

	/** Whether a frame of the chassis must reach the coupling; undefined: it may. */
	passesAt(ms: number, { id, flags }: WireFrame): boolean | undefined {
		if (this.silentAt(ms) !== undefined) return true;
		const isKnown = flags === 0 && (DIAGNOSIS.has(id) || this.#ids.has(id));
		if (isKnown) return true;
		return this.mustSendAt(ms) ? false : undefined;
	}

	/** Rows that have not come for longer than their period. */
	*lateAt(ms: number): IterableIterator<string> {
		if (!this.mustSendAt(ms)) return;
		for (const row of this.#tableOf("FWD").rows) {
			const lastMs = Math.max(this.#sending.get(nameOf(row)) ?? 0, this.#changedMs + BEGIN_MS, this.lossyUntilMs);
			if (ms - lastMs > row.periodMs + LATEST_PHASE_MS + PROMPT_MS)
				yield `${nameOf(row)} is due, and did not come for ${ms - lastMs} ms`;
		}
	}

	/** A frame that the controller generated leaves for the coupling. */
	sends(ms: number, { id, flags, data }: WireFrame): Sent {
		const text = `0x${id.toString(16)} ${Buffer.from(data).toString("hex").toUpperCase()}`;
		if (flags !== 0 || !this.#ids.has(id)) return { kind: "wrong", why: `${text} reaches the coupling, and nobody sends it` };
		const silent = this.silentAt(ms);
		if (silent !== undefined) return { kind: "wrong", why: `${text} is sent although ${silent}` };
		let why = "";
		for (const mode of this.modes)
			for (const row of this.#tableOf(mode).rows) {
				if (row.id !== id) continue;
				const share = this.#read(row, data, this.#tableOf(mode), ms);
				if (typeof share === "string") why ||= share;
				else return this.#pace(row, ms) ?? { kind: "generated", share };
			}
		return { kind: "wrong", why: `${text}: ${why}` };
	}

	#pace(row: GeneratedRow, ms: number): Sent | undefined {
		const name = nameOf(row);
		const lastMs = this.#sending.get(name);
		this.#sending.set(name, ms);
		if (lastMs === undefined || lastMs <= this.lossyUntilMs) return undefined;
		const gapMs = ms - lastMs;
		// begun anew, or gone on, after a lease that was over
		if (ms - this.#stalledUntilMs < row.periodMs + BEGIN_MS) return undefined;
		if (Math.abs(gapMs - row.periodMs) <= PROMPT_MS + 1e-6) return undefined;
		return { kind: "wrong", why: `${name} comes ${gapMs.toFixed(1)} ms after the one before` };
	}

	/** @returns the share of the full bytes that it asks for, or what is wrong */
	#read(row: GeneratedRow, data: Uint8Array, table: Generated, ms: number): Share | string {
		if (data.length !== row.bytes.length) return `${data.length} bytes, ${row.bytes.length} expected`;
		const names = [...new Set(row.bytes.flatMap((token) => /^[csn]:([^+]+)/.exec(token)?.[1] ?? []))];
		// counters that rows share are those of one row each
		const key = names.join();
		const isKnown = this.#isFresh && ms > this.lossyUntilMs;
		const possible = (ms > this.lossyUntilMs && this.#possible.get(key)) || statesOf(names, table, isKnown);
		const fitting: Values[] = [];
		let share: Share | string = "";
		for (const values of possible) {
			const found = shareOf(row, data, table, values);
			if (typeof found === "string") share ||= found;
			else {
				fitting.push(advanced(values, row, table));
				share = typeof share === "string" ? found : united(share, found);
			}
		}
		if (fitting.length > 0) this.#possible.set(key, fitting);
		return share;
	}
}

const nameOf = ({ id, bytes }: GeneratedRow): string => `0x${id.toString(16)} ${bytes[0]}..`;

/** The first values of counters, or all that they come by. */
function statesOf(names: readonly string[], { counters }: Generated, isFirst: boolean): Values[] {
	let states: Values[] = [new Map()];
	for (const name of names) {
		const values = isFirst ? [counters[name].first] : orbit(counters[name]);
		states = states.flatMap((state) => values.map((value) => new Map(state).set(name, value)));
	}
	return states;
}

const stepped = (value: number, { step }: Counter): number => (value + step) & 0xff;
const wrapped = (value: number, { above, wrapsTo }: Counter): number => (value > above ? wrapsTo : value);

function orbit(counter: Counter): number[] {
	const values = new Set<number>();
	for (let value = counter.first; !values.has(value); value = wrapped(stepped(value, counter), counter)) values.add(value);
	return [...new Set([...values].flatMap((value) => [value, stepped(value, counter)]))];
}

function advanced(values: Values, row: GeneratedRow, { counters }: Generated): Values {
	const isBare = row.bytes.some((token) => token.startsWith("n:"));
	return new Map(
		[...values].map(([name, value]) => {
			const next = stepped(value, counters[name]);
			return [name, isBare ? next : wrapped(next, counters[name])];
		}),
	);
}

/** Byte 0 of a protected frame. 3.10 */
function protection(data: Uint8Array, dataId: number, dataIdFirst: boolean): number {
	const rest = [...data.subarray(1)];
	return crc8(dataIdFirst ? [dataId, ...rest] : [...rest, dataId]);
}

const united = (one: Share, other: Share): Share => ({
	least: Math.min(one.least, other.least),
	most: Math.max(one.most, other.most),
});

function shareOf(row: GeneratedRow, data: Uint8Array, { dataIds, dataIdFirst }: Generated, values: Values): Share | string {
	const shares = new Shares();
	for (let i = 0; i < data.length; i++) {
		const [kind, argument = ""] = row.bytes[i].split(":");
		const [name, added = "0"] = argument.split("+");
		const number = Number.parseInt(argument, 16);
		const got = data[i];
		const fits = {
			a: () => shares.scaled(number, got),
			"FE-a": () => shares.scaled(number, (0xfe - got) & 0xff),
			"80+a": () => shares.raised(number, got),
			"7F+a": () => shares.scaled(number, got - 0x7f),
			c: () => got === values.get(name),
			s: () => shares.scaled(((values.get(name) as number) + Number.parseInt(added, 16)) & 0xff, got),
			n: () => got === 0,
			K: () => got === protection(data, dataIds[row.id][data[1] & 0x0f], dataIdFirst),
			X: () => data.reduce((sum, byte) => sum ^ byte, 0) === 0,
			Y: () => got === crc8([...data.subarray(0, 6), 0xc2]),
			Z: () => got === ((0xff - (data[0] + data[1] + data[2] + data[3] + data[5])) & 0xff),
		}[kind];
		if (fits === undefined ? got !== Number.parseInt(kind, 16) : !fits())
			return `byte ${i} is ${got.toString(16).toUpperCase()}, not ${row.bytes[i]} of ${[...values].join(" ")}`;
	}
	return { least: shares.least, most: shares.most };
}
