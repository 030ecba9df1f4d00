/**
 * The CAN gateway for TypeScript: `CanGateway` is the running one, `GatewayCore` a private core without buses for tests and benches.
 * Plan, watch list and sample are specified in `README.md`. Methods contain nothing but the native call, so that XS can put the C
 * function in their place; none of them allocates. Wrong types throw TypeError, values out of range RangeError; nothing has changed then.
 */
import type { Bus, DiagnosisPort, GatewayPort, SendPort } from "../../hal/ports.js";

export { COUNTER_COUNT } from "./gateway-counters.js";

// The globals that Moddable's XS and our host provide; see `hal/host/host.h`.
// biome-ignore lint/suspicious/noExplicitAny: the natives' types are those of the methods around them
declare function native(name: string): (...values: any[]) => any;
declare function Native(destructor: string): new () => object;

/** Bytes that `readLatest` fills. */
export const LATEST_BYTES = 52;

/** Attaches to the one gateway that the platform's driver runs; several instances share it. @throws {Error} no gateway is running. */
export class CanGateway extends Native("xs_can_gateway_destructor") implements GatewayPort, DiagnosisPort, SendPort {
	constructor() {
		super();
		native("xs_can_gateway_construct").call(this);
	}

	/** Stages a frame plan; it takes over, whole, with the next `commit`. @throws {RangeError} naming rule and reason; the old plan stays. */
	loadPlan(plan: Uint8Array): void {
		native("xs_can_gateway_load_plan").call(this, plan);
	}

	/**
	 * Puts the staged (or the current) plan in force and renews its lease. Without any plan it does nothing.
	 * @param factor 0..25600, 25600 = 100 % @param groups 0..255, bit mask of rule groups @param leaseMs 1..1000
	 */
	commit(factor: number, groups: number, leaseMs: number): void {
		native("xs_can_gateway_commit").call(this, factor, groups, leaseMs);
	}

	/** Ends the lease now: unmodified forwarding. Idempotent. */
	release(): void {
		native("xs_can_gateway_release").call(this);
	}

	/** Names the frames that `sample` reports, 8 bytes each, at most 32; all start as never received. */
	watch(list: Uint8Array): void {
		native("xs_can_gateway_watch").call(this, list);
	}

	/** Fills `into`: 16 bytes and 12 per watched frame. */
	sample(into: Uint8Array): void {
		native("xs_can_gateway_sample").call(this, into);
	}

	/**
	 * Sets one cyclic frame; the first one is sent at once. With bus, id and period unchanged it keeps its phase.
	 * @param slot 0..7 @param id 11-bit, or 29-bit with bit 31 set @param periodMs 1..60000 @param leaseMs 1..60000 @param payload 0..8 bytes
	 */
	setCyclic(slot: number, bus: Bus, id: number, periodMs: number, leaseMs: number, payload: Uint8Array): void {
		native("xs_can_gateway_set_cyclic").call(this, slot, bus, id, periodMs, leaseMs, payload);
	}

	/** Stops the cyclic frame of a slot. Idempotent. */
	clearCyclic(slot: number): void {
		native("xs_can_gateway_clear_cyclic").call(this, slot);
	}

	/**
	 * Keeps frames of the coupling with these identifiers back (README "Channel"), until a tester is heard. @param ids up to four, 4 bytes each,
	 * little endian @param testers up to eight ranges of identifiers, first and last
	 */
	openDiagnosis(ids: Uint8Array, testers: Uint8Array): void {
		native("xs_can_gateway_open_diagnosis").call(this, ids, testers);
	}

	/** From now on all frames are forwarded again. Idempotent. */
	closeDiagnosis(): void {
		native("xs_can_gateway_close_diagnosis").call(this);
	}

	/** Queues a frame of ours, once. @param id 11-bit, or 29-bit with bit 31 set @param data 0..8 bytes @returns false without room */
	send(bus: Bus, id: number, data: Uint8Array): boolean {
		return native("xs_can_gateway_send").call(this, bus, id, data);
	}

	/** Takes the oldest frame that was kept. @param into 13 bytes: identifier (4), DLC, data @returns its DLC, -1 = none, -2 = closed by a tester */
	receiveDiagnosis(into: Uint8Array): number {
		return native("xs_can_gateway_receive_diagnosis").call(this, into);
	}

	/**
	 * Names the PWM output that gets `idleDuty` at once when a lease runs out without renewal. The last call counts.
	 * @param pin 0..63 @param idleDuty 0..16383, in the output's resolution
	 */
	guardPwm(pin: number, idleDuty: number): void {
		native("xs_can_gateway_guard_pwm").call(this, pin, idleDuty);
	}

	/** Fills in the counters in the order of `gateway_counters.h`; `into` has room for all of them. */
	counters(into: Uint32Array): void {
		native("xs_can_gateway_counters").call(this, into);
	}

	/** The text of a JSON object of all counters by their names. */
	countersJson(): string {
		return native("xs_can_gateway_counters_json").call(this);
	}

	/**
	 * Reads the latest frames of one identifier (README "Latest frames"). @param bus that it is received on @param id 11-bit, or 29-bit with bit
	 * 31 set @param into LATEST_BYTES @returns false if it was never seen, or has no place; `into` is unchanged then
	 */
	readLatest(bus: Bus, id: number, into: Uint8Array): boolean {
		return native("xs_can_gateway_read_latest").call(this, bus, id, into);
	}

	/**
	 * How long ago a data frame with one of these identifiers was received, ms; 4294967295 if never.
	 * @param bus 0 or 1 @param first, last with bit 31 = extended
	 */
	receivedAgeMs(bus: Bus, first: number, last: number): number {
		return native("xs_can_gateway_received_age_ms").call(this, bus, first, last);
	}
}

/** A core of its own with both buses running: what goes in on one side comes out on the other at once. */
export class GatewayCore extends Native("xs_can_gateway_core_destructor") {
	constructor() {
		super();
		native("xs_can_gateway_core_construct").call(this);
	}

	/** As `CanGateway.loadPlan`. */
	loadPlan(plan: Uint8Array): void {
		native("xs_can_gateway_core_load_plan").call(this, plan);
	}

	/** As `CanGateway.commit`. @param nowMs 0.., never less than in an earlier call */
	commit(factor: number, groups: number, leaseMs: number, nowMs: number): void {
		native("xs_can_gateway_core_commit").call(this, factor, groups, leaseMs, nowMs);
	}

	/** As `CanGateway.release`. */
	release(): void {
		native("xs_can_gateway_core_release").call(this);
	}

	/**
	 * Passes one frame through. @param bus received on @param id with bit 31 = extended, bit 30 = remote @param dlc 0..8
	 * @param data 8 bytes: the received ones; afterwards the ones sent, 0 beyond the DLC @returns DLC of the frame sent, -1 = nothing sent
	 */
	pass(bus: Bus, id: number, dlc: number, data: Uint8Array, nowMs: number): number {
		return native("xs_can_gateway_core_pass").call(this, bus, id, dlc, data, nowMs);
	}

	/**
	 * Takes out the next frame that a plan sends to the coupling by itself. @param into 13 bytes: identifier (4), DLC, data
	 * @returns its DLC, -1 = none is due
	 */
	next(into: Uint8Array, nowMs: number): number {
		return native("xs_can_gateway_core_next").call(this, into, nowMs);
	}
}
