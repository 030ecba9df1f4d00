import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importsOf, sourcesIn } from "../support/syntax.js";

/** Runs in the browser: it and the firmware share the wire and the lock core. */
const BROWSER = "page";
/** What it may import from elsewhere. */
const OF_PAGE = /^(preact(\/hooks)?|uqr|src\/lock\/.*)$/;

/** Where the interface is described. */
const DESCRIPTION = "src/api/description/";

/**
 * Who may import whom, by folder under `src/`, as the code map of ARCHITECTURE.md has it; an edge that is not
 * there is rejected. `hal` means types from `hal/*.ts`.
 */
const ALLOWED: Readonly<Record<string, readonly string[]>> = codeMap();

function codeMap(): Record<string, string[]> {
	const allowed: Record<string, string[]> = {};
	const text = readFileSync("src/ARCHITECTURE.md", "utf8");
	for (const [, folder, imports] of text.matchAll(/^\| `src\/(\w+)\/` \|.*\| ([^|]*) \|$/gm)) {
		if (folder === BROWSER) continue;
		allowed[folder] = imports === "nothing" ? [] : imports.split(", ");
	}
	return allowed;
}

const files = ["src", "modules", "hal", "tools"].flatMap(sourcesIn);
const imports = files.flatMap(importsOf);
const everything = imports.filter(({ from }) => from.startsWith("src/"));
const all = everything.filter(({ from }) => !from.startsWith(`src/${BROWSER}/`));
const folderOf = (path: string) => {
	const [top, folder, file] = path.split("/");
	if (top === "src") return file === undefined ? "root" : folder;
	return top === "modules" ? `${top}/${folder}` : top;
};

describe("the import order", () => {
	it("names every folder below src", () => {
		const folders = readdirSync("src", { withFileTypes: true })
			.filter((entry) => entry.isDirectory())
			.map((entry) => entry.name)
			.sort();
		assert.deepEqual(folders, [...Object.keys(ALLOWED), BROWSER].sort());
	});

	it("has each row below the rows of src that it imports", () => {
		const rows = Object.keys(ALLOWED);
		const wrong = rows.flatMap((row, at) =>
			ALLOWED[row].filter((name) => rows.indexOf(name) > at).map((name) => `${row} -> ${name}`),
		);
		assert.deepEqual(wrong, []);
	});

	it("names the folders of modules and hal, and those at the top", () => {
		const rows = readFileSync("src/ARCHITECTURE.md", "utf8").match(/^\| `[^|]*/gm) ?? [];
		const named = rows.join("");
		const files = execFileSync("git", ["ls-files"], { encoding: "utf8" }).split("\n");
		const folders = new Set(files.map((path) => /^((?:modules|hal)\/[^/]+|[^./][^/]*)\//.exec(path)?.[1] ?? "src"));
		const missing = [...folders].filter((folder) => !named.includes(`\`${folder}/`));
		assert.ok(folders.size > 8, "folders were found");
		assert.deepEqual(missing, []);
	});

	it("holds for each import, and platform code is imported as types only", () => {
		const wrong = all.filter(({ from, to, typeOnly }) => {
			const folder = folderOf(from);
			if (folder === "root" || folderOf(to) === folder) return false;
			return !ALLOWED[folder].includes(folderOf(to)) || (to.startsWith("hal/") && !typeOnly);
		});
		// the interface's description is for the build and the tests
		wrong.push(...all.filter(({ from, to }) => to.startsWith(DESCRIPTION) && !from.startsWith(DESCRIPTION)));
		assert.ok(all.length > 50, "imports were found");
		assert.deepEqual(wrong, []);
	});

	it("allows no import that nobody uses", () => {
		const used = new Set(all.map(({ from, to }) => `${folderOf(from)} -> ${folderOf(to)}`));
		const named = Object.entries(ALLOWED).flatMap(([folder, names]) => names.map((name) => `${folder} -> ${name}`));
		assert.deepEqual(
			named.filter((edge) => !used.has(edge)),
			[],
		);
	});

	it("lets the page import the lock core, Preact, uqr, which draws QR codes, and types of the interface's description", () => {
		const page = everything.filter(({ from }) => from.startsWith(`src/${BROWSER}/`));
		const mayImport = ({ to, typeOnly }: (typeof page)[number]) => OF_PAGE.test(to) || (typeOnly && to.startsWith(DESCRIPTION));
		const wrong = page.filter((edge) => !edge.to.startsWith(`src/${BROWSER}/`) && !mayImport(edge));
		assert.ok(page.length > 20, "imports were found");
		assert.deepEqual(wrong, []);
	});

	it("lets only tests import from test/", () => {
		assert.ok(
			imports.some(({ from }) => from.startsWith("tools/")),
			"imports of tools were found",
		);
		assert.deepEqual(
			imports.filter(({ to }) => to.startsWith("test/")),
			[],
		);
	});

	it("counts import() of code and of types, in doc comments as well", () => {
		const path = join(mkdtempSync(join(tmpdir(), "imports-")), "a.mjs");
		const lines = ['void import("code");', '/** @type {import("types").T} */', "export let a;", ""];
		writeFileSync(path, lines.join("\n"));
		assert.deepEqual(importsOf(path), [
			{ from: path, to: "code", typeOnly: false },
			{ from: path, to: "types", typeOnly: true },
		]);
	});

	it("has no cycle, types and import() included", () => {
		const edges = new Map<string, string[]>();
		for (const { from, to } of imports) edges.set(from, [...(edges.get(from) ?? []), to]);
		assert.ok(edges.size > 200, `${edges.size} files import something`);
		// an edge that leads to no file would hide a cycle
		const lost = imports.filter(({ to }) => /^(src|modules|hal|tools|test)\//.test(to) && !existsSync(to));
		assert.deepEqual(lost, []);
		const done = new Set<string>();
		const visit = (path: string, trail: readonly string[]): void => {
			assert.ok(!trail.includes(path), `cycle: ${[...trail, path].join(" -> ")}`);
			if (done.has(path)) return;
			for (const to of edges.get(path) ?? []) visit(to, [...trail, path]);
			done.add(path);
		};
		for (const path of edges.keys()) visit(path, []);
	});

	it("lets only app.ts and platform.ts touch the platform's modules", () => {
		const users = new Set(
			all
				.filter(({ to }) => /^(embedded:|mc\/|timer$|time$|instrumentation$|radio$|board-controls$|datagrams$)/.test(to))
				.map(({ from }) => from),
		);
		assert.deepEqual([...users].sort(), ["src/app.ts", "src/platform.ts"]);
	});
});
