/** PWM on the host: remembers what it is told, for the report. */
import type { PwmPort } from "../../ports.js";

/**
 * An output that exists only in the report: the duty that was written last, 0 to 2^resolution - 1, is what
 * tests see.
 */
export default class PWM extends Native("host_pwm_destructor") implements PwmPort {
	constructor({ pin, hz, resolution }: { pin: number; hz: number; resolution: number }) {
		super();
		native("host_pwm_constructor").call(this, pin, hz, resolution);
	}

	write(duty: number): void {
		native("host_pwm_write").call(this, duty);
	}

	close(): void {
		native("host_pwm_close").call(this);
	}
}
