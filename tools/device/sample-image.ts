/** Images of a firmware that does not exist, to feed an updater with. */
import { createHash } from "node:crypto";

export interface ImageOptions {
	readonly version?: string;
	readonly projectName?: string;
	readonly chipId?: number;
	/** Data bytes of each segment. */
	readonly segments?: readonly number[];
}

/** An ESP-IDF application image, as its tools make it. */
export function anImage(options: ImageOptions = {}): Buffer {
	const { version = "v0.2.0", projectName = "opencoupling-host", chipId = 0xffff, segments = [600, 40, 1000] } = options;
	const header = Buffer.alloc(24);
	header.set([0xe9, segments.length]);
	header.writeUInt16LE(chipId, 12);
	header[23] = 1;
	let checksum = 0xef;
	const parts = segments.flatMap((length, i) => {
		const data = Buffer.from(Array.from({ length }, (_, k) => (k * 7 + i * 13 + (k >> 3)) & 0xff));
		if (i === 0) {
			data.fill(0, 0, Math.min(length, 256));
			data.writeUInt32LE(0xabcd5432, 0);
			data.write(version, 16);
			data.write(projectName, 48);
		}
		for (const byte of data) checksum ^= byte;
		const head = Buffer.alloc(8);
		head.writeUInt32LE(0x4200_0000 + i * 0x10000, 0);
		head.writeUInt32LE(length, 4);
		return [head, data];
	});
	const body = Buffer.concat([header, ...parts]);
	const padding = Buffer.alloc(16 - (body.length % 16));
	padding[padding.length - 1] = checksum;
	const image = Buffer.concat([body, padding]);
	return Buffer.concat([image, createHash("sha256").update(image).digest()]);
}

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
