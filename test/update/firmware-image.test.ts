import assert from "node:assert/strict";
import { FirmwareImage, IMAGE_PROBLEM, type ImageClaims, NO_CLAIMS } from "../../src/update/firmware-image.js";
import { aDigest, anImage, type ImageOptions, RULES, sha256 } from "../support/update-bench.js";

/** What is wrong with the bytes, handed over in pieces. */
function check(bytes: Uint8Array, pieceBytes = 4096, claims: ImageClaims = NO_CLAIMS): string {
	const image = new FirmwareImage(RULES, claims, aDigest);
	for (let at = 0; at < bytes.length; at += pieceBytes) {
		const problem = image.write(bytes.subarray(at, at + pieceBytes));
		if (problem !== "") return problem;
	}
	return image.end();
}

describe("update/firmware-image", () => {
	it("takes an image however it is cut", () => {
		const image = anImage();
		for (const pieceBytes of [1, 2, 3, 7, 8, 24, 31, 32, 33, 100, 112, 113, 4096]) assert.equal(check(image, pieceBytes), "");
		for (let at = 0; at <= image.length; at++) {
			const checked = new FirmwareImage(RULES, NO_CLAIMS, aDigest);
			checked.write(image.subarray(0, at));
			checked.write(image.subarray(at));
			assert.deepEqual([checked.end(), checked.version, checked.sizeBytes], ["", "v0.2.0", image.length], `cut at ${at}`);
		}
	});

	it("takes any number and length of segments", () => {
		for (const segments of [[256], [256, 0], [300, 1, 2, 3], [512, 4, 8, 12], Array(16).fill(300), [257, 0, 0, 7]])
			assert.equal(check(anImage({ segments }), 5), "", String(segments));
	});

	it("notices every flipped byte", () => {
		const image = anImage({ segments: [256, 20] });
		for (let i = 0; i < image.length; i++) {
			const flipped = Buffer.from(image);
			flipped[i] ^= 1 << (i & 7);
			assert.notEqual(check(flipped, 64), "", `byte ${i}`);
		}
	});

	it("notices every truncation, and anything after the end", () => {
		const image = anImage({ segments: [256, 20] });
		assert.equal(check(image.subarray(0, 0)), IMAGE_PROBLEM.NO_IMAGE);
		for (let length = 1; length < image.length; length++)
			assert.equal(check(image.subarray(0, length)), length < 24 ? IMAGE_PROBLEM.NOT_AN_IMAGE : IMAGE_PROBLEM.INCOMPLETE);
		assert.equal(check(Buffer.concat([image, Buffer.alloc(1)])), IMAGE_PROBLEM.INCOMPLETE);
	});

	it("tells what is wrong as early as it can be known", () => {
		const head = (options: ImageOptions) => anImage(options).subarray(0, 112);
		const write = (bytes: Uint8Array, claims = NO_CLAIMS) => new FirmwareImage(RULES, claims, aDigest).write(bytes);
		assert.equal(write(head({})), "");
		assert.equal(write(head({ chipId: 9 })), IMAGE_PROBLEM.OTHER_BOARD);
		assert.equal(write(head({ projectName: "opencoupling-c6" })), IMAGE_PROBLEM.OTHER_BOARD);
		assert.equal(write(head({ version: "v0.0.9" })), IMAGE_PROBLEM.TOO_OLD);
		assert.equal(write(head({ version: "v0.1.0-rc.1" })), IMAGE_PROBLEM.TOO_OLD);
		assert.equal(write(head({ version: "unknown" })), IMAGE_PROBLEM.NOT_AN_IMAGE);
		assert.equal(write(head({ version: "v0.3.0" }), { ...NO_CLAIMS, version: "v0.2.0" }), IMAGE_PROBLEM.OTHER_VERSION);
		assert.equal(write(head({ segments: [255] })), IMAGE_PROBLEM.NOT_AN_IMAGE);
		assert.equal(write(head({ segments: [RULES.maxBytes] })), IMAGE_PROBLEM.TOO_LARGE);
		assert.equal(write(Buffer.from("<!doctype html><html><body>404")), IMAGE_PROBLEM.NOT_AN_IMAGE);
		const unhashed = Buffer.from(head({}));
		unhashed[23] = 0;
		assert.equal(write(unhashed), IMAGE_PROBLEM.NOT_AN_IMAGE);
		const undescribed = Buffer.from(head({}));
		undescribed[32] ^= 1;
		assert.equal(write(undescribed), IMAGE_PROBLEM.NOT_AN_IMAGE);
	});

	it("tells from its head whether what was said of its size can be right", () => {
		const head = anImage({ segments: [1000] }).subarray(0, 112);
		const problemOf = (sizeBytes: number, updateKey = RULES.updateKey) =>
			new FirmwareImage({ ...RULES, updateKey }, { ...NO_CLAIMS, sizeBytes }, aDigest).write(head);
		const key = new Uint8Array(32);
		const whole = anImage({ segments: [1000] }).length;
		assert.deepEqual(
			[0, whole, whole + 160, whole + 200].map((size) => problemOf(size)),
			["", "", "", ""],
		);
		assert.deepEqual(
			[0, whole + 200, whole + 360].map((size) => problemOf(size, key)),
			["", "", ""],
		);
		for (const size of [1, 111, whole - 16, whole - 1, whole + 1, whole + 184, whole + 199, whole + 201])
			assert.equal(problemOf(size), IMAGE_PROBLEM.INCOMPLETE, `${size}`);
		for (const size of [whole, whole + 192]) assert.equal(problemOf(size, key), IMAGE_PROBLEM.UNSIGNED, `${size}`);
		assert.equal(problemOf(whole + 199, key), IMAGE_PROBLEM.INCOMPLETE);
		const { maxBytes } = RULES;
		assert.deepEqual(
			[maxBytes, maxBytes + 200].map((size) => problemOf(size)),
			["", ""],
		);
		for (const size of [maxBytes + 16, maxBytes + 216]) assert.equal(problemOf(size), IMAGE_PROBLEM.TOO_LARGE, `${size}`);
	});

	it("refuses an image that does not fit with its digest", () => {
		const most = RULES.maxBytes - 24 - 8 - 16 - 32;
		assert.equal(check(anImage({ segments: [most] })), "");
		assert.equal(check(anImage({ segments: [most + 1] })), IMAGE_PROBLEM.TOO_LARGE);
	});

	it("holds it against what was said about it", () => {
		const image = anImage();
		const claims = { version: "v0.2.0", sizeBytes: image.length, sha256: sha256(image) };
		assert.equal(check(image, 64, claims), "");
		assert.equal(check(image, 64, { ...claims, sizeBytes: image.length + 16 }), IMAGE_PROBLEM.DAMAGED);
		assert.equal(check(image, 64, { ...claims, sha256: sha256(Buffer.from("another")) }), IMAGE_PROBLEM.DAMAGED);
	});
});
