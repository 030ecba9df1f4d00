/**
 * The half of a board's build that needs no ESP-IDF: Moddable resolves the manifest and accepts the
 * partitions, compiles each module, and links what is preloaded. What is left are the C compiler and ESP-IDF.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { DeviceError, findBoard, IDF_VERSION, platformOf, ROOT, sdkEnvironment } from "./boards.mjs";
import { prepareBuild } from "./bundle.mjs";

const SLOT_BYTES = 16; // of a 32-bit board
const KEY_BYTES = 4 + 2; // pointer, and number for look-ups
const BUILDER_BYTES = 12; // of a native function

/**
 * @param {string} command
 * @param {readonly string[]} options
 * @param {NodeJS.ProcessEnv} environment
 */
function run(command, options, environment) {
	const { status, stdout, stderr } = spawnSync(command, options, {
		env: environment,
		encoding: "utf8",
		cwd: ROOT,
		maxBuffer: 1 << 26,
	});
	if (status !== 0) throw new DeviceError(`${command} failed: ${`${stdout}${stderr}`.trim().split("\n").slice(-8).join("\n")}`);
	return `${stdout}${stderr}`;
}

/** mcconfig only asks ESP-IDF for its version: an empty repository with that tag answers it. @param {NodeJS.ProcessEnv} environment */
function standInForIdf(environment) {
	const folder = `${ROOT}build/device/idf`;
	if (!existsSync(`${folder}/.git`)) {
		mkdirSync(folder, { recursive: true });
		/** @param {...string} options */
		const git = (...options) =>
			run("git", ["-C", folder, "-c", "user.name=build", "-c", "user.email=build@localhost", ...options], environment);
		git("init", "-q");
		git("commit", "-q", "--allow-empty", "-m", "stands in for ESP-IDF");
		git("tag", IDF_VERSION);
	}
	return folder;
}

/** Bytes that the generated C takes in flash: slots, tables, and C strings. @param {string} source */
function measure(source) {
	/** @param {string} name */
	const defined = (name) => Number(source.match(new RegExp(`#define ${name} (\\d+)`))?.[1] ?? 0);
	const slots = defined("mxHeapCount") + defined("mxStackCount");
	let texts = 0;
	for (const [text] of source.matchAll(/"(?:[^"\\\n]|\\.)*"/g))
		texts += text.replace(/\\(x[0-9a-f]{2}|[0-7]{1,3}|.)/g, ".").length - 1;
	/** @param {RegExp} table */
	const sizes = (table) => [...source.matchAll(table)].reduce((sum, match) => sum + Number(match[1]), 0);
	const codes = sizes(/static const txU1 \w+\[(\d+)\];/g);
	const builders = sizes(/static const xsHostBuilder \w+\[(\d+)\] =/g);
	const bytes = slots * SLOT_BYTES + defined("mxKeysCount") * KEY_BYTES + builders * BUILDER_BYTES + texts + codes;
	return { bytes, slots, aliases: defined("mxAliasCount") };
}

/**
 * Typed arrays in flash with elements of more than a byte: the C compiler puts bytes anywhere (`-malign-data=natural`). Each kind's own
 * dispatcher is there once, in its prototype.
 * @param {string} source
 */
function wideArrays(source) {
	const table = source.slice(source.indexOf("gxTypeDispatches[mxTypeArrayCount]"));
	const sizes = [...table.slice(0, table.indexOf("};")).matchAll(/^\t\{ (\d), /gm)].map(([, size]) => Number(size));
	if (sizes.length < 10) throw new DeviceError("Moddable's linker writes the kinds of typed arrays in another way");
	/** @param {number} kind */
	const uses = (kind) => source.split(`&gxTypeDispatches[${kind}])`).length - 1;
	return sizes.reduce((count, size, kind) => count + (size > 1 ? uses(kind) - 1 : 0), 0);
}

/**
 * C functions that the modules name and that no C file of the build defines: the C linker would say so last of all.
 * @param {string} header
 * @param {string} makefile
 */
function missingNatives(header, makefile) {
	const wanted = new Set([...header.matchAll(/^(?:extern|mxImport|mxExport) \w+ (\w+)\(/gm)].map(([, name]) => name));
	if (!wanted.has("xs_can_gateway_commit")) throw new DeviceError("Moddable's linker declares natives in another way");
	const files = new Set(makefile.match(/\/\S+\.c\b/g)?.filter((path) => existsSync(path)));
	const sources = [...files].map((path) => readFileSync(path, "utf8")).join("\n");
	return [...wanted].filter((name) => !new RegExp(`^(void\\s+)?${name}\\s*\\(`, "m").test(sources));
}

/**
 * bytes: of the linked image in flash; aliases: objects that get 4 bytes in RAM each, because they might change
 * @typedef {{
 *   bytes: number, slots: number, aliases: number, warnings: string[], sdkconfig: string, partitions: string,
 *   components: string[], missingNatives: string[], wideArrays: number, compilerOptions: string,
 * }} Linked
 */

/**
 * After `setUpSources`.
 * @param {string} name board
 * @param {{ readable?: boolean, debug?: boolean }} [options] readable: names stay what they are in the
 * sources, so that warnings name them; debug: for xsbug
 * @returns {Promise<Linked>}
 * @throws {DeviceError} the SDK is missing, or rejects something
 */
export async function linkJavaScript(name, { readable = false, debug = false } = {}) {
	const board = findBoard(name);
	const environment = sdkEnvironment();
	environment.IDF_PATH = standInForIdf(environment);
	const output = `${ROOT}build/device/${name}-link`;
	await prepareBuild(board, output, environment, { readable, debug });
	run(
		"mcconfig",
		[...(debug ? ["-d"] : []), "-p", platformOf(name), "-t", "build", "-o", output, `${ROOT}manifest.json`],
		environment,
	);
	const folder = `${output}/tmp/esp32/${name}/${debug ? "debug" : "release"}/${basename(ROOT)}`;
	const project = `${folder}/xsProj-${board.chip}`;
	mkdirSync(`${project}/build/config`, { recursive: true });
	writeFileSync(`${project}/build/config/sdkconfig.h`, "");
	const log = run("make", ["-f", `${folder}/makefile`, `${folder}/mc.xs.c`, `${folder}/mc.resources.c`], environment);
	const makefile = readFileSync(`${folder}/makefile`, "utf8");
	return {
		...measure(readFileSync(`${folder}/mc.xs.c`, "utf8")),
		wideArrays: wideArrays(readFileSync(`${folder}/mc.xs.c`, "utf8")),
		missingNatives: missingNatives(readFileSync(`${folder}/mc.xs.h`, "utf8"), makefile),
		compilerOptions: makefile.match(/^C_FLAGS_SUBPLATFORM = (.*)$/m)?.[1] ?? "",
		warnings: log.split("\n").filter((line) => line.includes("warning") && !line.includes("cannot optimize native")),
		sdkconfig: readFileSync(`${project}/sdkconfig.mc`, "utf8"),
		partitions: readFileSync(`${project}/partitions.csv`, "utf8"),
		components: readFileSync(`${folder}/xs_idf_deps.txt`, "utf8").match(/[\w-]+/g) ?? [],
	};
}
