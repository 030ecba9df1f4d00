/**
 * Judges whether and how much is asked for: from what the car sends and what clients ask, how much lock may be commanded at most at each
 * moment, and when the car has to be stock. Written from `docs/decisions.md` and `docs/control-and-can.md` 1.3 to 1.5, 2.1, 2.6 and 8.1;
 * shares no code with `src/`. It does not foresee what the controller does, only what it must never do, and what it must do when all is well.
 */
import { REMOTE, type WireFrame } from "./frame-judge.js";
import type { Bus } from "./lockstep.js";
import { curve, DEFAULT_TABLES, map, PRESETS, type Tables } from "./mode-targets.js";
import type { Generation } from "./tables.js";

/** A control tick, and what a frame may have been ahead of it. */
const SLACK_MS = 30;
const RAMP_MS = 500;
const BOOT_SETTLE_MS = 1000;
const SETTLE_MS = 500;
const INTERVENTION_MS = 100;
const INTERVENTION_HOLD_MS = 1000;
/** Lock comes back by at most 25 % in 100 ms after an intervention and on a bus that has returned. */
const RISE_PER_MS = 0.25;
const COOL_DOWN_MS = 10_000;
const LEASE_MS = 250;
const SILENT_MS = 200;
const GATE_HOLD_MS = 300;
const TRIGGER_SIGNAL_MS = 1500;

/** Inputs that a mode may need, and for how long a value counts. */
const LIMITS_MS = { speed: 300, pedal: 300, rpm: 500, flags: 300, feedback: 500 } as const;
export type Input = keyof typeof LIMITS_MS;

/** Identifiers that are read below. */
const TOLD = new Set([0x0b2, 0x0fd, 0x121, 0x0a8, 0x1a0, 0x280, 0x118, 0x2c0]);

/** What the controller is set to. */
export interface Wishes {
	readonly generation: Generation;
	/** "STOCK" or a mode. */
	readonly mode: string;
	/** The mode while the trigger's signal (ESP switched off by the driver) is set; undefined: there is no trigger. */
	readonly triggerMode?: string;
	/** Presets ask for lock up to this speed; 0: at any. */
	readonly disableSpeedKmh: number;
	/** Percent per second; 0: at once. */
	readonly releaseRate: number;
	/** Default: those that a controller starts with. */
	readonly tables?: Tables;
}

/** Why the car has to be stock, and what the status may say then. */
const STANDING = {
	stock: /^stock mode is selected$/,
	disabled: /^the controller is disabled$|^stock mode is selected$/,
	capture: /^CAN capture is running$/,
	update: /^an update is in progress$/,
	bootLoop: /^the controller restarted too often/,
	verboseLogging: /^verbose logging is on$|^stock mode is selected$/,
	openNetwork: /^the controller's network has no password|^stock mode is selected$/,
	unusableMap: /^the active map can't be read: load or change one \(\/maps\/.*\)$|^stock mode is selected$/,
	fault: /^the controller has a fault/,
} as const;
export type Standing = keyof typeof STANDING;

/** What must be so at a moment. */
export interface Demand {
	/** Percent; undefined: the car must be stock. */
	readonly most: number | undefined;
	/** Reasons of which the status may name one; empty: none, control may be active. */
	readonly reasons: readonly RegExp[];
	/** What a complaint says. */
	readonly because: string;
}

interface Known {
	goodMs: number;
	/** Since when there has been a value without a break. */
	sinceMs: number;
	/** When the last one ran out, as far as it is not healed; NaN: it did not. */
	missingMs: number;
	/** Before it ran out nothing was missing, and it did so while the script did not run. */
	missingUnseen: boolean;
}

