/** Sleep of a board; the contract is in hal/sleep-port.ts, the work in parked_sleep.c. */
import type { SleepPort, WakeCause } from "../../sleep-port.js";

const port: SleepPort = Object.freeze({
	get wakeCause(): WakeCause {
		return native<WakeCause>("xs_esp32_sleep_cause").call(undefined);
	},

	get entries(): number {
		return native<number>("xs_esp32_sleep_entries").call(undefined);
	},

	enter(wakeAfterMs: number): void {
		native("xs_esp32_sleep_enter").call(undefined, wakeAfterMs);
	},
});

export default port;
