/**
 * Alive counters and checksums of the frames that the simulated ECUs send, as a real car sends them:
 * MQB end-to-end protection (AUTOSAR profile 2: CRC-8 0x2F, DataID last), PQ XOR sums and the steering angle sensor's pair.
 * Facts: docs/control-and-can.md 3.4, 3.10, 3.12 item 6. Deliberately shares no code with src/: it is the other side of the bus.
 */

/** CRC-8/AUTOSAR over bytes; check("123456789") = 0xDF. */
export function crc8Autosar(bytes: Iterable<number>): number {
	let crc = 0xff;
	for (const byte of bytes) {
		crc ^= byte;
		for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x80 ? ((crc << 1) ^ 0x2f) & 0xff : (crc << 1) & 0xff;
	}
	return crc ^ 0xff;
}

/** DataID of an MQB frame for each counter value; one byte stands for all sixteen. Without an entry a frame has no E2E. */
export const MQB_DATA_IDS: Readonly<Record<number, string>> = {
	167: "D23DCD284C14224B24ACFA5566800D6C",
	168: "528C50EE4FA6CCCF7D2F986B27419F93",
	173: "3F6939DC94F91464D86A34CEA255B52C",
	253: "B4EFF8491EE5C2C097193CC9F198D661",
	289: "E965AE6B7B35E55F4EC786A2BBDDEBB4",
	958: "1F28C685E6F8B0195B643521E4F79C24",
	1470: "C9216F63D2426A774A3DB0629F38CD5C",
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

/** Puts counter and checksum in an MQB frame; a frame without DataID stays as it is. @param count frames of this id sent before */
export function protectMqb(id: number, data: Uint8Array, count: number): void {
	const list = DATA_IDS.get(id);
	if (!list) return;
	data[1] = (data[1] & 0xf0) | (count & 0x0f);
	data[0] = crc8Autosar([...data.subarray(1), list[list.length === 1 ? 0 : count & 0x0f]]);
}

/** Puts counter and checksum in a PQ frame; a frame without either stays as it is. @param count frames of this id sent before */
export function protectPq(id: number, data: Uint8Array, count: number): void {
	const low = count & 0x0f;
	const high = low << 4;
	switch (id) {
		case 0x0c2: // Lenkwinkel_1: the CRC ends with the low byte of the identifier, the sum leaves byte 4 out
			data[5] = (data[5] & 0x0f) | high;
			data[6] = crc8Autosar([...data.subarray(0, 6), 0xc2]);
			data[7] = 0xff - (data[0] + data[1] + data[2] + data[3] + data[5]);
			break;
		case 0x1a0:
			data[7] = (data[7] & 0xf0) | low;
			break;
		case 0x5a0:
			data[3] = (data[3] & 0x0f) | high;
			break;
		case 0x0ae:
		case 0x3a0:
			data[1] = id === 0x0ae ? high : (data[1] & 0xf0) | low;
			data[0] = xor(data.subarray(1));
			break;
		case 0x480:
			data[7] = xor(data.subarray(0, 7));
			break;
		case 0x4a8:
			data[6] = (data[6] & 0x0f) | high;
			data[7] = xor(data.subarray(0, 7));
			break;
		case 0x7d0:
			data[7] = count & 0x1f;
			break;
	}
}

function xor(bytes: Uint8Array): number {
	return bytes.reduce((sum, byte) => sum ^ byte, 0);
}
