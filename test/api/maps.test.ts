import assert from "node:assert/strict";
import { DEFAULT_MAP } from "../../src/lock/tuning.js";
import { lockMapToJson, mapText } from "../../src/maps/lock-map.js";
import { DEFAULT_SETTINGS } from "../../src/settings/settings.js";
import { request } from "../support/api-client.js";
import { MemoryFiles } from "../support/memory-files.js";
import { type Parts, partsOn } from "../support/stores.js";

const DEFAULT_JSON = JSON.stringify(lockMapToJson(DEFAULT_MAP));
const map = (lock: number) => ({ ...lockMapToJson(DEFAULT_MAP), lockTable: Array(7).fill(Array(9).fill(lock)) });
const ONES = JSON.stringify(map(1));
const TXT = Buffer.from(mapText({ ...DEFAULT_MAP, cells: DEFAULT_MAP.cells.map(() => 2) })).toString();

const MAP_OF_C6 = {
	speedArray: [0, 5, 10, 20, 40, 60, 80],
	throttleArray: [0, 5, 10, 20, 40, 60, 80],
	lockArray: Array(7).fill(Array(7).fill(1)),
};

const get = (parts: Parts, path: string) => request(parts, "GET", path).json();
const send = (parts: Parts, path: string, body: unknown) => request(parts, "POST", path, JSON.stringify(body));
const write = (parts: Parts, path: string, body: object) =>
	assert.equal(send(parts, path, body).status, 200, JSON.stringify(body));
/** Status and answer of a POST below /api/maps. */
const post = (parts: Parts, path: string, body: object | string) => {
	const text = typeof body === "string" ? body : JSON.stringify(body);
	const { status, json } = request(parts, "POST", `/api/maps/${path}`, text);
	return [status, json()] as const;
};
const points = (...at: number[]) => ({ points: at.map((x) => ({ x, lock: 1 })) });
const live = (parts: Parts) => request(parts, "GET", "/api/map").text;

describe("api/maps: the active map, and curves", () => {
	it("curves change nothing else, and are rejected whole, naming the first fault", () => {
		for (const [body, error, field] of [
			[{ points: Array(13).fill({ x: 0, lock: 0 }) }, "invalid points", "points"],
			[points(10, 10), "points must ascend", "points[1].x"],
			[points(10, 301, 5), "point out of range", "points[1].x"],
		] as const) {
			const parts = partsOn();
			const before = JSON.stringify(parts.controller.settings);
			const answer = send(parts, "/api/curve/speed", body);
			assert.deepEqual([answer.status, answer.json()["error"], answer.json()["field"]], [400, error, field]);
			assert.equal(JSON.stringify(parts.controller.settings), before);
		}
		const parts = partsOn();
		write(parts, "/api/curve/rpm", { points: [{ x: 10_000, lock: 100 }] });
		const { tuning } = parts.controller.settings;
		assert.deepEqual(tuning, { ...DEFAULT_SETTINGS.tuning, rpmCurve: { x: [10_000], lockPercent: [100] } });
	});

	it("reads a number beyond the range of a double as a large one", () => {
		const parts = partsOn();
		const body = JSON.stringify(map(7)).replace(/7\]\]/, "1e999]]");
		assert.equal(request(parts, "POST", "/api/map", body).status, 200);
		assert.equal((get(parts, "/api/map")["lockTable"] as number[][])[6][8], 100);
	});

	it("curves tell of verbose logging", () => {
		for (const flag of ["can", "debugFirmware", "debugNetwork", "debugCan", "file"] as const) {
			const logging = { ...DEFAULT_SETTINGS.logging, [flag]: true };
			const parts = partsOn(undefined, { settings: { ...DEFAULT_SETTINGS, logging } });
			const answer = send(parts, "/api/curve/speed", points(1)).json();
			assert.equal(answer["debugCaptureActive"], flag !== "file", flag);
		}
	});
});

