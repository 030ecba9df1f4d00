/**
 * ECMA-419 PWM on the host: remembers what it is told, for the report. The contract is in
 * hal/typings/ecma-419.d.ts.
 */
import type Declared from "embedded:io/pwm";
import type { PWMOptions } from "embedded:io/pwm";

/**
 * An output that exists only in the report: the duty that was written last, 0 to 2^resolution - 1, is what
 * tests see.
 */
export default class PWM extends Native("host_pwm_destructor") implements Declared {
	constructor(options: PWMOptions) {
		super();
		const { pin, from } = options as { pin?: number; from?: PWM };
		native("host_pwm_constructor").call(this, pin, options.hz, options.resolution, from);
	}

	write(duty: number): void {
		native("host_pwm_write").call(this, duty);
	}

	close(): void {
		native("host_pwm_close").call(this);
	}

	get hz(): number {
		return native<number>("host_pwm_get_hz").call(this);
	}

	get resolution(): number {
		return native<number>("host_pwm_get_resolution").call(this);
	}
}
