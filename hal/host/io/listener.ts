/** ECMA-419 Listener on the host; the contract is in hal/typings/ecma-419.d.ts, the work in listener.c. */
import type Declared from "embedded:io/socket/listener";
import type { ListenerOptions } from "embedded:io/socket/listener";
import TCP from "./tcp.js";

/**
 * A listening socket, for this computer only unless it runs with `--lan`. Up to 8 accepted connections wait
 * for `read`, more in the kernel.
 */
export default class Listener extends Native("host_listener_destructor") implements Declared {
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

	get format(): "socket/tcp" {
		return "socket/tcp";
	}
}
