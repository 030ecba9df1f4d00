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
	it("name the error of a bad name, mode or position", async () => {
		const { lines } = await runScript(`${SETUP}
			files.createDirectory("d");
			save("f", "text");
			attempt(() => files.openFile({ path: "none" }));
			attempt(() => files.openFile({ path: "d" }));
			attempt(() => files.openFile({ path: "f", mode: "a" as "w" }));
			attempt(() => files.openFile({ path: "f" }).write(bytes("x"), 0));
			attempt(() => files.openFile({ path: "f", mode: "w" }).read(1, 0));
			attempt(() => files.openFile({ path: "f" }).read(1, -1));
			attempt(() => files.scan("none"));
			attempt(() => files.move("none", "x"));
			const closed = files.openFile({ path: "f" }); closed.close(); closed.close();
			try { closed.read(1, 0); } catch (error) { print((error as Error).name === "SyntaxError" ? "closed" : String(error)); }
		`);
		assert.deepEqual(lines, [
			"not found",
			"not file",
			"invalid mode",
			"read-only",
			"write-only",
			"invalid position",
			"not found",
			"not found",
			"closed",
		]);
	});

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

	it("count operations in the report", async () => {
		const { report } = await runScript(`${SETUP} save("a", "1"); files.openFile({ path: "a" }).read(1, 0);`, "--report");
		assert.deepEqual(report.storage, { operations: 3, writes: 1 });
	});

	it("need a usable flash folder", async () => {
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
