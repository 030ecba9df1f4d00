/**
 * What the portable application needs from a platform. Types only: imported with `import type`, no code.
 * The host implements them in `hal/host`, the boards in `hal/esp32`.
 */

/** 0 = chassis bus, 1 = coupling bus. */
export type Bus = 0 | 1;

/**
 * The CAN gateway as TypeScript sees it; the exact bytes of plan, watch list and sample are in
 * `modules/can-gateway/README.md`. None of these calls allocates. Each throws TypeError for an argument of
 * another type, and RangeError for a value out of the range that stands here; nothing has changed then. Times
 * are those of the gateway's clock.
 */
export interface GatewayPort {
	/**
	 * Stages a frame plan. The next `commit` activates all of it.
	 * @throws {RangeError} naming rule and reason; the old plan stays
	 */
	loadPlan(plan: Uint8Array): void;
	/**
	 * Activates the staged (or the current) plan with these values and renews its lease. Without any plan
	 * loaded it does nothing.
	 * @param factor 0..25600, 25600 = 100 %
	 * @param groups 0..255, bit mask of the rule groups that apply
	 * @param leaseMs 1..1000
	 */
	commit(factor: number, groups: number, leaseMs: number): void;
	/** Ends the lease now: unmodified forwarding. Idempotent. */
	release(): void;
	/**
	 * Names the frames that `sample` reports, 8 bytes each, at most 32; all start as never received.
	 * @throws {RangeError} naming the frame
	 */
	watch(list: Uint8Array): void;
	/**
	 * Fills `into`: 24 bytes and 12 per watched frame, or more. A watch that collects begins anew with
	 * each sample.
	 */
	sample(into: Uint8Array): void;
	/**
	 * Sets one cyclic frame: sent on `bus` now and every `periodMs` until `leaseMs` has passed without
	 * another `setCyclic` of the slot. With bus, id and period unchanged it keeps its phase.
	 * @param slot 0..7
	 * @param id 0..0x7FF, or 29 bits with bit 31 set
	 * @param periodMs 1..60000
	 * @param leaseMs 1..60000
	 * @param payload 0..8 bytes
	 */
	setCyclic(slot: number, bus: Bus, id: number, periodMs: number, leaseMs: number, payload: Uint8Array): void;
	/** Stops the cyclic frame of a slot. Idempotent. @param slot 0..7 */
	clearCyclic(slot: number): void;
	/**
	 * Names the PWM output that gets `idleDuty` at once when a lease runs out without renewal: the coupling
	 * must not be driven by what a stalled script left there. The last call counts.
	 * @param pin 0..63
	 * @param idleDuty 0..16383, in the output's resolution
	 */
	guardPwm(pin: number, idleDuty: number): void;
	/**
	 * Fills in the counters in the order of `modules/can-gateway/gateway_counters.h`: since start, modulo
	 * 2^32.
	 * @param into COUNTER_COUNT elements, see `modules/can-gateway/can-gateway.ts`, or more
	 */
	counters(into: Uint32Array): void;
}

/** A text that is written piece by piece, in C. None of these calls allocates. */
export interface TextPort {
	/**
	 * Writes what comes next to `into[start, end)`, in whole lines or rows: with less than 300 bytes
	 * perhaps nothing.
	 * @param start 0..end
	 * @param end 0..length of `into`
	 * @returns bytes written; 0 also when it has passed over many frames that are not wanted, and wants to be
	 * called again
	 * @throws {RangeError} another start or end
	 */
	write(into: Uint8Array, start: number, end: number): number;
	/** Everything has been written. */
	readonly isComplete: boolean;
}

/** The lines of recent frames, read from the gateway's memory as they are written. */
export interface FrameLinesPort extends TextPort {
	/**
	 * Has the lines begin `windowMs` ago and end with the last frame that has passed.
	 * @param windowMs 0..2^32 - 1
	 * @returns how many ms they cover: less if the gateway's memory, or the time since start, is shorter
	 */
	lookBack(windowMs: number): number;
	/** Number of the frame that comes next; the gateway counts from 0. */
	readonly cursor: number;
	/** How many of the frames before it are lost: overwritten before they could be written. */
	readonly overwritten: number;
}

/**
 * What is made in C of what the gateway remembers; `modules/frame-text`. Rows are the bits of
 * `src/can/frame-dump.ts`. Each of these calls allocates.
 * @throws {RangeError} a value out of range, no memory
 * @throws {Error} no gateway is running
 */
export interface FrameTextPort {
	/** Lines of the frames from the next one on, without end. @param format of `src/can/frame-dump.ts` */
	lines(format: number, rows: number): FrameLinesPort;
	/**
	 * The CAN view as JSON.
	 * @param generation 0 = unknown, or one of `COUPLINGS`
	 * @param decodedLimit signals at the most, as `rawLimit`
	 * @param rawLimit rows at the most, 0..2^32 - 1
	 */
	view(generation: number, rows: number, decodedLimit: number, rawLimit: number): TextPort;
	/**
	 * The signal catalogue as a DBC file.
	 * @param network 0 PQ, 1 MQB
	 * @param reportBytes length of the coupling's status frame, 4 or 8
	 */
	dbcFile(network: number, reportBytes: number): TextPort;
}

