/** The CAN view and the catalogue: C against a golden file, and on XS against the natives of Node. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { catalogueTexts } from "../../../tools/build-catalogue.mjs";
import { runScript } from "../../hal/host/host-program.js";
import { frameTextProgram, ViewProgram } from "../../support/frame-text-programs.js";
import { type Latest, TraceTable } from "../../support/gateway-memory.js";

const HERE = dirname(fileURLToPath(import.meta.url));
const ALL_ROWS = 15;
/** CAN_VIEW_ROW_BYTES. */
const ROW_BYTES = 300;
const ROOMS = [ROW_BYTES, 1400];

interface Golden {
	/** Requests for print_view, the last one of which was answered. */
	readonly input: string;
	readonly text: string;
}

describe("modules/frame-text, CAN view", function () {
	this.timeout(60_000);

	it("is that of the golden file, byte for byte, however little room each call gets", () => {
		const file = gunzipSync(readFileSync(join(HERE, "golden/views.json.gz"))).toString();
		for (const { input, text } of JSON.parse(file) as Golden[])
			for (const room of ROOMS)
				assert.equal(
					execFileSync(frameTextProgram("print_view"), [String(room)], { input: Buffer.from(input, "base64") }).toString(),
					text,
				);
	});

	it("keeps each row within ROW_BYTES", () => {
		const frames = catalogueTexts().networks.flat();
		const ids = frames.map((text) => Number.parseInt(text, 16) + (/^\w+x /.test(text) ? 0x80000000 : 0));
		for (const byte of [0xff, 0x80])
			for (const generation of [4, 5]) {
				const table = new TraceTable();
				table.nowMs = 2 ** 32 - 1;
				const seen = { ageMs: 1500, count: 0xffff, data: Array(8).fill(byte) };
				table.entries.push(
					...[...ids, 0x118].flatMap((id) => [0, 1].map((bus) => ({ bus, id, received: seen, sent: seen }) as Latest)),
				);
				const program = new ViewProgram(table);
				program.text(generation, ALL_ROWS, 0, 0);
				table.nowMs += 1000;
				const rows =
					program
						.text(generation, ALL_ROWS, 1e6, 0)
						.toString()
						.match(/\{"bus".*?\}(?=[,\]])/g) ?? [];
				assert.ok(rows.length > 1000, String(rows.length));
				assert.ok(Math.max(...rows.map(({ length }) => length)) + 1 <= ROW_BYTES);
				for (const row of rows) JSON.parse(row);
			}
	});

	it("rejects an unknown generation, row or limit, and answers at once in a silent car", async () => {
		const { lines } = await runScript(`
			import { CanView } from "../../modules/frame-text/frame-text.js";
			const say = (what: () => unknown) => { try { print(String(what())); } catch (error) { print((error as Error).message); } };
			say(() => new CanView(256, 15, 200, 20));
			say(() => new CanView(5, 16, 200, 20));
			say(() => new CanView(5, 15, -1, 20));
			say(() => new CanView(5, 15, 200, 0.5));
			const view = new CanView(0, 15, 200, 20);
			const into = new Uint8Array(400);
			say(() => view.write(into, 0, 299));
			say(() => view.isComplete);
			say(() => view.write(into, 0, 400));
			say(() => String.fromCharCode(...into.subarray(0, 23)));
			say(() => view.isComplete + " " + view.write(into, 0, 400));
			say(() => view.write.call({} as never, into, 0, 400));
		`);
		assert.deepEqual(lines.slice(0, 9), [
			"generation is 256, must be an integer 0..255",
			"rows is 16, must be an integer 0..15",
			"decodedLimit is -1, must be an integer 0..4294967295",
			"rawLimit is 0.5, must be an integer 0..4294967295",
			"0",
			"false",
			"23",
			'{"decoded":[],"raw":[]}',
			"true 0",
		]);
	});

	it("has the catalogue's texts as the DBC files give them", async () => {
		const { units, networks } = catalogueTexts();
		const selecting = [0x580, 0x2a0];
		// identifier, and names as they are looked for
		const namesOf = (text: string) => {
			const signals = text.split("|").slice(1, -1);
			return [Number.parseInt(text, 16), ...signals.map((signal) => signal.split(",")[0]!.toLowerCase().replace(/_+$/, ""))];
		};
		const { lines } = await runScript(`
			import { Catalogue } from "../../modules/frame-text/catalogue.js";
			const names = ${JSON.stringify(networks.map((texts) => texts.map(namesOf)))};
			names.forEach((frames, network) =>
				frames.forEach(([id, ...signals]) => {
					const texts = signals.map((name) => Catalogue.signal(network, Number(id), name));
					print([Catalogue.frame(network, Number(id)), ...texts, ""].join("|"));
				}));
			for (const id of ${JSON.stringify(selecting)}) print(String(Catalogue.selector(0, id)));
			for (let unit = 0; unit < ${units.length}; unit++) print("unit " + Catalogue.unit(unit));
			for (const id of [0x118, 0x800001a0]) print(String(Catalogue.frame(1, id)));
			for (const wrong of [() => Catalogue.frame(2, 1), () => Catalogue.frame(0, -1), () => Catalogue.unit(${units.length})])
				try { print(String(wrong())); } catch (error) { print((error as Error).message); }
		`);
		assert.deepEqual(lines, [
			...networks.flat(),
			...["Multiplex_Switch_Engine_Flexia,0,1,M", "undefined"],
			...units.map((unit) => `unit ${unit}`),
			...["undefined", "undefined"],
			"network is 2, must be an integer 0..1",
			"frameId is -1, must be an integer 0..4294967295",
			`number is ${units.length}, must be an integer 0..${units.length - 1}`,
		]);
	});
});
