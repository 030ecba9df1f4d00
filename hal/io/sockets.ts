/**
 * TCP as hal/network-ports.ts has it. The natives are hal/esp32/tcp_natives.c; the work is in
 * hal/esp32/tcp_link.c and hal/host/io/tcp_link.c.
 */
import type { ClientOptions, ListenerOptions, ListenerSocket, TcpOptions, TcpSocket } from "../network-ports.js";

/** A connection, for servers and clients. Throws when it is used after `close`. */
export class TCP extends Native("xs_hal_tcp_destructor") implements TcpSocket {
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

/**
 * Accepts on all interfaces, on a board even without a network; on the host for this computer only unless the
 * program runs with `--lan`. The native puts the number of its port in `port`.
 */
export class Listener extends Native("xs_hal_listener_destructor") implements ListenerSocket {
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
