import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
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

describe("hal/host files", () => {
	it("are written, read in parts, and listed", async () => {
		const flash = makeFlash();
		const { lines } = await runScript(
			`${SETUP}
			save("b", "hello");
			files.createDirectory("d");
			const inner = files.openDirectory({ path: "d" });
			inner.openFile({ path: "c", mode: "w" }).close();
			const file = files.openFile({ path: "b" });
			print(String.fromArrayBuffer(file.read(3, 1)) + String.fromArrayBuffer(file.read(100, 4)));
			const into = new Uint8Array(10);
			print(file.read(into, 2) + " " + into[0] + " " + file.status().size);
			print([...files].join() + " " + [...files.scan("d")].join() + " " + [...inner].join());
			print([files.createDirectory("d"), files.delete("b"), files.delete("b"), files.delete("none")].join());
			print([files.status("d").isDirectory(), files.status("d/c").isFile(), files.status("b").isFile(), files.status("b").size].join());
		`,
			"--flash",
			flash,
		);
		assert.deepEqual(lines, ["ello", "3 108 5", "b,d c c", "false,true,false,false", "true,true,false,"]);
		assert.deepEqual(readdirSync(join(flash, "d")), ["c"]);
	});

	it("say what is wrong with names, modes and positions", async () => {
		const { lines } = await runScript(`${SETUP}
			files.createDirectory("d");
			save("f", "text");
			attempt(() => files.openFile({ path: "none" }));
			attempt(() => files.openFile({ path: "d" }));
			attempt(() => files.openFile({ path: "f", mode: "a" as "w" }));
			attempt(() => files.openFile({ path: "f" }).write(bytes("x"), 0));
			attempt(() => files.openFile({ path: "f", mode: "w" }).read(1, 0));
			attempt(() => files.openFile({ path: "f" }).read(1, -1));
			attempt(() => files.openDirectory({ path: "f" }));
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
			"not directory",
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
			const inner = files.openDirectory({ path: "d" });
			try { inner.openFile({ path: "../../x", mode: "w" }); print("opened"); } catch {}
			try { inner.openFile({ path: "/x", mode: "w" }); print("opened"); } catch {}
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

	it("are replaced at one stroke by move", async () => {
		const flash = makeFlash();
		await runScript(
			`${SETUP} save("old", "1"); save("new", "2"); files.move("new", "old"); print([...files].join())`,
			"--flash",
			flash,
		);
		assert.deepEqual(readdirSync(flash), ["old"]);
		assert.equal(readFileSync(join(flash, "old"), "utf8"), "2");
	});

	it("keep half of a torn write and none of a failing one, and work again afterwards", async () => {
		const script = `${SETUP}
			attempt(() => save("a", "aaaaaa"));
			attempt(() => save("b", "bbbbbb"));
			attempt(() => save("c", "cccccc"));`;
		for (const [fault, size] of [
			["flash-write-torn=2", 3],
			["flash-write-fails=2", 0],
		] as const) {
			const flash = makeFlash();
			const { lines } = await runScript(script, "--flash", flash, "--fault", fault);
			assert.deepEqual(lines, ["ok", "write failed", "ok"]);
			assert.equal(statSync(join(flash, "b")).size, size);
			assert.equal(statSync(join(flash, "c")).size, 6);
		}
	});

	it("find no space in a full flash until something is deleted", async () => {
		const script = `${SETUP}
			attempt(() => save("new", "12345678901"));
			attempt(() => files.openFile({ path: "kept", mode: "r+" }).setSize(100));
			attempt(() => files.openFile({ path: "kept", mode: "r+" }).write(bytes("x"), 2));
			files.delete("kept");
			attempt(() => save("new", "1234567890"));`;
		const [full, small] = [makeFlash(), makeFlash()];
		for (const flash of [full, small]) writeFileSync(join(flash, "kept"), "0123456789");
		assert.deepEqual((await runScript(script, "--flash", full, "--fault", "flash-full")).lines, [
			"no space",
			"no space",
			"ok",
			"ok",
		]);
		const { lines } = await runScript(script, "--flash", small, "--fault", "flash-full=20");
		assert.deepEqual(lines, ["no space", "no space", "ok", "ok"]);
	});

	it("hold after a power cut what was flushed or closed, and nothing else", async () => {
		const script = `${SETUP}
			save("kept", "first");                                   // operations 1 open, 2 write, 3 close
			const file = files.openFile({ path: "kept", mode: "w" });   // 4
			file.write(bytes("second"), 0);                             // 5
			file.flush();                                               // 6
			file.write(bytes("third!"), 0);                             // 7
			print("still here");
			files.move("kept", "moved");                                // 8`;
		const expected: Record<number, string> = {
			1: "",
			2: "",
			3: "first",
			4: "first",
			5: "first",
			6: "second",
			7: "second",
			8: "second",
		};
		for (const [operation, content] of Object.entries(expected)) {
			const flash = makeFlash();
			const { code, lines, stderr } = await runScript(script, "--flash", flash, "--fault", `power-cut=${operation}`);
			assert.equal(code, 9);
			assert.match(stderr, /power cut after storage operation/);
			assert.equal(readFileSync(join(flash, operation === "8" ? "moved" : "kept"), "utf8"), content, `operation ${operation}`);
			assert.deepEqual(lines, operation === "8" ? ["still here"] : []);
		}
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
