/**
 * STORAGE.md, executed: each example is loaded and stored again, each table and limit compared with what the
 * firmware does.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { LEARNED_DOCUMENT } from "../../src/calibration/learning.js";
import { COPIES_MAX } from "../../src/logs/log-file.js";
import { mapDocument } from "../../src/maps/lock-map.js";
import { STORED_MAPS_MAX } from "../../src/maps/map-store.js";
import { HISTORY_DOCUMENT, STATES_MAX } from "../../src/maps/tuning-history.js";
import { WIFI_DOCUMENT } from "../../src/network/wifi-settings.js";
import { OWNER_DOCUMENT } from "../../src/owner/owner.js";
import { CRASHES_MAX, LIVED_MS } from "../../src/runtime/start-guard.js";
import { UNNAMED_MAP } from "../../src/settings/settings-table.js";
import { SETTINGS_DOCUMENT } from "../../src/settings/stored-settings.js";
import { type DocumentForm, StoredDocument, WRITE_AFTER_MS, WRITE_INTERVAL_MS } from "../../src/storage/stored-document.js";
import { atOnce } from "../../src/storage/write-queue.js";
import { NEWEST_VERSION_DOCUMENT } from "../../src/update/manifest.js";
import { ManualTime, MemoryFiles } from "../support/memory-files.js";

const TEXT = readFileSync("src/settings/STORAGE.md", "utf8");
/** By headings. */
const SECTIONS = new Map(
	TEXT.split(/^## /m)
		.slice(1)
		.map((section) => [section.slice(0, section.indexOf("\n")), section]),
);
const PROSE = TEXT.replaceAll("\n", " ");

type AnyForm = DocumentForm<unknown>;
const FORMS = [
	SETTINGS_DOCUMENT,
	mapDocument(UNNAMED_MAP),
	HISTORY_DOCUMENT,
	LEARNED_DOCUMENT,
	WIFI_DOCUMENT,
	OWNER_DOCUMENT,
	NEWEST_VERSION_DOCUMENT,
] as readonly AnyForm[];

/** What a document makes of a file, and what it stores of that. */
function through(form: AnyForm, text: string): { readonly loaded: unknown; readonly stored: Record<string, unknown> } {
	const files = new MemoryFiles({ "maps/": "", [form.path]: text });
	const time = new ManualTime();
	const context = { files, writes: time.writes, clock: time, report: assert.fail };
	const loaded = new StoredDocument(form, context).load();
	files.flash.delete(form.path);
	atOnce(new StoredDocument(form, context).writing(loaded));
	return { loaded, stored: JSON.parse(files.text(form.path) ?? "") };
}

/** Fails unless each member of `part` is in `whole`, in objects within it, too. */
function assertWithin(part: Record<string, unknown>, whole: Record<string, unknown>): void {
	for (const [name, value] of Object.entries(part)) {
		const other = whole[name];
		if (typeof value === "object" && value !== null && !Array.isArray(value)) assertWithin(value as never, other as never);
		else assert.deepEqual(other, value, name);
	}
}

const json = (section: string): string => section.split("```json\n")[1]?.split("```")[0] ?? "";
const rows = (section: string): (string | undefined)[][] =>
	section
		.split("\n")
		.filter((line) => line.startsWith("| `"))
		.map((line) => line.split("|").map((cell) => /^ `(.*)` $/.exec(cell)?.[1]));

describe("settings/STORAGE.md", () => {
	for (const form of FORMS) {
		const name = form.path.startsWith("maps/") ? "maps/*.json" : form.path;
		const heading =
			`${name}${form.format === undefined ? "" : `, format ${form.format}`}, ` +
			`at most ${form.maxBytes.toLocaleString("en")} bytes`;

		it(`has of ${name} format and limit, and an example that is stored as it was loaded`, () => {
			const section = SECTIONS.get(heading);
			assert.ok(section, `there is no heading "${heading}"`);
			const { loaded, stored } = through(form, json(section));
			assert.notDeepEqual(loaded, form.fallback);
			assertWithin(JSON.parse(json(section)), stored);
		});

		it(`has of ${name} each field, with its default`, () => {
			// the fields of settings.json follow from their table, and a map has none that may be absent
			if (name === "settings.json" || name === "maps/*.json") return;
			const fields = rows(SECTIONS.get(heading) ?? "").map(([, field, , fallback]) => [field, JSON.parse(fallback ?? "")]);
			assert.deepEqual(Object.fromEntries(fields), form.write(form.fallback));
		});

		it(`names ${name} among the files`, () => {
			assert.match(TEXT, new RegExp(`^\\| \`${form.path.replaceAll(".", "\\.")}\``, "m"));
		});
	}

	it("has no section for any other file", () => {
		const described = [...SECTIONS.values()].filter((section) => section.includes("```json"));
		assert.equal(described.length, FORMS.length);
	});

	it("has the figures of the firmware", () => {
		const said = [
			`the maps that the driver saved, at most ${STORED_MAPS_MAX} |`,
			`\`logs/all.1.txt\` to \`logs/all.${COPIES_MAX}.txt\``,
			`begins after ${WRITE_AFTER_MS / 1000} s, or ${WRITE_INTERVAL_MS / 1000} s after`,
			`a start that lives for ${LIVED_MS / 1000} s`,
		];
		for (const sentence of said) assert.ok(PROSE.includes(sentence), sentence);
		assert.deepEqual([CRASHES_MAX, STATES_MAX], [3, 10], '"Three are a boot loop", "the last ten states"');
	});
});
