/** SHA-256, PBKDF2, WPA2's key and random numbers on XS, against Node's. */
import assert from "node:assert/strict";
import { createHash, pbkdf2Sync } from "node:crypto";
import { runScript } from "../../hal/host/host-program.js";

const IMPORT = `
	import { Pbkdf2, randomBytes, Sha256, WpaKey } from "../../modules/sha256/sha256.js";
	const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => (byte + 256).toString(16).slice(1)).join("");
	const bytesOf = (text: string) => new Uint8Array(ArrayBuffer.fromString(text));
`;

describe("modules/sha256", () => {
	it("agrees with Node for all lengths around its blocks, in pieces of any size", async () => {
		const lengths = [...Array.from({ length: 130 }, (_, i) => i), 1000, 4096, 65537];
		const { lines } = await runScript(`
			${IMPORT}
			for (const length of ${JSON.stringify(lengths)}) {
				const bytes = new Uint8Array(length);
				for (let i = 0; i < length; i++) bytes[i] = i * 31;
				const digest = new Sha256();
				for (let at = 0; at < length; at += 61) digest.write(bytes.subarray(at, at + 61));
				print(hex(new Uint8Array(digest.close())));
			}
		`);
		const expected = (length: number) => createHash("sha256").update(Uint8Array.from({ length }, (_, i) => i * 31));
		assert.deepEqual(
			lines,
			lengths.map((length) => expected(length).digest("hex")),
		);
	});

	it("gives the digest of FIPS 180-4, and rejects bytes once it has ended", async () => {
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

describe("modules/sha256: PBKDF2", () => {
	it("agrees with Node for passwords and salts below, at and above the block, in portions of any size", async () => {
		const lengths = [0, 1, 8, 55, 63, 64, 65, 130];
		const cases = lengths.flatMap((password) =>
			[0, 16, 32, 70].map((salt) => [password, salt, 1 + ((password * 7 + salt) % 40)]),
		);
		const { lines } = await runScript(`
			${IMPORT}
			for (const [password, salt, rounds] of ${JSON.stringify(cases)}) {
				const hash = new Pbkdf2(bytesOf("p".repeat(password)), bytesOf("s".repeat(salt)));
				for (let left = rounds - 1; left > 0; left -= 7) hash.add(Math.min(left, 7));
				print(hex(new Uint8Array(hash.close())));
			}
		`);
		const expected = ([password, salt, rounds]: number[]) =>
			pbkdf2Sync("p".repeat(password), "s".repeat(salt), rounds, 32, "sha256").toString("hex");
		assert.deepEqual(lines, cases.map(expected));
	});

	it("rejects further rounds once it is closed", async () => {
		const { lines } = await runScript(`
			${IMPORT}
			const hash = new Pbkdf2(bytesOf("password"), bytesOf("salt"));
			hash.close();
			for (const late of [() => hash.add(1), () => hash.close()])
				try { late(); } catch (error) { print((error as Error).message); }
		`);
		assert.deepEqual(lines, ["PBKDF2: closed", "PBKDF2: closed"]);
	});

	it("gives other random bytes each time, as many as wanted, and rejects more than its limit", async () => {
		const { lines } = await runScript(`
			${IMPORT}
			print([hex(randomBytes(16)), hex(randomBytes(16)), randomBytes(0).length, randomBytes(256).length].join(" "));
			for (const count of [-1, 257])
				try { randomBytes(count); } catch (error) { print((error as Error).message); }
		`);
		const [one, other, none, most] = lines[0].split(" ");
		assert.match(one, /^[0-9a-f]{32}$/);
		assert.notEqual(one, other);
		assert.deepEqual([none, most], ["0", "256"]);
		assert.deepEqual(lines.slice(1), ["random bytes: -1; allowed: 0..256", "random bytes: 257; allowed: 0..256"]);
	});
});

describe("modules/sha256: WPA2's key", () => {
	it("agrees with Node for passphrases of 8 to 63 bytes and names of 1 to 32, in whatever portions", async () => {
		const cases = [8, 20, 55, 63].flatMap((passphrase) => [1, 4, 31, 32].map((ssid) => [passphrase, ssid]));
		const { lines, stderr } = await runScript(`
			${IMPORT}
			for (const [passphrase, ssid] of ${JSON.stringify(cases)}) {
				const key = new WpaKey(bytesOf("p".repeat(passphrase)), bytesOf("s".repeat(ssid)));
				let calls = 1;
				while (!key.add(passphrase * 32)) ++calls;
				print(calls + " " + hex(new Uint8Array(key.close())));
			}
			const example = new WpaKey(bytesOf("password"), bytesOf("IEEE"));
			example.add(5000);
			print(hex(new Uint8Array(example.close())));
			for (const wrong of [() => example.add(1), () => example.close(), () => new WpaKey(new Uint8Array(64), new Uint8Array(1)), () => new WpaKey(new Uint8Array(8), new Uint8Array(33))])
				try { wrong(); print("accepted"); } catch (error) { print((error as Error).message); }
		`);
		const expected = ([passphrase, ssid]: number[]) =>
			`${Math.ceil(4095 / (passphrase * 32))} ${pbkdf2Sync("p".repeat(passphrase), "s".repeat(ssid), 4096, 32, "sha1").toString("hex")}`;
		assert.equal(stderr, "");
		assert.deepEqual(lines.slice(0, cases.length), cases.map(expected));
		// IEEE 802.11-2020, J.4.2
		assert.equal(lines[cases.length], "f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e");
		assert.deepEqual(lines.slice(cases.length + 1), [
			"WPA key: closed",
			"WPA key: closed",
			"WPA key: 64 and 1 bytes; allowed: 63 and 32",
			"WPA key: 8 and 33 bytes; allowed: 63 and 32",
		]);
	});
});
