import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { derivedDocuments } from "../../tools/settings-documents.js";

describe("tools/settings-documents", () => {
	for (const { path, expected } of derivedDocuments())
		it(`finds ${path} as the table of settings has it`, () => {
			const text = readFileSync(path, "utf8");
			const told = `${path} is not what the table of settings says: run node --import ./test/support/register.mjs tools/settings-documents.ts, then npm run format`;
			assert.equal(text, expected, told);
		});
});
