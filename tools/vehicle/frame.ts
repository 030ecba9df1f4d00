/**
 * A CAN frame and its two forms: the 16-byte SocketCAN record that travels on the UNIX sockets
 * (u32 identifier little endian, u8 length, 3 pad bytes, 8 data bytes) and the line of a `candump -L` log.
 * Facts: Linux `struct can_frame` and can-utils' log format. Knows no vehicle.
 */

/** One classic CAN frame. `id` carries no flags. `data` may be a shared buffer: copy what must last. */
export interface CanFrame {
	readonly id: number;
	readonly extended: boolean;
	readonly rtr: boolean;
	readonly data: Uint8Array;
}

/** Takes a frame that leaves a node. `data` is valid during the call only. */
export type SendFrame = (id: number, extended: boolean, data: Uint8Array) => void;

export const RECORD_BYTES = 16;
const FLAG_EXTENDED = 0x8000_0000;
const FLAG_RTR = 0x4000_0000;
const MASK_EXTENDED = 0x1fff_ffff;
const MASK_STANDARD = 0x7ff;

/** Writes one record at `offset`. @param data 0..8 bytes */
export function writeRecord(into: Buffer, offset: number, id: number, extended: boolean, data: Uint8Array): void {
	into.fill(0, offset, offset + RECORD_BYTES);
	into.writeUInt32LE((extended ? id | FLAG_EXTENDED : id) >>> 0, offset);
	into[offset + 4] = data.length;
	into.set(data, offset + 8);
}

/** Reads the record at `offset`. The data is a copy. */
export function readRecord(from: Buffer, offset: number): CanFrame {
	const word = from.readUInt32LE(offset);
	const extended = (word & FLAG_EXTENDED) !== 0;
	const rtr = (word & FLAG_RTR) !== 0;
	const data = Uint8Array.from(from.subarray(offset + 8, offset + 8 + from[offset + 4]));
	return { id: word & (extended ? MASK_EXTENDED : MASK_STANDARD), extended, rtr, data };
}

/**
 * One line of a `candump -L` log, with its line end: `(1436509052.249713) can1 0A8#9C70000000640F70`.
 * Standard identifiers have three digits, extended ones eight.
 * @param timeUs microseconds since 1970
 */
export function candumpLine(timeUs: number, bus: string, frame: CanFrame): string {
	const seconds = Math.floor(timeUs / 1e6);
	const micros = String(Math.floor(timeUs - seconds * 1e6)).padStart(6, "0");
	const id = frame.id
		.toString(16)
		.toUpperCase()
		.padStart(frame.extended ? 8 : 3, "0");
	const data = frame.rtr ? "R" : Buffer.from(frame.data).toString("hex").toUpperCase();
	return `(${String(seconds).padStart(10, "0")}.${micros}) ${bus} ${id}#${data}\n`;
}
