/** The DBC file: C against a plain writer in TypeScript. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { runScript } from "../../hal/host/host-program.js";
import { dbcText } from "../../support/frame-lines.js";
import { frameTextProgram } from "../../support/frame-text-programs.js";

/** DBC_LINE_BYTES. */
const LINE_BYTES = 240;

describe("modules/frame-text, DBC file", function () {
	this.timeout(60_000);

	for (const [number, network] of (["pq", "mqb"] as const).entries()) {
		it(`has the signals of the catalogue, however little room each call gets: ${network}`, () => {
			for (const room of [LINE_BYTES, LINE_BYTES + 1, 1400])
				assert.equal(execFileSync(frameTextProgram("print_dbc"), [`${number}`, `${room}`]).toString(), dbcText(network));
		});

		it(`keeps each line within LINE_BYTES: ${network}`, () => {
			const longest = Math.max(
				...dbcText(network)
					.split("\n")
					.map(({ length }) => length + 1),
			);
			assert.ok(longest > 100 && longest <= LINE_BYTES, `${longest}`);
		});
	}

	it("cuts the report of a coupling that sends four bytes, and changes nothing else", () => {
		const four = execFileSync(frameTextProgram("print_dbc"), ["0", "1400", "4"]).toString();
		const expected = dbcText("pq")
			.replace("BO_ 704 Allrad_1: 8 ", "BO_ 704 Allrad_1: 4 ")
			.replace(/ SG_ AWD_Clutch_Temperature : 32\|8.*\n/, "");
		assert.equal(four, expected);
		assert.equal(execFileSync(frameTextProgram("print_dbc"), ["0", "1400", "8"]).toString(), dbcText("pq"));
	});

	it("is the same on XS, and rejects networks other than 0 and 1", async () => {
		const { lines } = await runScript(`
			import { DbcFile } from "../../modules/frame-text/frame-text.js";
			const say = (what: () => unknown) => { try { print(String(what())); } catch (error) { print((error as Error).message); } };
			say(() => new DbcFile(2));
			const file = new DbcFile(1);
			const into = new Uint8Array(${LINE_BYTES});
			say(() => file.write(into, 1, ${LINE_BYTES}));
			let bytes = file.write(into, 0, ${LINE_BYTES});
			say(() => String.fromCharCode(...into.subarray(0, 22)));
			while (!file.isComplete) bytes += file.write(into, 0, ${LINE_BYTES});
			say(() => bytes);
			say(() => file.write(into, 0, ${LINE_BYTES}));
			say(() => file.write.call({} as never, into, 0, ${LINE_BYTES}));
		`);
		const text = dbcText("mqb");
		assert.deepEqual(lines.slice(0, 5), ["network is 2, must be an integer 0..1", "0", text.slice(0, 22), `${text.length}`, "0"]);
		assert.match(lines[5] ?? "", /(no|not a) host object/); // XS 13, XS 17
	});
});
