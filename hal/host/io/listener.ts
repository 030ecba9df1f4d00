/** A listener as hal/socket-port.ts has it; the work is in listener.c. */
import type { ListenerOptions, ListenerSocket } from "../../socket-port.js";
import TCP from "./tcp.js";

/**
 * Listens for this computer only unless the program runs with `--lan`. Up to 8 accepted connections wait for
 * `read`, more in the kernel.
 */
export default class Listener extends Native("host_listener_destructor") implements ListenerSocket {
	constructor(options: ListenerOptions) {
		super();
		native("host_listener_constructor").call(this, options);
	}

	read(): TCP | undefined {
		return native<TCP | undefined>("host_listener_read").call(this, new TCP());
	}

	close(): void {
		native("host_listener_close").call(this);
	}

	get port(): number {
		return native<number>("host_listener_get_port").call(this);
	}
}
