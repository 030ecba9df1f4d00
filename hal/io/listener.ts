/** A listener as hal/network-ports.ts has it. On a board it needs lwIP, but no network. */
import type { ListenerOptions, ListenerSocket } from "../network-ports.js";
import TCP from "./tcp.js";

/**
 * Accepts on all interfaces; on the host for this computer only unless the program runs with `--lan`. The
 * host also puts the number of its port in `port`.
 */
export default class Listener extends Native("xs_hal_listener_destructor") implements ListenerSocket {
	constructor(options: ListenerOptions) {
		super();
		native("xs_hal_listener_open").call(this, options);
	}

	read(): TCP | undefined {
		return native<TCP | undefined>("xs_hal_listener_read").call(this, new TCP());
	}

	close(): void {
		native("xs_hal_listener_close").call(this);
	}
}
