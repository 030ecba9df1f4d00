/** Clock and heap of the machine that asks, on natives of the same names on every platform. */

const WRAP = 0x80000000; // ticks are modulo 2^31

/** Time since start: real, or on the host virtual. Moddable's own lacks microseconds on boards. */
export const Time = Object.freeze({
	/** ms, modulo 2^31: only differences mean something, see `delta`. */
	get ticks(): number {
		return native<number>("xs_hal_ticks").call(undefined);
	},

	/** Monotonic, as a double. */
	get microseconds(): number {
		return native<number>("xs_hal_microseconds").call(undefined);
	},

	/** ms from `start` to `end`, default now. */
	delta(start: number, end?: number): number {
		// not as the parameter's default value: xsc crashes on a native call there
		const difference = (end ?? native<number>("xs_hal_ticks").call(undefined)) - start;
		return difference < 0 ? difference + WRAP : difference;
	},
});

/** Heap figures, in release builds too, where Moddable's module has none. */
export const Instrumentation = Object.freeze({
	/**
	 * A figure of those in src/api/status.ts, or `meter`; undefined if this engine does not have it. Never allocates.
	 * `collections` is modulo 65536, `meter` modulo 2^32.
	 */
	get(name: string): number | undefined {
		return native<number | undefined>("xs_hal_heap_figure").call(this, name);
	},

	/** True if the heap has `slots` and `chunkBytes` free; collects garbage first if not. A heap that grows has. */
	hasHeap(slots: number, chunkBytes: number): boolean {
		return native<boolean>("xs_hal_has_heap").call(this, slots, chunkBytes);
	},

	/** Collects garbage now, so that `slots` and `chunks` tell what is alive. */
	collect(): void {
		native("xs_hal_collect").call(this);
	},
});
