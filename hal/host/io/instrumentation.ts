/** Heap figures of the machine that asks; the contract is in hal/typings/ecma-419.d.ts. */
import type { Figure } from "instrumentation";

export default Object.freeze({
	get(name: Figure): number | undefined {
		return native<number | undefined>("host_instrumentation_get").call(this, name);
	},

	hasHeap(slots: number, chunkBytes: number): boolean {
		return native<boolean>("host_instrumentation_has_heap").call(this, slots, chunkBytes);
	},

	collect(): void {
		native("host_instrumentation_collect").call(this);
	},
});
