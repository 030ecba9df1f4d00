/**
 * The frames of a car's chassis bus: identifier, period, and the bytes that stand beside the modelled signals.
 * PQ: 40 identifiers, about 1,700 frames/s; MQB: 45, one of them the extended network management frame, about 1,650.
 * Payloads with a source are the captures of docs/control-and-can.md 3.8 and 3.9; the others are made up, but never change.
 * Pure tables.
 */

/** `payload` in hex; its length is the DLC. `awake`: sent with the ignition off too. Extended above 0x7FF. */
export interface FrameRow {
	readonly id: number;
	readonly periodMs: 10 | 20 | 50 | 100 | 200 | 1000;
	readonly payload: string;
	readonly awake?: boolean;
}

const row = (id: number, periodMs: FrameRow["periodMs"], payload: string): FrameRow => ({ id, periodMs, payload });
const awake = (id: number, periodMs: FrameRow["periodMs"], payload: string): FrameRow => ({ id, periodMs, payload, awake: true });

export const PQ_FRAMES: readonly FrameRow[] = [
	row(0x0c2, 10, "0000000080000000"),
	row(0x0ae, 10, "0000000000000300"),
	row(0x1a0, 10, "004000000000FE00"),
	row(0x1ac, 10, "FF7F00800000007F"),
	row(0x280, 10, "0000000000000000"),
	row(0x2a0, 10, "7F0000"), // setpoint 0 Nm/min: the brake system asks nothing of the coupling
	row(0x440, 10, "000000FE00FFC000"),
	row(0x488, 10, "FE0000FE00000E00"),
	row(0x4a0, 10, "0000000000000000"),
	row(0x4a8, 10, "0000000000000000"),
	row(0x1a8, 20, "7B00FE0000000000"),
	row(0x284, 20, "000000FE0000"),
	row(0x288, 20, "0030000A0A10FEFE"),
	row(0x380, 20, "006900000000FE00"),
	row(0x38a, 20, "80000000"),
	row(0x3a0, 20, "A60075D451471D0F"),
	row(0x3d0, 20, "0000A0FE0010"),
	row(0x480, 20, "FE00204E00000000"),
	row(0x540, 20, "00A0FE7F00000000"),
	row(0x5a0, 20, "7F000000FFCA1BAB"), // byte 4: 0xFF = no value, above all that the controller writes
	row(0x320, 50, "240000000000814E"),
	row(0x3d2, 50, "0040FE0000A10018"),
	row(0x48a, 50, "FE00FE0055000011"),
	row(0x544, 50, "0001FE2D00000000"),
	row(0x548, 50, "7F03FE000000A400"),
	row(0x588, 50, "3DFE1A00646000FF"),
	awake(0x390, 100, "0311580040000108"),
	row(0x392, 100, "090100A100000000"),
	row(0x542, 100, "FE00850000002200"),
	awake(0x570, 100, "8100BA0000"),
	awake(0x573, 100, "07000000"),
	row(0x5b7, 100, "00C0000000000000"),
	row(0x5d0, 100, "C00350BF3756"),
	row(0x5dc, 100, "F742703F1C0800C8"),
	row(0x420, 200, "4C8685000030FF04"),
	row(0x520, 200, "6043011066F10302"),
	row(0x580, 200, "00A13C0000FE2200"),
	awake(0x720, 200, "04030100020000"),
	row(0x450, 1000, "00FE120000780000"),
	row(0x7d0, 1000, "26F2031270192500"),
];

export const MQB_FRAMES: readonly FrameRow[] = [
	row(0x086, 10, "0000000000000000"),
	row(0x08a, 10, "00100000000000FF"), // byte 7: above all that the controller writes, up to 0xFE
	row(0x0a7, 10, "0040000000000018"),
	row(0x0a8, 10, "0070000000640000"),
	row(0x0ad, 10, "000000FE00000000"),
	row(0x0b1, 10, "00A0FE0000000000"),
	row(0x0b2, 10, "0000000000000000"),
	row(0x135, 10, "00C0000000000000"),
	row(0x0fd, 20, "00001F8000000000"),
	row(0x101, 20, "0000000000020000"),
	row(0x104, 20, "0000FE0000000000"),
	row(0x106, 20, "0080000000000000"),
	row(0x107, 20, "0000000000000000"),
	row(0x116, 20, "0000D5989F262500"),
	row(0x11e, 20, "0000FEFE0F000000"),
	row(0x120, 20, "0020F00500000000"),
	row(0x121, 20, "0000000039467EFE"),
	row(0x122, 20, "0010FE0000C80000"),
	row(0x126, 20, "0040000FFE000000"),
	row(0x12e, 20, "0000007F00410000"),
	row(0x30b, 50, "102002000C000024"),
	row(0x31e, 50, "00A0000000FE0000"),
	row(0x324, 50, "0000FF030000C000"),
	row(0x391, 50, "0000FE0042000000"),
	row(0x394, 50, "0000000000F00000"),
	row(0x3dc, 50, "00000000000000FF"),
	row(0x18c, 100, "0020590000000000"),
	row(0x366, 100, "0000000000000000"),
	row(0x392, 100, "0000000000000000"),
	row(0x397, 100, "00000000FE0F0000"),
	row(0x3be, 100, "0010E601C8000080"),
	awake(0x3c0, 100, "00000000"),
	row(0x3c8, 100, "0000542400600151"),
	awake(0x3db, 100, "5080000005100178"),
	row(0x54b, 100, "0000000000000024"),
	row(0x5be, 100, "0000BF7F00007C78"),
	row(0x385, 200, "0000220202200202"),
	row(0x3d5, 200, "0007000000600000"),
	awake(0x1b000010, 200, "1000100000000000"),
	row(0x585, 1000, "843C007F14000000"),
	row(0x640, 1000, "A05A56A380A05901"),
	row(0x641, 1000, "00102B531414D724"),
	row(0x65d, 1000, "00302B100000E279"),
	row(0x6b2, 1000, "304D58A289853F30"),
	row(0x6b7, 1000, "4D58F2EE042B0078"),
];
