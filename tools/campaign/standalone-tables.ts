/**
 * What may leave for a coupling without a car: the tables of `docs/control-and-can.md` 3.3, 3.4 and 3.9 to 3.12, read anew. Shares no code
 * with `src/`.
 *
 * A line is period in ms, identifier and the bytes that are sent: `1F` constant, `a:FE` scaled, `FE-a:E8` falling with lock, `80+a:7E`
 * 00 without lock, else 80 and more, `7F+a:37` 7F and more, `c:NAME` a counter, `s:NAME+CA` a scaled counter with a constant added, `n:NAME`
 * 00 and a step of the counter without its wrap, `K` the CRC, `X` the XOR of all other bytes, `Y` and `Z` the two checksums of the steering
 * angle.
 */
import { COUNTERS, type Counter, type Generation, type Profile } from "./tables.js";

export interface GeneratedRow {
	readonly id: number;
	readonly periodMs: number;
	readonly bytes: readonly string[];
}

export interface Generated {
	readonly rows: readonly GeneratedRow[];
	readonly counters: Readonly<Record<string, Counter>>;
	/** DataIDs by identifier. */
	readonly dataIds: Readonly<Record<number, readonly number[]>>;
	/** They come first, or last as E2E profile 2 has it. */
	readonly dataIdFirst: boolean;
}

/** Requests of diagnosis that pass meanwhile (3.1). */
export const DIAGNOSIS: ReadonlySet<number> = new Set([0x764, 0x200, 0x710, 0x71d, 0x70f]);

const counter = (first: number, step: number, above: number, wrapsTo: number): Counter => ({ first, step, above, wrapsTo });
/** Of `corrected`: four bits, below or above bits of payload. */
const low = (payload = 0): Counter => counter(payload, 1, payload + 15, payload);
const high = (payload = 0): Counter => counter(payload, 0x10, 0xf0 + payload, payload);

const rowsOf = (text: string): readonly GeneratedRow[] =>
	text
		.trim()
		.split("\n")
		.map((line) => {
			const [period, id, ...bytes] = line.trim().split(" ");
			return { periodMs: Number(period), id: Number.parseInt(id, 16), bytes };
		});

/** Byte 6 of Motor_1 by mode; dynamic modes and `corrected` fall with lock, what is open is FE. */
const LEVERS: Readonly<Record<string, string>> = {
	"5050": "a:16",
	"6040": "a:22",
	"7030": "a:50",
	"8020": "a:50",
	"9010": "a:50",
};

const generation1 = (lever: string): string => `
	20 280 00 a:FE 21 a:4E a:FE a:FE ${lever} 00
	20 380 00 50 00 00 00 00 00 FE
	20 1A0 80 00 00 0A FE FE 00 c:BRAKES1
	20 4A0 a:FE 0A a:FE 0A 00 0A 00 0A`;

const GENERATION_2 = `
	10 1A0 00 41 00 FE FE FE 00 c:BRAKES1
	10 5A0 7F AE 3D c:BRAKES2 a:7F a:FE 5E 2B
	10 4A0 a:FE 0A a:FE 0A 00 0A 00 0A
	10 2A0 00 00 00 00 00 00 c:BRAKES4 c:BRAKES4
	10 4A8 FE 7F 03 00 00 00 c:BRAKES5A c:BRAKES5B
	10 0AE c:BRAKES9A c:BRAKES9B 00 00 00 00 02 00
	10 0C2 20 00 00 00 80 c:LW1 00 Z
	20 280 08 FA 20 a:4E FA FA a:20 FA
	20 288 00 30 00 0A 0A 10 FE FE
	20 480 FE 00 00 00 00 00 00 n:BRAKES1
	20 3A0 A6 c:BRAKES10 75 D4 51 47 1D 0F
	25 320 00 02 00 00 36 00 00 00`;

