/** Rows of counts, from the turns of one controller that works in virtual time. */
import { CountedController } from "./counted-controller.mjs";

/** Until control is active and no ramp, freshness or table of names changes any more. */
export const SETTLE_MS = 3000;
/**
 * A multiple of all periods of the application's timers: windows of that length have the same number of each.
 */
const WINDOW_MS = 1000;

/**
 * instructions, bytecodes: per unit, less what the same timers take when nobody is connected; without collections of garbage, as where they
 * fall is chance: what one takes has rows of its own. turnInstructions, turnHeapBytes: of the slowest turn, a first time included, whole.
 * collections: per unit.
 * @typedef {{ name: string, per: string, instructions: number, turnInstructions: number, bytecodes: number, turnHeapBytes: number,
 *   collections: number }} Row
 * @typedef {import("./turn-log.mjs").Turn} Turn
 * @typedef {"instructions" | "bytecodes" | "collections"} Figure that each turn has
 */

/** @param {readonly Turn[]} turns @param {Figure} figure */
const sum = (turns, figure) => turns.reduce((total, turn) => total + turn[figure], 0);
/** @param {Turn} turn */
const isControlTick = ({ kind }) => kind === "timer10";
/** @param {Turn} turn */
const repeats = ({ kind }) => /^timer[1-9]/.test(kind);

export class Counting {
	/** @type {Row[]} */
	rows = [];
	/** The slowest turn of each kind. @type {Map<string, { instructions: number, during: string }>} */
	longest = new Map();
	/** What each repeating timer takes on average while nobody is connected. */
	#idle = new Map();
	/** Instructions of the last collection that was asked for. */
	#collection = 0;
	/** @type {import("./counted-controller.mjs").Client | undefined} */
	#client;

	/** @param {CountedController} controller */
	constructor(controller) {
		/** @type {CountedController} */
		this.controller = controller;
	}

	/** The turns since it was last called. @param {string} during for what they were @returns {Turn[]} */
	turns(during) {
		const turns = this.controller.takeTurns();
		for (const { kind, instructions } of turns)
			if (instructions > (this.longest.get(kind)?.instructions ?? 0)) this.longest.set(kind, { instructions, during });
		return turns;
	}

