import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cFilesBelow } from "../../../tools/device/c-half.mjs";

const BOARDS = "hal/esp32/boards";
const BOARD_NAMES = readdirSync(BOARDS);

/** C files by path without ending, as `folder`'s manifest names them. */
function named(folder: string): Set<string> {
	const { modules } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
	return new Set((modules["*"] as string[]).map((path) => join(folder, path)));
}

describe("the manifests", () => {
	const common = named(".");
	const ofBoards = BOARD_NAMES.map((name) => named(join(BOARDS, name)));

	it("name each C file of the modules for every board, and each of the ESP32 for one at least", () => {
		const onlyInTests = "modules/can-gateway/can-gateway-core-xs";
		for (const file of cFilesBelow(["modules"])) {
			const path = file.slice(0, -2);
			assert.notEqual(common.has(path), path === onlyInTests, `manifest.json and ${file}`);
		}
		for (const file of readdirSync("hal/esp32").filter((name) => name.endsWith(".c"))) {
			const path = join("hal/esp32", file.slice(0, -2));
			assert.ok(common.has(path) || ofBoards.some((files) => files.has(path)), `no manifest has hal/esp32/${file}`);
		}
	});

	it("have no file in common", () => {
		for (const files of ofBoards) for (const path of files) assert.ok(!common.has(path), path);
	});
});