describe("api/maps: stored maps", () => {
	it("says why a file or a full flash prevents it, and keeps the active map", () => {
		const files = new MemoryFiles({
			"maps/": "",
			"maps/wide.json": ONES.replace("[[1,", "[[1,1,"),
			"maps/flat.txt": TXT.replace("S5\t", "S0\t"),
		});
		const parts = partsOn(files);
		for (const [name, detail] of [
			["wide", 'invalid lock table: lockTable[0] is "10 values"; allowed: 9 values'],
			["flat", "bins must ascend: speedBins[1] is 0; allowed: above 0"],
		] as const) {
			assert.deepEqual(post(parts, "load", { name }), [400, { error: "load failed", detail }]);
			assert.equal(get(parts, `/api/maps/export?name=${name}`)["error"], "export failed");
		}
		files.capacity = 10;
		assert.deepEqual(post(parts, "save", { name: "x" }), [400, { error: "save failed", detail: "no space" }]);
		assert.deepEqual(post(parts, "load", { name: "fwd" }), [400, { error: "load failed", detail: "no space" }]);
		assert.equal(live(parts), DEFAULT_JSON);
	});
});

describe("export and import of maps", () => {
	it("exports the active map or a stored one, as TXT or JSON, as an attachment", () => {
		const parts = partsOn(new MemoryFiles({ "maps/": "", 'maps/a "ü".txt': TXT }));
		for (const [query, text, name] of [
			["", Buffer.from(mapText(DEFAULT_MAP)).toString(), "current.txt"],
			["?format=json", DEFAULT_JSON, "current.json"],
			["?path=/maps/a%20%22%C3%BC%22.txt&format=txt", TXT, "map.txt"],
		] as const) {
			const answer = request(parts, "GET", `/api/maps/export${query}`);
			assert.deepEqual([answer.status, answer.text], [200, text]);
			assert.equal(answer.headers["content-disposition"], `attachment; filename="${name}"`);
		}
	});

	it("imports TXT with tabs or semicolons and wrapped JSON, under any type but a form, beside the active map", () => {
		const files = new MemoryFiles({ "maps/": "" });
		const parts = partsOn(files);
		for (const [name, body, type] of [
			["t", TXT, "text/plain"],
			["s", TXT.replaceAll("\t", ";"), "text/plain"],
			["w", ` \n{"map":${ONES}}`, "application/x-www-form-urlencoded"],
			["both", JSON.stringify({ ...map(1), speedArray: "x" }), "application/json"],
			["notepad", `\ufeff${ONES}`, "application/json"],
			["c6", `\ufeff${JSON.stringify(MAP_OF_C6)}`, "text/plain"],
		] as const) {
			const { status, text } = request(parts, "POST", `/api/maps/import?name=${name}`, body, `Content-Type: ${type}`);
			assert.deepEqual([status, text], [200, `{"ok":true,"path":"/maps/${name}.json"}`]);
		}
		assert.deepEqual([files.text("maps/w.json"), live(parts)], [ONES, DEFAULT_JSON]);
		for (const name of ["t", "s"]) assert.equal(request(parts, "GET", `/api/maps/export?name=${name}`).text, TXT);
		assert.equal(request(parts, "POST", "/api/maps/import?name=x", TXT, "Content-Type: Multipart/Form-Data").status, 415);
	});

	it("shows the line of a text that is no map, and the wanted form", () => {
		const parts = partsOn(new MemoryFiles({ "maps/": "" }));
		const [, bad] = post(parts, "import?name=x", TXT.replaceAll("\t", "|"));
		assert.deepEqual([bad["field"], bad["value"]], ["line 1", "1 columns"]);
		assert.match(`${bad["detail"]} ${bad["allowed"]}`, /^ID.*\|S0\|.* 11 columns, separated by tabs, semicolons, commas/);
	});
});

