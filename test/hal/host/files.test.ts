import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFlash, run, runScript } from "./host-program.js";

const SETUP = `
	import files from "embedded:storage/files";
	const bytes = (text: string) => ArrayBuffer.fromString(text);
	function attempt(act: () => unknown) { try { act(); print("ok"); } catch (error) { print((error as Error).message); } }
	function save(path: string, text: string) {
		const file = files.openFile({ path, mode: "w" });
		try { file.write(bytes(text), 0); } finally { file.close(); }
	}
`;

// what every implementation of the port does is in test/hal/contract
describe("hal/host files", () => {
	it("cannot be reached outside of the flash folder, by names or by symbolic links", async () => {
		const flash = makeFlash();
		const outside = makeFlash();
		writeFileSync(join(outside, "secret"), "secret");
		symlinkSync(outside, join(flash, "link"));
		symlinkSync(join(outside, "secret"), join(flash, "file-link"));
		mkdirSync(join(flash, "d"));
		const paths = ["../x", "/etc/passwd", "d/../../x", "..", "d//x", "./x", "d/..", "link/secret", "file-link", "a\0b/../.."];
		const { lines } = await runScript(
			`${SETUP}
			for (const path of ${JSON.stringify(paths)}) {
				for (const mode of ["r", "w"] as const) try { files.openFile({ path, mode }); print("opened " + path); } catch {}
				try { files.move("d", path); print("moved to " + path); } catch {}
			}
			try { [...files.scan("link")]; print("scanned"); } catch {}
			try { files.createDirectory("link/new"); print("created"); } catch {}
			try { files.delete("link/secret"); print("deleted"); } catch {}
		`,
			"--flash",
			flash,
		);
		// moving onto a link replaces the link itself, which is inside
		assert.deepEqual(
			lines.filter((line) => line !== "moved to file-link"),
			[],
		);
		assert.equal(readFileSync(join(outside, "secret"), "utf8"), "secret");
		assert.deepEqual(readdirSync(outside), ["secret"]);
	});

	it("need a usable flash folder, or the program ends with exit code 4", async () => {
		const flash = makeFlash();
		writeFileSync(join(flash, "file"), "");
		const { code, stderr } = await run("--run", "none.js", "--flash", join(flash, "file"));
		assert.equal(code, 4);
		assert.match(stderr, /^opencoupling: flash folder .* is not usable: Not a directory\n$/);
	});

	it("get a flash folder made for them, with the folders above it", async () => {
		const flash = join(makeFlash(), "a", "b");
		assert.equal((await runScript(`${SETUP} save("f", "x")`, "--flash", flash)).code, 0);
		assert.deepEqual(readdirSync(flash), ["f"]);
	});
});
