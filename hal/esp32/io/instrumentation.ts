/**
 * Heap figures, in release builds too, where Moddable's module has none; the contract is in
 * hal/typings/ecma-419.d.ts.
 */
import type { Figure } from "instrumentation";

export default Object.freeze({
	get(name: Figure): number | undefined {
		return native<number | undefined>("xs_esp32_heap_figure").call(undefined, name);
	},

	hasHeap(slots: number, chunkBytes: number): boolean {
		return native<boolean>("xs_esp32_has_heap").call(undefined, slots, chunkBytes);
	},

	/** Host only. */
	collect(): void {},
});