describe("api/maps: trying, keeping, and what was before", () => {
	const earlier = (parts: Parts) => get(parts, "/api/status")["earlier"];
	const names = (of: unknown) => {
		const { mapName, mapFrom } = of as Record<string, unknown>;
		return [mapName, mapFrom];
	};

	it("rejects an invalid `try` or `from`, an invalid map and an old revision, and changes nothing", () => {
		const parts = partsOn();
		const before = JSON.stringify(parts.controller.settings);
		for (const [changes, status, error] of [
			[{ try: "true" }, 400, "invalid try"],
			[{ try: null }, 400, "invalid try"],
			[{ try: true, from: 1 }, 400, "invalid from"],
			[{ try: true, speedBins: [] }, 400, "invalid map sizes"],
			[{ try: true, revision: 1 }, 409, "changed meanwhile"],
		] as const) {
			const answer = send(parts, "/api/map", { ...map(1), ...changes });
			assert.deepEqual([answer.status, answer.json()["error"]], [status, error]);
		}
		assert.equal(JSON.stringify(parts.controller.settings), before);
	});

	it("reads what was active before, map and curves, and says how far back one can go", () => {
		const parts = partsOn();
		write(parts, "/api/map", map(10));
		write(parts, "/api/map", map(20));
		write(parts, "/api/curve/rpm", { points: [{ x: 0, lock: 5 }] });
		assert.deepEqual(earlier(parts), { map: 2, speedCurve: 0, throttleCurve: 0, rpmCurve: 1, mapName: "", mapFrom: "" });
		const locks = [0, 1, 2].map((before) => get(parts, `/api/map?before=${before}`)["lockTable"]);
		assert.deepEqual(locks, [map(20).lockTable, map(10).lockTable, lockMapToJson(DEFAULT_MAP).lockTable]);
		assert.equal(get(parts, "/api/curve/rpm?before=1")["count"], 6);
		assert.deepEqual(get(parts, "/api/curve/rpm?before=0")["points"], [{ x: 0, lock: 5 }]);
		for (const [query, status, error] of [
			["map?before=3", 404, "not found"],
			["curve/speed?before=1", 404, "not found"],
			["map?before=11", 400, "invalid before"],
			["map?before=", 400, "invalid before"],
		] as const) {
			const answer = request(parts, "GET", `/api/${query}`);
			assert.deepEqual([answer.status, answer.json()["error"], answer.json()["field"]], [status, error, "before"], query);
		}
	});

	it("says which stored map the active one is or was made from, and takes its name again when it is the same", () => {
		const parts = partsOn();
		const active = () => names(get(parts, "/api/status"));
		const preset = get(parts, "/api/maps/export?name=aggressive&format=json");
		assert.deepEqual(active(), ["", ""]);
		for (const [path, body, name, from] of [
			["/api/map", { ...preset, try: true, from: "aggressive" }, "aggressive", "aggressive"],
			["/api/map", { ...map(20), try: true }, "", "aggressive"],
			["/api/map", { ...preset, try: true }, "aggressive", "aggressive"],
			["/api/map", map(30), "", "aggressive"],
			["/api/maps/save", { name: "Mine" }, "Mine", "Mine"],
			["/api/map", { ...map(40), try: true, from: "" }, "", ""],
			["/api/maps/load", { name: "fwd" }, "fwd", "fwd"],
		] as const) {
			write(parts, path, body);
			assert.deepEqual(active(), [name, from], JSON.stringify(body));
		}
		assert.equal(get(parts, "/api/map?before=2")["from"], "Mine");
	});

	it("gives back a stored map that a save or an import replaced, though it was never active, and swaps nothing with it", () => {
		for (const replace of ["/api/maps/save", "/api/maps/import?name=Winter"]) {
			const parts = partsOn();
			write(parts, "/api/maps/import?name=Winter", map(33));
			write(parts, replace, { name: "Winter", ...map(44) });
			assert.deepEqual(get(parts, "/api/map?before=1"), { ...map(33), from: "" }, replace);
			assert.deepEqual(earlier(parts), { map: 1, speedCurve: 0, throttleCurve: 0, rpmCurve: 0, mapName: null, mapFrom: "" });
			const swap = send(parts, "/api/map/swap", {});
			assert.deepEqual([swap.status, swap.json()], [400, { error: "swap failed", detail: "no other map was active" }]);
		}
	});
});
