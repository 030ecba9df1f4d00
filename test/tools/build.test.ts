import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isBuilt } from "../../tools/build.mjs";

const SOURCES = [
	...["src/app.ts", "hal/host/io/files.ts", "modules/text/text.ts", "tools/transformations/library.mjs"],
	...["tools/bundle.mjs", "tools/build.mjs", "package-lock.json"],
];
const BUNDLES = ["build/host/core.js", "build/host/main.js"];

describe("tools/build.mjs", () => {
	it("knows bundles that are older than a source, a tool or the list of packages", () => {
		const tree = mkdtempSync(join(tmpdir(), "build-test-"));
		const write = (path: string, seconds: number): void => {
			mkdirSync(dirname(join(tree, path)), { recursive: true });
			writeFileSync(join(tree, path), "");
			utimesSync(join(tree, path), seconds, seconds);
		};
		for (const path of SOURCES) write(path, 1);
		for (const path of BUNDLES) write(path, 2);
		assert.equal(isBuilt(`${tree}/`), true);
		for (const path of SOURCES) {
			write(path, 3);
			assert.equal(isBuilt(`${tree}/`), false, path);
			write(path, 1);
		}
		rmSync(tree, { recursive: true });
	});
});
