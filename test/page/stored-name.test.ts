import assert from "node:assert/strict";
import { assert as assertProperty, property, string } from "fast-check";
import { pathForName } from "../../src/maps/map-path.js";
import { storedName } from "../../src/page/map/map-words.js";

describe("the name of a stored map, as the page foretells it", () => {
	const agree = (name: string): void => {
		const path = pathForName(name);
		if (path !== undefined) assert.equal(`/maps/${storedName(name)}.json`, path, JSON.stringify(name));
	};

	it("is the one that the controller gives it", () => {
		assert.equal(storedName(" Küche.json "), "K__che");
		const plain = [
			"Ice",
			"Ice ",
			" Ice",
			"a  b",
			"Ice.json",
			"Ice.JSON",
			"Ice.json.json",
			".json",
			".json.json",
			"Ice .json",
			"Ice.txt",
		];
		const odd = [
			"a/b",
			"..",
			"a\\b",
			"a\tb",
			"\tIce",
			"Ice\n",
			"\u00a0Ice",
			"Kü",
			"東",
			"🚗",
			"\ud83d",
			"\udc00x",
			"__proto__",
			"100%",
			"a+b",
		];
		for (const name of [...plain, ...odd]) agree(name);
	});

	it("is that for any text", () => {
		assertProperty(property(string({ unit: "binary", maxLength: 30 }), agree));
		assertProperty(property(string({ unit: "grapheme", maxLength: 12 }), (name) => agree(`${name}.json`)));
	});
});
