import assert from "node:assert/strict";
import { deleteLeftovers, isSetAside, readFile, replacingFile, setAside } from "../../src/storage/whole-file.js";
import { atOnce } from "../../src/storage/write-queue.js";
import { MemoryFiles, PowerCut } from "../support/memory-files.js";

const bytes = (text: string) => new Uint8Array(Buffer.from(text));

describe("storage/whole-file", () => {
	it("reads a file, returns undefined for a missing one, and rejects one that is too long", () => {
		const files = new MemoryFiles({ a: "abc" });
		assert.deepEqual(Buffer.from(readFile(files, "a", 3) ?? []).toString(), "abc");
		assert.equal(readFile(files, "b", 3), undefined);
		assert.throws(() => readFile(files, "a", 2), { name: "RangeError", message: "a has 3 bytes; allowed: 2" });
	});

	it("leaves the old content or the new one, whole, whenever the power goes, and the boot cleans up", () => {
		const counted = new MemoryFiles({ a: "old" });
		atOnce(replacingFile(counted, "a", bytes("new content")));
		assert.ok(counted.operations >= 3);
		const seen = new Set<string | undefined>();
		for (let cutAfter = 1; cutAfter <= counted.operations; cutAfter++) {
			const files = new MemoryFiles({ a: "old" });
			files.cutAfter = cutAfter;
			assert.throws(() => atOnce(replacingFile(files, "a", bytes("new content"))), PowerCut);
			files.cutAfter = 0;
			deleteLeftovers(files, "");
			assert.deepEqual(files.names, ["a"], `after ${cutAfter}`);
			seen.add(files.text("a"));
		}
		assert.deepEqual([...seen].sort(), ["new content", "old"]);
	});

	it("leaves the old content and no leftover when the flash is full or fails", () => {
		const full = new MemoryFiles({ a: "old" });
		full.capacity = 5;
		assert.throws(() => atOnce(replacingFile(full, "a", bytes("new"))), /no space/);
		const failing = new MemoryFiles({ a: "old" });
		failing.onWrite = () => {
			throw new Error("write failed");
		};
		assert.throws(() => atOnce(replacingFile(failing, "a", bytes("new"))), /write failed/);
		const failingWithRoom = new MemoryFiles({ a: "old" });
		failingWithRoom.onWrite = failing.onWrite;
		const giveUp = () => assert.fail("what could be given up would not help");
		assert.throws(() => atOnce(replacingFile(failingWithRoom, "a", bytes("new"), giveUp)), /write failed/);
		for (const files of [full, failing, failingWithRoom]) assert.deepEqual([files.names, files.text("a")], [["a"], "old"]);
	});

	it("sets a file aside under another name", () => {
		const files = new MemoryFiles({ a: "x", "a.bad": "older" });
		assert.equal(setAside(files, "a"), "it is kept as a.bad");
		assert.deepEqual([files.names, files.text("a.bad")], [["a.bad"], "x"]);
		assert.equal(setAside(files, "none"), "it can't be set aside: not found");
	});

	it("reports a file, or a folder in its place, as set aside until it is written again", () => {
		for (const [content, expected] of [
			[{}, false],
			[{ a: "x" }, false],
			[{ "a.bad": "older" }, true],
			[{ "a.bad/": "" }, true],
			[{ a: "x", "a.bad": "older" }, false],
			[{ "b.bad": "another's" }, false],
		] as const)
			assert.equal(isSetAside(new MemoryFiles(content), "a"), expected, JSON.stringify(content));
	});

	it("deletes leftovers of one directory only, and ignores a missing directory", () => {
		const files = new MemoryFiles({ "a.new": "", a: "", "d/": "", "d/b.new": "", "d/b": "" });
		deleteLeftovers(files, "none");
		deleteLeftovers(files, "d");
		assert.deepEqual(files.names, ["a", "a.new", "d/b"]);
	});

	it("asks for space on a full flash, as long as there is something to delete", () => {
		const files = new MemoryFiles({ a: "old", b: "bbb", c: "ccc", d: "ddd" });
		files.capacity = 12;
		atOnce(replacingFile(files, "a", bytes("much"), () => files.delete(files.names[1])));
		assert.deepEqual([files.names, files.text("a")], [["a", "d"], "much"]);
		let asked = 0;
		assert.throws(() => atOnce(replacingFile(files, "a", bytes("far too much"), () => ++asked < 3)), /no space/);
		assert.deepEqual([files.names, files.text("a"), asked], [["a", "d"], "much", 3]);
	});
});
