/** Names from outside that every object has a member of: damaged files and storage, or a controller of another version, may bring them. */
import assert from "node:assert/strict";
import { unitText } from "../../src/page/can/units.js";
import { conditionText, effectLabel, NEW_CONDITION } from "../../src/page/conditions/conditions.js";
import { faultKind, faultStatus, identityRows, nameOf } from "../../src/page/diagnosis/words.js";
import { modeLabel } from "../../src/page/drive/mode-names.js";
import { lookUp } from "../../src/page/look-up.js";
import type { Condition, Fault, IdentityRecord } from "../../src/page/net/types.js";
import { inOurWords } from "../../src/page/said.js";
import { choiceLabel, valueLabel } from "../../src/page/settings/settings-words.js";

const INHERITED = ["constructor", "toString", "__proto__", "hasOwnProperty"];

/** What the page says of each such name. */
const SAID: readonly (readonly [what: string, text: (name: string) => unknown, expected: (name: string) => unknown])[] = [
	["a mode", modeLabel, (name) => name],
	["a choice of a setting", choiceLabel, (name) => name],
	["a setting's value", (name) => valueLabel("frameProfile", name), (name) => name],
	["a list of modes", (name) => valueLabel("controls.favourites", `${name} ${name}`), (name) => `${name} > ${name}`],
	["a condition's effect", effectLabel, (name) => name],
	[
		"a condition",
		(name) => conditionText({ ...NEW_CONDITION, effect: name, operator: name, signal: "chassis|0x1|x|" } as unknown as Condition),
		(name) => `${name}: x ${name} 1`,
	],
	[
		"a condition's mode",
		(mode) => conditionText({ ...NEW_CONDITION, effect: "mode", mode } as unknown as Condition),
		(mode) => `Selects a mode ${mode}:  at least 1`,
	],
	["a unit", unitText, (name) => name],
	["a fault's kind", (name) => faultKind({ odisFaultType: name } as Fault), (name) => name],
	[
		"a fault's state",
		(name) => faultStatus({ statusLabels: [name], statusHex: "09" } as unknown as Fault),
		(name) => `${name}, 09`,
	],
	["a field of the identity", (name) => identityRows([{ field: name, value: "1" } as IdentityRecord]), (name) => [[name, "1"]]],
	["a measured value", (name) => nameOf({ id: name, problem: "" }), (name) => `Group ${name}`],
	["words of the controller", inOurWords, (name) => name],
];

describe("a table of the page", () => {
	it("has what stands in it, and nothing that every object has", () => {
		assert.equal(lookUp({ open: 1 }, "open"), 1);
		assert.equal(lookUp({ open: 1 }, "closed"), undefined);
		for (const name of INHERITED) assert.equal(lookUp({ open: 1 }, name), undefined, name);
	});

	for (const [what, text, expected] of SAID)
		it(`leaves a name that is none of its own as it is: ${what}`, () => {
			for (const name of INHERITED) assert.deepEqual(text(name), expected(name), name);
		});
});
