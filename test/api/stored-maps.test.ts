import assert from "node:assert/strict";
import { DEFAULT_MAP } from "../../src/lock/tuning.js";
import { lockMapToJson, mapText } from "../../src/maps/lock-map.js";
import { STORED_MAPS_MAX } from "../../src/maps/map-store.js";
import { request } from "../support/api-client.js";
import { MemoryFiles } from "../support/memory-files.js";
import { type Parts, partsOn } from "../support/stores.js";

const DEFAULT_JSON = JSON.stringify(lockMapToJson(DEFAULT_MAP));
const ONES = JSON.stringify(lockMapToJson({ ...DEFAULT_MAP, cells: DEFAULT_MAP.cells.map(() => 1) }));
const TXT = Buffer.from(mapText({ ...DEFAULT_MAP, cells: DEFAULT_MAP.cells.map(() => 2) })).toString();

const post = (parts: Parts, path: string, body: unknown) => {
	const { status, text } = request(parts, "POST", `/api/maps/${path}`, typeof body === "string" ? body : JSON.stringify(body));
	return [status, JSON.parse(text)] as const;
};
type List = { current: string; currentName: string; maps: { name: string; path: string; format: string; readOnly: boolean }[] };
const list = (parts: Parts) => request(parts, "GET", "/api/maps").json() as unknown as List;
const live = (parts: Parts) => request(parts, "GET", "/api/map").text;

