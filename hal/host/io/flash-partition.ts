/**
 * Moddable's Flash on the host, as far as Update needs it: a name. The contract is in
 * hal/typings/ecma-419.d.ts.
 */
import type { FlashPartition } from "embedded:storage/flash";

export default Object.freeze({
	open({ path }: { path: string; mode?: "r" | "r+" }): FlashPartition {
		const partition = { path, close() {} };
		return partition;
	},
});
