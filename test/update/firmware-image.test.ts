import assert from "node:assert/strict";
import { createPublicKey, verify } from "node:crypto";
import fc from "fast-check";
import { HEAD_BYTES, ImageProblem, type ImageRules, NO_CLAIMS } from "../../src/update/firmware-image.js";
import { anImage, sha256 } from "../../tools/device/sample-image.js";
import { signImage } from "../../tools/device/sign.mjs";
import { anImageCheck, aSignedImage, bytesOfKey, FakeFirmware, OTHER_KEY, OWN_KEY, RULES } from "../support/update-bench.js";

const { NOT_AN_IMAGE, INCOMPLETE, CUT_OR_FOLLOWED, TOO_LARGE, OTHER_BOARD, DAMAGED, FOLLOWED, UNSIGNED } = ImageProblem;
const TRAILER_BYTES = 200;
const KEYED: ImageRules = { ...RULES, updateKey: bytesOfKey(OWN_KEY) };

interface Outcome {
	readonly problem: string;
	/** Node's opinion of what was to be verified; undefined: nothing was. */
	readonly isSigned: boolean | undefined;
}

/** Hands the bytes over in pieces, until the first problem. */
function outcomeOf(bytes: Uint8Array, rules = RULES, pieceBytes = 4096, claims = NO_CLAIMS): Outcome {
	const image = anImageCheck(rules, claims);
	let problem = "";
	for (let at = 0; at < bytes.length && problem === ""; at += pieceBytes)
		problem = image.write(bytes.subarray(at, at + pieceBytes));
	problem ||= image.end();
	const { signed } = image;
	return { problem, isSigned: signed && verify(null, signed.message, createPublicKey(OWN_KEY), signed.signature) };
}
const problemOf = (...of: Parameters<typeof outcomeOf>): string => outcomeOf(...of).problem;

