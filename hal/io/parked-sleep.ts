/**
 * Sleep of the whole controller; the contract is in hal/sleep-port.ts, the work in hal/esp32/parked_sleep.c
 * and hal/host/sleep.c.
 */
import type { SleepPort, WakeCause } from "../sleep-port.js";

const port: SleepPort = Object.freeze({
	get wakeCause(): WakeCause {
		return native<WakeCause>("xs_hal_sleep_cause").call(undefined);
	},

	get entries(): number {
		return native<number>("xs_hal_sleep_entries").call(undefined);
	},

	enter(wakeAfterMs: number): void {
		native("xs_hal_sleep_enter").call(undefined, wakeAfterMs);
	},
});

export default port;
