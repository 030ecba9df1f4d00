/**
 * ECMA-419 Update on the host; the contract is in hal/typings/ecma-419.d.ts, the slots are in partitions.c.
 */
import type { FlashPartition } from "embedded:storage/flash";
import type { Update as Declared, UpdateOptions } from "embedded:update";

class Update extends Native("host_update_destructor") implements Declared {
	constructor() {
		super();
		native("host_update_constructor").call(this);
	}

	write(data: ArrayBuffer | Uint8Array): void {
		native("host_update_write").call(this, data);
	}

	complete(): void {
		native("host_update_complete").call(this);
	}

	close(): void {
		native("host_update_close").call(this);
	}
}

export default Object.freeze({
	open({ partition }: UpdateOptions): Update {
		if ((partition as FlashPartition & { path?: string }).path !== "nextota") throw new Error("partition not found");
		return new Update();
	},
});
