/**
 * Every refusal says what would have been taken. Walks the members of each write with values of the wrong
 * type, out of range and of the wrong kind: all are 400 that name the member and what is allowed, and nothing
 * is changed. Of the settings, one member of each kind: test/settings/patch.test.ts has them all.
 */
import assert from "node:assert/strict";
import { Bench, flatMap } from "../system/bench-car.js";
import { Api } from "./contract.js";

/** A member, what is wrong for it, and what `allowed` must name. `#` stands for it in the body. */
type Member = readonly [endpoint: string, field: string, wrong: readonly unknown[], allowed: readonly string[], body?: string];

const NO_TEXT = [null, 5, true, [], {}];
const NO_FLAG = [null, 2, "true", [], {}];
const NO_NUMBER = [null, true, "12", [], {}];
const NO_NUMBER_OR_TEXT = [null, false, "", "plenty", "1e3", "0x10", [], {}];
const NO_GROUP = [null, 1, "x", []];
const NO_LIST = [null, 1, "x", [], {}];
const FLAG = ["true", "false", "1", "0"];
const MODES = ["STOCK", "FWD", "5050", "MAP", "RPM"];
const LISTED = ["GET /api/maps"];
const LOGGED = ["GET /api/logs"];

const words = (text: string): string[] => text.split(" ");
/** Members of the settings, "group.member" for those of a group. */
const settings = (fields: string, wrong: readonly unknown[], ...allowed: string[]): Member[] =>
	words(fields).map((field) => {
		const [group, member] = field.split(".");
		return ["/api/settings", field, wrong, allowed, member === undefined ? `{"${group}":#}` : `{"${group}":{"${member}":#}}`];
	});

const CURVE = '{"points":[{"x":0,"lock":0},{"x":20,"lock":50}]}';
const MAP = flatMap(0);
const map = (changes: object): string => JSON.stringify({ ...MAP, ...changes }).replaceAll('"#"', "#");
const rowOf = (row: unknown) => map({ lockTable: MAP.lockTable.map((own, i) => (i === 2 ? row : own)) });

