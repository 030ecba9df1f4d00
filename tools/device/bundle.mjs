/**
 * Bundles the application for the boards: `core.js`, the library that Moddable's linker puts into flash, and
 * `main.js`, which starts it. The boards' own modules become part of the library; those of Moddable's SDK
 * stay imports. Does not check types.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { build } from "esbuild";
import { keptLibrary, LIBRARY_OPTIONS } from "../transformations/library.mjs";
import { withPlainFields } from "../transformations/plain-fields.mjs";
import { partitionTable, ROOT, writeCompilerOptions, writeUdpWithoutIpv6 } from "./boards.mjs";

/** Modules that are ours on a board. */
const OWN = Object.freeze({
	datagrams: `${ROOT}hal/esp32/io/datagrams.ts`,
	"embedded:storage/files": `${ROOT}hal/esp32/io/files.ts`,
});

/** Modules of Moddable's SDK; manifest.json says where they are. */
const SDK_MODULES = Object.freeze([
	"embedded:io/pwm",
	"embedded:io/socket/udp",
	"embedded:storage/files",
	"embedded:storage/flash",
	"embedded:update",
	"mc/config",
	"timer",
	"wifi",
]);

/** @param {boolean} readable */
const plainFields = (readable) => ({
	name: "plain-fields",
	/** @param {import("esbuild").PluginBuild} build */
	setup({ onLoad }) {
		onLoad({ filter: /\.ts$/ }, ({ path }) => ({
			contents: withPlainFields(readFileSync(path, "utf8"), path, { readable }),
			loader: "ts",
		}));
	},
});

/**
 * @param {string} folder gets core.js and main.js
 * @param {{ controls?: boolean, wifi?: boolean, readable?: boolean, debug?: boolean }} [options] controls, wifi: the board has these; readable:
 *   names stay as they are in the sources; debug: everything does, and core.js.map says where a line comes from. core.js does not name it: xsc takes
 *   a map of one source only
 * @throws when esbuild finds errors; it has printed them
 */
export async function bundleForBoards(folder, { controls = true, wifi = true, readable = false, debug = false } = {}) {
	const boardControls = `${ROOT}hal/${controls ? "io/" : "esp32/io/no-"}board-controls.ts`;
	const radio = `${ROOT}hal/esp32/io/${wifi ? "radio" : "ethernet"}.ts`;
	const alias = { ...OWN, radio, "board-controls": boardControls };
	const plugins = [plainFields(readable || debug)];
	const options = { ...LIBRARY_OPTIONS, plugins, external: [...SDK_MODULES, "opencoupling"] };
	const core = { ...options, alias, entryPoints: [`${ROOT}hal/esp32/core.ts`], outfile: `${folder}/core.js` };
	mkdirSync(folder, { recursive: true });
	if (debug) await build({ ...core, sourcemap: "external" });
	else {
		const { outputFiles } = await build({ ...core, write: false });
		writeFileSync(`${folder}/core.js`, await keptLibrary(`${folder}/core.js.library`, outputFiles[0].text, { readable }));
	}
	await build({ ...options, entryPoints: [`${ROOT}hal/esp32/main.ts`], outfile: `${folder}/main.js` });
}

/**
 * Makes all that mcconfig takes for a board.
 * @param {import("./boards.mjs").Board} board
 * @param {string} folder takes its products; emptied, as Moddable's linker keeps names of earlier builds
 * @param {NodeJS.ProcessEnv & { MODDABLE: string }} environment of `sdkEnvironment`; what the manifests look for is added
 * @param {{ readable?: boolean, debug?: boolean }} options of `bundleForBoards`
 */
export async function prepareBuild(board, folder, environment, options) {
	writeUdpWithoutIpv6(environment.MODDABLE);
	await bundleForBoards(`${ROOT}build/device`, { ...board, ...options });
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	environment.OPENCOUPLING_PARTITIONS = partitionTable(board.folder, options.debug);
	environment.OPENCOUPLING_FLAGS = `${folder}/compiler-options`;
	writeCompilerOptions(environment.OPENCOUPLING_FLAGS, board.name, environment.IDF_PATH ?? "");
}
