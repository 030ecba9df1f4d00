/** SHA-256 on XS, against Node's. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { runScript } from "../../hal/host/host-program.js";

const IMPORT = 'import { Sha256 } from "../../modules/sha256/sha256.js";';

describe("modules/sha256", () => {
	it("agrees for all lengths around its blocks, however what is digested is cut", async () => {
		const lengths = [...Array.from({ length: 130 }, (_, i) => i), 1000, 4096, 65537];
		const { lines } = await runScript(`
			${IMPORT}
			for (const length of ${JSON.stringify(lengths)}) {
				const bytes = new Uint8Array(length);
				for (let i = 0; i < length; i++) bytes[i] = i * 31;
				const digest = new Sha256();
				for (let at = 0; at < length; at += 61) digest.write(bytes.subarray(at, at + 61));
				let text = "";
				for (const byte of new Uint8Array(digest.close())) text += (byte + 256).toString(16).slice(1);
				print(text);
			}
		`);
		const expected = (length: number) => createHash("sha256").update(Uint8Array.from({ length }, (_, i) => i * 31));
		assert.deepEqual(
			lines,
			lengths.map((length) => expected(length).digest("hex")),
		);
	});

	it("knows the example of FIPS 180-4, and that it has ended", async () => {
		const { lines } = await runScript(`
			${IMPORT}
			const digest = new Sha256();
			digest.write(new Uint8Array([0x61, 0x62, 0x63]));
			print(String(new Uint8Array(digest.close())[0]));
			for (const late of [() => digest.write(new Uint8Array(1)), () => digest.close()])
				try { late(); } catch (error) { print((error as Error).message); }
		`);
		assert.deepEqual(lines, [String(0xba), "SHA-256: closed", "SHA-256: closed"]);
	});
});