const MEMBERS: readonly Member[] = [
	["/api/mode", "mode", [null, true, [], {}, 6, 7500, 50.5, "", "SPORT"], MODES],
	["/api/analyzer", "enabled", NO_FLAG, FLAG],
	["/api/analyzer", "maySend", NO_FLAG, FLAG],
	...settings("disableController lowPower.sleepEnabled modeTrigger.enabled", NO_FLAG, ...FLAG),
	...settings("couplingGeneration haldexGeneration", [...NO_NUMBER_OR_TEXT, 0, 3, 4.5, "3"], "1, 2, 4, 5, 51, 53, a number"),
	...settings("disengageUnderSpeed.map", NO_NUMBER, "0..300"),
	...settings("modeTrigger.operator", [...NO_TEXT, "", "~", "constructor"], "gt", ">=", "!=", "change"),
	...settings("inputMappings.speed dashMappings.dash_8", [...NO_TEXT, "a\u0007b", "a\nb"], "bus|0xID|signal name|unit"),
	...settings("inputMappings", NO_GROUP, "an object with speed, throttle, rpm"),
	...settings("pwm", NO_GROUP, "an object with frequencyHz, inverted"),
	...(["speed", "throttle", "rpm"] as const).flatMap((curve): Member[] => {
		const path = `/api/curve/${curve}`;
		const xMax = { speed: 300, throttle: 100, rpm: 10_000 }[curve];
		const wrong = [...NO_NUMBER, -1, 0.5];
		return [
			[path, "points", NO_LIST, ["1 to 12"]],
			[path, "points[1].x", [...wrong, xMax + 1], [`0 to ${xMax}`], CURVE.replace("20", "#")],
			[path, "points[1].lock", [...wrong, 101], ["0 to 100"], CURVE.replace("50", "#")],
			[path, "points[0].x", [null, 5, "x", [], {}], [`0 to ${xMax}`], '{"points":[#]}'],
			[path, "points[1].x", [0], ["above 20"], CURVE.replace('"x":0', '"x":20')],
		];
	}),
	...(["speedBins", "throttleBins"] as const).flatMap((axis): Member[] => {
		const bins = MAP[axis];
		const body = map({ [axis]: bins.map((bin, i) => (i === 3 ? "#" : bin)) });
		return [
			["/api/map", axis, NO_LIST, [`${bins.length} values`], map({ [axis]: "#" })],
			["/api/map", `${axis}[3]`, NO_NUMBER, [axis === "speedBins" ? "0..65535" : "0..100"], body],
			["/api/map", `${axis}[3]`, [-5, 0, 20, 20.4], ["above 20"], body],
		];
	}),
	["/api/map", "lockTable", NO_LIST, ["7 values"], map({ lockTable: "#" })],
	["/api/map", "lockTable[2]", NO_LIST, ["9 values"], rowOf("#")],
	["/api/map", "lockTable[2][0]", NO_NUMBER, ["0..100"], rowOf(["#", ...MAP.lockTable[2].slice(1)])],
	...["/api/maps/load", "/api/maps/delete"].flatMap((path): Member[] => [
		[path, "path", [...NO_TEXT, ""], LISTED],
		[path, "name", NO_TEXT, LISTED, '{"path":"/maps/fwd.txt","name":#}'],
		[path, "name", NO_TEXT, LISTED],
	]),
	["/api/maps/save", "name", [...NO_TEXT, ""], ["a name"]],
	["/api/maps/save", "name", [" ", "x".repeat(64)], ["1 to 63 bytes"]],
	["/api/logs/delete", "path", [...NO_TEXT, "", "/logs/x"], LOGGED],
	["/api/logs/delete", "name", [...NO_TEXT, "x"], LOGGED],
	["/api/logs/delete", "name", NO_TEXT, LOGGED, '{"path":"/logs/all.txt","name":#}'],
	["/api/logs/clear", "scope", [...NO_TEXT, "", "some"], ["all", "can", "error", "everything"]],
	["/api/canview/capture", "active", NO_FLAG, FLAG],
	["/api/wifi", "ssid", [...NO_TEXT, "x".repeat(33), "a\nb"], ["32 bytes"]],
	[
		"/api/wifi",
		"password",
		[...NO_TEXT, "1234567", "x".repeat(64), "x".repeat(65), "1234567\n"],
		["empty", "8..63", "64 hexadecimal"],
	],
	["/api/wifi", "apPassword", [...NO_TEXT, "1234567", "x".repeat(64), "1234567é"], ["empty", "8..63"]],
	["/api/wifi", "staEnabled", NO_FLAG, FLAG],
	["/api/wifi", "apOpen", NO_FLAG, FLAG],
	["/api/learn/start", "confirmed", NO_FLAG, FLAG],
	["/api/learn/start", "date", [...NO_TEXT, "today", "2026-1-23", " 2026-11-23"], ["2026-11-23"], '{"confirmed":true,"date":#}'],
	...["did", "dataIdentifier"].map((name): Member => {
		const wrong = [null, true, -1, 65_536, 0.5, "", "x", "10000", [], {}];
		return ["/api/uds/read", "did", wrong, ["0..FFFF"], `{"${name}":#}`];
	}),
	["/api/uds/read", "did", [{}, "x"], ["0..FFFF"], '{"did":"F190","dataIdentifier":#}'],
];

