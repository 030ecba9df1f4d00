import assert from "node:assert/strict";
import { isMapFile, nameOf, pathForName, pathsFor } from "../../src/maps/map-path.js";

describe("maps/map-path", () => {
	it("makes a path of a name, byte by byte", () => {
		for (const [name, path] of [
			["Street 2", "/maps/Street 2.json"],
			["a/b", "/maps/a_b.json"],
			["../x", "/maps/.._x.json"],
			["x.json", "/maps/x.json"],
			["x.JSON", "/maps/x.JSON.json"],
			["x.txt", "/maps/x.txt.json"],
			["Küche #1", "/maps/K__che _1.json"],
			["  a b  ", "/maps/a b.json"],
			["current", "/maps/current.json"],
			["🚗", "/maps/____.json"],
			["a\\b\0c\td", "/maps/a_b_c_d.json"],
			["%2e%2e", "/maps/_2e_2e.json"],
			["x".repeat(58), `/maps/${"x".repeat(58)}.json`],
		])
			assert.equal(pathForName(name), path);
	});

	it("rejects empty names and names of more than 63 bytes", () => {
		for (const name of ["   ", ".json", " .json ", "x".repeat(59), "ü".repeat(30), "x".repeat(300), " ".repeat(300)])
			assert.equal(pathForName(name), undefined, name);
	});

	it("resolves paths and names to files directly below /maps", () => {
		for (const [text, ...paths] of [
			["/maps/x.json", "/maps/x.json"],
			["maps/x.json", "/maps/x.json"],
			["/maps/x.txt", "/maps/x.txt"],
			["x.json", "/maps/x.json"],
			["x.txt", "/maps/x.txt"],
			["x", "/maps/x.json", "/maps/x.txt"],
			["x.JSON", "/maps/x.JSON.json", "/maps/x.JSON.txt"],
			["/x.txt", "/maps/x.txt"],
			["/maps/.._x.json", "/maps/.._x.json"],
		])
			assert.deepEqual(pathsFor(text), paths, text);
	});

	it("resolves nothing that could lead anywhere else", () => {
		for (const text of [
			"/maps/../index.html",
			"/maps/../x.json",
			"/maps/../../etc/x.json",
			"../x.json",
			"maps/../x.json",
			"/etc/x.json",
			"/x.json",
			"/settings.json",
			"//x.txt",
			"/maps//x.json",
			"/maps/a/b.json",
			"/maps/./x.json",
			"\\maps\\x.json",
			"/maps/..\\x.json",
			"/maps/a\0.json",
			"/maps/a\n.json",
			"/maps/.json",
			"/maps/.txt",
			"/maps/x.JSON",
			"/maps/x",
			"/maps/",
			"/maps",
			"/",
			"",
			"/MAPS/x.json",
			`/maps/${"x".repeat(59)}.json`,
			"x".repeat(300),
			"/maps/x.json.bad",
			"/maps/x.json.new",
		])
			assert.deepEqual(pathsFor(text), [], text);
		// not decoded: a name like any other
		assert.deepEqual(pathsFor("/maps/%2e%2e%2fx.json"), ["/maps/%2e%2e%2fx.json"]);
	});

	it("tells the file and the name of a map", () => {
		assert.deepEqual(["a.json", "a.txt", ".json", "a", "a.bad", "a.json.new", "json"].map(isMapFile), [
			true,
			true,
			false,
			false,
			false,
			false,
			false,
		]);
		assert.deepEqual([nameOf("/maps/a.b.json"), nameOf("x.txt")], ["a.b", "x"]);
	});
});
