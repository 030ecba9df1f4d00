/** TCP as hal/socket-port.ts has it; the work is in tcp.c. */
import type { ClientOptions, TcpOptions, TcpSocket } from "../../socket-port.js";

/** A connection to this computer. `write` rejects what does not fit now. */
export default class TCP extends Native("host_tcp_destructor") implements TcpSocket {
	/** Without options: an empty object, for `Listener.read` to fill. */
	constructor(options?: TcpOptions | ClientOptions) {
		super();
		native("host_tcp_constructor").call(this, options);
	}

	get remoteAddress(): string | undefined {
		return native<string | undefined>("host_tcp_get_remote_address").call(this);
	}

	read(byteLength: number): ArrayBuffer | undefined {
		return native<ArrayBuffer | undefined>("host_tcp_read").call(this, byteLength);
	}

	write(bytes: Uint8Array): void {
		native("host_tcp_write").call(this, bytes);
	}

	close(): void {
		native("host_tcp_close").call(this);
	}
}