/** Queries: endpoint, parameter, what is wrong for it, what must be named. */
const PARAMETERS: readonly (readonly [endpoint: string, name: string, wrong: readonly string[], allowed: readonly string[]])[] = [
	["GET /api/events", "hz", ["0", "21", "x", "", "5.5", "-1"], ["1..20"]],
	["GET /api/status", "fields", ["", "x", "mode,spec", Array(17).fill("mode").join()], ["1 to 16"]],
	["GET /api/canview", "decoded", ["x", "1x", ""], ["0..2000"]],
	["GET /api/canview", "raw", ["x", ""], ["0..128"]],
	["GET /api/canview/dump", "seconds", ["x", ""], ["1..120"]],
	["GET /api/canview/dump", "format", ["pcap", ""], ["text", "candump", "savvycan"]],
	["GET /api/canview/dump", "dir", ["up", ""], ["all", "rx", "tx"]],
	["GET /api/preview", "mode", ["SPORT", "", "constructor"], MODES],
	["GET /api/preview", "speed", ["-1", "301", "x", "", "0x10", "1e2", " 5 "], ["0..300"]],
	["GET /api/preview", "throttle", ["-1", "101", "x", ""], ["0..100"]],
	["GET /api/preview", "rpm", ["-1", "10001", "x", ""], ["0..10000"]],
	["GET /api/preview", "steering", ["721", "x"], ["720"]],
	["GET /api/maps/export", "format", ["pdf", ""], ["json", "txt"]],
	["GET /api/logs", "scope", ["some", ""], ["all", "can", "error", "everything"]],
	["GET /api/logs/read", "path", [""], LOGGED],
	["GET /api/uds/read", "did", ["", "x", "10000"], ["0..FFFF"]],
	["GET /api/uds/dtc", "statusMask", ["", "x", "100"], ["0..FF"]],
	["POST /api/uds/clear-dtc", "groupOfDTC", ["", "x", "1000000"], ["0..FFFFFF"]],
	["GET /api/uds/measured", "ids", ["x", "10000", Array(17).fill("1").join()], ["1 to 16", "0..FFFF"]],
	["GET /api/uds/measured", "dids", ["x"], ["1 to 16", "0..FFFF"]],
	["POST /api/maps/import", "name", [""], ["a name"]],
];

describe("contract: refusals", () => {
	let bench: Bench;
	let api: Api;
	before(async () => {
		bench = await Bench.start({ connected: false });
		api = new Api(bench);
	});
	after(() => bench.end());

	async function rejects(method: string, path: string, body: string | undefined, field: string, allowed: readonly string[]) {
		const { status, json, text } = await api.call(method, path, body);
		const where = `${method} ${path} ${body ?? ""}: ${text}`;
		assert.equal(status, 400, where);
		const answer = json();
		assert.ok(typeof answer.error === "string" && answer.error !== "", where);
		if (path === "/api/settings") assert.match(answer.error, /^invalid \w/, where);
		assert.equal(answer.field, field, where);
		const named = Array.isArray(answer.allowed) ? answer.allowed.join(" ") : answer.allowed;
		for (const part of allowed) assert.ok(named?.includes(part), `${where} names ${part}`);
	}

	/** What a write could have changed. */
	const state = async () => {
		const { mode, disableController, logging, lowPower, inputMappings, dashMappings, modeTrigger, pwm, currentMap } =
			await api.get("/api/status");
		const driver = { mode, disableController, logging, lowPower, inputMappings, dashMappings, modeTrigger, pwm, currentMap };
		const others = ["/api/map", "/api/curve/speed", "/api/maps", "/api/wifi"].map((path) => api.get(path));
		return [driver, ...(await Promise.all(others))];
	};

	for (const endpoint of new Set(MEMBERS.map(([path]) => path)))
		it(`POST ${endpoint} says of each member what it takes`, async () => {
			const before = await state();
			for (const [path, field, wrong, allowed, body = `{"${field}":#}`] of MEMBERS)
				for (const value of path === endpoint ? wrong : []) {
					const sent = body.replace("#", () => JSON.stringify(value));
					await rejects("POST", endpoint, sent, field, allowed);
				}
			assert.deepEqual(await state(), before);
		});

	it("every route with a query says of each parameter what it takes, also of a value that can't be decoded", async () => {
		for (const [endpoint, name, wrong, allowed] of PARAMETERS) {
			const [method, path] = endpoint.split(" ");
			// any text is a name, and a path of no log is 404
			const isText = name === "name" || path === "/api/logs/read";
			for (const value of [...wrong.map(encodeURIComponent), ...(isText ? [] : ["%00", "%zz", "%ff", "1%2"])])
				await rejects(method, `${path}?${name}=${value}`, undefined, name, allowed);
		}
	});
});
