/**
 * Counters and checksums of the frames that the simulated ECUs send, as a real car sends them: MQB end-to-end
 * protection (AUTOSAR profile 2: CRC-8 0x2F, DataID last), PQ XOR sums and the steering angle sensor's sum.
 * Shares no code with src/: it is the other side of the bus.
 */
import type { Counter, FrameRow } from "./frames.js";

/** CRC-8/AUTOSAR over bytes; check("123456789") = 0xDF. */
export function crc8Autosar(bytes: Iterable<number>): number {
	let crc = 0xff;
	for (const byte of bytes) {
		crc ^= byte;
		for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x80 ? ((crc << 1) ^ 0x2f) & 0xff : (crc << 1) & 0xff;
	}
	return crc ^ 0xff;
}

/** DataID for each counter value, or one for all. Source: docs/control-and-can.md 3.10. */
export const MQB_DATA_IDS: Readonly<Record<number, string>> = {
	167: "D23DCD284C14224B24ACFA5566800D6C",
	168: "528C50EE4FA6CCCF7D2F986B27419F93",
	173: "3F6939DC94F91464D86A34CEA255B52C",
	253: "B4EFF8491EE5C2C097193CC9F198D661",
	289: "E965AE6B7B35E55F4EC786A2BBDDEBB4",
	958: "1F28C685E6F8B0195B643521E4F79C24",
	1629: "ACB3ABEB7AE13BF773BA7C9E065F02D9",
	134: "86",
	138: "D4",
	257: "AA",
	262: "07",
	278: "AC",
	914: "91",
	960: "C3",
	1601: "47",
};

const DATA_IDS = new Map(Object.entries(MQB_DATA_IDS).map(([id, hex]) => [Number(id), Uint8Array.from(Buffer.from(hex, "hex"))]));

/** Byte 0 of a protected MQB frame; undefined = frames of this identifier have none. */
export function mqbChecksum(id: number, data: Uint8Array): number | undefined {
	const list = DATA_IDS.get(id);
	return list && crc8Autosar([...data.subarray(1), list[list.length === 1 ? 0 : data[1] & 0x0f]]);
}

/** Writes a raw value into bits from `start` on, least significant first; limited to what fits. */
export function writeBits(data: Uint8Array, start: number, length: number, raw: number): void {
	let rest = Math.min(2 ** length - 1, Math.max(0, Math.round(raw)));
	for (let bit = start; bit < start + length; bit += 1) {
		const mask = 1 << (bit & 7);
		data[bit >> 3] = rest & 1 ? data[bit >> 3] | mask : data[bit >> 3] & ~mask;
		rest = Math.floor(rest / 2);
	}
}

/** How the frames of a row count and check themselves. */
export class Protection {
	/** Its payload, with 0 in what counts and checks. */
	readonly payload: Uint8Array;
	/** Where the checksum stands; -1 = nowhere. */
	readonly checksumIndex: number;
	readonly #id: number;
	readonly #counters: Counter[];
	/** A letter of the payload. */
	readonly #checksum: string | undefined;

	constructor({ id, payload, counter }: FrameRow) {
		const tokens = payload.split(" ");
		this.#id = id;
		this.#counters = counter === undefined ? [] : [counter];
		tokens.forEach((token, index) => {
			if (token === "nn") this.#counters.push({ start: 8 * index, length: 8, step: 1 });
			else if (token[0] === "n") this.#counters.push({ start: 8 * index + 4, length: 4, step: 1 });
			else if (token[1] === "n") this.#counters.push({ start: 8 * index, length: 4, step: 1 });
		});
		this.checksumIndex = tokens.findIndex((token) => token.length === 1);
		this.#checksum = tokens[this.checksumIndex];
		this.payload = Uint8Array.from(tokens, (token) => (token.length === 1 ? 0 : Number.parseInt(token.replace(/n/g, "0"), 16)));
	}

	/** @param count frames of this row sent before */
	count(data: Uint8Array, count: number): void {
		for (const { start, length, step } of this.#counters) writeBits(data, start, length, (count * step) % 2 ** length);
	}

	/** Puts the checksum right. */
	seal(data: Uint8Array): void {
		const index = this.checksumIndex;
		if (index < 0 || data.length < this.payload.length) return;
		data[index] = 0;
		if (this.#checksum === "X") data[index] = data.reduce((sum, byte) => sum ^ byte, 0);
		else if (this.#checksum === "=") data[index] = data[index + 1];
		else if (this.#checksum === "S") data[index] = 0xff - (data[0] + data[1] + data[2] + data[3] + data[5]);
		else data[index] = mqbChecksum(this.#id, data) ?? 0;
	}
}
