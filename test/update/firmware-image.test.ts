import assert from "node:assert/strict";
import { createPublicKey, verify } from "node:crypto";
import fc from "fast-check";
import { HEAD_BYTES, IMAGE_PROBLEM, type ImageClaims, type ImageRules, NO_CLAIMS } from "../../src/update/firmware-image.js";
import { signImage } from "../../tools/device/sign.mjs";
import {
	anImage,
	anImageCheck,
	aSignedImage,
	bytesOfKey,
	FakeFirmware,
	type ImageOptions,
	OTHER_KEY,
	OWN_KEY,
	RULES,
	sha256,
} from "../support/update-bench.js";

/** What is wrong with the bytes, handed over in pieces. */
function check(bytes: Uint8Array, pieceBytes = 4096, claims: ImageClaims = NO_CLAIMS): string {
	const image = anImageCheck(RULES, claims);
	for (let at = 0; at < bytes.length; at += pieceBytes) {
		const problem = image.write(bytes.subarray(at, at + pieceBytes));
		if (problem !== "") return problem;
	}
	return image.end();
}

describe("update/firmware-image", () => {
	it("accepts an image in pieces of any size", () => {
		const image = anImage();
		for (const pieceBytes of [1, 2, 3, 7, 8, 24, 31, 32, 33, 100, 112, 113, 4096]) assert.equal(check(image, pieceBytes), "");
		for (let at = 0; at <= image.length; at++) {
			const checked = anImageCheck();
			checked.write(image.subarray(0, at));
			checked.write(image.subarray(at));
			assert.deepEqual([checked.end(), checked.version, checked.sizeBytes], ["", "v0.2.0", image.length], `cut at ${at}`);
		}
	});

	it("accepts any number and length of segments", () => {
		for (const segments of [[256], [256, 0], [300, 1, 2, 3], [512, 4, 8, 12], Array(16).fill(300), [257, 0, 0, 7]])
			assert.equal(check(anImage({ segments }), 5), "", String(segments));
	});

	it("notices every truncation, and anything after the end", () => {
		const image = anImage({ segments: [256, 20] });
		assert.equal(check(image.subarray(0, 0)), IMAGE_PROBLEM.NO_IMAGE);
		for (let length = 1; length < image.length; length++)
			assert.equal(check(image.subarray(0, length)), length < 24 ? IMAGE_PROBLEM.NOT_AN_IMAGE : IMAGE_PROBLEM.INCOMPLETE);
		assert.equal(check(Buffer.concat([image, Buffer.alloc(1)])), IMAGE_PROBLEM.INCOMPLETE);
	});

	it("rejects a wrong image with its first 112 bytes", () => {
		const head = (options: ImageOptions) => anImage(options).subarray(0, 112);
		const write = (bytes: Uint8Array, claims = NO_CLAIMS) => anImageCheck(RULES, claims).write(bytes);
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

	it("knows nothing before the first byte, and all that it is asked for with the last one of its head", () => {
		const image = anImageCheck();
		const known = () => [image.version, image.projectName, image.sizeBytes, image.imageBytes, image.signed];
		assert.deepEqual(known(), ["", "", 0, 0, undefined]);
		const bytes = anImage();
		image.write(bytes.subarray(0, HEAD_BYTES - 1));
		assert.deepEqual(known(), ["", "", HEAD_BYTES - 1, HEAD_BYTES - 1, undefined]);
		image.write(bytes.subarray(HEAD_BYTES - 1, HEAD_BYTES));
		assert.deepEqual(known(), ["v0.2.0", RULES.projectName, HEAD_BYTES, HEAD_BYTES, undefined]);
	});

	it("accepts 1 to 16 segments with the magic number, and rejects others", () => {
		const withHeader = (at: number, value: number) => {
			const head = anImage().subarray(0, HEAD_BYTES);
			head[at] = value;
			return anImageCheck().write(head);
		};
		for (const [at, value, problem] of [
			[0, 0xe9, ""],
			[0, 0xe8, IMAGE_PROBLEM.NOT_AN_IMAGE],
			[1, 0, IMAGE_PROBLEM.NOT_AN_IMAGE],
			[1, 1, ""],
			[1, 16, ""],
			[1, 17, IMAGE_PROBLEM.NOT_AN_IMAGE],
		] as const)
			assert.equal(withHeader(at, value), problem, `${value} at ${at}`);
	});

	it("knows a chip by both bytes of its number", () => {
		const problemOf = (chipId: number) => anImageCheck({ ...RULES, chipId: 0x0d01 }).write(anImage({ chipId }).subarray(0, 24));
		assert.equal(problemOf(0x0d01), "");
		for (const other of [0x010d, 0x0101, 0x0d0d, 0x0d00, 0x0001]) assert.equal(problemOf(other), IMAGE_PROBLEM.OTHER_BOARD);
	});

	it("accepts texts of 31 characters, and rejects a text without its final 0", () => {
		const problemOf = (version: string) => anImageCheck().write(anImage({ version }).subarray(0, HEAD_BYTES));
		const ofLength = (length: number) => `v0.2.0-${"a".repeat(length - "v0.2.0-".length)}`;
		assert.deepEqual(
			[31, 32].map((length) => problemOf(ofLength(length))),
			["", IMAGE_PROBLEM.NOT_AN_IMAGE],
		);
	});

	it("accepts empty segments behind the first one, and rejects a file that ends there", () => {
		const image = anImage({ segments: [256, 0, 0] });
		const header = 24 + 8 + 256;
		for (const at of [header, header + 8, header + 16]) {
			const cut = anImageCheck();
			cut.write(image.subarray(0, at));
			assert.equal(cut.end(), IMAGE_PROBLEM.INCOMPLETE);
			assert.equal(check(image, at), "");
		}
	});

	it("rejects an impossible announced size by the head", () => {
		const head = anImage({ segments: [1000] }).subarray(0, 112);
		const problemOf = (sizeBytes: number, updateKey = RULES.updateKey) =>
			anImageCheck({ ...RULES, updateKey }, { ...NO_CLAIMS, sizeBytes }).write(head);
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

	it("rejects an announced size without space for the digest, however the last line is filled", () => {
		for (const length of [1000, 1006, 1007, 1008, 1015, 1016]) {
			const image = anImage({ segments: [length] });
			const problemOf = (sizeBytes: number) =>
				anImageCheck(RULES, { ...NO_CLAIMS, sizeBytes }).write(image.subarray(0, HEAD_BYTES));
			assert.deepEqual([image.length - 16, image.length].map(problemOf), [IMAGE_PROBLEM.INCOMPLETE, ""], `${length}`);
		}
		const oneByteKey = { ...RULES, updateKey: new Uint8Array(1) };
		const unsigned = anImageCheck(oneByteKey, { ...NO_CLAIMS, sizeBytes: 2000 });
		assert.equal(unsigned.write(anImage().subarray(0, HEAD_BYTES)), IMAGE_PROBLEM.UNSIGNED);
	});

	it("rejects an image that does not fit with its digest, by its first segment already", () => {
		const most = RULES.maxBytes - 24 - 8 - 16 - 32;
		assert.equal(check(anImage({ segments: [most] })), "");
		assert.equal(check(anImage({ segments: [most + 1] })), IMAGE_PROBLEM.TOO_LARGE);
		const first = anImage({ segments: [most + 1] }).subarray(0, 32);
		assert.equal(anImageCheck().write(first), IMAGE_PROBLEM.TOO_LARGE);
		assert.equal(check(anImage({ segments: [300, most - 308] })), "");
		assert.equal(check(anImage({ segments: [300, most - 307] })), IMAGE_PROBLEM.TOO_LARGE);
	});

	it("touches the slot with the last byte of the head, and stores all bytes in their order", () => {
		const image = anImage();
		for (const pieceBytes of [1, 50, HEAD_BYTES - 1, HEAD_BYTES, HEAD_BYTES + 1, image.length]) {
			const firmware = new FakeFirmware();
			const checked = anImageCheck(RULES, NO_CLAIMS, firmware);
			for (let at = 0; at < image.length; at += pieceBytes) {
				const end = Math.min(at + pieceBytes, image.length);
				assert.equal(checked.write(image.subarray(at, end)), "");
				assert.equal(firmware.begun, Number(end >= HEAD_BYTES), `${end} bytes have come`);
				assert.deepEqual(firmware.slot, end < HEAD_BYTES ? Buffer.alloc(0) : image.subarray(0, end));
			}
			assert.deepEqual([checked.end(), checked.activate(), firmware.activated], ["", "", true]);
		}
	});

	it("rejects an image of another size or digest than announced", () => {
		const image = anImage();
		const claims = { version: "v0.2.0", sizeBytes: image.length, sha256: sha256(image) };
		assert.equal(check(image, 64, claims), "");
		assert.equal(check(image, 64, { ...claims, sizeBytes: image.length + 16 }), IMAGE_PROBLEM.DAMAGED);
		assert.equal(check(image, 64, { ...claims, sha256: sha256(Buffer.from("another")) }), IMAGE_PROBLEM.DAMAGED);
	});
});

const TRAILER_BYTES = 200;
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

function checkSigned(bytes: Uint8Array, rules = KEYED, pieceBytes = 4096): Outcome {
	const image = anImageCheck(rules);
	for (let at = 0; at < bytes.length; at += pieceBytes) image.write(bytes.subarray(at, at + pieceBytes));
	const problem = image.end();
	const { imageBytes, signed } = image;
	const isSigned = signed && verify(null, signed.message, createPublicKey(OWN_KEY), signed.signature);
	return { problem, imageBytes, isSigned };
}

/** True if a controller with the key would start it. */
const isTaken = ({ problem, isSigned }: Outcome): boolean => problem === "" && isSigned === true;

describe("update/firmware-image: its trailer", () => {
	it("is taken however it is cut, and is not counted as image", () => {
		for (const pieceBytes of [1, 7, 32, 100, 112, 199, 200, 201, 4096])
			assert.deepEqual(
				checkSigned(SIGNED, KEYED, pieceBytes),
				{ problem: "", imageBytes: IMAGE.length, isSigned: true },
				`${pieceBytes}`,
			);
		assert.equal(SIGNED.length, IMAGE.length + TRAILER_BYTES);
	});

	it("is not stored, and nothing is written where only that comes", () => {
		const firmware = new FakeFirmware();
		const image = anImageCheck(KEYED, NO_CLAIMS, firmware);
		for (let at = 0; at < SIGNED.length; at += 16) assert.equal(image.write(SIGNED.subarray(at, at + 16)), "");
		assert.deepEqual([image.end(), firmware.slot], ["", IMAGE]);
	});

	it("is not taken with any bit of image or trailer flipped", () => {
		for (let i = 0; i < SIGNED.length; i++) {
			const flipped = Buffer.from(SIGNED);
			flipped[i] ^= 1 << (i & 7);
			assert.equal(isTaken(checkSigned(flipped, KEYED, 64)), false, `byte ${i}`);
		}
	});

	it("is not taken truncated, or with bytes behind its end", () => {
		for (let length = 0; length < SIGNED.length; length++) {
			const outcome = checkSigned(SIGNED.subarray(0, length), KEYED, 64);
			assert.equal(isTaken(outcome), false, `${length}`);
			if (length > IMAGE.length) assert.equal(outcome.problem, IMAGE_PROBLEM.INCOMPLETE);
		}
		assert.equal(checkSigned(IMAGE).problem, IMAGE_PROBLEM.UNSIGNED);
		assert.equal(checkSigned(Buffer.concat([SIGNED, Buffer.alloc(1)])).problem, IMAGE_PROBLEM.NOT_AN_IMAGE);
		assert.equal(checkSigned(Buffer.concat([SIGNED, SIGNED.subarray(-TRAILER_BYTES)])).problem, IMAGE_PROBLEM.NOT_AN_IMAGE);
		assert.equal(checkSigned(Buffer.concat([IMAGE, Buffer.alloc(TRAILER_BYTES)])).problem, IMAGE_PROBLEM.NOT_AN_IMAGE);
	});

	it("is rejected with another image, version, board or key", () => {
		const trailer = SIGNED.subarray(-TRAILER_BYTES);
		const identity = { projectName: RULES.projectName, version: "v0.2.0" };
		const other = anImage({ segments: [256, 24] });
		assert.equal(checkSigned(Buffer.concat([other, trailer])).problem, IMAGE_PROBLEM.WRONG_SIGNATURE);
		const wrong = [
			{ ...identity, version: "v0.3.0" },
			{ ...identity, projectName: "opencoupling-c6" },
		];
		for (const changed of wrong)
			assert.equal(checkSigned(signImage(IMAGE, changed, OWN_KEY)).problem, IMAGE_PROBLEM.WRONG_SIGNATURE);
		assert.equal(checkSigned(signImage(IMAGE, identity, OTHER_KEY)).problem, IMAGE_PROBLEM.OTHER_KEY);
		const almost = Buffer.from(SIGNED);
		almost[IMAGE.length + 104 + 31] ^= 1;
		assert.equal(checkSigned(almost).problem, IMAGE_PROBLEM.OTHER_KEY);
		const pretended = signImage(IMAGE, identity, OTHER_KEY);
		Buffer.from(bytesOfKey(OWN_KEY)).copy(pretended, IMAGE.length + 104);
		assert.deepEqual(checkSigned(pretended), { problem: "", imageBytes: IMAGE.length, isSigned: false });
	});

	it("must fit the image without a key, too", () => {
		assert.deepEqual(checkSigned(SIGNED, RULES), { problem: "", imageBytes: IMAGE.length, isSigned: undefined });
		assert.equal(checkSigned(IMAGE, RULES).problem, "");
		assert.equal(checkSigned(SIGNED.subarray(0, -1), RULES).problem, IMAGE_PROBLEM.INCOMPLETE);
		const other = anImage({ segments: [256, 24] });
		assert.equal(
			checkSigned(Buffer.concat([other, SIGNED.subarray(-TRAILER_BYTES)]), RULES).problem,
			IMAGE_PROBLEM.WRONG_SIGNATURE,
		);
	});

	it("rejects every image if the key has 1, 31 or 33 bytes", () => {
		for (const length of [1, 31, 33])
			for (const image of [IMAGE, SIGNED])
				assert.notEqual(checkSigned(image, { ...RULES, updateKey: new Uint8Array(length) }).problem, "", `${length}`);
	});

	it("rejects unsigned bytes behind an image, and never throws", () => {
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
				assert.equal(isTaken(checkSigned(file, KEYED, pieceBytes)), file.equals(SIGNED));
			}),
			{ numRuns: 500, seed: 14 },
		);
	});
});
