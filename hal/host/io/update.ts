/** Moddable's Update on the host; the slots are in partitions.c. */
import type { SlotWriter } from "../../update-port.js";

class Update extends Native("host_update_destructor") implements SlotWriter {
	constructor() {
		super();
		native("host_update_constructor").call(this);
	}

	write(data: Uint8Array): void {
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
	open(): Update {
		return new Update();
	},
});
