/** Objects that are sent as JSON, as the sources have them; what the build makes of them is tested in test/tools/transformations and test/modules/text. */
import assert from "node:assert/strict";
import { asJson, asJsonOf, enginePart, jsonText, part, partList } from "../../src/json/write.js";

describe("json/write", () => {
	it("makes objects in which others are spread, values and in lists", () => {
		const inner = asJson({ speed: 40.5, unit: undefined });
		const made = asJson({ ...inner, one: part(inner), list: partList([inner, inner]), none: partList([]), any: enginePart([1]) });
		const text = '{"speed":40.5,"one":{"speed":40.5},"list":[{"speed":40.5},{"speed":40.5}],"none":[],"any":[1]}';
		assert.equal(jsonText(made), text);
		assert.equal(jsonText(text), text);
	});

	it("takes names and values from tables", () => {
		assert.equal(jsonText(asJsonOf("a b", [true, "x"])), '{"a":true,"b":"x"}');
	});
});
