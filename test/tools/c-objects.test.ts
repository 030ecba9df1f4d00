import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { link } from "../../tools/c-objects.mjs";

describe("tools/c-objects", () => {
	it("leaves a program whole while another process links it", () => {
		const folder = mkdtempSync(join(tmpdir(), "c-objects-"));
		try {
			const [program, linker] = [join(folder, "program"), join(folder, "linker")];
			// writes its output in two steps; between them the program of before must still be whole
			writeFileSync(
				linker,
				`#!/bin/sh\n: > "$2"\n[ ! -e ${program} ] || grep -q whole ${program} || exit 1\necho whole > "$2"\n`,
			);
			chmodSync(linker, 0o755);
			for (let times = 0; times < 2; times++) link(linker, [], [], program);
			assert.equal(readFileSync(program, "utf8"), "whole\n");
		} finally {
			rmSync(folder, { recursive: true });
		}
	});
});
