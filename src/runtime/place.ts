/**
 * A place of the server: a connection with the socket that it has now. It is kept when a client goes, and reused for the next one. Moves bytes
 * between the two, and decides nothing.
 */

import type { TcpSocket } from "../../hal/socket-port.js";
import { Connection } from "../http/connection.js";
import type { ConnectionContext } from "../http/connection-context.js";

/** A place for one connection: its state, the socket that it has now, and what is known of that. */
export class Place {
	readonly connection: Connection;
	/** undefined = free. */
	socket: TcpSocket | undefined = undefined;
	/** Of the client, "" if unknown. */
	address = "";
	/** What the socket has said last of the bytes that it has, and has room for. */
	readableBytes = 0;
	writableBytes = 0;
	/** It wants a turn: there may be a piece to send, more to read, or a time-out. */
	hasMore = false;

	constructor(context: ConnectionContext) {
		this.connection = new Connection(context);
	}

	/** Moves at most `most` bytes from the socket to the connection. @returns how many @throws what the socket throws */
	read(most: number, nowMs: number): number {
		const length = Math.min(this.readableBytes, this.connection.space(), most);
		if (length <= 0 || this.socket === undefined) return 0;
		const buffer = this.socket.read(length);
		if (buffer === undefined || buffer.byteLength === 0) {
			this.readableBytes = 0;
			return 0;
		}
		this.readableBytes -= buffer.byteLength;
		this.connection.receive(new Uint8Array(buffer), nowMs);
		return buffer.byteLength;
	}

	/**
	 * Moves a piece of the answer to the socket. @param piece it is written here first @returns false: there was none, or no room @throws what the
	 * socket throws
	 */
	write(piece: Uint8Array, nowMs: number): boolean {
		const room = Math.min(this.writableBytes, piece.length);
		if (room <= 0 || this.socket === undefined) return false;
		const length = this.connection.pull(piece, 0, room, nowMs);
		if (length === 0) return false;
		this.socket.write(piece.subarray(0, length));
		this.writableBytes -= length;
		return true;
	}
}
