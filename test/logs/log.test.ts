import assert from "node:assert/strict";
import { BATCH_EVERY_MS, BATCHES_AT_ONCE, FLUSH_AFTER_MS, FLUSH_RETRY_MS, SUMMARY_MS } from "../../src/logs/log.js";
import { aLogBench, MemoryFiles } from "../support/memory-files.js";

const ALL = "logs/all.txt";
const ERRORS = "logs/error/error.txt";

const failOnce = (files: MemoryFiles) => () => {
	files.onWrite = () => {};
	throw new Error("write failed");
};

describe("logs/log", () => {
	it("writes lines in one batch within a second, errors to both files, nothing at the call", () => {
		const { log, files, pass } = aLogBench();
		pass(1234);
		log.write("EVENT", "boot", "starts");
		log.write("WARN", "can", "bus warning");
		log.write("ERROR", "storage", "it fails");
		assert.equal(files.operations, 0);
		pass(FLUSH_AFTER_MS);
		const error = "1234\tERROR\tstorage\tit fails\n";
		assert.equal(files.text(ALL), `1234\tEVENT\tboot\tstarts\n1234\tWARN\tcan\tbus warning\n${error}`);
		assert.equal(files.text(ERRORS), error);
		const { operations } = files;
		log.write("INFO", "x", "later");
		pass(FLUSH_AFTER_MS);
		assert.equal(files.operations - operations, 2, "write and close");
		assert.match(files.text(ALL) ?? "", /starts\n(.*\n)*2234\tINFO\tx\tlater\n$/);
		pass(60_000);
		assert.equal(files.operations - operations, 2, "nothing is written when nothing happens");
	});

	it("makes one line of whatever the message contains, and cuts long ones", () => {
		const { log, files, pass } = aLogBench();
		log.write("INFO", "x", "a\tb\r\nc\0d\x1b[31m\x7f äö€😀");
		log.write("INFO", "x", "€".repeat(5000));
		pass(FLUSH_AFTER_MS);
		assert.equal(files.text(ALL), `0\tINFO\tx\ta b  c d [31m  äö€😀\n0\tINFO\tx\t${"€".repeat(200)}...\n`);
	});

	it("writes what the switches say", () => {
		for (const [logging, paths] of [
			[{ file: false }, []],
			[{ error: false }, [ALL]],
			[{}, [ALL, ERRORS]],
		] as const) {
			const { log, files, pass } = aLogBench(logging);
			log.write("ERROR", "x", "e");
			pass(FLUSH_AFTER_MS);
			assert.deepEqual(files.names, paths);
		}
	});

	it("sends errors to the serial port, all lines with the switch", () => {
		for (const [logging, lines] of [
			[{ file: false }, ["0\tERROR\tx\te\n"]],
			[{ serial: true }, ["0\tWARN\tx\tw\n", "0\tERROR\tx\te\n"]],
		] as const) {
			const { log, serial } = aLogBench(logging);
			log.write("WARN", "x", "w");
			log.write("ERROR", "x", "e");
			assert.deepEqual(serial, lines);
		}
	});

	it("drops and counts lines when too many wait", () => {
		const { log, files, pass } = aLogBench();
		for (let i = 0; i < 100; i++) log.write("INFO", `x${i % 4}`, "m".repeat(100)); // 30 of one tag are no flood
		pass(2 * FLUSH_AFTER_MS);
		const lines = (files.text(ALL) ?? "").split("\n");
		const kept = lines.filter((line) => line.includes("INFO")).length;
		assert.ok(kept >= 15 && kept <= 19, `${kept}`);
		assert.equal(lines.at(-2), `1000\tWARN\tlog\t${100 - kept} lines lost: too many at once`);
	});

	it("suppresses a flood of one kind of line, and no other kind", () => {
		const { log, files, pass } = aLogBench();
		for (let second = 0; second < 600; second++) {
			for (let i = 0; i < 20; i++) log.write("WARN", "http", "refused");
			if (second === 300) log.write("WARN", "can", "bus-off");
			pass(1000);
		}
		pass(SUMMARY_MS + 2 * BATCH_EVERY_MS);
		const text = files.text(ALL) ?? "";
		const refused = text.match(/refused\n/g)?.length ?? 0;
		assert.ok(refused >= 140 && refused <= 170, `${refused} lines`);
		const counted = [...text.matchAll(/WARN\thttp\tand (\d+) more like this/g)].reduce(
			(sum, [, count]) => sum + Number(count),
			0,
		);
		assert.equal(refused + counted, 12_000);
		assert.match(text, /bus-off/);
		assert.ok(files.operations < 1000, `${files.operations}`);
	});

	it("goes on after a write that failed or was torn, with every line whole and none lost", () => {
		for (const fault of ["fails", "torn"] as const) {
			const { log, files, serial, pass } = aLogBench();
			log.write("INFO", "x", "first");
			pass(FLUSH_AFTER_MS);
			if (fault === "torn") files.tearsNext = true;
			else files.onWrite = failOnce(files);
			log.write("INFO", "x", "second");
			pass(FLUSH_AFTER_MS);
			assert.equal(files.text(ALL), "0\tINFO\tx\tfirst\n");
			assert.deepEqual(serial, ["the log can't be written: write failed\n"]);
			pass(FLUSH_RETRY_MS);
			assert.equal(files.text(ALL), "0\tINFO\tx\tfirst\n1000\tINFO\tx\tsecond\n");
			assert.deepEqual(files.open, []);
		}
	});

	it("drops old copies for new lines when the flash is full, then stops with one report, and resumes when there is space", () => {
		const folders = { "logs/": "", "logs/can/": "" };
		const copies = {
			"logs/all.1.txt": "a".repeat(100),
			"logs/all.2.txt": "b".repeat(100),
			"logs/can/can.1.txt": "c".repeat(100),
		};
		const files = new MemoryFiles({ ...folders, ...copies });
		files.capacity = 300;
		const { log, serial, failing, pass } = aLogBench({}, files);
		log.write("INFO", "x", "1".repeat(150));
		pass(FLUSH_AFTER_MS);
		assert.deepEqual(files.names, ["logs/all.1.txt", ALL]);
		log.write("INFO", "x", "2".repeat(90));
		pass(FLUSH_AFTER_MS);
		assert.deepEqual(files.names, [ALL]);
		for (let i = 0; i < 20; i++) {
			log.write("INFO", "x", "3".repeat(190));
			pass(FLUSH_RETRY_MS);
		}
		assert.deepEqual([serial, failing], [["the log can't be written: no space\n"], ["the log can't be written: no space"]]);
		files.capacity = 10_000;
		pass(FLUSH_RETRY_MS);
		assert.deepEqual(failing.slice(1), [""]);
		const text = files.text(ALL) ?? "";
		assert.match(text, /(.*3{190}\n){8,}.*WARN\tlog\t\d+ lines lost/);
		assert.deepEqual(files.open, []);
	});

	it("clears logs: copies are gone, live files are there and empty, and what waited is not written any more", () => {
		const { log, files, pass } = aLogBench({}, undefined, { fileBytes: 100, copies: 4 });
		const fill = () => {
			for (let i = 0; i < 60; i++) {
				log.write("ERROR", `tag${i % 10}`, "m".repeat(40));
				pass(FLUSH_AFTER_MS);
			}
			log.write("ERROR", "x", "waits");
		};
		const outcomes: boolean[] = [];
		fill();
		log.clear(["error"], (succeeded) => outcomes.push(succeeded));
		pass(FLUSH_AFTER_MS);
		assert.deepEqual([outcomes, files.text(ERRORS)], [[true], ""]);
		assert.ok(!files.names.includes("logs/error/error.1.txt"));
		assert.ok(files.names.includes("logs/all.4.txt"));
		fill();
		log.clear(["all", "can", "error"], (succeeded) => outcomes.push(succeeded));
		pass(FLUSH_AFTER_MS);
		assert.deepEqual(
			[outcomes, files.names],
			[
				[true, true],
				[ALL, "logs/can/can.txt", ERRORS],
			],
		);
		assert.deepEqual([files.text(ALL), files.text(ERRORS)], ["", ""]);
		files.delete = () => {
			throw new Error("no");
		};
		log.clear(["all"], (succeeded) => outcomes.push(succeeded));
		pass(FLUSH_AFTER_MS);
		assert.equal(outcomes.at(-1), false);
	});

	it("lets batches wait once many have followed each other; an error, or much, waits for nothing", () => {
		const { log, files, pass } = aLogBench();
		const batches = () => files.log.filter((line) => line === `close ${ALL}`).length;
		const lineEach = (ms: number, count: number) => {
			for (let i = 0; i < count; i++) {
				log.write("EVENT", `tag${i % 20}`, "something happens");
				pass(ms);
			}
		};
		lineEach(2 * FLUSH_AFTER_MS, BATCHES_AT_ONCE);
		const first = batches();
		assert.ok(first >= BATCHES_AT_ONCE, `${first} batches`);
		lineEach(2 * FLUSH_AFTER_MS, 150);
		const later = batches() - first;
		assert.ok(later <= 2 + (300 * FLUSH_AFTER_MS) / BATCH_EVERY_MS + BATCHES_AT_ONCE / 10, `${later} more`);
		pass(BATCH_EVERY_MS);
		log.write("EVENT", "mode", "before");
		pass(FLUSH_AFTER_MS);
		log.write("ERROR", "control", "control has ended");
		pass(FLUSH_AFTER_MS);
		assert.match(files.text(ALL) ?? "", /before\n.*control has ended\n$/, "what came before an error is there, too");
		const before = batches();
		for (let i = 0; i < 10; i++) log.write("EVENT", "settings", "x".repeat(190));
		pass(FLUSH_AFTER_MS);
		assert.equal(batches(), before + 1);
		pass(BATCHES_AT_ONCE * BATCH_EVERY_MS);
		log.write("EVENT", "mode", "after a rest");
		pass(FLUSH_AFTER_MS);
		assert.match(files.text(ALL) ?? "", /after a rest\n$/);
	});

	it("writes nothing while it is held, and all that has waited once it is released", () => {
		const { log, files, serial, pass } = aLogBench();
		log.hold();
		log.write("EVENT", "boot", "starts");
		log.write("ERROR", "http", "nothing can listen");
		pass(2 * BATCH_EVERY_MS);
		assert.deepEqual([files.operations, serial], [0, ["0\tERROR\thttp\tnothing can listen\n"]]);
		log.release();
		pass(FLUSH_AFTER_MS);
		assert.match(files.text(ALL) ?? "", /boot\tstarts\n.*nothing can listen\n$/);
		assert.match(files.text(ERRORS) ?? "", /nothing can listen\n$/);
		log.write("EVENT", "mode", "later");
		pass(FLUSH_AFTER_MS);
		assert.match(files.text(ALL) ?? "", /later\n$/);
	});

	it("wears no sector of a C6 out in ten years of two hours a day on a winding road, asleep for the rest", () => {
		// littlefs: an append writes the file's last block anew, in the next free one of all; each commit
		// stands in a block of the folder, which takes 40 of them and moves after 500 erases
		const [BLOCK_BYTES, COMMITS_IN_BLOCK] = [4096, 40];
		// of the 192 of a C6: 95 with logs, 64 with maps, and ten are taken
		const FREE_BLOCKS = 192 - 95 - 64 - 10;
		const [HOURS, ERASES_MAX] = [7300, 100_000];
		const [DAYS, STARTS_A_DAY] = [3650, 8];
		/** Of parked sleep with its default of 300 s. */
		const PROBES = (DAYS * 22 * 3600) / 300;
		const limits = { fileBytes: 18 * BLOCK_BYTES, copies: 4 };
		const files = new MemoryFiles();
		let erases = 0;
		files.onWrite = (path, data) => {
			const size = Buffer.byteLength(files.text(path) ?? "");
			erases += Math.ceil(((size % BLOCK_BYTES) + data.length) / BLOCK_BYTES);
		};
		/** @returns blocks that are erased for what happens */
		const blocksOf = (happens: () => void): number => {
			erases = files.log.length = 0;
			happens();
			const commits = files.log.filter((line) => !line.startsWith("open") && !line.startsWith("write")).length;
			return erases + commits / COMMITS_IN_BLOCK;
		};
		const anHour = blocksOf(() => {
			const { log, pass } = aLogBench({}, files, limits);
			for (let second = 0; second < 3600; second += 3) {
				log.write("EVENT", "mode", "MAP: control is active; the driver steers");
				pass(1500);
				log.write("EVENT", "mode", "MAP: ABS or ESP intervene");
				if (second % 6 === 0) log.write("WARN", "fault", "ABS or ESP intervene");
				else log.write("INFO", "fault", "over: ABS or ESP intervene");
				pass(1500);
			}
		});
		const start = (isProbe: boolean) => () => {
			const { log, pass } = aLogBench({}, files, limits);
			if (isProbe) log.hold();
			log.write("EVENT", "boot", "OpenCoupling 2.0.0 starts: wake");
			log.write("ERROR", "http", "Error: nothing can listen");
			pass(FLUSH_AFTER_MS);
			log.write("EVENT", "mode", "STOCK: no frames arrive from the car");
			pass(FLUSH_AFTER_MS);
			log.write("EVENT", "sleep", "parked sleep begins; it looks again in 300 s");
			pass(FLUSH_AFTER_MS);
		};
		const parts = [HOURS * anHour, DAYS * STARTS_A_DAY * blocksOf(start(false)), PROBES * blocksOf(start(true))];
		const [road, starts, probes] = parts.map((blocks) => Math.round(blocks / FREE_BLOCKS));
		console.log(`      erases of each free sector: ${road} on the road, ${starts} for starts, ${probes} for ${PROBES} probes`);
		assert.ok(road + starts + probes < 0.8 * ERASES_MAX);
	});
});
