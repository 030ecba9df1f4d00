/**
 * Vector's BLF, as CANoe, CANalyzer, python-can and SavvyCAN write it: objects, most of them in compressed
 * containers, which also break in the middle of one. No npm package reads it. Source: python-can `io/blf.py`.
 */
import { inflateSync } from "node:zlib";
import { frameOf, type LeftOut, type RecordedFrame } from "./form.js";

const FILE_SIGNATURE = "LOGG";
const OBJECT_SIGNATURE = "LOBJ";
/** Signature, sizes, version and type, which each object has. */
const BASE_BYTES = 16;
/** Flags and time, versions 1 and 2 alike. */
const HEAD_BYTES = 32;
const CONTAINER_HEAD_BYTES = 16;
/** Bytes of a container; they have 128 KB as a rule. */
const MOST_CONTAINER_BYTES = 1 << 26;

const CONTAINER = 10;
const CLASSIC = [1, 86];
const ERRORS = [2, 73];
const FLEXIBLE = 100;
const FLEXIBLE_64 = 101;
const EXTENDED = 0x8000_0000;
const TEN_MICROSECONDS = 1;

/** True if a file begins so. */
export const isBlf = (first: Buffer): boolean => first.subarray(0, 4).toString("latin1") === FILE_SIGNATURE;

/** Hands out as many bytes as are asked for. */
class Reader {
	readonly #chunks: AsyncIterator<Buffer>;
	#rest: Buffer = Buffer.alloc(0);

	constructor(bytes: AsyncIterable<Buffer>) {
		this.#chunks = bytes[Symbol.asyncIterator]();
	}

	/** @returns fewer at the end of the file */
	async read(count: number): Promise<Buffer> {
		const parts = [this.#rest];
		for (let have = this.#rest.length; have < count; ) {
			const { value, done } = await this.#chunks.next();
			if (done) break;
			parts.push(value);
			have += value.length;
		}
		const all = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
		this.#rest = all.subarray(count);
		return all.subarray(0, count);
	}
}

function idOf(word: number): [id: number, extended: boolean] {
	return [word & 0x1fff_ffff, (word & EXTENDED) !== 0];
}

/** @param body behind the head. @returns undefined: another kind of object */
function frameIn(type: number, timeUs: number, body: Buffer): RecordedFrame | LeftOut | undefined {
	if (ERRORS.includes(type)) return "error frames";
	const is64 = type === FLEXIBLE_64;
	if (!CLASSIC.includes(type) && type !== FLEXIBLE && !is64) return undefined;
	if (body.length < (is64 ? 40 : 16)) throw new Error("a frame with fewer bytes than it needs");
	const [id, extended] = idOf(body.readUInt32LE(4));
	const bus = String(is64 ? body[0] : body.readUInt16LE(0));
	if (is64) {
		const flags = body.readUInt32LE(12);
		if (flags & 0x1000) return "CAN FD frames";
		if (body[34] !== 0) return "frames marked as sent";
		const length = Math.min(body[2]!, 8);
		const data = Buffer.alloc(length);
		body.copy(data, 0, 40, 40 + length);
		return frameOf(timeUs, bus, id, extended, flags & 0x10 ? undefined : data);
	}
	const flags = body[2]!;
	const isFlexible = type === FLEXIBLE;
	if (isFlexible && (body[13] ?? 0) & 1) return "CAN FD frames";
	if (flags & 1) return "frames marked as sent";
	const at = isFlexible ? 20 : 8;
	const data = Buffer.from(body.subarray(at, at + Math.min(body[3]!, 8)));
	return frameOf(timeUs, bus, id, extended, flags & 0x80 ? undefined : data);
}

/** Objects one behind the other, each beginning at or a little after the end of the one before. */
class Objects {
	#rest: Buffer = Buffer.alloc(0);

	/** Calls `take` for each whole object; what is left waits for the next bytes. */
	add(bytes: Buffer, take: (read: RecordedFrame | LeftOut) => void): void {
		const data = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes;
		let at = 0;
		for (;;) {
			const begin = data.indexOf(OBJECT_SIGNATURE, at, "latin1");
			if (begin < 0 || begin > at + BASE_BYTES) {
				if (data.length - at >= 2 * BASE_BYTES) throw new Error("no object where one is expected");
				break;
			}
			at = begin;
			if (data.length < begin + HEAD_BYTES) break;
			const bytes = data.readUInt32LE(begin + 8);
			if (bytes < BASE_BYTES || bytes > MOST_CONTAINER_BYTES) throw new Error(`an object of ${bytes} bytes`);
			if (data.length < begin + bytes) break;
			const headBytes = data.readUInt16LE(begin + 4);
			const type = data.readUInt32LE(begin + 12);
			const ticks = Number(data.readBigUInt64LE(begin + 24));
			const timeUs = Math.floor(data.readUInt32LE(begin + 16) === TEN_MICROSECONDS ? ticks * 10 : ticks / 1000);
			const read = frameIn(type, timeUs, data.subarray(begin + Math.max(headBytes, HEAD_BYTES), begin + bytes));
			if (read !== undefined) take(read);
			at = begin + bytes;
		}
		this.#rest = Buffer.from(data.subarray(at));
	}
}

/** The frames of a BLF file, in its order. @throws {Error} with the number of the object in the file */
export async function* blfFrames(bytes: AsyncIterable<Buffer>): AsyncGenerator<(RecordedFrame | LeftOut)[]> {
	const reader = new Reader(bytes);
	const head = await reader.read(8);
	if (head.length < 8) throw new Error("the file ends in its head");
	await reader.read(Math.min(MOST_CONTAINER_BYTES, Math.max(0, head.readUInt32LE(4) - head.length)));
	const objects = new Objects();
	for (;;) {
		const base = await reader.read(BASE_BYTES);
		if (base.length < BASE_BYTES) return;
		if (base.toString("latin1", 0, 4) !== OBJECT_SIGNATURE) throw new Error("no object where one is expected");
		const size = base.readUInt32LE(8);
		if (size < BASE_BYTES || size > MOST_CONTAINER_BYTES) throw new Error(`an object of ${size} bytes`);
		const rest = await reader.read(size - BASE_BYTES);
		const found: (RecordedFrame | LeftOut)[] = [];
		const take = (read: RecordedFrame | LeftOut): void => void found.push(read);
		// the end of a file whose logger lost its power is left out
		if (rest.length < size - BASE_BYTES) return;
		if (base.readUInt32LE(12) !== CONTAINER) objects.add(Buffer.concat([base, rest]), take);
		else {
			const data = rest.subarray(CONTAINER_HEAD_BYTES);
			const method = rest.readUInt16LE(0);
			if (method !== 0 && method !== 2) throw new Error(`compression ${method}, 0 (none) or 2 (zlib) is allowed`);
			objects.add(method === 0 ? data : inflateSync(data, { maxOutputLength: MOST_CONTAINER_BYTES }), take);
		}
		await reader.read(size % 4);
		yield found;
	}
}
