/**
 * UDP, as far as the name service uses it. Types only. On a computer nothing ever comes: its names are its own business.
 */

/** An open port. */
export interface Datagrams {
	/** Sends at once, or not at all: datagrams may get lost. Never throws. @param address numeric, IPv4 @param port 1..65535 */
	send(bytes: Uint8Array, address: string, port: number): void;
	/** Idempotent. */
	close(): void;
}

/** Which port, and who is told of what comes to it. */
export interface DatagramOptions {
	/** 1..65535. */
	readonly port: number;
	/** Multicast group to join, on the interfaces that are up now; "" = none. */
	readonly group: string;
	/** Called from the event loop. @param bytes the receiver's to keep @param address of the sender, numeric @param port of the sender */
	readonly onPacket: (bytes: Uint8Array, address: string, port: number) => void;
}

/** Opens a port, and joins its group. @throws {Error} no memory, port taken */
export type OpenDatagrams = (options: DatagramOptions) => Datagrams;
