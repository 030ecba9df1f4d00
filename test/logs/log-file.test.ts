import assert from "node:assert/strict";
import { LogFile } from "../../src/logs/log-file.js";
import { atOnce } from "../../src/storage/write-queue.js";
import { MemoryFiles, PowerCut } from "../support/memory-files.js";

const LIMITS = { fileBytes: 30, copies: 4 };
const line = (text: string) => Buffer.from(`${text}\n`);
const aFile = (files: MemoryFiles) => new LogFile(files, "logs/can/can", LIMITS);

/** All lines on flash, oldest first. */
function linesOf(files: MemoryFiles): string[] {
	return [4, 3, 2, 1, 0].flatMap((copy) => (files.text(aFile(files).path(copy)) ?? "").split("\n").slice(0, -1));
}

describe("logs/log-file", () => {
	it("rotates by size and keeps the youngest copies", () => {
		const files = new MemoryFiles();
		const log = aFile(files);
		for (let i = 100; i < 200; i++) atOnce(log.appending(() => line(`line ${i}`)));
		const lines = linesOf(files);
		assert.deepEqual(files.names, [
			"logs/can/can.1.txt",
			"logs/can/can.2.txt",
			"logs/can/can.3.txt",
			"logs/can/can.4.txt",
			"logs/can/can.txt",
		]);
		assert.deepEqual(
			lines,
			Array.from({ length: lines.length }, (_, i) => `line ${200 - lines.length + i}`),
		);
		for (const copy of [1, 2, 3, 4]) assert.ok(log.size(copy) >= 36 && log.size(copy) <= 72, `${log.size(copy)}`);
	});

	it("after a power cut at any operation every file has whole lines, and nothing is lost but the oldest copy and the batch", () => {
		for (let cut = 1; ; cut++) {
			const files = new MemoryFiles();
			const log = aFile(files);
			for (let i = 100; i < 122; i++) atOnce(log.appending(() => line(`line ${i}`)));
			const before = linesOf(files);
			files.cutAfter = files.operations + cut;
			let finished = true;
			try {
				for (let i = 122; i < 126; i++) atOnce(log.appending(() => line(`line ${i}`)));
			} catch (error) {
				if (!(error instanceof PowerCut)) throw error;
				finished = false;
			}
			files.cutAfter = 0;
			const lines = linesOf(files);
			const last = Number(lines.at(-1)?.slice(5));
			assert.deepEqual(
				lines,
				Array.from({ length: lines.length }, (_, i) => `line ${last - lines.length + 1 + i}`),
				`cut ${cut}`,
			);
			assert.ok(lines.length >= before.length - 4 && last >= 121, `cut ${cut}`);
			const again = aFile(files);
			for (let i = last + 1; i < last + 12; i++) atOnce(again.appending(() => line(`line ${i}`)));
			const later = linesOf(files);
			assert.ok(later.length >= 4 * 4, `cut ${cut}: the copies fill up again`);
			assert.equal(later.at(-1), `line ${last + 11}`);
			assert.deepEqual(
				later,
				Array.from({ length: later.length }, (_, i) => `line ${last + 12 - later.length + i}`),
			);
			if (finished) {
				assert.ok(cut > 8, "the rotation was in it");
				return;
			}
		}
	});

	it("cuts off the part of a line that a power cut left", () => {
		for (const [old, kept] of [
			["whole\npar", "whole\n"],
			["whole\n", "whole\n"],
			["part", ""],
			["", ""],
		]) {
			const files = new MemoryFiles({ "logs/": "", "logs/can/": "", "logs/can/can.txt": old as string });
			atOnce(aFile(files).appending(() => line("new")));
			assert.equal(files.text("logs/can/can.txt"), `${kept}new\n`);
		}
	});

	it("empties the live file; a deleted one is made again by the next line", () => {
		const files = new MemoryFiles();
		const log = aFile(files);
		atOnce(log.appending(() => line("x")));
		const { revision } = log;
		atOnce(log.emptying());
		assert.deepEqual([files.names, files.text("logs/can/can.txt")], [["logs/can/can.txt"], ""]);
		assert.ok(log.revision > revision);
		assert.equal(log.delete(0), true);
		assert.equal(log.delete(0), false);
		atOnce(log.appending(() => line("back")));
		assert.equal(files.text("logs/can/can.txt"), "back\n");
		assert.deepEqual(files.open, []);
	});
});
