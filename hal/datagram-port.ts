/**
 * UDP, as far as the name service uses it. Types only. On a computer nothing ever comes: its names are its
 * own business.
 */

/** One packet that has come. */
export interface Datagram {
	/** The reader's to keep. */
	readonly bytes: Uint8Array;
	/** Of the sender: numeric IPv4, and its port. */
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

/** Which port, and who is told that something has come to it. */
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
