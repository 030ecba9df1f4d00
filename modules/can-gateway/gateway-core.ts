/** A gateway core without buses, for tests and benches: no board has it. */
import type { Bus } from "../../hal/ports.js";

// The globals that our host provides; see `hal/host/host.h`.
// biome-ignore lint/suspicious/noExplicitAny: the natives' types are those of the methods around them
declare function native(name: string): (...values: any[]) => any;
declare function Native(destructor: string): new () => object;

/** A core of its own with both buses running: what goes in on one side comes out on the other at once. */
export class GatewayCore extends Native("xs_can_gateway_core_destructor") {
	constructor() {
		super();
		native("xs_can_gateway_core_construct").call(this);
	}

	/** As `GatewayPort.loadPlan`. */
	loadPlan(plan: Uint8Array): void {
		native("xs_can_gateway_core_load_plan").call(this, plan);
	}

	/** As `GatewayPort.commit`. @param nowMs 0.., never less than in an earlier call */
	commit(factor: number, groups: number, leaseMs: number, nowMs: number): void {
		native("xs_can_gateway_core_commit").call(this, factor, groups, leaseMs, nowMs);
	}

	/** As `GatewayPort.release`. */
	release(): void {
		native("xs_can_gateway_core_release").call(this);
	}

	/**
	 * Passes one frame through.
	 * @param bus received on
	 * @param id with bit 31 = extended, bit 30 = remote
	 * @param dlc 0..8
	 * @param data 8 bytes: the received ones; afterwards the ones sent, 0 beyond the DLC
	 * @returns DLC of the frame sent, -1 = nothing sent
	 */
	pass(bus: Bus, id: number, dlc: number, data: Uint8Array, nowMs: number): number {
		return native("xs_can_gateway_core_pass").call(this, bus, id, dlc, data, nowMs);
	}

	/**
	 * Takes out the next frame that a plan sends to the coupling by itself.
	 * @param into 13 bytes: identifier (4), DLC, data
	 * @returns its DLC, -1 = none is due
	 */
	next(into: Uint8Array, nowMs: number): number {
		return native("xs_can_gateway_core_next").call(this, into, nowMs);
	}
}