describe("api/maps: stored maps", () => {
	it("lists presets and maps by path, and what is current", () => {
		const files = new MemoryFiles({
			"maps/": "",
			"maps/b.json": ONES,
			"maps/B.json": ONES,
			"maps/my.txt": TXT,
			"maps/x.bad": "",
		});
		assert.deepEqual(list(partsOn(files)), {
			current: "/maps/current.json",
			currentName: "current",
			maps: [
				{ name: "B", path: "/maps/B.json", format: "json", readOnly: false },
				{ name: "aggressive", path: "/maps/aggressive.txt", format: "txt", readOnly: true },
				{ name: "b", path: "/maps/b.json", format: "json", readOnly: false },
				{ name: "conservative", path: "/maps/conservative.txt", format: "txt", readOnly: true },
				{ name: "danger", path: "/maps/danger.txt", format: "txt", readOnly: true },
				{ name: "fwd", path: "/maps/fwd.txt", format: "txt", readOnly: true },
				{ name: "my", path: "/maps/my.txt", format: "txt", readOnly: true },
			],
		});
	});

	it("lists as many maps as may be stored, with the longest names", () => {
		const content: Record<string, string> = { "maps/": "" };
		for (let i = 0; i < STORED_MAPS_MAX; i++) content[`maps/${String(i).padStart(58, "n")}.json`] = ONES;
		const { maps } = list(partsOn(new MemoryFiles(content)));
		assert.equal(maps.length, STORED_MAPS_MAX + 4);
		const paths = maps.map(({ path }) => path);
		assert.deepEqual(paths, [...paths].sort());
		assert.equal(new Set(paths).size, paths.length);
	});

	it("saves, lists, protects the current one, loads another, deletes", () => {
		const parts = partsOn();
		const entry = { name: "K__che _1", path: "/maps/K__che _1.json", format: "json", readOnly: false };
		assert.deepEqual(post(parts, "save", { name: "Küche #1" }), [200, { ok: true, path: entry.path }]);
		assert.deepEqual(list(parts).maps[0], entry);
		assert.deepEqual([list(parts).current, list(parts).currentName], [entry.path, entry.name]);
		assert.deepEqual(post(parts, "delete", { path: entry.path }), [
			400,
			{ error: "delete failed", detail: "it is the current map" },
		]);
		assert.deepEqual(post(parts, "load", { name: "aggressive" }), [200, { ok: true, path: "/maps/aggressive.txt" }]);
		assert.equal(list(parts).current, "/maps/current.json");
		assert.deepEqual(post(parts, "delete", { name: "K__che _1" }), [200, { ok: true }]);
		assert.equal(list(parts).maps.length, 4);
	});

	it("loads by path or name, the path first, and what the list calls current", () => {
		const files = () => new MemoryFiles({ "maps/": "", "maps/ones.json": ONES, "maps/twos.txt": TXT });
		for (const body of [
			{ path: "/maps/ones.json" },
			{ path: "maps/ones.json" },
			{ path: "ones" },
			{ name: "ones" },
			{ name: "ones.json" },
			{ path: "", name: "ones" },
			{ path: "/maps/ones.json", name: "twos" },
		]) {
			const parts = partsOn(files());
			assert.deepEqual(post(parts, "load", body), [200, { ok: true, path: "/maps/ones.json" }], JSON.stringify(body));
			assert.equal(live(parts), ONES);
			const { current, currentName } = list(parts);
			assert.deepEqual([current, currentName], ["/maps/ones.json", "ones"]);
			for (const wanted of [current, currentName]) assert.equal(post(parts, "load", { path: wanted })[0], 200);
		}
		const parts = partsOn(files());
		assert.deepEqual(post(parts, "load", { path: "/twos.txt" }), [200, { ok: true, path: "/maps/twos.txt" }]);
		assert.deepEqual(post(parts, "load", { path: list(parts).current }), [200, { ok: true, path: "/maps/current.json" }]);
	});

	it("rejects paths that lead elsewhere, encoded ones, names that are too long or not there, and changes nothing", () => {
		const files = new MemoryFiles({ "maps/": "", "settings.json": "{}", "index.html": "x", "etc/": "", "etc/x.json": ONES });
		const parts = partsOn(files);
		const before = new Map(files.flash);
		for (const path of [
			"/maps/../index.html",
			"/maps/../settings.json",
			"/maps/../etc/x.json",
			"/etc/x.json",
			"../settings.json",
			"/settings.json",
			"/maps/%2e%2e/settings.json",
			"/maps/..%2fsettings.json",
			"..\\settings.json",
			"/maps/\\..\\settings.json",
			"/maps/\u0000.json",
			"/maps//etc/x.json",
			"/maps/",
			"/",
			".",
			"..",
			"x".repeat(300),
			`/maps/${"x".repeat(300)}.json`,
			"none",
		])
			for (const [operation, error] of [
				["load", "load failed"],
				["delete", "delete failed"],
			] as const)
				for (const key of ["path", "name"])
					assert.deepEqual(post(parts, operation, { [key]: path }), [400, { error, detail: "there is no such map" }], path);
		for (const path of ["/maps/aggressive.txt", "fwd"])
			assert.deepEqual(post(parts, "delete", { path }), [400, { error: "delete failed", detail: "it is read-only" }]);
		assert.deepEqual([files.flash, live(parts)], [before, DEFAULT_JSON]);
	});

	it("rejects an invalid file, says why, and keeps the active map", () => {
		const files = new MemoryFiles({
			"maps/": "",
			"maps/half.json": ONES.slice(0, 100),
			"maps/wide.json": ONES.replace("[[1,", "[[1,1,"),
			"maps/flat.txt": TXT.replace("S5\t", "S0\t"),
		});
		const parts = partsOn(files);
		for (const [name, detail] of [
			["half", /./],
			["wide", /^invalid lock table: lockTable\[0\] is "10 values"; allowed: 9 values$/],
			["flat", /^bins must ascend: speedBins\[1\] is 0; allowed: above 0$/],
		] as const) {
			const [status, answer] = post(parts, "load", { name });
			assert.deepEqual([status, answer.error, live(parts)], [400, "load failed", DEFAULT_JSON]);
			assert.match(answer.detail, detail);
			assert.equal(request(parts, "GET", `/api/maps/export?name=${name}`).json()["error"], "export failed");
		}
	});

	it("wants a path or a name", () => {
		for (const body of [{}, { path: "" }, { path: null, name: 5 }, { Path: "x" }])
			for (const operation of ["load", "delete"]) {
				const [status, answer] = post(partsOn(), operation, body);
				assert.deepEqual([status, answer.error, answer.field], [400, "missing path", "path"]);
			}
		for (const body of [{}, { name: "" }, { name: 5 }, { name: null }, { path: "x" }]) {
			const [status, answer] = post(partsOn(), "save", body);
			assert.deepEqual([status, answer.error, answer.field], [400, "missing name", "name"]);
		}
		for (const name of ["   ", ".json", "x".repeat(300), "ü".repeat(99)]) {
			const [status, answer] = post(partsOn(), "save", { name });
			assert.deepEqual([status, answer.error, answer.field], [400, "save failed", "name"]);
		}
	});

	it("says why it can't store a map on a full flash", () => {
		const files = new MemoryFiles({ "maps/": "" });
		const parts = partsOn(files);
		files.capacity = 10;
		assert.deepEqual(post(parts, "save", { name: "x" }), [400, { error: "save failed", detail: "no space" }]);
		assert.deepEqual(post(parts, "load", { name: "fwd" }), [400, { error: "load failed", detail: "no space" }]);
		assert.equal(live(parts), DEFAULT_JSON);
	});
});