/** Sends single frames of our own. Errors as in `GatewayPort`. */
export interface SendPort {
	/**
	 * Queues a frame, once. Allocates nothing.
	 * @param id 0..0x7FF, or 29 bits with bit 31 set
	 * @param data 0..8 bytes
	 * @returns false if the queue is full, or the bus does not run
	 */
	send(bus: Bus, id: number, data: Uint8Array): boolean;
}

/**
 * A channel to the coupling's control unit, through the gateway: `modules/can-gateway/README.md` "Channel".
 * None of these calls allocates. Errors as in `GatewayPort`. Identifiers are 4 bytes each, little endian, bit
 * 31 = extended.
 */
export interface DiagnosisPort extends SendPort {
	/**
	 * Stops forwarding the coupling's frames with these identifiers, in place of those before, until 1 s after
	 * the last `receiveDiagnosis`.
	 * @param ids up to four
	 * @param testers up to eight ranges, first and last identifier each: the first of their frames closes the
	 * channel, until `closeDiagnosis`
	 */
	openDiagnosis(ids: Uint8Array, testers: Uint8Array): void;
	/** From now on all frames are forwarded again. Idempotent. */
	closeDiagnosis(): void;
	/**
	 * Takes the oldest frame that was kept back.
	 * @param into 13 bytes: identifier, DLC, data
	 * @returns its DLC, -1 = none, -2 = closed by a tester
	 */
	receiveDiagnosis(into: Uint8Array): number;
	/**
	 * How long ago a data frame with an identifier of first..last (bit 31 = extended) was received on a bus.
	 * @param first 0..last
	 * @returns ms; 4294967295 = never
	 */
	receivedAgeMs(bus: Bus, first: number, last: number): number;
}

/** A hash that is slow on purpose, of a password (`modules/sha256/sha256.ts`). */
export interface SlowHashPort {
	/**
	 * Does this many further rounds, 0 and more: each takes as long as two blocks of SHA-256.
	 * @throws {Error} it was ended
	 */
	add(rounds: number): void;
	/**
	 * Ends it, and forgets the password.
	 * @returns 32 bytes
	 * @throws {Error} it was ended
	 */
	close(): ArrayBuffer;
}

/**
 * The key that WPA2 makes of a passphrase and a network's name, slow on purpose
 * (`modules/sha256/sha256.ts`).
 */
export interface NetworkKeyPort {
	/**
	 * Does this many further rounds, each 4 blocks of SHA-1.
	 * @returns whether the key is done
	 * @throws {Error} it was ended
	 */
	add(rounds: number): boolean;
	/**
	 * Ends it, and forgets the passphrase.
	 * @returns 32 bytes: the key, if it is done
	 * @throws {Error} it was ended
	 */
	close(): ArrayBuffer;
}

/** Time since start, monotonic: Moddable's `time`. Never throws. */
export interface ClockPort {
	/** ms, modulo 2^31 or 2^32: only differences mean something. */
	readonly ticks: number;
	/** us as a double: whole, and does not wrap. */
	readonly microseconds: number;
}

/** A PWM output as ECMA-419 has it, until it is closed. */
export interface PwmPort {
	/**
	 * @param duty 0..2^resolution - 1, 0 = off
	 * @throws {RangeError} another one; {Error} it was closed
	 */
	write(duty: number): void;
	/** The pin is free again. Idempotent. */
	close(): void;
}

/** The pin that drives the coupling. */
export interface PwmOutput {
	/** Number of the GPIO, 0..63. */
	readonly pin: number;
	/** Duty that is fully on: 2^resolution - 1. */
	readonly dutyMax: number;
	/**
	 * Opens the pin; it must be closed before it is opened again.
	 * @param frequencyHz 1 and more
	 * @throws {Error} the pin is in use
	 */
	open(frequencyHz: number): PwmPort;
}

/**
 * What ended the last sleep; "power_on_or_reset": this start follows none. Names:
 * docs/api.md, "State and modes".
 */
export type WakeCause = "can_rx" | "gpio" | "timer" | "power_on_or_reset" | "other";

/** The chip's sleep. What it tells stays the same until the next one. */
export interface SleepPort {
	/** What has caused this start. */
	readonly wakeCause: WakeCause;
	/** How often it has slept since the supply was switched on. */
	readonly entries: number;
	/**
	 * CAN controllers and chip sleep now, until the chassis bus is not idle any more or the time is over;
	 * then all starts anew, forwarding first. What is not on flash is lost. Does not return on a platform.
	 * @param wakeAfterMs 1000..86400000
	 */
	enter(wakeAfterMs: number): void;
}

/** None of these calls throws or allocates. */
export interface BoardControlsPort {
	/** The board has them. If not `read` says -1, and nothing else does anything. */
	readonly areThere: boolean;
	/**
	 * What is pressed or active now: 1 mode button, 2 external button, 4 brake, 8 handbrake. Two readings 10
	 * ms apart agree in it.
	 * @returns -1 if they were not read for 100 ms
	 */
	read(): number;
	/** Shows a colour, 0xRRGGBB, 0 = dark. It goes out after 1 s unless it is set again. */
	light(rgb: number): void;
	/**
	 * Has outputs follow their inputs, without the script, from two readings of each on. The others are low,
	 * whatever is inverted.
	 * @param followed bits of outputs, 4 brake, 8 handbrake
	 * @param inverted those that are the other way round
	 */
	follow(followed: number, inverted: number): void;
}
