import assert from "node:assert/strict";
import { createPublicKey, verify } from "node:crypto";
import fc from "fast-check";
import { FirmwareImage, IMAGE_PROBLEM, type ImageRules, NO_CLAIMS } from "../../src/update/firmware-image.js";
import { describesImage, isTrailer, KEY_BYTES, namesKey, signedPart, TRAILER_BYTES } from "../../src/update/image-trailer.js";
import { signImage } from "../../tools/device/sign.mjs";
import { aDigest, anImage, aSignedImage, bytesOfKey, OTHER_KEY, OWN_KEY, RULES } from "../support/update-bench.js";

const KEYED: ImageRules = { ...RULES, updateKey: bytesOfKey(OWN_KEY) };
const OPTIONS = { segments: [256, 20] };
const SIGNED = aSignedImage(OPTIONS);
const IMAGE = anImage(OPTIONS);

interface Outcome {
	readonly problem: string;
	readonly imageBytes: number;
	/** Node's opinion of what was to be looked at; undefined: nothing was. */
	readonly isSigned: boolean | undefined;
}

function check(bytes: Uint8Array, rules = KEYED, pieceBytes = 4096): Outcome {
	const image = new FirmwareImage(rules, NO_CLAIMS, aDigest);
	for (let at = 0; at < bytes.length; at += pieceBytes) image.write(bytes.subarray(at, at + pieceBytes));
	const problem = image.end();
	const { imageBytes, signed } = image;
	const isSigned = signed && verify(null, signed.message, createPublicKey(OWN_KEY), signed.signature);
	return { problem, imageBytes, isSigned };
}

/** True if a controller with the key would start it. */
const isTaken = ({ problem, isSigned }: Outcome): boolean => problem === "" && isSigned === true;

