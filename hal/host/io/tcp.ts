/** ECMA-419 TCP on the host; the contract is in hal/typings/ecma-419.d.ts, the work in tcp.c. */
import type Declared from "embedded:io/socket/tcp";
import type { TCPOptions } from "embedded:io/socket/tcp";

type Bytes = ArrayBuffer | Uint8Array | DataView;

/**
 * A connection that never blocks: what does not fit now is rejected by `write`, and `onWritable` tells when
 * there is space again.
 */
export default class TCP extends Native("host_tcp_destructor") implements Declared {
	/** Without options: an empty object, for `Listener.read` to fill. */
	constructor(options?: TCPOptions) {
		super();
		native("host_tcp_constructor").call(this, options);
	}

	read(): ArrayBuffer | number | undefined;
	read(byteLength: number): ArrayBuffer | undefined;
	read(into: Bytes): number | undefined;
	read(wanted?: number | Bytes): ArrayBuffer | number | undefined {
		return native<ArrayBuffer | number | undefined>("host_tcp_read").call(this, wanted);
	}

	write(data: Bytes | number): number | undefined {
		return native<number | undefined>("host_tcp_write").call(this, data);
	}

	close(): void {
		native("host_tcp_close").call(this);
	}

	get remoteAddress(): string | undefined {
		return native<string | undefined>("host_tcp_get_remote_address").call(this);
	}

	get remotePort(): number | undefined {
		return native<number | undefined>("host_tcp_get_remote_port").call(this);
	}

	get format(): "buffer" | "number" {
		return native<"buffer" | "number">("host_tcp_get_format").call(this);
	}

	set format(format: "buffer" | "number") {
		native("host_tcp_set_format").call(this, format);
	}
}
