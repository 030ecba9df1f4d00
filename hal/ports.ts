/**
 * What the portable application needs from a platform. Types only: imported with `import type`, no code.
 * The host implements them in `hal/host`, the boards in `hal/esp32`.
 */

/** 0 = chassis bus, 1 = coupling bus. */
export type Bus = 0 | 1;

/**
 * The CAN gateway as TypeScript sees it; the exact bytes of plan, watch list and sample are in `modules/can-gateway/README.md`.
 * None of these calls allocates.
 */
export interface GatewayPort {
	/** Stages a frame plan; it takes over, whole, with the next `commit`. @throws {RangeError} naming what is wrong with it; the old plan stays. */
	loadPlan(plan: Uint8Array): void;
	/**
	 * Puts the staged (or the current) plan in force with these values and renews its lease.
	 * @param factor 0..25600, 25600 = 100 % @param groups bit mask of the rule groups that apply @param leaseMs 1..1000
	 * @throws {RangeError} a value out of range. Without any plan loaded it does nothing.
	 */
	commit(factor: number, groups: number, leaseMs: number): void;
	/** Ends the lease now: unmodified forwarding. Idempotent. */
	release(): void;
	/** Names the frames that `sample` reports, 8 bytes each. @throws {RangeError} wrong size or more than 32. */
	watch(list: Uint8Array): void;
	/** Fills `into` (16 + 12 bytes per watched frame). @throws {RangeError} buffer too small. */
	sample(into: Uint8Array): void;
	/**
	 * Sets one cyclic frame: sent on `bus` every `periodMs` until `leaseMs` has passed without another `setCyclic` of the slot.
	 * Changing the payload keeps the phase. @param slot 0..7 @param id 11-bit, or 29-bit with bit 31 set @param payload 0..8 bytes
	 */
	setCyclic(slot: number, bus: Bus, id: number, periodMs: number, leaseMs: number, payload: Uint8Array): void;
	/** Stops the cyclic frame of a slot. Idempotent. */
	clearCyclic(slot: number): void;
	/**
	 * Names the PWM output that gets `idleDuty` at once when a lease runs out without renewal: the coupling must not be driven by what a
	 * stalled script left there. The last call counts. @param pin 0..63 @param idleDuty 0..16383, in the output's resolution
	 */
	guardPwm(pin: number, idleDuty: number): void;
	/** Fills in the counters in the order of `modules/can-gateway/gateway_counters.h`. */
	counters(into: Uint32Array): void;
}

/** A text that is written piece by piece, in C. None of these calls allocates. */
export interface TextPort {
	/**
	 * Writes what comes next to `into[start, end)`, in whole lines or rows: with less than 280 bytes of room perhaps nothing.
	 * @returns bytes written; 0 also when it has passed over many frames that are not wanted, and wants to be called again
	 */
	write(into: Uint8Array, start: number, end: number): number;
	/** Everything has been written. */
	readonly isComplete: boolean;
}

/** The lines of recent frames, read from the gateway's memory as they are written. */
export interface FrameLinesPort extends TextPort {
	/**
	 * Has the lines begin so long ago and end with the last frame that has passed.
	 * @param windowMs 0..2^32 - 1 @returns how many ms they cover: less if the gateway's memory, or the time since start, is shorter
	 */
	lookBack(windowMs: number): number;
	/** Number of the frame that comes next, and how many of those before it were lost: overwritten before they could be written. */
	readonly cursor: number;
	readonly overwritten: number;
}

/** What is made in C of what the gateway remembers; `modules/frame-text`. Rows are the bits of `src/trace/bus-filter.ts`. */
export interface FrameTextPort {
	/** Lines of the frames from the next one on, without end. @param format of `src/trace/frame-format.ts` */
	lines(format: number, rows: number): FrameLinesPort;
	/** The CAN view as JSON. @param generation 0, 1, 2, 4, 5 @param decodedLimit @param rawLimit rows at the most */
	view(generation: number, rows: number, decodedLimit: number, rawLimit: number): TextPort;
	/** The signal catalogue as a DBC file. @param network 0 PQ, 1 MQB */
	dbcFile(network: number): TextPort;
}

/** Sends single frames of our own. */
export interface SendPort {
	/** Queues a frame. Allocates nothing. @param id with bit 31 = extended @param data 0..8 bytes @returns false if there is no room now */
	send(bus: Bus, id: number, data: Uint8Array): boolean;
}

/** A channel to the coupling's control unit, through the gateway: `modules/can-gateway/README.md` "Channel". None of these calls takes memory. */
export interface DiagnosisPort extends SendPort {
	/**
	 * Keeps frames of the coupling with these identifiers back, in place of those before. @param ids up to four, 4 bytes each, bit 31 = extended
	 * @param testers up to eight ranges, first and last identifier each: the first of their frames closes the channel, until `closeDiagnosis`
	 */
	openDiagnosis(ids: Uint8Array, testers: Uint8Array): void;
	/** From now on all frames are forwarded again. Idempotent. */
	closeDiagnosis(): void;
	/** Takes the oldest frame that was kept back. @param into 13 bytes: identifier, DLC, data @returns its DLC, -1 = none, -2 = closed by a tester */
	receiveDiagnosis(into: Uint8Array): number;
	/** How long ago a frame with an identifier of first..last (bit 31 = extended) was received on a bus, ms; 4294967295 if never. */
	receivedAgeMs(bus: Bus, first: number, last: number): number;
}

/** A hash that is slow on purpose, of a password (`modules/sha256/pbkdf2.ts`). */
export interface SlowHashPort {
	/** Does so many further rounds. */
	add(rounds: number): void;
	/** Ends it. @returns 32 bytes */
	close(): ArrayBuffer;
}

/** Milliseconds and microseconds since start, monotonic. Moddable's `time`. */
export interface ClockPort {
	/** ms, modulo 2^31 or 2^32: only differences mean something. */
	readonly ticks: number;
	/** microseconds as a double. */
	readonly microseconds: number;
}

/** ECMA-419 PWM: `write(0 .. 2^resolution - 1)`. */
export interface PwmPort {
	write(duty: number): void;
	close(): void;
}

/** The pin that drives the coupling. */
export interface PwmOutput {
	readonly pin: number;
	/** Duty that is fully on: 2^resolution - 1. */
	readonly dutyMax: number;
	/** Opens the pin; it must be closed before it is opened again. @throws {Error} */
	open(frequencyHz: number): PwmPort;
}
