/**
 * Runs on XS: control ticks of the real controller on the real gateway, in a replay's virtual time, in MAP
 * mode. Prints one JSON line: bytecodes per tick (mean and most) and what the heap took over the last ones.
 */

import PWM from "embedded:io/pwm";
import Instrumentation from "instrumentation";
import Time from "time";
import Timer from "timer";
import { CanGateway } from "../../modules/can-gateway/can-gateway.js";
import { Controller } from "../../src/controller/controller.js";
import type { Generation } from "../../src/coupling/couplings/couplings.js";
import { MAP, MODES } from "../../src/lock/modes.js";
import { ControlLoop, TICK_MS } from "../../src/runtime/control-loop.js";
import { DEFAULT_SETTINGS } from "../../src/settings/settings.js";

const WARM_UP_TICKS = 2000;

/** Units that reading the meter twice costs by itself. */
function meterOverhead(): number {
	const before = Instrumentation.get("meter") as number;
	return ((Instrumentation.get("meter") as number) - before) >>> 0;
}

export function measure(generation: Generation, ticks: number): void {
	const settings = { ...DEFAULT_SETTINGS, generation, mode: MAP };
	const controller = new Controller(settings, () => {});
	const output = { pin: 4, dutyMax: 1023, open: (hz: number) => new PWM({ pin: 4, hz, resolution: 10 }) };
	const onFault = (error: unknown) => trace(`${error}\n`); // then too few ticks are active
	const loop = new ControlLoop(controller, new CanGateway(), output, Time, onFault);
	const overhead = meterOverhead();
	let tick = 0;
	let active = 0;
	let sum = 0;
	let most = 0;
	let slots = 0;
	let chunks = 0;
	let collections = 0;
	Timer.repeat(() => {
		if (tick === WARM_UP_TICKS) {
			Instrumentation.collect();
			slots = Instrumentation.get("slots") as number;
			chunks = Instrumentation.get("chunks") as number;
			collections = Instrumentation.get("collections") as number;
		}
		const before = Instrumentation.get("meter") as number;
		loop.tick();
		const cost = (((Instrumentation.get("meter") as number) - before) >>> 0) - overhead;
		tick++;
		if (tick <= WARM_UP_TICKS) return;
		sum += cost;
		if (cost > most) most = cost;
		if (controller.controlActive && controller.effectiveMode === MAP) active++;
		if (tick < WARM_UP_TICKS + ticks) return;
		slots = (Instrumentation.get("slots") as number) - slots;
		chunks = (Instrumentation.get("chunks") as number) - chunks;
		collections = (Instrumentation.get("collections") as number) - collections;
		const result = {
			bench: "tick",
			generation,
			mode: MODES[MAP],
			ticks,
			activeTicks: active,
			meanBytecodes: Math.round(sum / ticks),
			mostBytecodes: most,
			slots,
			chunkBytes: chunks,
			collections,
		};
		trace(`${JSON.stringify(result)}\n`);
		tick = Number.NEGATIVE_INFINITY;
	}, TICK_MS);
}