describe("export and import of maps", () => {
	it("exports the active map or a stored one, as TXT or JSON, as an attachment", () => {
		const parts = partsOn(new MemoryFiles({ "maps/": "", 'maps/a "ü".txt': TXT }));
		const get = (query: string) => request(parts, "GET", `/api/maps/export${query}`);
		assert.equal(get("").text, Buffer.from(mapText(DEFAULT_MAP)).toString());
		assert.equal(get("").headers["content-disposition"], 'attachment; filename="current.txt"');
		assert.equal(get("?format=json").text, DEFAULT_JSON);
		const stored = get("?path=/maps/a%20%22%C3%BC%22.txt&format=txt");
		assert.deepEqual([stored.status, stored.text, stored.headers["content-type"]], [200, TXT, "text/plain"]);
		assert.equal(stored.headers["content-disposition"], 'attachment; filename="a ___.txt"');
		assert.equal(get("?name=fwd").headers["content-disposition"], 'attachment; filename="fwd.txt"');
		assert.match(get("?name=fwd").text, /^ID\tName\tS0\tS10\t/);
	});

	it("exports nothing that is not there, and no other format", () => {
		const get = (query: string) => request(partsOn(), "GET", `/api/maps/export${query}`);
		for (const path of [
			"none",
			"/maps/../settings.json",
			"/maps/%2e%2e/settings.json",
			"%2fsettings.json",
			"..%5cx",
			"x".repeat(300),
		]) {
			const { status, text } = get(`?path=${path}`);
			assert.deepEqual([status, JSON.parse(text).error, JSON.parse(text).field], [404, "not found", "path"]);
		}
		assert.deepEqual(get("?format=csv").json(), {
			error: "invalid format",
			field: "format",
			value: "csv",
			allowed: ["json", "txt"],
		});
	});

	it("imports TXT and JSON, beside the active map", () => {
		const files = new MemoryFiles({ "maps/": "" });
		const parts = partsOn(files);
		for (const [name, body, type] of [
			["t", TXT, "text/plain"],
			["j", ONES, "application/json"],
			["w", ` \n{"map":${ONES}}`, "application/x-www-form-urlencoded"],
		]) {
			const { status, text } = request(parts, "POST", `/api/maps/import?name=${name}`, body, `Content-Type: ${type}`);
			assert.deepEqual([status, text], [200, `{"ok":true,"path":"/maps/${name}.json"}`]);
		}
		assert.deepEqual([files.text("maps/j.json"), files.text("maps/w.json"), live(parts)], [ONES, ONES, DEFAULT_JSON]);
		assert.equal(post(parts, "load", { name: "t" })[0], 200);
		assert.equal(request(parts, "GET", "/api/maps/export").text, TXT);
	});

	it("imports the map in the settings of OpenHaldex-C6, and a TXT map with semicolons", () => {
		const parts = partsOn(new MemoryFiles({ "maps/": "" }));
		const rows = Array.from({ length: 7 }, (_, r) => Array.from({ length: 7 }, (_, c) => 10 * r + c));
		const c6 = {
			haldexGeneration: 4,
			mode: 5,
			speedArray: [0, 30, 60, 90, 120, 160, 180],
			throttleArray: [0, 15, 30, 45, 60, 75, 90],
			lockArray: rows,
		};
		assert.equal(
			request(parts, "POST", "/api/maps/import?name=c6", JSON.stringify(c6)).text,
			'{"ok":true,"path":"/maps/c6.json"}',
		);
		const map = request(parts, "GET", "/api/maps/export?name=c6&format=json").json();
		assert.deepEqual(map["speedBins"], [0, 30, 60, 90, 120, 160, 180, 190, 200]);
		assert.deepEqual((map["lockTable"] as number[][])[6], [60, 61, 62, 63, 64, 65, 66, 66, 66]);
		assert.equal(request(parts, "POST", "/api/maps/import?name=s", TXT.replaceAll("\t", ";")).status, 200);
		assert.equal(request(parts, "GET", "/api/maps/export?name=s").text, TXT);
		const both = { ...JSON.parse(ONES), speedArray: "x" };
		assert.equal(request(parts, "POST", "/api/maps/import?name=b", JSON.stringify(both)).status, 200);
		const bad = request(parts, "POST", "/api/maps/import?name=x", TXT.replaceAll("\t", "|")).json();
		assert.deepEqual([bad["error"], bad["field"], bad["value"]], ["invalid map sizes", "line 1", "1 columns"]);
		assert.match(
			`${bad["detail"]} ${bad["allowed"]}`,
			/^ID.*\|S0\|.* 11 columns, separated by tabs, semicolons, commas or blanks/,
		);
	});

	it("imports nothing that is wrong, and not over the current map", () => {
		const files = new MemoryFiles({ "maps/": "" });
		const parts = partsOn(files);
		post(parts, "save", { name: "mine" });
		const before = new Map(files.flash);
		for (const [query, body, error] of [
			["", TXT, "missing name"],
			["?name=", TXT, "missing name"],
			["?name=%20", TXT, "import failed"],
			[`?name=${"x".repeat(300)}`, TXT, "import failed"],
			["?name=mine", TXT, "import failed"],
			["?name=current", TXT, "import failed"],
			["?name=x", "", "invalid map sizes"],
			["?name=x", TXT.replace("\t2\t", "\tx\t"), "invalid lock table"],
			["?name=x", TXT.replace("S5", "S0"), "bins must ascend"],
			["?name=x", "{", "invalid json"],
			["?name=x", "[]", "invalid map sizes"],
			["?name=x", "{}", "invalid map sizes"],
		]) {
			const { status, text } = request(parts, "POST", `/api/maps/import${query}`, body);
			assert.deepEqual([status, JSON.parse(text).error], [400, error], query);
		}
		assert.deepEqual(files.flash, before);
		assert.equal(request(parts, "POST", "/api/maps/import?name=x", TXT, "Content-Type: multipart/form-data").status, 415);
	});
});
