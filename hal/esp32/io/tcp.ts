/** TCP as hal/socket-port.ts has it; the work is in tcp_link.c. */
import type { TcpSocket } from "../../socket-port.js";

/** Throws when it is used after `close`. */
export default class TCP extends Native("xs_esp32_socket_destructor") implements TcpSocket {
	/** Without options: an empty object, for `Listener.read` to fill. */
	constructor(options?: object) {
		super();
		native("xs_esp32_tcp_open").call(this, options);
	}

	get remoteAddress(): string {
		return native<string>("xs_esp32_tcp_peer").call(this);
	}

	read(byteLength: number): ArrayBuffer | undefined {
		return native<ArrayBuffer | undefined>("xs_esp32_tcp_read").call(this, byteLength);
	}

	write(bytes: Uint8Array): void {
		native("xs_esp32_tcp_write").call(this, bytes);
	}

	close(): void {
		native("xs_esp32_tcp_close").call(this);
	}
}
