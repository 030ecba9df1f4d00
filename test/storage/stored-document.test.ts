import assert from "node:assert/strict";
import {
	type DocumentForm,
	type StorageContext,
	StorageProblems,
	StoredDocument,
	WRITE_AFTER_MS,
	WRITE_INTERVAL_MS,
	WRITE_RETRY_MS,
} from "../../src/storage/stored-document.js";
import { atOnce, WriteQueue } from "../../src/storage/write-queue.js";
import { ManualTime, MemoryFiles } from "../support/memory-files.js";

const FORM: DocumentForm<number> = {
	path: "n.json",
	format: 3,
	maxBytes: 64,
	fallback: -1,
	read: ({ n }) => {
		if (typeof n !== "number") throw new RangeError("n is no number");
		return n;
	},
	write: (n) => ({ n }),
};
const fileOf = (n: number): string => `{"format":3,"n":${n}}`;

function documentOf<T>(form: DocumentForm<T>, content: Record<string, string> = {}, more: Partial<StorageContext> = {}) {
	const files = new MemoryFiles(content);
	const time = new ManualTime();
	const reports: string[] = [];
	const document = new StoredDocument(form, {
		files,
		writes: time.writes,
		clock: time,
		report: (path, problem) => reports.push(problem || `${path} is stored again`),
		...more,
	});
	const moves = () => files.log.filter((line) => line === "move n.json").length;
	return { files, time, reports, document, moves, text: () => files.text("n.json") };
}
const aDocument = (content?: Record<string, string>, more?: Partial<StorageContext>) => documentOf(FORM, content, more);

