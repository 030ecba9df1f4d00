// Node's loader hooks for TypeScript: ts-node compiles, and what it has compiled is kept in build/ by its
// content.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../../", import.meta.url);
const FOLDER = fileURLToPath(new URL("build/test/compiled/", ROOT));
/** Whatever else decides about the output. */
const SETTINGS = ["tsconfig.json", "package-lock.json", "test/support/transpiler.cjs"].map((name) =>
	readFileSync(new URL(name, ROOT), "utf8"),
);

/** As a bundler does: sources name each other as what they become, or without an ending. @type {import("node:module").ResolveHook} */
export function resolve(specifier, context, next) {
	if (!specifier.startsWith(".")) return next(specifier, context);
	const [, name, query] = /^(.*?)(?:\.js)?(\?.*)?$/.exec(specifier) ?? [];
	const found = [".ts", ".tsx"].find((ending) => existsSync(new URL(name + ending, context.parentURL)));
	if (found === undefined) return next(specifier, context);
	return { url: new URL(name + found + (query ?? ""), context.parentURL).href, format: "module", shortCircuit: true };
}

/** @type {import("node:module").LoadHook} */
export async function load(urlWithQuery, context, next) {
	const [url] = urlWithQuery.split("?");
	if (!/\.tsx?$/.test(url)) return next(urlWithQuery, context);
	const source = readFileSync(fileURLToPath(url), "utf8");
	const key = createHash("sha256")
		.update([url, source, ...SETTINGS].join("\0"))
		.digest("hex");
	const path = `${FOLDER}${key}.js`;
	if (existsSync(path)) return { format: "module", shortCircuit: true, source: readFileSync(path, "utf8") };
	const tsNode = await import("ts-node/esm/transpile-only");
	const loaded = await tsNode.load(url, { ...context, format: "module" }, next);
	mkdirSync(FOLDER, { recursive: true });
	// another process may read it at any time
	writeFileSync(`${path}.${process.pid}`, String(loaded.source));
	renameSync(`${path}.${process.pid}`, path);
	return { ...loaded, shortCircuit: true };
}
