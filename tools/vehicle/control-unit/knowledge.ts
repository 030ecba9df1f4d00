/**
 * The simulated control unit's knowledge and answers, without a transport. UDS for generation 5, KWP2000 for 2
 * and 4. Deliberately shares no code with src/: it is the other side of the bus.
 * Source: docs/control-and-can.md 5.3, 5.4.
 */

const text = (characters: string): Uint8Array => Uint8Array.from(characters, (character) => character.charCodeAt(0));

/** Measured values of the control unit. */
export interface ControlUnitState {
	readonly engagementPercent: number;
	readonly supplyV: number;
	readonly temperatureC: number;
}

const IDENTITY: ReadonlyMap<number, Uint8Array> = new Map([
	[0xf19e, text("EV_AllWheelContrHaldeVW41X\0")],
	[0xf1a2, text("001007")],
	[0xf187, text("0CQ907554D ")],
	[0xf189, text("7076")],
	[0xf18a, text("BorgWarner")],
	[0xf190, text("WVWZZZAUZ00000000")],
	[0xf191, text("0CQ907554C ")],
	[0xf1a3, text("H09")],
	[0xf1a0, text("V03935271ZZ")],
	[0xf1a1, text("0001")],
]);

const word = (value: number): number[] => [value >> 8, value & 0xff];
const turned = (value: number): number[] => [value & 0xff, value >> 8];

function measured({ engagementPercent, supplyV, temperatureC }: ControlUnitState): ReadonlyMap<number, readonly number[]> {
	const scaled = Math.round((temperatureC + 227.67) * 100);
	const milliamps = Math.round(engagementPercent * 120);
	return new Map([
		[0x0286, [Math.round(supplyV * 10)]],
		[0x028d, [Math.round(temperatureC + 55)]],
		[0x2be4, turned(scaled)],
		[0x2be5, word(3)],
		[0x2be6, word(milliamps)],
		[0x2be7, [Math.round(engagementPercent * 0.8)]],
		[0x2be9, [Math.round(engagementPercent * 0.9)]],
		[0x2bf1, turned(scaled + 850)],
		[0x2bf3, [Math.min(254, Math.round(engagementPercent / 0.3937))]],
		[0x1005, word(600)],
		[
			0x1006,
			[1, 15, 42]
				.flatMap((bar) => [...word(bar * 100), ...word(bar * 50), ...word(bar * 51), ...word(40 + bar), ...word(41 + bar)])
				.concat(word(2300), [...text("SN000042")]),
		],
	]);
}

const negative = (service: number, code: number): Uint8Array => Uint8Array.of(0x7f, service, code);

/** A fault memory that both protocols read and clear. */
export class ControlUnit {
	/** Code (three bytes) and status of each entry. */
	faults: [code: number, status: number][] = [
		[0xc10100, 0x09],
		[0x523500, 0x08],
	];
	#hasSession = false;
	readonly #hasPlates: boolean;

	/** @param generation whose blocks it has */
	constructor(generation = 2) {
		this.#hasPlates = generation === 4 || generation === 51;
	}

	/** A new connection begins without a session. */
	connect(): void {
		this.#hasSession = false;
	}

	/** @returns the answer of generation 5 */
	uds(request: Uint8Array, state: ControlUnitState): Uint8Array {
		const [service, ...rest] = request;
		if (service === 0x22) {
			if (rest.length !== 2) return negative(service, 0x13);
			const did = rest[0] * 256 + rest[1];
			const data = IDENTITY.get(did) ?? measured(state).get(did);
			return data ? Uint8Array.of(0x62, ...rest, ...data) : negative(service, 0x31);
		}
		if (service === 0x19) {
			if (rest.length !== 2) return negative(service, 0x13);
			if (rest[0] !== 0x02) return negative(service, 0x12);
			const found = this.faults.filter(([, status]) => (status & rest[1]) !== 0);
			const entries = found.flatMap(([code, status]) => [code >> 16, (code >> 8) & 0xff, code & 0xff, status]);
			return Uint8Array.of(0x59, 0x02, 0xff, ...entries);
		}
		if (service === 0x14) {
			if (rest.length !== 3) return negative(service, 0x13);
			if (rest.some((byte) => byte !== 0xff)) return negative(service, 0x31);
			this.faults = [];
			return Uint8Array.of(0x54);
		}
		return negative(service, 0x11);
	}

	/** @returns the answer of generations 2 and 4 */
	kwp(request: Uint8Array, state: ControlUnitState): Uint8Array {
		const [service, ...rest] = request;
		if (service === 0x10) {
			if (rest[0] !== 0x89) return negative(service, 0x12);
			this.#hasSession = true;
			return Uint8Array.of(0x50, 0x89);
		}
		if (!this.#hasSession) return negative(service, 0x22);
		if (service === 0x21) {
			if (rest.length !== 1 || rest[0] < 1 || rest[0] > 4) return negative(service, 0x31);
			// values of three bytes: formula, a, b; block 1 as that of its generation, 2 as of generation 2
			const nothing = [0x25, 0x00, 0x00];
			const supply = [0x06, 0x64, Math.round(state.supplyV * 10)];
			const temperature = [0x1a, 0x00, Math.round(state.temperatureC)];
			const lock = [0x21, 0x64, Math.round(state.engagementPercent)];
			const plates = [0x1a, 0x00, Math.round(state.temperatureC) + 4];
			const values = [
				this.#hasPlates ? [temperature, plates, supply] : [nothing, supply],
				[temperature, [0x0e, 0xc8, 0x06]],
				[lock, supply],
				[lock, supply],
			][rest[0] - 1];
			return Uint8Array.of(0x61, rest[0], ...values.flat(), ...nothing, ...nothing);
		}
		if (service === 0x18) {
			if (rest.length !== 3 || rest[0] !== 0x02) return negative(service, 0x12);
			const entries = this.faults.flatMap(([code, status]) => [code >> 16, (code >> 8) & 0xff, 0x60 | (status & 0x0f)]);
			return Uint8Array.of(0x58, this.faults.length, ...entries);
		}
		if (service === 0x14) {
			if (rest.length !== 2) return negative(service, 0x12);
			if (rest[0] !== 0xff) return negative(service, 0x31);
			this.faults = [];
			return Uint8Array.of(0x54, 0xff, 0x00);
		}
		return negative(service, 0x11);
	}
}