describe("update/firmware-image", () => {
	it("accepts an image in pieces of any size, however it is cut", () => {
		const image = anImage();
		for (const pieceBytes of [1, 7, 111, 112, 113]) assert.equal(problemOf(image, RULES, pieceBytes), "", `${pieceBytes}`);
		for (let at = 0; at <= image.length; at++) {
			const checked = anImageCheck();
			checked.write(image.subarray(0, at));
			checked.write(image.subarray(at));
			assert.deepEqual([checked.end(), checked.version], ["", "v0.2.0"], `cut at ${at}`);
		}
	});

	it("accepts any number and length of segments, empty ones behind the first", () => {
		for (const segments of [[256], [256, 0, 0], [300, 1, 2, 3], [512, 4, 8, 12], Array(16).fill(300), [257, 0, 0, 7]]) {
			const image = anImage({ segments });
			assert.equal(problemOf(image, RULES, 5), "", String(segments));
			for (const at of [288, 296, 304]) if (at < image.length - 48) assert.equal(problemOf(image.subarray(0, at)), INCOMPLETE);
		}
	});

	it("notices every truncation, and anything after the end", () => {
		const image = anImage({ segments: [256, 20] });
		assert.equal(problemOf(image.subarray(0, 0)), ImageProblem.NO_IMAGE);
		for (let length = 1; length < image.length; length++)
			assert.equal(problemOf(image.subarray(0, length)), length < HEAD_BYTES ? NOT_AN_IMAGE : INCOMPLETE);
		assert.equal(problemOf(Buffer.concat([image, Buffer.alloc(1)])), FOLLOWED);
	});

	it("rejects a wrong image with its first 112 bytes, before it touches the slot", () => {
		const changed = (at: number, value: number) => {
			const image = anImage();
			image[at] = value;
			return image;
		};
		const longVersion = (length: number) => anImage({ version: `v0.2.0-${"a".repeat(length - "v0.2.0-".length)}` });
		const chip = { ...RULES, chipId: 0x0d01 };
		const twoBytes = [0x010d, 0x0101, 0x0d0d, 0x0d00, 0x0001].map((chipId) => [anImage({ chipId }), OTHER_BOARD, chip] as const);
		for (const [image, problem, rules = RULES, claims = NO_CLAIMS] of [
			[anImage(), ""],
			[Buffer.alloc(HEAD_BYTES, "<!doctype html>"), NOT_AN_IMAGE],
			[anImage({ chipId: 9 }), OTHER_BOARD],
			[anImage({ chipId: 0x0d01 }), "", chip],
			...twoBytes,
			[anImage({ projectName: "opencoupling-c6" }), OTHER_BOARD],
			[anImage({ version: "v0.0.9" }), ImageProblem.TOO_OLD],
			[anImage({ version: "v0.1.0-rc.1" }), ImageProblem.TOO_OLD],
			[anImage({ version: "unknown" }), NOT_AN_IMAGE],
			[longVersion(31), ""],
			[longVersion(32), NOT_AN_IMAGE],
			[anImage(), "", { ...RULES, newestVersion: "v0.2.0" }],
			[anImage(), ImageProblem.OLDER, { ...RULES, newestVersion: "v0.2.1" }],
			[anImage({ version: "v0.3.0" }), ImageProblem.OTHER_VERSION, RULES, { ...NO_CLAIMS, version: "v0.2.0" }],
			[anImage({ segments: [255] }), NOT_AN_IMAGE],
			[anImage({ segments: [RULES.maxBytes] }), TOO_LARGE],
			[changed(0, 0xe8), NOT_AN_IMAGE],
			[changed(1, 0), NOT_AN_IMAGE],
			[changed(1, 1), ""],
			[changed(1, 16), ""],
			[changed(1, 17), NOT_AN_IMAGE],
			// no digest, no description
			[changed(23, 0), NOT_AN_IMAGE],
			[changed(32, 0x33), NOT_AN_IMAGE],
		] as const) {
			const firmware = new FakeFirmware();
			const checked = anImageCheck(rules, claims, firmware);
			assert.equal(checked.write(image.subarray(0, HEAD_BYTES - 1)), "");
			assert.equal(checked.write(image.subarray(HEAD_BYTES - 1, HEAD_BYTES)), problem);
			assert.equal(firmware.begun, Number(problem === ""));
		}
	});

	it("rejects an impossible announced size by the head", () => {
		for (const length of [1000, 1006, 1007, 1008, 1015, 1016]) {
			const image = anImage({ segments: [length] });
			const problemOf = (sizeBytes: number, updateKey = RULES.updateKey) =>
				anImageCheck({ ...RULES, updateKey }, { ...NO_CLAIMS, sizeBytes }).write(image.subarray(0, HEAD_BYTES));
			const whole = image.length;
			const { maxBytes } = RULES;
			const key = new Uint8Array(32);
			for (const size of [0, whole, whole + 160, whole + 200, maxBytes, maxBytes + 200])
				assert.equal(problemOf(size), "", `${size}`);
			for (const size of [0, whole + 200, whole + 360]) assert.equal(problemOf(size, key), "", `${size}`);
			const shorter = HEAD_BYTES + (length - 80) + 32;
			for (const size of [1, 111, whole - 16, shorter]) assert.equal(problemOf(size), INCOMPLETE, `${size}`);
			for (const size of [whole + 1, whole + 8, whole + 184, whole + 199, whole + 201, whole + 250, whole + 300])
				assert.equal(problemOf(size), CUT_OR_FOLLOWED, `${size}`);
			if (shorter < whole - 1) assert.equal(problemOf(whole - 1), CUT_OR_FOLLOWED);
			for (const size of [whole, whole + 192]) assert.equal(problemOf(size, key), UNSIGNED, `${size}`);
			assert.equal(problemOf(whole, new Uint8Array(1)), UNSIGNED);
			assert.equal(problemOf(whole + 199, key), CUT_OR_FOLLOWED);
			for (const size of [maxBytes + 16, maxBytes + 216]) assert.equal(problemOf(size), TOO_LARGE, `${size}`);
		}
	});

	it("rejects an image that does not fit with its digest", () => {
		const most = RULES.maxBytes - 24 - 8 - 16 - 32;
		for (const [segments, problem] of [
			[[most], ""],
			[[most + 1], TOO_LARGE],
			[[300, most - 308], ""],
			[[300, most - 307], TOO_LARGE],
		] as const)
			assert.equal(problemOf(anImage({ segments })), problem, String(segments));
	});

	it("touches the slot with the last byte of the head, and stores all bytes but the trailer in their order", () => {
		const image = anImage();
		const signed = aSignedImage();
		for (const pieceBytes of [1, 50, HEAD_BYTES - 1, HEAD_BYTES, HEAD_BYTES + 1, signed.length]) {
			const firmware = new FakeFirmware();
			const checked = anImageCheck(KEYED, NO_CLAIMS, firmware);
			for (let at = 0; at < signed.length; at += pieceBytes) {
				const end = Math.min(at + pieceBytes, signed.length);
				assert.equal(checked.write(signed.subarray(at, end)), "");
				assert.equal(firmware.begun, Number(end >= HEAD_BYTES), `${end} bytes have come`);
				assert.deepEqual(firmware.slot, end < HEAD_BYTES ? Buffer.alloc(0) : image.subarray(0, end));
			}
			assert.deepEqual([checked.end(), checked.activate(), firmware.activated], ["", "", true]);
		}
	});

	it("rejects an image of another size or digest than announced", () => {
		const image = anImage();
		const claims = { version: "v0.2.0", sizeBytes: image.length, sha256: sha256(image) };
		assert.equal(problemOf(image, RULES, 64, claims), "");
		assert.equal(problemOf(image, RULES, 64, { ...claims, sizeBytes: image.length + 16 }), DAMAGED);
		assert.equal(problemOf(image, RULES, 64, { ...claims, sha256: sha256(Buffer.from("another")) }), DAMAGED);
	});
});