export class CommandJudge {
	wishes: Wishes;
	/** What a client is about to wish for: until it is answered, and has been taken over, either may be in force. */
	wishing: Wishes | undefined;
	readonly standing = new Set<Standing>();
	/** The script does not run between these. */
	#stalledFromMs = Number.POSITIVE_INFINITY;
	#stalledUntilMs = Number.NEGATIVE_INFINITY;
	/** End of the last stall in which an input was away. */
	#unseenUntilMs = Number.NEGATIVE_INFINITY;
	readonly #inputs: Record<Input, Known>;
	#chassisMs = Number.NEGATIVE_INFINITY;
	#bootMs = 0;
	readonly #busUpMs = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
	readonly #busDownMs: (number | undefined)[] = [undefined, undefined];
	#flagFromMs = Number.NEGATIVE_INFINITY;
	#flagMs = Number.NEGATIVE_INFINITY;
	#hotFromMs = Number.NEGATIVE_INFINITY;
	#hotMs = Number.NEGATIVE_INFINITY;
	#speedKmh = 0;
	#pedalPercent = 0;
	#rpm = 0;
	#triggerMs = Number.NEGATIVE_INFINITY;
	#triggerOn = false;
	#triggerChangedMs = Number.NEGATIVE_INFINITY;
	/** Targets of late, and the highest that a release from them may still be at. */
	readonly #targets: { ms: number; percent: number }[] = [];
	#envelope = 0;
	#envelopeMs = 0;

	constructor(wishes: Wishes) {
		this.wishes = wishes;
		const never = (): Known => ({
			goodMs: Number.NEGATIVE_INFINITY,
			sinceMs: Number.POSITIVE_INFINITY,
			missingMs: Number.NaN,
			missingUnseen: false,
		});
		this.#inputs = { speed: never(), pedal: never(), rpm: never(), flags: never(), feedback: never() };
	}

	/** The controller starts: it knows nothing of before. */
	boot(ms: number): void {
		this.#bootMs = ms;
		this.#stalledUntilMs = this.#unseenUntilMs = Number.NEGATIVE_INFINITY;
		this.#startOver();
		this.#busUpMs.fill(Number.NEGATIVE_INFINITY);
		this.#flagFromMs = this.#flagMs = this.#hotFromMs = this.#hotMs = Number.NEGATIVE_INFINITY;
		this.standing.delete("fault");
	}

	/** Another generation: nothing that was known counts (docs/decisions.md 22). */
	regenerate(wishes: Wishes, ms: number): void {
		this.wishes = wishes;
		this.#bootMs = ms;
		this.#startOver();
	}

	#startOver(): void {
		for (const known of Object.values(this.#inputs)) {
			known.goodMs = Number.NEGATIVE_INFINITY;
			known.sinceMs = Number.POSITIVE_INFINITY;
			known.missingMs = Number.NaN;
		}
		this.#targets.length = 0;
		this.#envelope = 0;
	}

	/** No JavaScript runs for so long. */
	stall(fromMs: number, ms: number): void {
		this.#stalledFromMs = fromMs;
		this.#stalledUntilMs = fromMs + ms;
	}

	/** End of the last stall, -Infinity: there was none since the start. */
	get stalledUntilMs(): number {
		return this.#stalledUntilMs;
	}

	isStalledAt(ms: number): boolean {
		return ms >= this.#stalledFromMs && ms < this.#stalledUntilMs;
	}

	busDown(bus: Bus, ms: number): void {
		this.#busDownMs[bus] ??= ms;
	}

