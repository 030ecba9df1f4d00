import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { derivedDocuments } from "../../tools/derived-documents.js";

describe("tools/derived-documents", () => {
	for (const { path, expected } of derivedDocuments())
		it(`finds ${path} as the settings and the interface are described`, () => {
			const text = readFileSync(path, "utf8");
			const told = `${path} is not what is described: run node --import ./test/support/register.mjs tools/derived-documents.ts`;
			assert.equal(text, expected, told);
		});
});
