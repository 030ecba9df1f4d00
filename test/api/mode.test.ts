import assert from "node:assert/strict";
import { MODES } from "../../src/lock/modes.js";
import { request } from "../support/api-client.js";
import { aController } from "../support/controller-view.js";

const post = (body: string, changes = {}, ...lines: string[]) => {
	const controller = aController({ selectedMode: 1, ...changes });
	const { status, text } = request({ controller }, "POST", "/api/mode", body, ...lines);
	return { status, text, selected: MODES[controller.supervisor.selectedMode] };
};

describe("api/mode", () => {
	it("takes every name and alias in any letter case, blanks around it, the numbers that are names, and those of OpenHaldex-C6", () => {
		const rows: [unknown, string][] = [
			...MODES.map((name): [string, string] => [name, name]),
			["PassThru", "STOCK"],
			["100:0", "FWD"],
			["50:50", "5050"],
			["lock", "5050"],
			["60:40", "6040"],
			["7525", "7030"],
			["75:25", "7030"],
			["80:20", "8020"],
			["90:10", "9010"],
			["expert", "MAP"],
			[" \t map\n", "MAP"],
			[5050, "5050"],
			[6040, "6040"],
			[7030, "7030"],
			[7525, "7030"],
			[8020, "8020"],
			[9010, "9010"],
			// as OpenHaldex-C6 counts
			[0, "STOCK"],
			[1, "FWD"],
			[2, "5050"],
			[3, "6040"],
			[4, "7030"],
			[5, "MAP"],
		];
		for (const [value, name] of rows)
			assert.deepEqual(post(JSON.stringify({ mode: value })), {
				status: 200,
				text: `{"ok":true,"mode":"${name}"}`,
				selected: name,
			});
	});

	it("rejects anything else, naming field, value and what is allowed, and changes nothing", () => {
		for (const value of [
			"",
			"none",
			"505",
			"0",
			"5",
			0.5,
			6,
			9,
			5051,
			50.5,
			-1,
			1e99,
			true,
			null,
			[],
			["MAP"],
			{ mode: "MAP" },
		]) {
			const answer = post(JSON.stringify({ mode: value }));
			assert.deepEqual([answer.status, answer.selected], [400, "FWD"], JSON.stringify(value));
			const body = JSON.parse(answer.text);
			assert.deepEqual([body.error, body.field, body.allowed], ["invalid mode", "mode", [...MODES]]);
			if (typeof value !== "object") assert.equal(body.value, value);
		}
		assert.equal(JSON.parse(post('{"other":1}').text).error, "invalid mode");
		assert.equal(JSON.parse(post(JSON.stringify({ mode: "x".repeat(999) })).text).value.length, 64);
	});

	it("accepts only STOCK while a capture runs", () => {
		assert.deepEqual(post('{"mode":"map"}', { captureActive: true }), {
			status: 409,
			text: '{"error":"canview capture mode active"}',
			selected: "FWD",
		});
		assert.equal(post('{"mode":"passthru"}', { captureActive: true }).selected, "STOCK");
		assert.equal(post('{"mode":"none"}', { captureActive: true }).status, 400);
	});

	it("reads JSON under any type except multipart, unless a foreign page sends it", () => {
		const body = '{"mode":"map"}';
		for (const type of ["application/json", "application/json; charset=utf-8", "text/plain", "application/x-www-form-urlencoded"])
			assert.equal(post(body, {}, `Content-Type: ${type}`).status, 200, type);
		assert.deepEqual(post(body, {}, "Content-Type: multipart/form-data; boundary=x"), {
			status: 415,
			text: '{"error":"unsupported media type"}',
			selected: "FWD",
		});
		assert.equal(post(body, {}, "Origin: http://localhost").status, 200);
		for (const line of ["Origin: http://evil.example", "Origin: null", "Sec-Fetch-Site: cross-site", "Host: evil.example"]) {
			const { status, text, selected } = post(body, {}, line);
			assert.deepEqual([status, JSON.parse(text).error, selected], [403, "cross-origin request refused", "FWD"]);
		}
	});
});
