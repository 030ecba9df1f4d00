/** What reaches the slot, and when. */
import assert from "node:assert/strict";
import { HEAD_BYTES, IMAGE_PROBLEM, NO_CLAIMS } from "../../src/update/firmware-image.js";
import { ImageInstaller, SLOT_FAILED } from "../../src/update/image-installer.js";
import { aDigest, anImage, aSignedImage, bytesOfKey, FakeFirmware, OWN_KEY, RULES } from "../support/update-bench.js";

const IMAGE = anImage();

/** An installer that has begun, and its slots. */
function begun(rules = RULES) {
	const firmware = new FakeFirmware();
	const log: string[] = [];
	const installer = new ImageInstaller(firmware, aDigest, (message) => log.push(message));
	installer.begin(rules, NO_CLAIMS);
	return { installer, firmware, log };
}

describe("update/image-installer", () => {
	it("touches the slot with the last byte of the head, and stores all bytes in their order", () => {
		for (const pieceBytes of [1, 50, HEAD_BYTES - 1, HEAD_BYTES, HEAD_BYTES + 1, IMAGE.length]) {
			const { installer, firmware } = begun();
			for (let at = 0; at < IMAGE.length; at += pieceBytes) {
				const end = Math.min(at + pieceBytes, IMAGE.length);
				assert.equal(installer.write(IMAGE, at, end), "");
				assert.equal(firmware.begun, Number(end >= HEAD_BYTES), `${end} bytes have come`);
				assert.deepEqual(firmware.slot, end < HEAD_BYTES ? Buffer.alloc(0) : IMAGE.subarray(0, end));
			}
			assert.deepEqual([installer.version, installer.end(), installer.activate()], ["v0.2.0", "", ""]);
			assert.deepEqual([firmware.activated, firmware.slot.equals(IMAGE)], [true, true]);
		}
	});

	it("stores an image without its trailer, and writes nothing where only that comes", () => {
		const { installer, firmware } = begun({ ...RULES, updateKey: bytesOfKey(OWN_KEY) });
		const signed = aSignedImage();
		for (let at = 0; at < signed.length; at += 16)
			assert.equal(installer.write(signed, at, Math.min(at + 16, signed.length)), "");
		assert.equal(installer.end(), "");
		assert.deepEqual(firmware.slot, IMAGE);
		assert.equal(installer.signed?.message.length, 136);
	});

	it("looks at an image that ends within its head", () => {
		for (const [length, problem] of [
			[0, IMAGE_PROBLEM.NO_IMAGE],
			[1, IMAGE_PROBLEM.NOT_AN_IMAGE],
			[23, IMAGE_PROBLEM.NOT_AN_IMAGE],
			[24, IMAGE_PROBLEM.INCOMPLETE],
			[HEAD_BYTES - 1, IMAGE_PROBLEM.INCOMPLETE],
		] as const) {
			const { installer, firmware } = begun();
			installer.write(IMAGE, 0, length);
			assert.deepEqual([installer.end(), firmware.begun], [problem, 0], `${length}`);
		}
	});

	it("takes nothing before it has begun, and nothing of the image before once it begins again", () => {
		const { installer, firmware } = begun();
		installer.write(IMAGE, 0, 700);
		installer.abort();
		assert.deepEqual([installer.write(IMAGE, 700, 800), installer.end(), installer.version], [SLOT_FAILED, SLOT_FAILED, ""]);
		installer.begin(RULES, NO_CLAIMS);
		installer.write(IMAGE, 0, 50);
		installer.begin(RULES, NO_CLAIMS);
		assert.deepEqual([installer.write(IMAGE, 0, IMAGE.length), installer.end()], ["", ""]);
		assert.deepEqual(firmware.slot, IMAGE);
	});
});
