/**
 * What the portable application needs of a network: TCP, UDP, and the Wi-Fi radio. Types only.
 *
 * TCP is that of ECMA-419 (`embedded:io/socket/listener`, `embedded:io/socket/tcp`), as far as the HTTP
 * service uses it. What it keeps to beyond the standard's text, on boards and host
 * (`test/hal/contract/tcp_behaviours.c`): callbacks come from the event loop, never from inside a constructor,
 * `read`, `write` or `close`. None comes after `close`. `onError` comes once, and last, after all that came was
 * read. A socket with nothing in flight takes at least 1400 bytes at once (boards and host: 5744).
 *
 * A peer that closes only its sending side, as `nc -N` does behind its request, gets what is written before
 * `onError`: an answer that is written in the turn that reads its last bytes. A longer answer is cut.
 *
 * UDP is for the name service. On a computer nothing is ever received: its system answers for its names.
 */

/** One connection. */
export interface TcpSocket {
	/** Address of the peer, numeric; undefined if it is gone, or the platform can't tell. */
	readonly remoteAddress?: string | undefined;
	/**
	 * @param byteLength at most what `onReadable` announced, less what was read since. What is left can be read
	 * later; it may be announced anew.
	 * @returns undefined when there is nothing
	 * @throws {RangeError} less is there; it stays
	 */
	read(byteLength: number): ArrayBuffer | undefined;
	/**
	 * All of `bytes`, which are lost if the connection is broken, or `onError` was called.
	 * @throws {Error} more than `onWritable` announced, less what was written since; a board has no memory
	 */
	write(bytes: Uint8Array): void;
	/**
	 * Sends what was written, then closes. With bytes unread the peer is reset, and may lose what was written.
	 * Idempotent.
	 */
	close(): void;
}

interface TcpCallbacks {
	/** @param byteLength all bytes that can be read now */
	readonly onReadable: (byteLength: number) => void;
	/** @param byteLength all bytes that can be written now */
	readonly onWritable: (byteLength: number) => void;
	/** The peer sends no more, or the connection is broken. `close` is still to be called. */
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

/** Address of the server, and the callbacks of the connection. */
export interface ClientOptions extends TcpCallbacks {
	/** Numeric, IPv4. The first `onWritable` says that the connection is made. */
	readonly address: string;
	/** 1..65535. */
	readonly port: number;
}

/**
 * Begins to connect. An attempt that fails later says so by `onError`.
 * @throws {RangeError} invalid port
 * @throws {Error} no such address, no memory, a board has no network
 */
export type ClientConstructor = new (options: ClientOptions) => TcpSocket;

/**
 * Takes a connection over, once.
 * @throws {SyntaxError} `from` is no socket
 * @throws {Error} `from` is not from a listener, was taken over or closed; no memory
 */
export type TcpConstructor = new (options: TcpOptions) => TcpSocket;

/** A port that clients connect to. */
export interface ListenerSocket {
	/** Accepts the next client. @returns undefined while no client waits */
	read(): TcpSocket | undefined;
	/** The port it listens on; undefined for a UNIX socket of the host. */
	readonly port?: number;
	/** Connections that wait are closed, those that were read stay. Idempotent. */
	close(): void;
}

/** The port, and the callback for connections to it. */
export interface ListenerOptions {
	/** 1..65535; 0 = any free one. */
	readonly port: number;
	/** @param count connections that wait, new ones at least */
	readonly onReadable: (count: number) => void;
}

/**
 * Listens from now on.
 * @throws {RangeError} invalid port
 * @throws {Error} no memory, port taken
 */
export type ListenerConstructor = new (options: ListenerOptions) => ListenerSocket;

/** One packet that has come. */
export interface Datagram {
	/** The reader's to keep. */
	readonly bytes: Uint8Array;
	/** Address of the sender, numeric IPv4, and its port. */
	readonly address: string;
	readonly port: number;
}

/** An open port. */
export interface Datagrams {
	/** The packet that has waited longest; undefined if none waits. Never throws. */
	read(): Datagram | undefined;
	/**
	 * Sends at once, or not at all: datagrams may get lost. Never throws.
	 * @param address numeric, IPv4
	 * @param port 1..65535
	 */
	send(bytes: Uint8Array, address: string, port: number): void;
	/** Drops what waits. Idempotent. */
	close(): void;
}

/** The port, and the callback for packets to it. */
export interface DatagramOptions {
	/** 1..65535. */
	readonly port: number;
	/** Multicast group to join, on the interfaces that are up now; "" = none. */
	readonly group: string;
	/**
	 * Called from the event loop when packets have come. They take memory until they are read.
	 * @param waiting all that wait now
	 */
	readonly onReadable: (waiting: number) => void;
}

/** Opens a port, and joins its group. @throws {Error} no memory, port taken */
export type OpenDatagrams = (options: DatagramOptions) => Datagrams;

/** A network that a scan has found. */
export interface FoundNetwork {
	/** 0 to 32 bytes of any value; 0 = it hides its name. */
	readonly name: Uint8Array;
	readonly strengthDbm: number;
	readonly isOpen: boolean;
}

/**
 * The only radio that there is: an access point that is always on, and a station beside it. State is polled.
 * Addresses are numeric, IPv4; names of networks have 1..32 bytes.
 */
export interface RadioPort {
	/** Address of the access point, "" while it is off. */
	readonly accessPointIp: string;
	/** Address of the station, "" while it is not connected. */
	readonly stationIp: string;
	/**
	 * Why the last attempt or link ended: "wrong password", "no such network", "link lost"; "" while it
	 * connects or is connected.
	 */
	readonly stationProblem: string;
	/**
	 * Starts the access point, or restarts it: its clients are disconnected.
	 * @param password 8..63 bytes, "" = open
	 * @throws {Error} not now
	 */
	startAccessPoint(ssid: string, password: string): void;
	/**
	 * Begins to connect; an attempt or a link before it is dropped.
	 * @param password 8..63 bytes, a key of 64 hexadecimal digits, or "" = open
	 * @throws {Error} not now
	 */
	connect(ssid: string, password: string): void;
	/** Idempotent. */
	disconnect(): void;
	/**
	 * Begins to look for networks on all channels, for at most 4 s. Clients of the access point stay
	 * connected.
	 * @throws {Error} not now: it connects, is off, or looks already
	 */
	startScan(): void;
	/** What was found, told once; undefined while it looks, and if no search was started. */
	takeFound(): readonly FoundNetwork[] | undefined;
	/** Switches the radio off, until `startAccessPoint`. */
	stop(): void;
}