	busUp(bus: Bus, ms: number): void {
		if (this.#busDownMs[bus] === undefined) return;
		this.#busDownMs[bus] = undefined;
		this.#busUpMs[bus] = ms;
	}

	/** A frame reaches the controller's pins. */
	arrives(ms: number, bus: Bus, frame: WireFrame): void {
		if (frame.flags & REMOTE || this.#busDownMs[bus] !== undefined) return;
		if (bus === 0) this.#chassisMs = ms;
		if (frame.flags !== 0 || !TOLD.has(frame.id)) return;
		if (bus === 0) this.#readChassis(ms, frame.id, frame.data);
		else this.#readCoupling(ms, frame.id, frame.data);
		this.#follow(ms);
	}

	#readChassis(ms: number, id: number, data: Uint8Array): void {
		const word = (at: number): number => data[at] | (data[at + 1] << 8);
		if (this.wishes.generation === 5) {
			if (id === 0x0b2 && data.length === 8) {
				const wheels = [word(0), word(2), word(4), word(6)];
				if (wheels.every((raw) => raw < 0xfffd)) this.#speed(ms, wheels.reduce((sum, raw) => sum + raw, 0) * 0.001875);
			}
			if (id === 0x0fd && data.length === 8) {
				this.#flags(ms, (data[7] & 0b0011_0101) !== 0);
				if (word(4) < 0xfffd && (data[6] & 0x80) === 0) this.#speed(ms, word(4) * 0.01);
				this.#trigger(ms, (data[6] & 0x02) !== 0);
			}
			if (id === 0x121 && data.length >= 3) {
				const raw = (data[1] >> 4) | ((data[2] & 0x0f) << 4);
				if (raw < 0xfe && (data[2] & 0x10) === 0) this.#pedal(ms, raw * 0.4);
			}
			if (id === 0x0a8 && data.length === 8 && word(6) < 0xfffd && (data[5] & 0x80) === 0) this.#engine(ms, word(6) * 0.25);
			return;
		}
		if (id === 0x1a0 && data.length >= 4) {
			this.#flags(ms, (data[0] & 0b0001_1110) !== 0);
			if (word(2) >> 1 !== 0x7fff) this.#speed(ms, (word(2) >> 1) * 0.01);
			if (data.length === 8) this.#trigger(ms, (data[7] & 0x20) !== 0);
		}
		if (id === 0x280 && data.length >= 6) {
			if (data[5] < 0xfe) this.#pedal(ms, data[5] * 0.4);
			if (word(2) < 0xfe00) this.#engine(ms, word(2) * 0.25);
		}
	}

	#readCoupling(ms: number, id: number, data: Uint8Array): void {
		const isMqb = this.wishes.generation === 5;
		if (id !== (isMqb ? 0x118 : 0x2c0) || data.length < (isMqb ? 3 : 2)) return;
		this.#good("feedback", ms);
		if (isMqb || (data[0] & 0b0001_0111) === 0) return;
		if (ms - this.#hotMs > COOL_DOWN_MS) this.#hotFromMs = ms;
		this.#hotMs = ms;
	}

	#speed(ms: number, kmh: number): void {
		this.#speedKmh = Math.floor(kmh + 0.5);
		this.#good("speed", ms);
	}

