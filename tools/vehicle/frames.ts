/**
 * The frames of a car's chassis bus: identifier, period, the moment within it, and the bytes that stand
 * beside the modelled signals. PQ: 36 identifiers, about 1,900 frames/s; MQB: 40, one of them the extended
 * network management frame, about 1,350. `test/cars/*.json` says which of this was seen in a car, and the
 * tests compare the two. Rows under "assumed" were not. Pure tables.
 */

/** A counter that is not simply a nibble `n` of the payload. */
export interface Counter {
	readonly start: number;
	readonly length: number;
	readonly step: number;
}

/** Extended above 0x7FF. */
export interface FrameRow {
	readonly id: number;
	readonly periodMs: 10 | 20 | 50 | 100 | 200 | 1000;
	/** When in its period the control unit hands it over; the frames of a unit come together. */
	readonly phaseMs: number;
	/** Two digits, `n` a nibble that counts, `X` XOR of the others, `=` as the next, `S` sum, `K` CRC. */
	readonly payload: string;
	readonly counter?: Counter;
	/** Sent with the ignition off too. */
	readonly awake?: true;
}

const row = (
	id: number,
	periodMs: FrameRow["periodMs"],
	phaseMs: number,
	payload: string,
	more: Pick<FrameRow, "counter" | "awake"> = {},
): FrameRow => ({ id, periodMs, phaseMs, payload, ...more });
const AWAKE = { awake: true } as const;
/** Upper bits of byte 0 say which of four contents follows. */
const FOUR_CONTENTS: Pick<FrameRow, "counter"> = { counter: { start: 6, length: 2, step: 1 } };

export const PQ_FRAMES: readonly FrameRow[] = [
	// engine
	row(0x280, 10, 0, "01 00 00 0B 00 00 0F 00"),
	row(0x288, 10, 0, "00 A5 30 04 00 4C 8D 0A", FOUR_CONTENTS),
	row(0x380, 10, 0, "00 5D 00 00 20 00 00 0A"),
	row(0x488, 10, 0, "X 00 00 7E FE FF 0E n0"),
	row(0x284, 20, 0, "= 0n 00 00 00 00"),
	row(0x480, 20, 0, "00 08 00 00 19 00 06 X", FOUR_CONTENTS),
	row(0x48a, 20, 0, "X 00 00 02 00 00 00 n0"),
	row(0x588, 20, 0, "1A 00 7E 00 00 00 00 00"),
	// brakes
	row(0x0ae, 10, 3, "X n0 00 00 00 00 01 00"),
	row(0x1a0, 10, 3, "00 42 00 00 00 FE 00 5n"),
	row(0x2a0, 10, 3, "00 00 00 00 00 00 n0 X"),
	row(0x4a0, 10, 3, "00 00 00 00 00 00 00 00"),
	row(0x1ac, 20, 3, "X 0n 00 00 69 01 00 D2"),
	row(0x3a0, 20, 3, "X 0n FF 03 00 C0 FF 0F"),
	row(0x4a8, 20, 13, "00 00 00 00 00 00 n0 X"),
	row(0x5a0, 20, 13, "7F 00 00 n0 00 00 10 AB"),
	row(0x5b7, 100, 3, "00 D0 08 80 18 00 00 00"),
	// gearbox
	row(0x440, 10, 6, "00 80 00 FE 80 00 00 00", { counter: { start: 51, length: 4, step: 1 } }),
	row(0x540, 10, 6, "n0 00 FF 00 FE 00 10 00"),
	// steering
	row(0x0c2, 10, 8, "00 00 00 00 80 n0 00 S"),
	row(0x3d0, 20, 8, "01 82 00 10 C8 00"),
	row(0x3d2, 20, 8, "nn 00 18 20 00 00 5D"),
	// instruments, airbag, lever, electric brake
	row(0x320, 20, 6, "24 80 14 00 00 0n 00 00"),
	row(0x050, 20, 6, "00 A4 nn X"),
	row(0x38a, 20, 16, "X 01 n0 00"),
	row(0x56a, 20, 16, "X 00 08 00 1A 00 02 n0"),
	row(0x420, 200, 52, "9A 80 82 00 00 00 FF 00"),
	// gateway
	row(0x390, 100, 2, "6A 40 51 00 00 00 20 00", AWAKE),
	row(0x392, 100, 2, "49 81 00 82 00 00 00 00"),
	row(0x570, 100, 2, "40 A0 00 00 80", AWAKE),
	row(0x572, 100, 2, "00", AWAKE),
	row(0x5d0, 100, 2, "C0 04 51 00 00 00 00 00"),
	row(0x5dc, 100, 2, "00 00 00 00 08 00 00 00"),
	row(0x720, 200, 52, "04 03 09 00 00 00 00", AWAKE),
	// assumed: the maker's list says that a coupling reads them; they were not seen in a car
	row(0x520, 200, 52, "60 43 01 10 66 F1 03 02"),
	row(0x7d0, 1000, 52, "26 F2 03 12 70 19 25 0n"),
];

