/**
 * Time since start: real, or on the host virtual. Moddable's own Time lacks microseconds on boards. The
 * contract is in hal/typings/modules.d.ts.
 */
const WRAP = 0x80000000; // ticks are modulo 2^31

export default Object.freeze({
	get ticks(): number {
		return native<number>("xs_hal_ticks").call(undefined);
	},

	get microseconds(): number {
		return native<number>("xs_hal_microseconds").call(undefined);
	},

	delta(start: number, end?: number): number {
		// not as the parameter's default value: xsc crashes on a native call there
		const difference = (end ?? native<number>("xs_hal_ticks").call(undefined)) - start;
		return difference < 0 ? difference + WRAP : difference;
	},
});
