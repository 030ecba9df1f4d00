import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { anImage } from "../../support/update-bench.js";
import { makeFlash, runScript } from "./host-program.js";

/** A script that writes an image, given as hexadecimal digits in pieces of `pieceBytes`, to the slot. */
const writes = (image: Uint8Array, then: string, pieceBytes = 700) => `
	import { firmware } from "../../hal/io/board.js";
	const digits = "${Buffer.from(image).toString("hex")}";
	const image = new Uint8Array(digits.length / 2);
	for (let i = 0; i < image.length; i++) image[i] = Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16);
	try {
		const update = firmware.begin();
		for (let at = 0; at < image.length; at += ${pieceBytes}) update.write(image.subarray(at, at + ${pieceBytes}));
		${then}
	} catch (error) {
		print((error as Error).message);
	}
`;
const STATE = `
	import { firmware, firmwareVersion } from "../../hal/io/board.js";
	print(firmwareVersion() + " " + firmware.pendingVerify + " " + firmware.rolledBack);
`;
const CONFIRM = `import { firmware } from "../../hal/io/board.js"; firmware.confirm(); print(String(firmware.pendingVerify));`;

const IMAGE = anImage({ version: "v0.2.0" });

async function state(flash: string): Promise<string> {
	return (await runScript(STATE, "--flash", flash)).lines[0];
}

describe("hal/host update", () => {
	it("starts a new image, keeps it once it is confirmed, and goes back if it is not", async () => {
		const flash = makeFlash();
		assert.equal(await state(flash), " false false");
		assert.ok(!existsSync(join(flash, "partitions")), "looking leaves nothing behind");
		assert.deepEqual((await runScript(writes(IMAGE, 'update.complete(); print("done");'), "--flash", flash)).lines, ["done"]);
		assert.equal(await state(flash), "v0.2.0 true false");
		assert.match(await state(flash), /^bootloader/);
		assert.equal(await state(flash), " false true");
		await runScript(writes(IMAGE, "update.complete();"), "--flash", flash);
		assert.deepEqual((await runScript(CONFIRM, "--flash", flash)).lines, ["false"]);
		for (let i = 0; i < 3; i++) assert.equal(await state(flash), "v0.2.0 false false");
		const next = anImage({ version: "v0.3.0" });
		await runScript(writes(next, "update.complete();"), "--flash", flash);
		assert.equal(await state(flash), "v0.3.0 true false");
		assert.deepEqual(readFileSync(join(flash, "partitions/ota_0")), next);
		assert.deepEqual(readFileSync(join(flash, "partitions/ota_1")), IMAGE);
	});

	it("rejects an image with a wrong bit, with a byte too few or too many, and one larger than the slot", async () => {
		const flipped = Buffer.from(IMAGE);
		flipped[700] ^= 1;
		for (const image of [
			flipped,
			IMAGE.subarray(0, -1),
			Buffer.concat([IMAGE, Buffer.alloc(1)]),
			Buffer.alloc(2000),
			Buffer.alloc(1),
		]) {
			const flash = makeFlash();
			assert.deepEqual((await runScript(writes(image, "update.complete();"), "--flash", flash)).lines, ["end failed"]);
			assert.equal(await state(flash), " false false");
		}
		const large = writes(IMAGE, "for (;;) update.write(new Uint8Array(65536));");
		assert.deepEqual((await runScript(large)).lines, ["write failed"]);
	});

	it("drops what was not completed, and writes one image at a time", async () => {
		const flash = makeFlash();
		const { lines } = await runScript(
			writes(
				IMAGE,
				`
				try { firmware.begin(); } catch (error) { print((error as Error).message); }
				update.close();
				update.close();
				try { update.write(image); } catch (error) { print((error as Error).message); }
				firmware.begin().close();
				`,
			),
			"--flash",
			flash,
		);
		assert.deepEqual(lines, ["begin failed", "already complete"]);
		assert.equal(await state(flash), " false false");
	});

	it("starts one of the two images after a power cut while the bootloader chooses", async () => {
		for (let n = 1; n <= 4; n++) {
			const flash = makeFlash();
			await runScript(writes(IMAGE, "update.complete();"), "--flash", flash);
			assert.equal((await runScript(STATE, "--flash", flash, "--fault", `power-cut=${n}`)).code, 9);
			assert.match((await runScript(STATE, "--flash", flash)).lines.at(-1) ?? "", /^(v0\.2\.0 true false| false true)$/);
		}
	});
});
