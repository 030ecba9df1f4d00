/** Sleep of the host program; the contract is in hal/sleep-port.ts, the work in sleep.c. */
import type { SleepPort, WakeCause } from "../../sleep-port.js";

const port: SleepPort = Object.freeze({
	get wakeCause(): WakeCause {
		return native<WakeCause>("host_sleep_cause").call(undefined);
	},

	get entries(): number {
		return native<number>("host_sleep_entries").call(undefined);
	},

	enter(wakeAfterMs: number): void {
		native("host_sleep_enter").call(undefined, wakeAfterMs);
	},
});

export default port;