export const MQB_FRAMES: readonly FrameRow[] = [
	// engine
	row(0x0a7, 10, 0, "K 4n 00 00 00 00 00 10"),
	row(0x0a8, 10, 0, "K 7n 00 00 00 64 00 00"),
	row(0x121, 20, 0, "K 0n 00 C0 39 46 7E FE"),
	row(0x3be, 100, 0, "K 1n E6 01 48 80 00 80"),
	row(0x640, 1000, 60, "A0 5A 56 A3 80 A0 59 01"),
	row(0x641, 1000, 60, "K 1n 2B 53 14 14 D7 24"),
	// brakes
	row(0x0b2, 10, 1, "00 00 00 00 00 00 00 00"),
	row(0x135, 10, 1, "00 C0 00 00 00 00 00 00"),
	row(0x0fd, 20, 1, "K 0n 1F 80 00 00 00 00"),
	row(0x101, 20, 1, "K 0n 00 00 00 02 00 00"),
	row(0x104, 20, 1, "00 0n 00 00 00 00 00 00"),
	row(0x106, 20, 1, "K 8n 00 00 08 00 F5 10"),
	row(0x116, 20, 1, "K 0n 01 04 00 40 00 00"),
	row(0x134, 20, 1, "00 00 00 00 00 40 1F 7D"),
	row(0x18c, 100, 1, "00 20 59 00 00 00 00 00"),
	row(0x392, 100, 1, "K 2n FE FE FE 00 00 04"),
	row(0x08a, 1000, 61, "K 0n 00 00 00 00 00 FA"),
	row(0x5be, 1000, 61, "00 B0 BF 7F 00 00 7C 78"),
	row(0x65d, 1000, 61, "K 3n 2B 10 00 00 E2 79"),
	// gearbox: the gateway passes each fifth frame
	row(0x0ad, 50, 3, "K 00 00 FE 00 00 00 00", { counter: { start: 8, length: 4, step: 5 } }),
	row(0x3c8, 100, 3, "00 00 54 24 00 60 01 51"),
	// steering
	row(0x086, 10, 8, "K 0n 00 00 00 00 00 00"),
	// gateway and instruments
	row(0x30b, 50, 3, "10 2n 02 00 0C 00 00 24"),
	row(0x3c0, 100, 3, "K 0n 00 00", AWAKE),
	row(0x3db, 100, 3, "50 80 00 00 05 10 01 78", AWAKE),
	row(0x385, 200, 55, "00 00 22 02 02 20 02 02"),
	row(0x366, 1000, 104, "00 00 00 20 C0 00 00 00"),
	row(0x54b, 1000, 104, "00 00 00 00 00 00 00 24"),
	row(0x585, 1000, 104, "0A 38 8B 7F 12 00 00 00"),
	// assumed: in no recording
	row(0x107, 20, 0, "00 00 00 00 00 00 00 00"),
	row(0x0b1, 10, 9, "00 A0 FE 00 00 00 00 00"),
	row(0x11e, 20, 11, "00 00 FE FE 0F 00 00 00"),
	row(0x120, 20, 11, "00 20 F0 05 00 00 00 00"),
	row(0x126, 20, 11, "00 40 00 0F FE 00 00 00"),
	row(0x12e, 20, 11, "00 00 00 7F 00 41 00 00"),
	row(0x391, 50, 33, "00 00 FE 00 42 00 00 00"),
	row(0x6b2, 1000, 104, "30 4D 58 A2 89 85 3F 30"),
	row(0x6b7, 1000, 104, "4D 58 F2 EE 04 2B 00 78"),
	row(0x1b000010, 200, 55, "10 00 10 00 00 00 00 00", AWAKE),
];
