/** Bytes as lower-case hexadecimal digits, two each. */
export function hexadecimal(bytes: Uint8Array): string {
	let digits = "";
	for (const byte of bytes) digits += (byte < 16 ? "0" : "") + byte.toString(16);
	return digits;
}

/**
 * The bytes that such digits stand for. Never throws.
 * @param digits an even number of them, as `hexadecimal` writes them; not checked: a pair that is none becomes 0
 */
export function bytesOfHexadecimal(digits: string): Uint8Array {
	const bytes = new Uint8Array(digits.length / 2);
	for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16);
	return bytes;
}
