/**
 * What docs/api.md says of the limits that a client meets: each by its name, none left out, none that there
 * is not.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { DUMPS_AT_ONCE } from "../../src/api/canview.js";
import { HTTP_LIMITS, INPUT_BYTES } from "../../src/http/limits.js";

const API = readFileSync("docs/api.md", "utf8");

/** Name and value of each row of the table. */
function documented(): [string, number][] {
	const table = API.slice(API.indexOf("| limit | value | of what |")).split("\n\n")[0];
	return table
		.split("\n")
		.slice(2)
		.flatMap((row) => {
			const [, names, values] = row.split("|").map((cell) => cell.trim().split(", "));
			assert.equal(names.length, values.length, row);
			return names.map((name, i): [string, number] => [name.replaceAll("`", ""), Number(values[i])]);
		});
}

describe("http/limits", () => {
	it("are all in docs/api.md, by name, with their values", () => {
		const known: Readonly<Record<string, number>> = { ...HTTP_LIMITS, DUMPS_AT_ONCE };
		assert.deepEqual(Object.fromEntries(documented()), known);
	});

	it("leave sockets of a board's 20 for SavvyCAN's two clients, and a download", () => {
		const { connections, waitingClients } = HTTP_LIMITS;
		assert.ok(connections + waitingClients + 3 < 20);
	});

	it("give a connection bytes for a request line, the headers that are kept, and a piece of a body", () =>
		assert.equal(INPUT_BYTES, 1024 + 512 + 512));
});