const OPTIONS = { segments: [256, 20] };
const SIGNED = aSignedImage(OPTIONS);
const IMAGE = anImage(OPTIONS);
const TRAILER = SIGNED.subarray(-TRAILER_BYTES);
/** True if a controller with the key would start it. */
const isTaken = (bytes: Uint8Array, pieceBytes = 64): boolean => {
	const { problem, isSigned } = outcomeOf(bytes, KEYED, pieceBytes);
	return problem === "" && isSigned === true;
};

describe("update/firmware-image: its trailer", () => {
	it("is accepted however it is cut", () => {
		for (const pieceBytes of [1, 7, 112, 199, 200, 201, 4096]) assert.ok(isTaken(SIGNED, pieceBytes), `${pieceBytes}`);
		assert.equal(SIGNED.length, IMAGE.length + TRAILER_BYTES);
	});

	it("is rejected with any bit of image or trailer flipped, and truncated", () => {
		for (let i = 0; i < SIGNED.length; i++) {
			const flipped = Buffer.from(SIGNED);
			flipped[i] ^= 1 << (i & 7);
			assert.equal(isTaken(flipped), false, `byte ${i}`);
			assert.equal(isTaken(SIGNED.subarray(0, i)), false, `${i}`);
			if (i > IMAGE.length) assert.equal(problemOf(SIGNED.subarray(0, i), KEYED), INCOMPLETE);
		}
	});

	it("is rejected with another image, version, board or key, with or without a key; so are other bytes behind the image", () => {
		const identity = { projectName: RULES.projectName, version: "v0.2.0" };
		const otherImage = Buffer.concat([anImage({ segments: [256, 24] }), TRAILER]);
		const almost = Buffer.from(SIGNED);
		almost[IMAGE.length + 104 + 31] ^= 1;
		for (const [bytes, problem, withoutKey] of [
			[SIGNED, "", ""],
			[IMAGE, UNSIGNED, ""],
			[otherImage, ImageProblem.WRONG_SIGNATURE, ImageProblem.WRONG_SIGNATURE],
			[signImage(IMAGE, { ...identity, version: "v0.3.0" }, OWN_KEY), ImageProblem.WRONG_SIGNATURE, ImageProblem.WRONG_SIGNATURE],
			[
				signImage(IMAGE, { ...identity, projectName: "other" }, OWN_KEY),
				ImageProblem.WRONG_SIGNATURE,
				ImageProblem.WRONG_SIGNATURE,
			],
			[signImage(IMAGE, identity, OTHER_KEY), ImageProblem.OTHER_KEY, ""],
			[almost, ImageProblem.OTHER_KEY, ""],
			[SIGNED.subarray(0, -1), INCOMPLETE, INCOMPLETE],
			[Buffer.concat([SIGNED, Buffer.alloc(1)]), FOLLOWED, FOLLOWED],
			[Buffer.concat([SIGNED, TRAILER]), FOLLOWED, FOLLOWED],
			[Buffer.concat([IMAGE, Buffer.alloc(TRAILER_BYTES)]), FOLLOWED, FOLLOWED],
			[Buffer.concat([IMAGE, Buffer.alloc(TRAILER_BYTES - 1)]), FOLLOWED, FOLLOWED],
			[Buffer.concat([IMAGE, Buffer.from("OCSIGNEX")]), FOLLOWED, FOLLOWED],
			[Buffer.concat([IMAGE, Buffer.from("OCSIGNED-")]), INCOMPLETE, INCOMPLETE],
		] as const) {
			assert.equal(problemOf(bytes, KEYED), problem);
			assert.equal(problemOf(bytes, RULES), withoutKey);
		}
		const pretended = signImage(IMAGE, identity, OTHER_KEY);
		Buffer.from(bytesOfKey(OWN_KEY)).copy(pretended, IMAGE.length + 104);
		assert.deepEqual(outcomeOf(pretended, KEYED), { problem: "", isSigned: false });
		assert.equal(outcomeOf(SIGNED, RULES).isSigned, undefined);
	});

	it("rejects every image if the key has 1, 31 or 33 bytes", () => {
		for (const length of [1, 31, 33])
			for (const image of [IMAGE, SIGNED]) assert.notEqual(problemOf(image, { ...RULES, updateKey: new Uint8Array(length) }), "");
	});

	it("rejects unsigned bytes behind an image, and never throws", () => {
		const tail = fc.oneof(
			fc.uint8Array({ maxLength: 450 }),
			fc.uint8Array({ minLength: 192, maxLength: 192 }).map((rest) => Buffer.concat([Buffer.from("OCSIGNED"), rest])),
			fc.tuple(fc.nat(TRAILER_BYTES - 1), fc.nat(255)).map(([at, value]) => {
				const trailer = Buffer.from(TRAILER);
				trailer[at] = value;
				return trailer;
			}),
		);
		fc.assert(
			fc.property(tail, fc.integer({ min: 1, max: 300 }), (bytes, pieceBytes) => {
				const file = Buffer.concat([IMAGE, bytes]);
				assert.equal(isTaken(file, pieceBytes), file.equals(SIGNED));
			}),
			{ numRuns: 500, seed: 14 },
		);
	});
});