	#pedal(ms: number, percent: number): void {
		this.#pedalPercent = percent;
		this.#good("pedal", ms);
	}

	#engine(ms: number, rpm: number): void {
		this.#rpm = Math.floor(rpm);
		this.#good("rpm", ms);
	}

	#flags(ms: number, set: boolean): void {
		this.#good("flags", ms);
		if (!set) return;
		if (ms - this.#flagMs > INTERVENTION_HOLD_MS) this.#flagFromMs = ms;
		this.#flagMs = ms;
	}

	#trigger(ms: number, on: boolean): void {
		this.#triggerMs = ms;
		if (on === this.#triggerOn) return;
		this.#triggerOn = on;
		this.#triggerChangedMs = ms;
	}

	#good(input: Input, ms: number): void {
		const known = this.#inputs[input];
		this.#expire(input, ms);
		const isBack = !(ms - known.goodMs <= LIMITS_MS[input]);
		known.goodMs = ms;
		if (!isBack) return;
		// The car is stock from the lease's end to the stall's. What was away only meanwhile is there when the script looks again,
		// and lock returns in the ramp of a lease that ran out (docs/decisions.md 20 and P1).
		if (known.missingUnseen && ms < this.#stalledUntilMs) {
			known.missingMs = Number.NaN;
			this.#unseenUntilMs = this.#stalledUntilMs;
		} else known.sinceMs = ms;
	}

	/** Notes that a value ran out meanwhile. */
	#expire(input: Input, ms: number): void {
		const known = this.#inputs[input];
		const endMs = known.goodMs + LIMITS_MS[input];
		if (!(ms > endMs) || known.missingMs >= endMs) return;
		known.missingUnseen = Number.isNaN(known.missingMs) && endMs >= this.#stalledFromMs && endMs < this.#stalledUntilMs;
		known.missingMs = endMs;
	}

	/** What is wished for: the mode that counts now. */
	get mode(): string {
		return this.#triggered ? (this.wishes.triggerMode as string) : this.wishes.mode;
	}

	get #triggered(): boolean {
		const { mode, triggerMode } = this.wishes;
		return triggerMode !== undefined && mode !== "STOCK" && this.#triggerOn;
	}

	/** Modes that may be in force at this moment: around a change of the trigger's signal both. */
	modesAt(ms: number): readonly string[] {
		const { wishing } = this;
		return wishing === undefined ? this.#modesAt(ms) : [...this.#modesAt(ms), wishing.mode];
	}

	#modesAt(ms: number): readonly string[] {
		const { mode, triggerMode } = this.wishes;
		if (triggerMode === undefined || mode === "STOCK") return [mode];
		const lost = ms - this.#triggerMs > TRIGGER_SIGNAL_MS - SLACK_MS;
		const changing = ms - this.#triggerChangedMs <= GATE_HOLD_MS + SLACK_MS;
		if (lost || changing) return [mode, triggerMode];
		return [this.mode];
	}

	/** What the mode asks for with what the car shows now, behind the gates, without ramps. */
	get targetPercent(): number {
		return this.#targetOf(this.mode);
	}

	#targetOf(mode: string): number {
		if (mode in PRESETS) {
			const limit = this.wishes.disableSpeedKmh;
			return limit === 0 || this.#speedKmh <= limit ? PRESETS[mode] : 0;
		}
		const pedal = Math.min(100, this.#pedalPercent);
		const tables = this.wishes.tables ?? DEFAULT_TABLES;
		if (mode === "SPEED") return curve(tables.SPEED, this.#speedKmh);
		if (mode === "THROTTLE") return curve(tables.THROTTLE, pedal);
		if (mode === "RPM") return curve(tables.RPM, this.#rpm);
		return map(tables.MAP, pedal, this.#speedKmh);
	}

	/** The least and most that was asked for of late: what a gate, a trigger or the next tick may still be at. */
	#follow(ms: number): void {
		let percent = this.wishing === undefined ? this.targetPercent : 100;
		// while a trigger has just changed the other mode may still, or already, be in force
		if (this.wishes.triggerMode !== undefined && ms - this.#triggerChangedMs <= GATE_HOLD_MS + SLACK_MS)
			percent = Math.max(this.#targetOf(this.wishes.mode), this.#targetOf(this.wishes.triggerMode));
		const last = this.#targets.at(-1);
		if (last === undefined || last.percent !== percent) this.#targets.push({ ms, percent });
		while (this.#targets.length > 1 && ms - this.#targets[1].ms > GATE_HOLD_MS + SLACK_MS) this.#targets.shift();
		const highest = Math.max(...this.#targets.map((target) => target.percent));
		const rate = this.wishes.releaseRate;
		const released = rate === 0 ? 0 : this.#envelope - ((ms - this.#envelopeMs) * rate) / 1000;
		this.#envelope = Math.max(highest, released);
		this.#envelopeMs = ms;
	}

	/** Inputs without which this mode may not command. */
	get #needed(): readonly Input[] {
		const { mode } = this;
		const needed: Input[] = ["flags", "feedback"];
		if (this.wishing !== undefined) return needed;
		if (mode === "MAP" || mode === "SPEED" || (mode in PRESETS && this.wishes.disableSpeedKmh !== 0)) needed.push("speed");
		if (mode === "MAP" || mode === "THROTTLE") needed.push("pedal");
		if (mode === "RPM") needed.push("rpm");
		return needed;
	}

	/** True while the coupling has to be open because ABS or ESP intervene or have just done so. */
	intervenedAt(ms: number): boolean {
		// a script that has stalled saw the last flags before; what it asked for then stands until its lease ends
		const seenMs = this.isStalledAt(ms) ? this.#stalledFromMs : ms;
		return ms - this.#flagMs < INTERVENTION_HOLD_MS - SLACK_MS && seenMs - this.#flagFromMs > INTERVENTION_MS + SLACK_MS;
	}

	/** True if nothing is asked for, long enough that gates and ticks have noticed. */
	closedAt(ms: number): boolean {
		this.#follow(ms);
		return this.#targets.length === 1 && this.#targets[0].percent === 0 && ms - this.#targets[0].ms > GATE_HOLD_MS + SLACK_MS;
	}

	/** Nothing but a client or a restart ends it. */
	get isStockForGood(): boolean {
		return this.standing.size > 0 || this.mode === "STOCK";
	}

	/** What must be so at this moment. */
	demandAt(ms: number): Demand {
		if (this.standing.size > 0 && this.wishing === undefined)
			return stock([...this.standing].join(), ...[...this.standing].map((name) => STANDING[name]));
		if (this.mode === "STOCK" && this.wishing === undefined) return stock("mode STOCK", STANDING.stock);
		if (this.isStalledAt(ms) && ms - this.#stalledFromMs > LEASE_MS) return stock("the script is stalled");
		for (const bus of [0, 1] as const) {
			const downMs = this.#busDownMs[bus];
			if (downMs !== undefined && ms - downMs > SLACK_MS) return stock(`bus ${bus} is down`, BUS_REASONS);
			if (ms - this.#busUpMs[bus] < SETTLE_MS - SLACK_MS) return stock(`bus ${bus} is not back for 0.5 s`, DOUBTS);
		}
		let most = 100;
		let because = "full lock";
		const limit = (percent: number, why: string): void => {
			if (percent < most) [most, because] = [Math.max(0, percent), why];
		};
		for (const input of this.#needed) {
			this.#expire(input, ms);
			const known = this.#inputs[input];
			const settle = known.sinceMs - this.#bootMs < BOOT_SETTLE_MS ? BOOT_SETTLE_MS : SETTLE_MS;
			if (!(ms - this.#bootMs >= BOOT_SETTLE_MS - SLACK_MS)) return stock(`${input} is starting`, DOUBTS);
			if (Number.isNaN(known.missingMs)) {
				if (!(ms - known.sinceMs >= settle - SLACK_MS)) return stock(`${input} is starting`, DOUBTS);
				continue;
			}
			const missingMs = ms - known.missingMs;
			const backMs = ms - known.goodMs <= LIMITS_MS[input] ? ms - known.sinceMs : 0;
			if (backMs >= SETTLE_MS - SLACK_MS) {
				known.missingMs = Number.NaN;
				continue;
			}
			if (missingMs > RAMP_MS + SLACK_MS) return stock(`${input} is missing for ${missingMs.toFixed(0)} ms`, DOUBTS);
			limit(100 - (missingMs - SLACK_MS) / 5, `${input} is missing for ${missingMs.toFixed(0)} ms`);
		}
		if (ms - this.#chassisMs > SILENT_MS + SLACK_MS) return stock("the car is silent", DOUBTS);
		const freeMs = ms - this.#flagMs - INTERVENTION_HOLD_MS;
		if (this.intervenedAt(ms)) limit(0, "ABS or ESP intervene");
		else if (freeMs >= -SLACK_MS) limit((freeMs + SLACK_MS) * RISE_PER_MS, "ABS or ESP have intervened");
		const unseenMs = ms - this.#unseenUntilMs;
		if (unseenMs >= 0) limit((unseenMs + SLACK_MS) * RISE_PER_MS, "an input was away while the script was stalled");
		for (const upMs of this.#busUpMs) limit((ms - upMs - SETTLE_MS + SLACK_MS) * RISE_PER_MS, "a bus has just come back");
		if (ms - this.#hotMs < COOL_DOWN_MS - SLACK_MS && ms - this.#hotFromMs > RAMP_MS + SLACK_MS) limit(0, "heat or fault");
		this.#follow(ms);
		limit(this.#envelope, "of what the mode asks for");
		return { most, reasons: [], because };
	}
}

function stock(because: string, ...reasons: readonly RegExp[]): Demand {
	return { most: undefined, reasons, because };
}

const BUS_REASONS = /bus is not running|no frames arrive|controller has a fault/;
const DOUBTS = /^no |^starting|^waiting|bus is not running|bus has just come back|controller has a fault/;
