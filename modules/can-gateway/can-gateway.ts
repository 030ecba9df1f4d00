/**
 * The CAN gateway for TypeScript: `CanGateway` is the running one. Plan, watch list and sample are specified
 * in `README.md`. Methods contain nothing but the native call, so that XS can put the C function in their
 * place; none allocates. Wrong types throw TypeError, values out of range RangeError; nothing has changed
 * then.
 */
import type { Bus, DiagnosisPort, GatewayPort, SendPort } from "../../hal/ports.js";

export { COUNTER_COUNT, GATEWAY_COUNTER } from "./gateway-counters.js";

// The globals that Moddable's XS and our host provide; see `hal/host/host.h`.
// biome-ignore lint/suspicious/noExplicitAny: the natives' types are those of the methods around them
declare function native(name: string): (...values: any[]) => any;
declare function Native(destructor: string): new () => object;

/** Bytes that `readLatest` fills. */
export const LATEST_BYTES = 52;

/**
 * The one gateway that the platform's driver runs; several instances share it. What its methods do, take and
 * throw is said once, by the ports in `hal/ports.ts`; only what is in none of them is documented here.
 */
export class CanGateway extends Native("xs_can_gateway_destructor") implements GatewayPort, DiagnosisPort, SendPort {
	/** @throws {Error} no gateway is running */
	constructor() {
		super();
		native("xs_can_gateway_construct").call(this);
	}

	loadPlan(plan: Uint8Array): void {
		native("xs_can_gateway_load_plan").call(this, plan);
	}

	commit(factor: number, groups: number, leaseMs: number): void {
		native("xs_can_gateway_commit").call(this, factor, groups, leaseMs);
	}

	release(): void {
		native("xs_can_gateway_release").call(this);
	}

	watch(list: Uint8Array): void {
		native("xs_can_gateway_watch").call(this, list);
	}

	sample(into: Uint8Array): void {
		native("xs_can_gateway_sample").call(this, into);
	}

	setCyclic(slot: number, bus: Bus, id: number, periodMs: number, leaseMs: number, payload: Uint8Array): void {
		native("xs_can_gateway_set_cyclic").call(this, slot, bus, id, periodMs, leaseMs, payload);
	}

	clearCyclic(slot: number): void {
		native("xs_can_gateway_clear_cyclic").call(this, slot);
	}

	openDiagnosis(ids: Uint8Array, testers: Uint8Array): void {
		native("xs_can_gateway_open_diagnosis").call(this, ids, testers);
	}

	closeDiagnosis(): void {
		native("xs_can_gateway_close_diagnosis").call(this);
	}

	send(bus: Bus, id: number, data: Uint8Array): boolean {
		return native("xs_can_gateway_send").call(this, bus, id, data);
	}

	receiveDiagnosis(into: Uint8Array): number {
		return native("xs_can_gateway_receive_diagnosis").call(this, into);
	}

	guardPwm(pin: number, idleDuty: number): void {
		native("xs_can_gateway_guard_pwm").call(this, pin, idleDuty);
	}

	counters(into: Uint32Array): void {
		native("xs_can_gateway_counters").call(this, into);
	}

	/**
	 * Reads the latest frames of one identifier (README "Latest frames").
	 * @param bus that it is received on
	 * @param id 11-bit, or 29-bit with bit 31 set
	 * @param into LATEST_BYTES
	 * @returns false if it was never seen, or has no entry; `into` is unchanged then
	 */
	readLatest(bus: Bus, id: number, into: Uint8Array): boolean {
		return native("xs_can_gateway_read_latest").call(this, bus, id, into);
	}

	receivedAgeMs(bus: Bus, first: number, last: number): number {
		return native("xs_can_gateway_received_age_ms").call(this, bus, first, last);
	}
}
