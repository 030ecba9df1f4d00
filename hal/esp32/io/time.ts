/** Moddable's Time lacks microseconds on boards; the contract is in hal/typings/ecma-419.d.ts, the work in platform.c. */
const WRAP = 0x80000000; // ticks are modulo 2^31

export default Object.freeze({
	get ticks(): number {
		return native<number>("xs_esp32_ticks").call(undefined);
	},

	get microseconds(): number {
		return native<number>("xs_esp32_microseconds").call(undefined);
	},

	delta(start: number, end?: number): number {
		// not as the parameter's default value: xsc crashes on a native call there
		const difference = (end ?? native<number>("xs_esp32_ticks").call(undefined)) - start;
		return difference < 0 ? difference + WRAP : difference;
	},
});