describe("update/image-trailer", () => {
	it("is taken however it is cut, and is no part of what is stored", () => {
		for (const pieceBytes of [1, 7, 32, 100, 112, 199, 200, 201, 4096])
			assert.deepEqual(
				check(SIGNED, KEYED, pieceBytes),
				{ problem: "", imageBytes: IMAGE.length, isSigned: true },
				`${pieceBytes}`,
			);
		assert.equal(SIGNED.length, IMAGE.length + TRAILER_BYTES);
	});

	it("shows every flipped bit of image and trailer", () => {
		for (let i = 0; i < SIGNED.length; i++) {
			const flipped = Buffer.from(SIGNED);
			flipped[i] ^= 1 << (i & 7);
			assert.equal(isTaken(check(flipped, KEYED, 64)), false, `byte ${i}`);
		}
	});

	it("shows every truncation, and anything after the end", () => {
		for (let length = 0; length < SIGNED.length; length++) {
			const outcome = check(SIGNED.subarray(0, length), KEYED, 64);
			assert.equal(isTaken(outcome), false, `${length}`);
			if (length > IMAGE.length) assert.equal(outcome.problem, IMAGE_PROBLEM.INCOMPLETE);
		}
		assert.equal(check(IMAGE).problem, IMAGE_PROBLEM.UNSIGNED);
		assert.equal(check(Buffer.concat([SIGNED, Buffer.alloc(1)])).problem, IMAGE_PROBLEM.NOT_AN_IMAGE);
		assert.equal(check(Buffer.concat([SIGNED, SIGNED.subarray(-TRAILER_BYTES)])).problem, IMAGE_PROBLEM.NOT_AN_IMAGE);
		assert.equal(check(Buffer.concat([IMAGE, Buffer.alloc(TRAILER_BYTES)])).problem, IMAGE_PROBLEM.NOT_AN_IMAGE);
	});

	it("is of this image: not of another one, another version, another board, another key", () => {
		const trailer = SIGNED.subarray(-TRAILER_BYTES);
		const identity = { projectName: RULES.projectName, version: "v0.2.0" };
		const other = anImage({ segments: [256, 24] });
		assert.equal(check(Buffer.concat([other, trailer])).problem, IMAGE_PROBLEM.WRONG_SIGNATURE);
		const wrong = [
			{ ...identity, version: "v0.3.0" },
			{ ...identity, projectName: "opencoupling-c6" },
		];
		for (const changed of wrong) assert.equal(check(signImage(IMAGE, changed, OWN_KEY)).problem, IMAGE_PROBLEM.WRONG_SIGNATURE);
		assert.equal(check(signImage(IMAGE, identity, OTHER_KEY)).problem, IMAGE_PROBLEM.OTHER_KEY);
		const pretended = signImage(IMAGE, identity, OTHER_KEY);
		Buffer.from(bytesOfKey(OWN_KEY)).copy(pretended, IMAGE.length + 104);
		assert.deepEqual(check(pretended), { problem: "", imageBytes: IMAGE.length, isSigned: false });
	});

	it("is held against the image where there is no key, too: what is damaged is damaged", () => {
		assert.deepEqual(check(SIGNED, RULES), { problem: "", imageBytes: IMAGE.length, isSigned: undefined });
		assert.equal(check(IMAGE, RULES).problem, "");
		assert.equal(check(SIGNED.subarray(0, -1), RULES).problem, IMAGE_PROBLEM.INCOMPLETE);
		const other = anImage({ segments: [256, 24] });
		assert.equal(check(Buffer.concat([other, SIGNED.subarray(-TRAILER_BYTES)]), RULES).problem, IMAGE_PROBLEM.WRONG_SIGNATURE);
	});

	it("a key that is none takes nothing", () => {
		for (const length of [1, 31, 33])
			for (const image of [IMAGE, SIGNED])
				assert.notEqual(check(image, { ...RULES, updateKey: new Uint8Array(length) }).problem, "", `${length}`);
	});

	it("takes no version before the newest one that was kept", () => {
		const since = (newestVersion: string) => check(SIGNED, { ...KEYED, newestVersion }).problem;
		assert.deepEqual(["", "v0.1.9", "v0.2.0", "v0.2.1", "v0.10"].map(since), [
			"",
			"",
			"",
			IMAGE_PROBLEM.OLDER,
			IMAGE_PROBLEM.OLDER,
		]);
	});

	it("whatever bytes come behind an image, nothing is taken that the key has not signed, and nothing throws", () => {
		const tail = fc.oneof(
			fc.uint8Array({ maxLength: 450 }),
			fc.uint8Array({ minLength: 192, maxLength: 192 }).map((rest) => Buffer.concat([Buffer.from("OCSIGNED"), rest])),
			fc.tuple(fc.nat(TRAILER_BYTES - 1), fc.nat(255)).map(([at, value]) => {
				const trailer = Buffer.from(SIGNED.subarray(-TRAILER_BYTES));
				trailer[at] = value;
				return trailer;
			}),
		);
		fc.assert(
			fc.property(tail, fc.integer({ min: 1, max: 300 }), (bytes, pieceBytes) => {
				const file = Buffer.concat([IMAGE, bytes]);
				assert.equal(isTaken(check(file, KEYED, pieceBytes)), file.equals(SIGNED));
			}),
			{ numRuns: 500, seed: 14 },
		);
	});

	it("looks at each field at its place", () => {
		const trailer = new Uint8Array(SIGNED.subarray(-TRAILER_BYTES));
		const digest = new Uint8Array(IMAGE.subarray(-32));
		assert.ok(isTrailer(trailer) && describesImage(trailer, RULES.projectName, "v0.2.0", digest));
		assert.ok(!describesImage(trailer, RULES.projectName, "v0.2", digest), "not the beginning of it");
		const changedAt = (at: number) => {
			const changed = trailer.slice();
			changed[at] ^= 1;
			return changed;
		};
		for (const at of [0, 7]) assert.ok(!isTrailer(changedAt(at)), `${at}`);
		for (const at of [8, 39, 40, 71, 72, 103])
			assert.ok(!describesImage(changedAt(at), RULES.projectName, "v0.2.0", digest), `${at}`);
		for (const at of [104, 135]) assert.ok(!namesKey(changedAt(at), bytesOfKey(OWN_KEY)), `${at}`);
		assert.equal(KEY_BYTES, 32);
		assert.ok(namesKey(trailer, bytesOfKey(OWN_KEY)) && !namesKey(trailer, bytesOfKey(OTHER_KEY)));
		assert.deepEqual([signedPart(trailer).message.length, signedPart(trailer).signature.length], [136, 64]);
	});
});