const GENERATION_4 = `
	10 0C2 22 00 00 00 80 c:LW1 Y Z
	10 1A0 20 40 F0 07 a:FE a:FE 00 c:BRAKES1
	10 4A0 a:B6 07 a:CC 07 a:D2 07 a:D2 07
	10 2A0 a:FE 00 00 64 00 00 c:BRAKES4 X
	10 0AE c:BRAKES9A c:BRAKES9B 00 00 00 00 03 00
	10 280 00 a:FE a:20 a:4E a:FE a:FE a:16 a:FE
	20 5A0 80 7A 05 c:BRAKES2 a:7F CA 1B AB
	25 320 24 00 1D B9 07 42 09 81
	25 520 60 43 01 10 66 F1 03 02
	100 390 03 11 58 00 40 00 01 08
	100 392 09 01 00 A1 00 00 00 00
	100 5D0 C0 03 50 BF 37 56
	100 5DC F7 42 70 3F 1C 08 00 C8
	100 5B7 00 C0 00 00 00 00 00 00
	200 420 4C 86 85 00 00 30 FF 04
	200 520 A6 87 01 10 66 F2 03 02
	200 720 04 03 01 00 02 00 00
	1000 7D0 26 F2 03 12 70 19 25 c:DIAGNOSE1`;

const GENERATION_5 = `
	10 135 00 C0 00 00 00 00 00 00
	10 0B2 s:LO s:HI s:LO s:HI s:LO+CA s:HI s:LO+CA s:HI
	10 0AD K c:GETRIEBE_11 00 FE 00 00 00 00
	10 0A8 K c:MOTOR_12 00 00 00 64 0F s:MOTOR_12
	10 0A7 K c:MOTOR_11 FA FA 00 FA a:FA a:FA
	10 08A K c:ESP_14 00 00 00 00 00 a:FE
	10 086 K c:LWI_01 01 00 00 00 00 00
	20 121 K c:MOTOR_20 40 40 19 59 7E FE
	20 116 K c:ESP_10 01 04 00 40 00 s:ESP_10
	20 106 K c:ESP_05 64 C0 00 00 FD 00
	25 30B 10 20 02 00 0C 00 00 24
	100 5BE K c:ESP_23 BF 7F 00 00 7C 78
	100 54B 00 00 00 00 00 00 00 24
	100 3DB 50 80 00 00 05 10 01 78
	100 3C8 00 00 54 24 00 60 01 51
	100 3BE K c:MOTOR_14 E6 01 C8 80 00 80
	100 392 K c:ESP_07 00 00 00 00 00 00
	100 18C 00 20 59 00 00 00 00 00
	1000 640 A0 5A 56 A3 80 A0 59 01
	1000 385 00 00 22 02 02 20 02 02
	1000 585 84 3C 00 7F 14 00 00 00
	1000 641 K c:MOTOR_CODE_01 2B 53 14 14 D7 24
	1000 65D K c:ESP_20 2B 10 00 00 E2 79
	1000 6B2 30 4D 58 A2 89 85 3F 30
	1000 6B7 4D 58 F2 EE 04 2B 00 78`;

/** Lines of `corrected` in the place of those with the same identifier. 3.4, 3.12 item 6, B1 to B8, B20. */
const CORRECTED: Readonly<Record<2 | 4 | 5, string>> = {
	2: `
	10 2A0 00 00 00 00 00 00 c:BRAKES4 X
	10 280 08 FA 20 a:4E FA FA a:20 FA
	20 5A0 7F AE 3D c:BRAKES2 a:7F a:FE 5E 2B
	20 4A8 FE 7F 03 00 00 00 c:BRAKES5 X
	10 0AE X c:BRAKES9 00 00 00 00 02 00
	10 0C2 20 00 00 00 80 c:LW1 00 Z
	20 480 FE 00 00 00 00 00 00 X
	20 3A0 X c:BRAKES10 75 D4 51 47 1D 0F`,
	4: `
	10 0C2 22 00 00 00 80 c:LW1 00 Z
	10 2A0 80+a:7E 00 00 00 00 00 c:BRAKES4 X
	10 0AE X c:BRAKES9 00 00 00 00 03 00
	25 520 60 43 01 10 66 F1 03 02`,
	5: `
	10 0A8 K c:MOTOR_12 00 00 00 64 0F 00
	20 116 K c:ESP_10 01 04 00 40 00 00
	50 0AD K c:GETRIEBE_11 00 FE 00 00 00 00
	50 30B 10 c:KOMBI_01 02 00 0C 00 00 24
	1000 08A K c:ESP_14 00 00 00 00 00 a:FA
	10 0A7 K c:MOTOR_11 5F 7F+a:37 FD F5 77 3E
	1000 5BE 00 B0 BF 7F 00 00 7C 78`,
};

