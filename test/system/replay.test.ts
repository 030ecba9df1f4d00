/** Replaying a log: the same output to the byte each time, with rewritten frames in it. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeDriveLog } from "../../tools/bench/drive-log.js";
import { run } from "../hal/host/host-program.js";
import type { Generation } from "./car-rows.js";

const SECONDS = 6;

/** @returns the lines of the record */
async function replay(folder: string, log: string, generation: Generation, name: string): Promise<string[]> {
	const flash = join(folder, `flash-${name}`);
	mkdirSync(flash);
	writeFileSync(join(flash, "settings.json"), JSON.stringify({ format: 1, generation, mode: "MAP" }));
	const record = join(folder, name);
	const args = ["--http", "0", "--flash", flash, "--replay", log, "--record", record, "--pace", "max"];
	const { code, stderr } = await run(...args);
	assert.equal(code, 0, stderr);
	return readFileSync(record, "utf8").split("\n").slice(0, -1);
}

const payload = (line: string): string => line.slice(line.lastIndexOf(" ") + 1);

describe("system: replay", () => {
	for (const generation of [5, 1] as const)
		it(`gives byte-identical records on generation ${generation}`, async () => {
			const folder = mkdtempSync(join(tmpdir(), "oc-replay-"));
			try {
				const log = join(folder, "drive.log");
				writeDriveLog(log, generation, SECONDS);
				const first = await replay(folder, log, generation, "first.log");
				const second = await replay(folder, log, generation, "second.log");
				assert.ok(first.length > 4000, `${first.length} lines`);
				assert.deepEqual(first.join("\n") === second.join("\n"), true, "the same bytes");
				const sent = readFileSync(log, "utf8")
					.split("\n")
					.filter((line) => line.includes(" can0 "))
					.map(payload);
				assert.equal(first.length, sent.length, "every chassis frame left");
				const rewritten = first.filter((line, i) => payload(line) !== sent[i]).length;
				assert.ok(rewritten > 500, `${rewritten} rewritten frames`);
				const early = first.slice(0, 100).filter((line, i) => payload(line) !== sent[i]);
				assert.deepEqual(early, [], "stock first");
			} finally {
				rmSync(folder, { recursive: true, force: true });
			}
		});
});
