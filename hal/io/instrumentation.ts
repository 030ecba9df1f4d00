/**
 * Heap figures of the machine that asks, in release builds too, where Moddable's module has none; the contract
 * is in hal/typings/modules.d.ts.
 */
import type { Figure } from "instrumentation";

export default Object.freeze({
	get(name: Figure): number | undefined {
		return native<number | undefined>("xs_hal_heap_figure").call(this, name);
	},

	hasHeap(slots: number, chunkBytes: number): boolean {
		return native<boolean>("xs_hal_has_heap").call(this, slots, chunkBytes);
	},

	collect(): void {
		native("xs_hal_collect").call(this);
	},
});
