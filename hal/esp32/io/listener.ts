/** A listener as hal/socket-port.ts has it. It needs lwIP, but no network. */
import type { ListenerOptions, ListenerSocket } from "../../socket-port.js";
import TCP from "./tcp.js";

/** Accepts on all interfaces. */
export default class Listener extends Native("xs_esp32_socket_destructor") implements ListenerSocket {
	constructor(options: ListenerOptions) {
		super();
		native("xs_esp32_listener_open").call(this, options);
	}

	read(): TCP | undefined {
		return native<TCP | undefined>("xs_esp32_listener_read").call(this, new TCP());
	}

	close(): void {
		native("xs_esp32_listener_close").call(this);
	}
}
