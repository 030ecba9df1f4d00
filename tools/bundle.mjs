/**
 * Bundles TypeScript for the host board: one strict script per machine, with the boards' module names mapped
 * to hal/host. Does not check types.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import { keptLibrary, LIBRARY_OPTIONS } from "./transformations/library.mjs";
import { withPlainFields } from "./transformations/plain-fields.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
/** @param {string} name */
const host = (name) => `${root}hal/host/io/${name}.ts`;

/** Module names of the boards and what they are on the host. */
const hostAliases = Object.freeze({
	datagrams: host("datagrams"),
	"embedded:io/pwm": host("pwm"),
	"embedded:storage/files": host("files"),
	"embedded:storage/flash": host("flash-partition"),
	"embedded:update": host("update"),
	"board-controls": `${root}hal/io/board-controls.ts`,
	"mc/config": host("config"),
	opencoupling: host("core"),
	radio: host("radio"),
	timer: host("timer"),
});

/** A method that only hands its arguments to a native; behind one in an object stands a comma. */
const NATIVE_METHOD =
	/(?<![gs]et )\b(static )?(\w+)\(([^()?]*)\)(?:: [\w\s|<>]+)? \{\s*(?:return )?native_(\w+)\.call\(this([^()]*)\);\s*\}(,?)/g;

/**
 * xsc puts the C function in place of a method with nothing but `native("name").call(this, ...)` in it,
 * and so does this. Elsewhere a function is looked up once, when its module is loaded. Without this step
 * 7 % more instructions run while no client is connected.
 */
const hoistNatives = {
	name: "hoist-natives",
	/** @param {import("esbuild").PluginBuild} build */
	setup({ onLoad }) {
		onLoad({ filter: /\.ts$/ }, ({ path }) => {
			const names = new Set();
			const contents = withPlainFields(readFileSync(path, "utf8"), path)
				.replace(/\bnative(<[^()]*>)?\("(\w+)"\)\.call\(/g, (_, _type, name) => {
					names.add(name);
					return `native_${name}.call(`;
				})
				.replace(NATIVE_METHOD, (method, isStatic, name, parameters, native, values, comma) => {
					const handedOn = [...parameters.matchAll(/(\w+):/g)].map(([, parameter]) => `, ${parameter}`).join("");
					if (name === "constructor" || handedOn !== values) return method;
					if (comma) return `${name}: native_${native},`;
					return `static { this${isStatic ? "" : ".prototype"}.${name} = native_${native}; }`;
				});
			const constants = [...names].map((name) => `const native_${name}: any = native("${name}");`).join(" ");
			return { contents: `${constants} ${contents}`, loader: "ts" };
		});
	},
};

/** A board decodes its files when it is built; the host does it at each start, in C. */
const base64InC = {
	name: "base64-in-c",
	/** @param {import("esbuild").PluginBuild} build */
	setup({ onResolve }) {
		onResolve({ filter: /\/http\/base64\.js$/ }, () => ({ path: host("base64") }));
	},
};

/** esbuild's options for every script of the host machine. */
export const hostOptions = Object.freeze({
	...LIBRARY_OPTIONS,
	format: /** @type {const} */ ("iife"),
	alias: { ...hostAliases },
	banner: { js: '"use strict";' },
	plugins: [base64InC, hoistNatives],
});

/**
 * @param {{ entry: string, outfile: string, core?: boolean }} options
 *   core: the library that is loaded as if into flash; its exports become the global `opencoupling`.
 *   Otherwise an application or a `--run` script.
 * @throws when esbuild finds errors; it has printed them.
 */
export async function bundle({ entry, outfile, core = false }) {
	if (!core) {
		await build({ ...hostOptions, entryPoints: [entry], outfile });
		return;
	}
	const { alias, banner, format, plugins, target } = hostOptions;
	const { outputFiles } = await build({ ...LIBRARY_OPTIONS, alias, plugins, entryPoints: [entry], write: false });
	const options = { banner: banner.js, format, globalName: "opencoupling", target };
	const { code } = await transform(await keptLibrary(`${outfile}.library`, outputFiles[0].text), options);
	writeFileSync(outfile, code);
}
