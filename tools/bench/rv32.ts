/**
 * A processor of the RISC-V family, RV32IM, that counts its instructions: so that what the boards' code costs
 * needs no board.
 */

const MEMORY_BYTES = 1 << 20;
const PERIPHERALS = 0x60000000;
const RETURN = 0xfffffff0; // where no code lies

/** From 0x60000000 on, in words. */
interface Peripherals {
	read(address: number): number;
	write(address: number, value: number): void;
}

export class Rv32 {
	/** Instructions executed. */
	count = 0;
	readonly #registers = new Int32Array(32);
	readonly #memory = new DataView(new ArrayBuffer(MEMORY_BYTES));
	readonly #peripherals: Peripherals;
	#pc = 0;

	/** @param base address of the image */
	constructor(image: Uint8Array, base: number, peripherals: Peripherals) {
		this.bytes(base).set(image);
		this.#peripherals = peripherals;
	}

	/** @returns the memory from there on */
	bytes(address: number): Uint8Array {
		return new Uint8Array(this.#memory.buffer, address);
	}

	/** Calls a function and returns what it returns. */
	call(address: number, ...args: number[]): number {
		const x = this.#registers;
		x[1] = RETURN;
		x[2] = MEMORY_BYTES;
		args.forEach((value, i) => {
			x[10 + i] = value;
		});
		this.#pc = address;
		while (this.#pc !== RETURN) this.#step();
		return x[10] >>> 0;
	}

	#load(address: number, kind: number): number {
		if (address >= PERIPHERALS) return this.#peripherals.read(address);
		if (kind === 0) return this.#memory.getInt8(address);
		if (kind === 1) return this.#memory.getInt16(address, true);
		if (kind === 2) return this.#memory.getInt32(address, true);
		if (kind === 4) return this.#memory.getUint8(address);
		return this.#memory.getUint16(address, true);
	}

	#store(address: number, kind: number, value: number): void {
		if (address >= PERIPHERALS) this.#peripherals.write(address, value >>> 0);
		else if (kind === 0) this.#memory.setInt8(address, value);
		else if (kind === 1) this.#memory.setInt16(address, value, true);
		else this.#memory.setInt32(address, value, true);
	}

	#step(): void {
		const x = this.#registers;
		const at = this.#pc;
		const code = this.#memory.getInt32(at, true);
		const rd = (code >>> 7) & 31;
		const kind = (code >>> 12) & 7;
		const a = x[(code >>> 15) & 31];
		const b = x[(code >>> 20) & 31];
		const immediate = code >> 20;
		let next = at + 4;
		let value: number | undefined;
		this.count++;
		switch (code & 0x7f) {
			case 0x37:
				value = code & 0xfffff000;
				break;
			case 0x17:
				value = at + (code & 0xfffff000);
				break;
			case 0x6f:
				value = next;
				next = at + (((code >> 31) << 20) | (code & 0xff000) | ((code >>> 9) & 0x800) | ((code >>> 20) & 0x7fe));
				break;
			case 0x67:
				value = next;
				next = (a + immediate) & ~1;
				break;
			case 0x63:
				if (isTaken(kind, a, b))
					next = at + (((code >> 31) << 12) | ((code << 4) & 0x800) | ((code >>> 20) & 0x7e0) | ((code >>> 7) & 0x1e));
				break;
			case 0x03:
				value = this.#load((a + immediate) >>> 0, kind);
				break;
			case 0x23:
				this.#store((a + (((code >> 25) << 5) | rd)) >>> 0, kind, b);
				break;
			case 0x13:
				value = arithmetic(kind, a, immediate, kind === 5 && ((code >>> 30) & 1) === 1);
				break;
			case 0x33:
				value = code >>> 25 === 1 ? multiplied(kind, a, b) : arithmetic(kind, a, b, ((code >>> 30) & 1) === 1);
				break;
			case 0x0f:
				break;
			default:
				throw new Error(`no instruction of RV32IM at ${at.toString(16)}: ${(code >>> 0).toString(16)}`);
		}
		if (value !== undefined && rd !== 0) x[rd] = value;
		this.#pc = next >>> 0;
	}
}

function isTaken(kind: number, a: number, b: number): boolean | undefined {
	const [equal, less, below] = [a === b, a < b, a >>> 0 < b >>> 0];
	return [equal, !equal, undefined, undefined, less, !less, below, !below][kind];
}

function arithmetic(kind: number, a: number, b: number, isOther: boolean): number {
	switch (kind) {
		case 0:
			return isOther ? a - b : a + b;
		case 1:
			return a << (b & 31);
		case 2:
			return Number(a < b);
		case 3:
			return Number(a >>> 0 < b >>> 0);
		case 4:
			return a ^ b;
		case 5:
			return isOther ? a >> (b & 31) : a >>> (b & 31);
		case 6:
			return a | b;
		default:
			return a & b;
	}
}

function multiplied(kind: number, a: number, b: number): number {
	const [unsignedA, unsignedB] = [a >>> 0, b >>> 0];
	switch (kind) {
		case 0:
			return Math.imul(a, b);
		case 1:
			return Number((BigInt(a) * BigInt(b)) >> 32n);
		case 2:
			return Number((BigInt(a) * BigInt(unsignedB)) >> 32n);
		case 3:
			return Number(BigInt.asIntN(32, (BigInt(unsignedA) * BigInt(unsignedB)) >> 32n));
		case 4:
			return b === 0 ? -1 : Math.trunc(a / b);
		case 5:
			return b === 0 ? -1 : Math.trunc(unsignedA / unsignedB);
		case 6:
			return b === 0 ? a : a % b;
		default:
			return b === 0 ? a : unsignedA % unsignedB;
	}
}
