/** The update manifest as it comes in. */

import type { Download } from "../../hal/update-port.js";
import { MANIFEST_BYTES_MAX, type Manifest, readManifest } from "./manifest.js";

const HTTP_OK = 200;

/** @param url where it comes from @param done told the manifest, or what is wrong: "invalid json", "http <code>" */
export function manifestDownload(
	url: string,
	done: (answered: boolean, manifest: Manifest | undefined, error: string) => void,
): Download {
	const bytes = new Uint8Array(MANIFEST_BYTES_MAX);
	let length = 0;
	let status = 0;
	return {
		onHead: (code) => {
			status = code;
		},
		onData: (piece) => {
			if (status === HTTP_OK && length + piece.length <= bytes.length) bytes.set(piece, length);
			length += piece.length;
		},
		onEnd: (code) => {
			const answered = status === HTTP_OK;
			if (code !== 0 || !answered) {
				done(answered, undefined, `http ${code || status}`);
				return;
			}
			const manifest = length > bytes.length ? undefined : readManifest(bytes.subarray(0, length), url);
			done(answered, manifest, manifest === undefined ? "invalid json" : "");
		},
	};
}