	/**
	 * @param {Turn[]} turns of all units @param {Turn[]} [first] of a first time: they count for the slowest turn only
	 * @param {string} name @param {string} per what a unit is @param {number} units
	 */
	add(name, per, units, turns, first = []) {
		const slowest = (/** @type {Figure | "heapBytes"} */ figure) =>
			Math.max(...[...first, ...turns].map((turn) => turn[figure] ?? 0));
		const own = (/** @type {Figure} */ figure) => {
			const idle = turns.reduce((total, { kind }) => total + (this.#idle.get(kind)?.[figure] ?? 0), 0);
			return Math.round((sum(turns, figure) - idle) / units);
		};
		const collections = sum(
			turns.filter(({ kind }) => kind !== "collection"),
			"collections",
		);
		this.rows.push({
			name,
			per,
			instructions: own("instructions") - Math.round((collections * this.#collection) / units),
			turnInstructions: slowest("instructions"),
			bytecodes: own("bytecodes"),
			turnHeapBytes: slowest("heapBytes"),
			collections: Number((sum(turns, "collections") / units).toFixed(2)),
		});
	}

	/**
	 * What some work takes, from a heap without garbage. @param {string} name @param {string} per what a unit is
	 * @param {() => Promise<number>} work gives the number of units @param {Turn[]} [first]
	 */
	async count(name, per, work, first) {
		await this.#collect(name);
		const units = await work();
		if (!(units > 0)) throw new Error(`${name}: nothing was done`);
		this.add(name, per, units, this.turns(name), first);
	}

	/** A heap without garbage. @param {string} before for what the turns until now were */
	async #collect(before) {
		this.turns(before);
		await this.controller.collect();
		this.#collection = Math.max(...this.turns("collection").map(({ instructions }) => instructions));
	}

	/** Time goes on by a second, nobody connected. @param {string} name @returns {Promise<Turn[]>} */
	async window(name) {
		await this.disconnect();
		await this.#collect(name);
		await this.controller.run(WINDOW_MS);
		return this.turns(name);
	}

	/** Nobody connected: from now on what its timers take is left out. @param {string} [name] of a row for that */
	async idle(name) {
		this.#idle.clear();
		const turns = await this.window(name ?? "nobody connected");
		if (name !== undefined) this.add(name, "second", WINDOW_MS / 1000, turns);
		for (const kind of new Set(turns.filter(repeats).map((turn) => turn.kind))) {
			const these = turns.filter((turn) => turn.kind === kind);
			const mean = (/** @type {Figure} */ figure) => sum(these, figure) / these.length;
			this.#idle.set(kind, { instructions: mean("instructions"), bytecodes: mean("bytecodes") });
		}
	}

	/**
	 * The application's start, and the tick that finds its inputs valid, makes the frame plan and hands it to the gateway.
	 * @param {number} generation
	 */
	async start(generation) {
		await this.controller.run(0);
		this.add(`start, generation ${generation}`, "once", 1, this.turns("start").slice(0, 1));
		await this.controller.run(SETTLE_MS);
		const ticks = this.turns("frame plan").filter(isControlTick);
		const slowest = ticks.reduce((most, tick) => (tick.instructions > most.instructions ? tick : most));
		this.add(`tick that takes a frame plan, generation ${generation}`, "once", 1, [slowest]);
	}

	/** @param {string} name */
	async ticks(name) {
		const ticks = (await this.window(name)).filter(isControlTick);
		this.#idle.clear();
		this.add(name, "tick", ticks.length, ticks);
	}

	/** On the connection that there is, or a new one. @param {string} text of the request @returns {Promise<Buffer>} the whole answer */
	async ask(text) {
		if (this.#client === undefined || this.#client.closed) this.#client = await this.controller.connect();
		await this.controller.ask(this.#client, text);
		if (this.#client.status >= 500) throw new Error(`${text.split("\r\n")[0]}: ${this.#client.answer}`);
		return this.#client.answer;
	}

	async disconnect() {
		this.#client?.close();
		this.#client = undefined;
		await this.controller.run(0);
		this.turns("disconnecting");
	}

	/**
	 * Requests on a kept connection, after the first one. @param {string} name @param {readonly string[]} texts sent in turn @param {number} times
	 * @param {{ prepare?: () => Promise<unknown>, afterMs?: number }} [options] prepare: before each, not counted; afterMs: what the change still
	 *   causes after its answer
	 */
	async requests(name, texts, times, options = {}) {
		const { prepare = async () => {}, afterMs = 0 } = options;
		const one = async (/** @type {number} */ i) => {
			await prepare();
			this.turns("preparing");
			await this.ask(texts[i % texts.length]);
			await this.controller.run(afterMs);
			return this.turns(name);
		};
		const first = await one(0);
		await this.#collect(name);
		const turns = [];
		for (let i = 1; i <= times; i++) turns.push(...(await one(i)));
		this.add(name, "request", times, turns, first);
		await this.disconnect();
	}
}

/**
 * Counts what some work takes on a controller of its own.
 * @param {string} name of its files @param {{ generation: number, mode: string }} settings that it starts with
 * @param {{ seconds: number, cycle: string }} drive long enough for the work @param {(counting: Counting) => Promise<void>} work
 * @param {Record<string, object>} [files] further ones of its flash, by path
 */
export async function counted(name, settings, drive, work, files) {
	const controller = await CountedController.start(name, settings, drive, files);
	try {
		const counting = new Counting(controller);
		await work(counting);
		return counting;
	} finally {
		await controller.end();
	}
}
