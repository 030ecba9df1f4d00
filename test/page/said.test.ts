/** What the controller says of itself, in German: its own sentences, made by what goes wrong. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { SETTINGS_DOCUMENT } from "../../src/settings/stored-settings.js";
import { StoredDocument } from "../../src/storage/stored-document.js";
import { ManualTime, MemoryFiles } from "../support/memory-files.js";

const PAGE = fileURLToPath(new URL("../../src/page/", import.meta.url));
/** The page's modules find each other as esbuild looks for them. */
const CODE = `import { GERMAN } from "./texts/german"; import { speak } from "./texts";
	export { inOurWords, reasonInOurWords } from "./said"; speak(GERMAN);`;

describe("the controller's words on the page", () => {
	let inOurWords: (said: string) => string;
	let reasonInOurWords: (state: { reason: string; reasonCode: string; reasonDetail: string }) => string;
	before(async () => {
		const entry = { contents: CODE, resolveDir: PAGE };
		const { outputFiles } = await build({ stdin: entry, bundle: true, format: "esm", write: false });
		({ inOurWords, reasonInOurWords } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`));
	});

	it("tell in German what is wrong with the files, with their names", () => {
		const reports: string[] = [];
		const time = new ManualTime();
		const files = new MemoryFiles({ "settings.json": "{" });
		const report = (_path: string, problem: string) => void reports.push(problem);
		const document = new StoredDocument(SETTINGS_DOCUMENT, { files, writes: time.writes, clock: time, report });
		const settings = document.load();
		files.capacity = 0;
		document.save({ ...settings, setupDone: true });
		time.pass(5000);
		assert.deepEqual(
			reports.map((said) => inOurWords(said)),
			[
				"settings.json ist nicht brauchbar (aufgehoben als settings.json.bad): kein JSON",
				"settings.json lässt sich nicht speichern: der Speicher ist voll",
			],
		);
		const missing = "maps/Ice.json, the map in force, is missing";
		assert.equal(inOurWords(missing), "maps/Ice.json, das Kennfeld in Kraft, fehlt");
	});

	it("keep what they name, and what is not known", () => {
		assert.equal(inOurWords("0x1a0 is an identifier of the controller's own"), "0x1a0 sendet das Steuergerät selbst");
		assert.equal(inOurWords("something new"), "something new");
	});

	it("tell reasons by their value, with what belongs to them, and one that is not known in the controller's words", () => {
		const said = (reasonCode: string, reasonDetail: string): string =>
			reasonInOurWords({ reason: "words", reasonCode, reasonDetail });
		assert.equal(said("noSpeed", ""), "keine gültige Geschwindigkeit");
		assert.match(said("mapUnreadable", "/maps/Ice.json"), / \(\/maps\/Ice\.json\)$/);
		const heard = "der eigenständige Betrieb wartet: jemand anders sendet seine Botschaften (0x280 vom Auto)";
		assert.equal(said("standaloneHeardCar", "0x280"), heard);
		assert.equal(said("ofNewerFirmware", "0x280"), "words");
	});
});
