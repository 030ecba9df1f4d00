import assert from "node:assert/strict";
import { wrongAnswer } from "../../tools/openapi.js";
import { request } from "../support/api-client.js";
import { aLogBench, MemoryFiles } from "../support/memory-files.js";

const FOLDERS = { "logs/": "", "logs/can/": "", "logs/error/": "", "maps/": "" };
const CONTENT = {
	"logs/all.txt": "0123456789".repeat(50),
	"logs/all.2.txt": "old\n",
	"logs/error/error.txt": "",
	"maps/secret.json": "{}",
	"settings.json": "{}",
};

function bench() {
	const made = aLogBench({}, new MemoryFiles({ ...FOLDERS, ...CONTENT }));
	const { log, pass } = made;
	const [clear, remove] = [log.clear.bind(log), log.delete.bind(log)];
	log.clear = (scopes, done) => {
		clear(scopes, done);
		pass(100);
	};
	log.delete = (entry, done) => {
		remove(entry, done);
		pass(100);
	};
	const ask = (method: string, path: string, body = "") => {
		const { status, headers, text } = request({ log: made.log }, method, path, body);
		assert.equal(wrongAnswer(method, path, status, headers["content-type"], text), "");
		return [status, text] as const;
	};
	return { ...made, ask };
}

describe("api/logs", () => {
	it("reads the end of a file", () => {
		const { ask } = bench();
		const whole = CONTENT["logs/all.txt"];
		for (const [max, text] of [
			["", whole],
			["&max=500", whole],
			["&max=499", `[truncated to last 499 bytes]\n${whole.slice(1)}`],
			["&max=100", `[truncated to last 100 bytes]\n${whole.slice(-100)}`],
			["&max=1", "[truncated to last 1 bytes]\n9"],
			["&max=0", whole],
			["&max=x", whole],
			["&max=", whole],
			["&max=262145", whole],
			["&max=1.5", whole],
		])
			assert.deepEqual(ask("GET", `/api/logs/read?path=/logs/all.txt${max}`), [200, text], max);
		assert.deepEqual(ask("GET", "/api/logs/read?path=%2Flogs%2Ferror%2Ferror.txt"), [200, ""]);
		const { headers } = request(bench(), "GET", "/api/logs/read?path=/logs/all.txt");
		assert.deepEqual([headers["content-type"], headers["cache-control"]], ["text/plain", "no-store"]);
	});

	it("says so when the file is rotated or cleared while it is read", () => {
		const { log, files } = bench();
		files.flash.set("logs/all.txt", Buffer.alloc(50_000, "x"));
		const open = files.openFile.bind(files);
		let pieces = 0;
		files.openFile = (options) => {
			if (++pieces === 5) log.logs.all.revision++;
			return open(options);
		};
		const { text } = request({ log }, "GET", "/api/logs/read?path=/logs/all.txt&max=40000");
		assert.match(
			text,
			/^\[truncated to last 40000 bytes\]\nx{1000,9000}\n\[the log was rotated or cleared while it was read\]\n$/,
		);
	});

	it("neither reads nor deletes a file that is not a log", () => {
		const { ask, files } = bench();
		const names = files.names;
		for (const path of [
			...["/logs/all.9.txt", "/logs/all.1.txt", "/logs", "/logs/", "/logs/can", "logs/all.txt"],
			...["/logs/../settings.json", "/logs/%2e%2e/settings.json", "/logs/..%2fsettings.json", "/logs/can/../all.txt"],
			...["/logs//all.txt", "/logs/./all.txt", "/logs\\all.txt", "/maps/secret.json", "/settings.json"],
			`/logs/${"a".repeat(400)}.txt`,
		]) {
			const [status, text] = ask("GET", `/api/logs/read?path=${path}`);
			assert.deepEqual([status, JSON.parse(text).error], [404, "log read failed"], path);
			const [deleted, problem] = ask("POST", "/api/logs/delete", JSON.stringify({ path: decodeURIComponent(path) }));
			assert.deepEqual([deleted, JSON.parse(problem).error, files.names], [400, "delete failed", names], path);
		}
		for (const name of ["xt", "/all.txt", "secret.json"])
			assert.equal(ask("POST", "/api/logs/delete", JSON.stringify({ name }))[0], 400, name);
		assert.deepEqual(files.names, names);
	});

	it("clears one scope or everything", () => {
		const answer = (body: string) => {
			const { log, files } = bench();
			const { status, headers, text } = request({ log }, "POST", "/api/logs/clear", body);
			assert.equal(wrongAnswer("POST", "/api/logs/clear", status, headers["content-type"], text), "");
			return { status, text, logs: files.names.filter((name) => name.startsWith("logs/")) };
		};
		const ok = '{"ok":true,"debugCaptureActive":false,"disableController":false}';
		const live = ["logs/all.txt", "logs/can/can.txt", "logs/error/error.txt"];
		for (const body of ["{}", '{"scope":"everything"}', '{"scope":"EveryThing"}'])
			assert.deepEqual(answer(body), { status: 200, text: ok, logs: live });
		assert.deepEqual(answer('{"scope":"all"}').logs, ["logs/all.txt", "logs/error/error.txt"]);
		assert.deepEqual(answer('{"scope":"can"}').logs, [
			"logs/all.2.txt",
			"logs/all.txt",
			"logs/can/can.txt",
			"logs/error/error.txt",
		]);
	});
});
