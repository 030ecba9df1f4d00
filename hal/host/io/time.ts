/** Moddable's Time on the host: real time since start, or the virtual time of a replay. */
const WRAP = 0x80000000; // ticks are modulo 2^31

export default Object.freeze({
	get ticks(): number {
		return native<number>("host_clock_ticks").call(undefined);
	},

	get microseconds(): number {
		return native<number>("host_clock_microseconds").call(undefined);
	},

	delta(start: number, end = native<number>("host_clock_ticks").call(undefined)): number {
		const difference = end - start;
		return difference < 0 ? difference + WRAP : difference;
	},
});