describe("storage/stored-document", () => {
	it("loads its own file, with its format if it has one", () => {
		const { document, text } = aDocument();
		assert.equal(document.load(), -1);
		atOnce(document.writing(7));
		assert.equal(text(), fileOf(7));
		const { format: _, ...unnumbered } = FORM;
		const other = documentOf(unnumbered, { "n.json": '{"n":8}' });
		assert.equal(other.document.load(), 8);
		atOnce(other.document.writing(9));
		assert.equal(other.text(), '{"n":9}');
	});

	it("reads nested members and lists, and ignores unknown names", () => {
		const value = { gates: { lowKmh: 10, none: null }, points: [{ x: 1 }], table: [1, 2], name: "ab" };
		const form: DocumentForm<object> = {
			path: "n.json",
			maxBytes: 500,
			fallback: value,
			read: (fields) => fields,
			write: (o) => o,
		};
		const first = documentOf(form);
		atOnce(first.document.writing(value));
		assert.deepEqual(documentOf(form, { "n.json": first.text() ?? "" }).document.load({}), value);
		let seen: string[] = [];
		const read: typeof FORM.read = (fields) => {
			seen = Object.keys(fields);
			return FORM.read(fields);
		};
		const { document } = documentOf({ ...FORM, read }, { "n.json": '{"format":3,"evil":{"worse":1},"n":8,"\\u006e":9}' });
		assert.equal(document.load(), 8);
		assert.deepEqual(seen.sort(), ["", "format", "n"]);
	});

	it("sets a bad file aside, says why, and goes on with the fallback", () => {
		for (const [text, reason] of [
			["", /: not JSON/],
			["{", /: not JSON/],
			['{"format":3,"n":1,"a":"\\ud800"}', /not JSON/],
			[`{"format":3,"n":${"[".repeat(11)}${"]".repeat(11)}}`, /not JSON/],
			["[]", /not a JSON object/],
			["null", /not a JSON object/],
			["7", /not a JSON object/],
			["\xff\xfe", /: /],
			['{"n":1}', /format is undefined; allowed: 3/],
			['{"format":2,"n":1}', /format is 2; allowed: 3/],
			['{"format":3,"n":"1"}', /n is no number/],
			[`${fileOf(1)}${" ".repeat(64)}`, /has 82 bytes; allowed: 64/],
		] as const) {
			const { files, reports, document } = aDocument({ "n.json": text });
			assert.equal(document.load(), -1, text);
			assert.match(reports[0], reason);
			assert.match(reports[0], /^n\.json can't be used \(it is kept as n\.json\.bad\): /);
			assert.deepEqual([files.names, files.text("n.json.bad")], [["n.json.bad"], text]);
		}
		const { files, reports, document } = aDocument({ "n.json": "x" });
		files.move = () => {
			throw new Error("no space");
		};
		assert.equal(document.load(), -1);
		assert.deepEqual(reports, ["n.json can't be used (it can't be set aside: no space): not JSON"]);
	});

	it("says at each further start that a bad file was set aside, until another has been written", () => {
		const { files, reports, document } = aDocument({ "n.json.bad": "{" });
		assert.equal(document.load(), -1);
		assert.deepEqual(reports, ["n.json could not be used at an earlier start: it is kept as n.json.bad"]);
		atOnce(document.writing(9));
		assert.equal(document.load(), 9);
		assert.deepEqual([reports.length, files.names], [1, ["n.json", "n.json.bad"]]);
	});

	it("writes the last value 0.1 s after a change, 1.5 s after the write before, and nothing that is there already", () => {
		const { files, time, document, moves, text } = aDocument({ "n.json": fileOf(7) });
		document.save(document.load());
		time.pass(10 * WRITE_INTERVAL_MS);
		assert.equal(files.operations, 0);
		const writesMs: number[] = [];
		files.onWrite = () => void writesMs.push(time.ticks);
		const fromMs = time.ticks;
		document.save(1);
		time.pass(WRITE_AFTER_MS - 1);
		assert.equal(moves(), 0);
		document.save(2);
		time.pass(1);
		assert.deepEqual([moves(), text()], [1, fileOf(2)]);
		for (let n = 3; n < 23; n++) {
			document.save(n);
			time.pass(WRITE_INTERVAL_MS / 20);
		}
		assert.deepEqual([moves(), text()], [2, fileOf(22)]);
		document.save(22);
		time.pass(10 * WRITE_INTERVAL_MS);
		assert.equal(moves(), 2);
		assert.deepEqual(
			writesMs.map((atMs) => atMs - fromMs),
			[100, 1600],
		);
	});

	it("writes at once when asked, and then not again", () => {
		const { time, document, moves, text } = aDocument();
		document.save(1);
		atOnce(document.writing(2));
		time.pass(10 * WRITE_INTERVAL_MS);
		assert.deepEqual([moves(), text()], [1, fileOf(2)]);
		document.save(3);
		for (let flushes = 0; flushes < 2; flushes++) document.flush();
		assert.deepEqual([moves(), text()], [2, fileOf(3)]);
	});

	it("waits for heap, as text and as bytes, and reports nothing of it; only the end does not wait", () => {
		let heapBytes = 0;
		const { time, reports, document, moves } = aDocument({}, { hasHeap: (bytes) => bytes <= heapBytes });
		document.save(1);
		heapBytes = 2 * FORM.maxBytes - 1;
		time.pass(10 * WRITE_INTERVAL_MS);
		assert.deepEqual([moves(), time.writes.waiting, reports], [0, true, []]);
		heapBytes++;
		time.pass(WRITE_AFTER_MS);
		assert.deepEqual([moves(), time.writes.waiting], [1, false]);
		heapBytes = 0;
		document.save(2);
		time.pass(10 * WRITE_INTERVAL_MS);
		assert.equal(moves(), 1);
		document.flush();
		assert.equal(moves(), 2);
	});

	it("keeps a failed write, reports it once, tries again every 10 s, and reports when it is stored", () => {
		const { files, time, reports, document, text } = aDocument({ "n.json": fileOf(1) });
		document.load();
		files.capacity = 20;
		const writesMs: number[] = [];
		files.onWrite = () => void writesMs.push(time.ticks);
		document.save(2);
		time.pass(WRITE_AFTER_MS + 3 * WRITE_RETRY_MS);
		assert.deepEqual(reports, ["n.json can't be stored: no space"]);
		assert.deepEqual(writesMs, [100, 10_100, 20_100, 30_100]);
		assert.deepEqual([files.names, text()], [["n.json"], fileOf(1)]);
		files.capacity = 100;
		time.pass(WRITE_RETRY_MS);
		assert.deepEqual([reports.slice(1), text()], [["n.json is stored again"], fileOf(2)]);
	});

	it("ends trying after a minute, says so, and tries again with the next change", () => {
		const { files, time, reports, document, text } = aDocument();
		const writesMs: number[] = [];
		files.onWrite = () => void writesMs.push(time.ticks);
		files.capacity = 5;
		document.save(1);
		time.pass(100 * WRITE_RETRY_MS);
		const problem = "n.json can't be stored: no space";
		assert.deepEqual(reports, [problem, `${problem}; only the next change is tried again`]);
		assert.deepEqual(writesMs, [100, 10_100, 20_100, 30_100, 40_100, 50_100]);
		files.capacity = 100;
		document.save(2);
		time.pass(WRITE_INTERVAL_MS);
		assert.deepEqual([reports[2], text()], ["n.json is stored again", fileOf(2)]);
	});

	it("reports that there is no timer, and stores the next change", () => {
		const time = new ManualTime();
		let timers = 0;
		const later = (callback: () => void, delayMs: number): void => {
			if (timers++ === 0) throw new Error("no memory");
			time.later(callback, delayMs);
		};
		const writes = new WriteQueue(later, time, () => Number.POSITIVE_INFINITY);
		const { reports, document, text } = aDocument({}, { writes, clock: time });
		document.save(1);
		assert.deepEqual(reports, ["n.json can't be stored: no memory"]);
		document.save(2);
		time.pass(WRITE_INTERVAL_MS);
		assert.deepEqual([reports.slice(1), text()], [["n.json is stored again"], fileOf(2)]);
	});

	it("does not let the next change wait for the retry of an earlier one", () => {
		const { files, time, document, text } = aDocument();
		files.capacity = 5;
		document.save(1);
		time.pass(WRITE_AFTER_MS);
		files.capacity = 100;
		document.save(2);
		time.pass(WRITE_INTERVAL_MS);
		assert.equal(text(), fileOf(2));
		const operations = files.operations;
		time.pass(2 * WRITE_RETRY_MS);
		assert.equal(files.operations, operations);
	});

	it("throws when a write at once fails, and keeps the pending change", () => {
		const { files, time, document, text } = aDocument();
		document.save(1);
		files.capacity = 5;
		assert.throws(() => atOnce(document.writing(2)), /no space/);
		files.capacity = 100;
		time.pass(WRITE_INTERVAL_MS);
		assert.equal(text(), fileOf(1));
	});
});

describe("storage/stored-document: problems", () => {
	it("keeps the youngest problem of each file until it is over", () => {
		const problems = new StorageProblems();
		problems.note("a", "a is bad");
		problems.note("b", "b is bad");
		problems.note("a", "a can't be stored");
		assert.deepEqual(problems.entries, [
			{ path: "b", problem: "b is bad" },
			{ path: "a", problem: "a can't be stored" },
		]);
		for (const path of ["b", "c"]) problems.note(path, "");
		assert.deepEqual(problems.entries, [{ path: "a", problem: "a can't be stored" }]);
	});

	it("is bounded: the oldest problem goes, long sentences are cut", () => {
		const problems = new StorageProblems();
		for (let i = 0; i <= 4; i++) problems.note(`${i}`, "x".repeat(1000));
		// as the interface describes it
		assert.equal(problems.entries.length, 4);
		assert.deepEqual([problems.entries[0].path, problems.entries[0].problem.length], ["1", 160]);
	});
});