const list = (hex: string): readonly number[] => hex.split(" ").map((byte) => Number.parseInt(byte, 16));
const same = (byte: number): readonly number[] => new Array<number>(16).fill(byte);
const DATA_IDS: Readonly<Record<number, readonly number[]>> = {
	168: list("52 8C 50 EE 4F A6 CC CF 7D 2F 98 6B 27 41 9F 93"),
	173: list("3F 69 39 DC 94 F9 14 64 D8 6A 34 CE A2 55 B5 2C"),
	167: list("D2 3D CD 28 4C 14 22 4B 24 AC FA 55 66 80 0D 6C"),
	289: list("E9 65 AE 6B 7B 35 E5 5F 4E C7 86 A2 BB DD EB B4"),
	1470: list("C9 21 6F 63 D2 42 6A 77 4A 3D B0 62 9F 38 CD 5C"),
	958: list("1F 28 C6 85 E6 F8 B0 19 5B 64 35 21 E4 F7 9C 24"),
	1629: list("AC B3 AB EB 7A E1 3B F7 73 BA 7C 9E 06 5F 02 D9"),
	138: same(0xd4),
	134: same(0x86),
	262: same(0x07),
	914: same(0x91),
	1601: same(0x47),
};

const REFERENCE_COUNTERS: Readonly<Record<Generation, Readonly<Record<string, Counter>>>> = {
	1: { BRAKES1: counter(10, 1, 0x0f, 0) },
	2: {
		BRAKES1: counter(10, 1, 0x0f, 0),
		BRAKES2: counter(0, 10, 0xf7, 7),
		BRAKES4: counter(0, 10, 0xf0, 0),
		BRAKES5A: counter(4, 10, 0xf0, 0),
		BRAKES5B: counter(3, 10, 0xf3, 3),
		BRAKES9A: counter(3, 10, 0xf1, 0x11),
		BRAKES9B: counter(0, 10, 0xf0, 0),
		BRAKES10: low(),
		LW1: counter(0, 0x10, 0xef, 0),
	},
	4: {
		LW1: high(),
		BRAKES1: counter(10, 1, 0x1f, 10),
		BRAKES2: high(),
		BRAKES4: high(),
		BRAKES9A: high(3),
		BRAKES9B: high(),
		DIAGNOSE1: counter(0, 1, 0x1f, 0),
	},
	5: { ...COUNTERS, GETRIEBE_11: low(), LWI_01: low(0x10), MOTOR_20: low() },
};

/** All of four bits. */
const CORRECTED_COUNTERS: Readonly<Record<string, Counter>> = {
	BRAKES1: low(),
	BRAKES2: high(),
	BRAKES4: high(),
	BRAKES5: high(4),
	BRAKES9: high(),
	BRAKES10: low(),
	LW1: high(),
	DIAGNOSE1: low(),
	HI: counter(1, 1, 0x1a, 1),
	LO: counter(0, 1, 0x0e, 0),
	KOMBI_01: low(0x20),
	ESP_07: low(),
	MOTOR_11: low(0xd0),
};

/** @param mode whose rows may be sent; matters for generation 1 in profile `reference` only */
export function generatedOf(generation: Generation, profile: Profile, mode: string): Generated {
	const isCorrected = profile === "corrected";
	const counters = { ...REFERENCE_COUNTERS[generation], ...(isCorrected ? CORRECTED_COUNTERS : {}) };
	const dataIds = { ...DATA_IDS, 278: same(isCorrected ? 0xac : 0x05) };
	const rest = { counters, dataIds, dataIdFirst: !isCorrected };
	if (generation === 1) {
		const lever = mode === "FWD" ? "FE-a:FE" : (LEVERS[mode] ?? "FE-a:E8");
		return { ...rest, rows: rowsOf(generation1(isCorrected ? "FE-a:E8" : lever)) };
	}
	const rows = rowsOf({ 2: GENERATION_2, 4: GENERATION_4, 5: GENERATION_5 }[generation]);
	if (!isCorrected) return { ...rest, rows };
	const others = rowsOf(CORRECTED[generation]);
	const kept = rows.filter(({ id }) => !others.some((other) => other.id === id));
	return { ...rest, rows: [...kept, ...others] };
}
