/**
 * TCP as ECMA-419 has it (`embedded:io/socket/listener`, `embedded:io/socket/tcp`), as far as the HTTP
 * service uses it. Types only.
 *
 * What an implementation must keep to, beyond the standard's text: callbacks come from the event loop, never
 * from inside a constructor, `read`, `write` or `close`; none comes after `close`; `onError` comes once,
 * after all readable bytes were read; a socket with nothing in flight takes at least 1400 bytes at once (lwIP
 * 5744, Moddable on Linux 1536).
 */

/** One connection. */
export interface TcpSocket {
	/** Of the peer, numeric; undefined if it is gone, or the platform can't tell. */
	readonly remoteAddress?: string | undefined;
	/**
	 * Up to what `onReadable` announced.
	 * @returns undefined when there is nothing.
	 * @throws more than that asked for
	 */
	read(byteLength: number): ArrayBuffer | undefined;
	/** All of `bytes`. @throws {Error} more than `onWritable` announced, less what was written since */
	write(bytes: Uint8Array): void;
	/** Sends what was written, then closes. Idempotent. */
	close(): void;
}

interface TcpCallbacks {
	/** @param byteLength all bytes that can be read now */
	readonly onReadable: (byteLength: number) => void;
	/** @param byteLength all bytes that can be written now */
	readonly onWritable: (byteLength: number) => void;
	/** The connection is gone, closed by the peer or broken. `close` is still to be called. */
	readonly onError: () => void;
}

/** The callbacks get the socket as `this`, so that all sockets can share them. */
export interface TcpOptions {
	readonly onReadable: (this: TcpSocket, byteLength: number) => void;
	readonly onWritable: (this: TcpSocket, byteLength: number) => void;
	readonly onError: (this: TcpSocket) => void;
	/** A socket from a listener; the new object takes it over. */
	readonly from: TcpSocket;
	/** Send small pieces at once: answers must not wait for the acknowledgement of their predecessors. */
	readonly nodelay?: boolean;
}

/** Whom a client connects to, and who is told how it goes. */
export interface ClientOptions extends TcpCallbacks {
	/** Numeric, IPv4. The first `onWritable` says that the connection is made. */
	readonly address: string;
	/** 1..65535. */
	readonly port: number;
}

/**
 * Begins to connect. An attempt that fails later says so by `onError`.
 * @throws {Error} no such address, no memory
 */
export type ClientConstructor = new (options: ClientOptions) => TcpSocket;

/** Makes a working socket of one that a listener gave. @throws {Error} it is none, no memory */
export type TcpConstructor = new (options: TcpOptions) => TcpSocket;

/** A port that clients connect to. */
export interface ListenerSocket {
	/** The next waiting connection, undefined if there is none. */
	read(): TcpSocket | undefined;
	/** The port it listens on, where the platform can tell. */
	readonly port?: number;
	/** Connections that wait are closed, those that were read stay. Idempotent. */
	close(): void;
}

/** Which port, and who is told of connections to it. */
export interface ListenerOptions {
	/** 1..65535; 0 = any free one. */
	readonly port: number;
	/** @param count connections that wait, new ones at least */
	readonly onReadable: (count: number) => void;
}

/** Listens from now on. @throws {Error} no memory, port taken */
export type ListenerConstructor = new (options: ListenerOptions) => ListenerSocket;
