import { strict as assert } from "node:assert";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";

const ROOT = resolve(".");

/** Who may import whom, by folder under `src/`; an edge that is not here is refused. `hal` means types from `hal/*.ts`. */
const ALLOWED: Record<string, readonly string[]> = {
	text: [],
	can: ["text"],
	lock: [],
	clock: [],
	http: ["clock", "text"],
	storage: ["clock", "text", "hal"],
	logs: ["settings", "storage", "text", "trace", "hal"],
	network: ["clock", "storage", "text", "hal"],
	owner: ["storage", "text", "hal"],
	update: ["clock", "text", "hal"],
	transport: [],
	calibration: ["clock"],
	analyzer: [],
	diagnosis: ["transport", "hal"],
	vehicle: ["can", "hal"],
	coupling: ["can", "lock", "text"],
	settings: ["coupling", "lock", "text", "vehicle"],
	maps: ["lock", "settings", "storage", "text"],
	controller: ["coupling", "lock", "settings", "vehicle", "can"],
	trace: [],
	api: [
		"clock",
		"controller",
		"diagnosis",
		"http",
		"lock",
		"logs",
		"maps",
		"network",
		"owner",
		"settings",
		"storage",
		"text",
		"trace",
		"update",
		"vehicle",
		"hal",
	],
	web: ["http"],
	runtime: [
		"analyzer",
		"clock",
		"controller",
		"coupling",
		"diagnosis",
		"http",
		"lock",
		"logs",
		"settings",
		"storage",
		"text",
		"update",
		"hal",
		"trace",
	],
};

/** Portable C, with natives of its own in Node. */
const NATIVE_TEXT = "modules/text/text.ts";
const NATIVE_CATALOGUE = "modules/frame-text/catalogue.ts";

/** Runs in the browser: it and the firmware share nothing but the wire. */
const BROWSER = "page";

interface Import {
	readonly from: string;
	readonly to: string;
	readonly typeOnly: boolean;
}

function sources(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		return entry.isDirectory() ? sources(path) : /(?<!\.d)\.tsx?$/.test(entry.name) ? [path] : [];
	});
}

function importsOf(path: string): Import[] {
	const found: Import[] = [];
	const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.ES2022);
	for (const statement of source.statements) {
		if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
		const specifier = statement.moduleSpecifier;
		if (specifier === undefined || !ts.isStringLiteral(specifier)) continue;
		const typeOnly = ts.isImportDeclaration(statement) ? (statement.importClause?.isTypeOnly ?? false) : statement.isTypeOnly;
		const to = specifier.text.startsWith(".")
			? relative(ROOT, resolve(dirname(path), specifier.text)).replace(/\.js$/, ".ts")
			: specifier.text;
		found.push({ from: relative(ROOT, path), to, typeOnly });
	}
	return found;
}

const everything = sources("src").flatMap(importsOf);
const all = everything.filter(({ from }) => !from.startsWith(`src/${BROWSER}/`));
const folderOf = (path: string) =>
	path.startsWith("src/") ? (path.split("/").length > 2 ? path.split("/")[1] : "root") : path.split("/")[0];

describe("the import order", () => {
	it("names every folder below src", () => {
		const folders = readdirSync("src", { withFileTypes: true })
			.filter((entry) => entry.isDirectory())
			.map((entry) => entry.name)
			.sort();
		assert.deepEqual(folders, [...Object.keys(ALLOWED), BROWSER].sort());
	});

	it("has no edge against it, and platform code is imported as types only", () => {
		const wrong = all.filter(({ from, to, typeOnly }) => {
			const folder = folderOf(from);
			if (folder === "root" || folderOf(to) === folder) return false;
			if (to === NATIVE_TEXT) return folder !== "text";
			if (to === NATIVE_CATALOGUE) return folder !== "can";
			if (!to.startsWith("src/") && !to.startsWith("hal/")) return true;
			return !ALLOWED[folder].includes(folderOf(to)) || (to.startsWith("hal/") && !typeOnly);
		});
		assert.ok(all.length > 50, "imports were found");
		assert.deepEqual(wrong, []);
	});

	it("has no edge between the page and the firmware, and the page stands on Preact, and draws QR codes with uqr", () => {
		const page = everything.filter(({ from }) => from.startsWith(`src/${BROWSER}/`));
		const wrong = page.filter(({ to }) => !to.startsWith(`src/${BROWSER}/`) && !/^(preact(\/hooks)?|uqr)$/.test(to));
		assert.ok(page.length > 20, "imports were found");
		assert.deepEqual(wrong, []);
	});

	it("has no cycle", () => {
		const edges = new Map<string, string[]>();
		for (const { from, to, typeOnly } of all) if (!typeOnly) edges.set(from, [...(edges.get(from) ?? []), to]);
		const done = new Set<string>();
		const visit = (path: string, trail: readonly string[]): void => {
			assert.ok(!trail.includes(path), `cycle: ${[...trail, path].join(" -> ")}`);
			if (done.has(path)) return;
			for (const to of edges.get(path) ?? []) visit(to, [...trail, path]);
			done.add(path);
		};
		for (const path of edges.keys()) visit(path, []);
	});

	it("lets only the composition root touch the platform's modules", () => {
		const users = new Set(
			all
				.filter(({ to }) =>
					/^(embedded:|mc\/|timer$|time$|instrumentation$|firmware$|radio$|reset-reason$|boot-key$|datagrams$)/.test(to),
				)
				.map(({ from }) => from),
		);
		assert.deepEqual([...users], ["src/app.ts"]);
	});
});
