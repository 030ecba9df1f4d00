/**
 * UDP, as far as the name service uses it. Types only. On a computer nothing ever comes: its names are its own business.
 */

export interface Datagrams {
	/** Sends at once, or not at all: datagrams may get lost. Never throws. */
	send(bytes: Uint8Array, address: string, port: number): void;
	/** Idempotent. */
	close(): void;
}

export interface DatagramOptions {
	readonly port: number;
	/** Multicast group to join, on the interfaces that are up now; "" = none. */
	readonly group: string;
	/** @param address of the sender, numeric */
	readonly onPacket: (bytes: Uint8Array, address: string, port: number) => void;
}

/** @throws {Error} no memory, port taken */
export type OpenDatagrams = (options: DatagramOptions) => Datagrams;
