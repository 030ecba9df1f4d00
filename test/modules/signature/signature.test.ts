/** Ed25519 on XS, in its thread, against Node's, and the examples of RFC 8032. */
import assert from "node:assert/strict";
import { sign } from "node:crypto";
import { runScript } from "../../hal/host/host-program.js";
import { bytesOfKey, OWN_KEY } from "../../support/update-bench.js";

/** RFC 8032, 7.1: key, message, signature. */
const EXAMPLES = [
	[
		"d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
		"",
		"e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
	],
	[
		"3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
		"72",
		"92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
	],
] as const;
/** The group's order, which a signature's second half must be below. */
const ORDER = (1n << 252n) + 27742317777372353535851937790883648493n;

const PRELUDE = `
	import { SignatureCheck } from "../../modules/signature/signature.js";
	import Timer from "timer";
	const bytes = (digits: string) => Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16));
`;

/** Results of the checks, which run side by side. */
async function results(rows: readonly (readonly [key: string, message: string, signature: string])[]): Promise<string[]> {
	const { lines } = await runScript(`
		${PRELUDE}
		const checks = ${JSON.stringify(rows)}.map(([key, message, signature]) => new SignatureCheck(bytes(key), bytes(signature), bytes(message)));
		const timer = Timer.repeat(() => {
			const all = checks.map((check) => check.result());
			if (all.includes(-1)) return;
			Timer.clear(timer);
			print(all.join(""));
			for (const check of checks) check.close();
		}, 5);
	`);
	return lines;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

describe("modules/signature", () => {
	it("accepts the examples of RFC 8032, and rejects each flipped bit of a signature, a message and a key", async () => {
		const message = Buffer.from("a message");
		const [key, signature] = [hex(bytesOfKey(OWN_KEY)), sign(null, message, OWN_KEY)];
		const flip = (digits: string, at: number) => {
			const bytes = Buffer.from(digits, "hex");
			bytes[at] ^= 1 << (at & 7);
			return hex(bytes);
		};
		const right = [key, hex(message), hex(signature)] as const;
		const rows = [
			...EXAMPLES,
			right,
			...Array.from(signature, (_, at) => [key, right[1], flip(right[2], at)] as const),
			...Array.from(message, (_, at) => [key, flip(right[1], at), right[2]] as const),
			...Array.from({ length: 32 }, (_, at) => [flip(key, at), right[1], right[2]] as const),
		];
		assert.deepEqual(await results(rows), ["111" + "0".repeat(rows.length - 3)]);
	});

	it("rejects a signature made of another one, a key that anybody can sign for, and zeros", async () => {
		const message = Buffer.from("a message");
		const signature = sign(null, message, OWN_KEY);
		const [key, text] = [hex(bytesOfKey(OWN_KEY)), hex(message)];
		const second = BigInt(`0x${hex(Buffer.from(signature.subarray(32)).reverse())}`) + ORDER;
		const again = Buffer.from(second.toString(16).padStart(64, "0"), "hex").reverse();
		const small = ["00".repeat(32), `01${"00".repeat(31)}`, `ec${"ff".repeat(30)}7f`];
		const rows = [
			[key, text, hex(signature.subarray(0, 32)) + hex(again)],
			[key, text, "00".repeat(64)],
			...small.map((point) => [point, text, `${point}${"00".repeat(32)}`]),
			...small.map((point) => [point, text, hex(signature)]),
		] as [string, string, string][];
		assert.deepEqual(await results(rows), ["0".repeat(rows.length)]);
	});

	it("rejects other sizes and a closed check; a check that is dropped ends by itself", async () => {
		const { lines } = await runScript(`
			${PRELUDE}
			const key = bytes("${EXAMPLES[0][0]}"), signature = bytes("${EXAMPLES[0][2]}"), message = new Uint8Array(100_000);
			for (const sizes of [[31, 64], [33, 64], [32, 63], [32, 65], [0, 0]])
				try { new SignatureCheck(new Uint8Array(sizes[0]), new Uint8Array(sizes[1]), message); } catch (error) { print((error as Error).message); }
			for (let i = 0; i < 200; i++) {
				const check = new SignatureCheck(key, signature, message);
				check.close();
				check.close();
				if (i === 0) try { check.result(); } catch (error) { print((error as Error).message); }
			}
			// what nobody closes is closed by the collector
			for (let i = 0; i < 50; i++) new SignatureCheck(key, signature, message);
			Timer.set(() => print("end"), 200);
		`);
		const refused = ["31 and 64", "33 and 64", "32 and 63", "32 and 65", "0 and 0"];
		assert.deepEqual(lines, [
			...refused.map((sizes) => `signature: ${sizes} bytes; allowed: 32 and 64`),
			"signature: closed",
			"end",
		]);
	});
});
