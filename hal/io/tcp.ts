/** TCP as hal/network-ports.ts has it; the work is in hal/esp32/tcp_link.c and hal/host/io/tcp.c. */
import type { ClientOptions, TcpOptions, TcpSocket } from "../network-ports.js";

/** Throws when it is used after `close`. */
export default class TCP extends Native("xs_hal_tcp_destructor") implements TcpSocket {
	/** Without options: an empty object, for `Listener.read` to fill. */
	constructor(options?: TcpOptions | ClientOptions) {
		super();
		native("xs_hal_tcp_open").call(this, options);
	}

	get remoteAddress(): string | undefined {
		return native<string | undefined>("xs_hal_tcp_peer").call(this);
	}

	read(byteLength: number): ArrayBuffer | undefined {
		return native<ArrayBuffer | undefined>("xs_hal_tcp_read").call(this, byteLength);
	}

	write(bytes: Uint8Array): void {
		native("xs_hal_tcp_write").call(this, bytes);
	}

	close(): void {
		native("xs_hal_tcp_close").call(this);
	}
}
