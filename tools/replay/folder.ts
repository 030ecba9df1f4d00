/** A folder that lives as long as what is done in it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** @returns what `act` returns, when its folder is gone */
export async function withFolder<T>(act: (folder: string) => Promise<T>): Promise<T> {
	const folder = mkdtempSync(join(tmpdir(), "opencoupling-replay-"));
	try {
		return await act(folder);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
