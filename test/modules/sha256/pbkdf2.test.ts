/** PBKDF2 and random numbers on XS, against Node's. */
import assert from "node:assert/strict";
import { pbkdf2Sync } from "node:crypto";
import { runScript } from "../../hal/host/host-program.js";

const IMPORT = `
	import { Pbkdf2, randomBytes } from "../../modules/sha256/pbkdf2.js";
	const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => (byte + 256).toString(16).slice(1)).join("");
	const bytesOf = (text: string) => new Uint8Array(ArrayBuffer.fromString(text));
`;

describe("modules/sha256: PBKDF2", () => {
	it("agrees for passwords and salts below, at and above the block, however its rounds are cut", async () => {
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

	it("has ended when it is closed", async () => {
		const { lines } = await runScript(`
			${IMPORT}
			const hash = new Pbkdf2(bytesOf("password"), bytesOf("salt"));
			hash.close();
			for (const late of [() => hash.add(1), () => hash.close()])
				try { late(); } catch (error) { print((error as Error).message); }
		`);
		assert.deepEqual(lines, ["PBKDF2: closed", "PBKDF2: closed"]);
	});

	it("gives other random bytes each time, as many as wanted, and refuses what it has no room for", async () => {
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
