/**
 * The C half of a board's firmware, as far as it can be built without ESP-IDF: all C of its manifests,
 * compiled as Moddable compiles it (tools/mcconfig/make.esp32.mk, 8.2.3), against declarations of ESP-IDF's
 * functions and the headers of the host's engine.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { objectsOf } from "../c-objects.mjs";
import { writeModule } from "../generated.mjs";
import { findBoard, findPartition, ROOT, writeCompilerOptions } from "./boards.mjs";

export const ENGINE = `${ROOT}node_modules/@agoric/xsnap/moddable/xs`;
/** Of picolibc: its headers do for both chips. */
const LIBRARY_HEADERS = "/usr/lib/picolibc/riscv64-unknown-elf/include";
/** Has `idf.h`, which declares what our C uses of ESP-IDF, and `xs_platform.h` in place of Moddable's. */
const STAND_INS = `${ROOT}test/hal/esp32`;
/** ESP-IDF's headers that our C includes. All are `idf.h` here; `hal/twai_ll.h` is a file of its own. */
const IDF_HEADERS = [
	...["driver/gpio", "driver/ledc", "driver/spi_master", "driver/uart", "esp_app_desc", "esp_attr", "esp_err", "esp_eth"],
	...["esp_event", "esp_heap_caps", "esp_intr_alloc", "esp_netif", "esp_ota_ops", "esp_private/cache_utils"],
	...["esp_private/periph_ctrl", "esp_random", "esp_rom_gpio", "esp_rom_sys", "esp_sleep", "esp_system", "esp_task_wdt"],
	...["esp_timer", "esp_wifi", "freertos/FreeRTOS", "freertos/task", "hal/rmt_ll", "hal/twai_periph", "lwip/mem"],
	...["lwip/priv/tcpip_priv", "lwip/tcp", "nvs_flash", "soc/gpio_sig_map"],
];

/** Writes them, unless they are there. @returns {string[]} folders in which a compiler finds them */
export function idfHeaders() {
	const folder = `${ROOT}build/idf`;
	for (const name of IDF_HEADERS) writeModule(`${folder}/${name}.h`, '#include "idf.h"\n');
	return [folder, STAND_INS];
}

/** Moddable's, for both chips. */
const MODDABLE_FLAGS = [
	...["-Os", "-g", "-std=gnu17", "-fno-inline-functions", "-fno-jump-tables", "-fstrict-volatile-bitfields"],
	...["-falign-functions=4", "-fdata-sections", "-ffunction-sections"],
	...["-DESP_PLATFORM", "-DBOOTLOADER_BUILD=1", "-DWITH_POSIX", "-D__ets__", "-DmxUseDefaultSharedChunks=1"],
];

/**
 * @typedef {object} Chip
 * @property {string} name
 * @property {string} board its board
 * @property {string} [relative] a board whose chip has the same processor: its own C is compiled, too
 * @property {number} number as Moddable numbers them
 * @property {readonly (string | undefined)[]} compilers for it, the first one found is taken
 * @property {readonly string[]} machine the compiler's options
 * @property {readonly string[]} configuration what ESP-IDF's configuration says
 * @property {string} debian the package of Debian that has the compiler
 */
/** @type {readonly Chip[]} */
export const CHIPS = [
	{
		name: "ESP32-C6's processor (rv32imc)",
		board: "c6",
		relative: "emulator",
		number: 5,
		compilers: [process.env.RISCV_CC, "riscv32-esp-elf-gcc", "riscv64-unknown-elf-gcc", "riscv-none-elf-gcc"],
		// although the chip has atomic instructions: they are calls, which ESP-IDF does not answer
		machine: ["-march=rv32imc", "-mabi=ilp32"],
		configuration: ["-DCONFIG_IDF_TARGET_ESP32C6=1", "-DCONFIG_FREERTOS_UNICORE=1"],
		debian: "gcc-riscv64-unknown-elf",
	},
	{
		// Debian's is for an older core, the ESP8266's, which has no atomic instructions: what refers to
		// what, and where it lies, is the same
		name: "ESP32-S3's processor (Xtensa)",
		board: "t2can",
		number: 3,
		compilers: [process.env.XTENSA_CC, "xtensa-esp32s3-elf-gcc", "xtensa-esp-elf-gcc", "xtensa-lx106-elf-gcc"],
		machine: ["-mlongcalls", "-mtext-section-literals"],
		configuration: ["-DCONFIG_IDF_TARGET_ESP32S3=1"],
		debian: "gcc-xtensa-lx106",
	},
];

/**
 * @param {string} command
 * @param {readonly string[]} options
 */
const run = (command, options) => spawnSync(command, options, { encoding: "utf8", cwd: ROOT, maxBuffer: 1 << 26 });

/**
 * @param {Chip} chip
 * @returns {string} name of a compiler for it, "" = there is none
 */
export function findCompiler({ compilers, machine }) {
	return compilers.find((name) => name && run(name, [...machine, "-print-multi-lib"]).status === 0) ?? "";
}

/**
 * @param {Chip} chip
 * @returns {string} what keeps its C from being compiled here, "" = nothing
 */
export function missingTools(chip) {
	if (findCompiler(chip) === "") return `no compiler for the ${chip.name} (Debian: ${chip.debian}; or set RISCV_CC, XTENSA_CC)`;
	return existsSync(LIBRARY_HEADERS) ? "" : "no headers of a C library (Debian: picolibc-riscv64-unknown-elf)";
}

/** C files that the manifests of boards name, below ROOT. @param {readonly (string | undefined)[]} boards */
export function sourcesOf(...boards) {
	const folders = boards.filter((board) => board !== undefined).map((board) => `hal/esp32/boards/${board}`);
	const named = ["", ...folders].flatMap((folder) => {
		/** @type {string[]} */
		const paths = JSON.parse(readFileSync(join(ROOT, folder, "manifest.json"), "utf8")).modules["*"];
		return paths.filter((path) => path.startsWith(".")).map((path) => `${join(folder, path)}.c`);
	});
	return named.filter((path) => existsSync(join(ROOT, path)));
}

/**
 * What a build hands to the compiler, but for folders of headers.
 * @param {Chip} chip
 * @param {string} folder takes the file that holds a part of it
 */
function boardFlags({ board, number, machine, configuration }, folder) {
	mkdirSync(folder, { recursive: true });
	const options = join(folder, "compiler-options");
	writeCompilerOptions(options, board, process.env.IDF_PATH ?? "/no-esp-idf");
	return [...MODDABLE_FLAGS, ...machine, `-DESP32=${number}`, ...configuration, `@${options}`];
}

/**
 * @param {string} option
 * @param {readonly string[]} folders
 */
const includes = (option, folders) => folders.flatMap((folder) => [option, folder]);

/**
 * Flags for headers.
 * @param {string} build takes the one that Moddable's xsid would make
 * @param {readonly string[]} sources
 */
function headers(build, sources) {
	const names = new Set(sources.flatMap((path) => readFileSync(join(ROOT, path), "utf8").match(/\bxsID_\w+/g) ?? []));
	writeFileSync(join(build, "mc.xs.h"), [...names].map((name, i) => `#define ${name} ${i + 1}\n`).join(""));
	const ours = new Set(sources.map((path) => join(ROOT, dirname(path))));
	const system = [...["includes", "sources", "platforms"].map((folder) => `${ENGINE}/${folder}`), LIBRARY_HEADERS];
	return [
		...["-DINCLUDE_XSPLATFORM", '-DXSPLATFORM="xs_platform.h"'],
		...includes("-I", [build, ...idfHeaders(), ...ours]),
		...includes("-isystem", system),
	];
}

/**
 * Compiles C; only where `missingTools` is "".
 * @param {Chip} chip
 * @param {string} build folder for generated headers
 * @param {readonly string[]} [warnings] options
 * @param {readonly string[]} [sources] default: all of the chip's board
 * @returns {string[]} paths of the objects
 * @throws {Error} with what the compiler says
 */
export function compileC(chip, build, warnings = [], sources = sourcesOf(chip.board)) {
	const flags = [...boardFlags(chip, build), ...warnings, ...headers(build, sources)];
	const paths = sources.map((source) => join(ROOT, source));
	return objectsOf(findCompiler(chip), flags, paths);
}

/**
 * Bytes of flash that the C of a board takes, without what it calls of ESP-IDF, the engine and the C library.
 * @param {string} board
 * @returns {number | undefined} undefined: nothing here can compile it
 */
function measureC(board) {
	const chip = CHIPS.find((candidate) => candidate.board === board);
	if (!chip || missingTools(chip) !== "") return undefined;
	const build = `${ROOT}build/device/${board}-c`;
	const objects = compileC(chip, build);
	const command = findCompiler(chip);
	const tool = (/** @type {string} */ name) => command.replace(/gcc$/, name);
	const natives = run(tool("nm"), ["--defined-only", ...objects]).stdout.match(/ T xs_\w+/g) ?? [];
	const linked = `${build}/linked`;
	const roots = natives.map((line) => `-Wl,-u,${line.slice(" T ".length)}`);
	const script = ["-nostdlib", "-Wl,--gc-sections,--unresolved-symbols=ignore-all,-e,0", ...roots];
	const { status, stderr } = run(command, [...chip.machine, ...script, ...objects, "-o", linked]);
	if (status !== 0) throw new Error(stderr);
	const [, text, data] = /^\s*(\d+)\s+(\d+)/m.exec(run(tool("size"), [linked]).stdout) ?? [];
	return Number(text) + Number(data);
}

/**
 * ESP-IDF, the engine, Moddable's modules, Wi-Fi and C library, bytes, by board: whole images without their JavaScript image and our C. Both of the
 * C6 with ESP-IDF v6.0, Moddable 8.2.3, this sdkconfig and Wi-Fi libraries of about v6.0.
 * least: GCC 15.3, 816,666 bytes without JavaScript, less 22,000 of our C and what is unused now: 11,300 of tables for Unicode's letters, 4,900 of
 * iterator helpers, 5,900 of Moddable's TCP.
 * most: GCC 12.2 of Debian, 1,588,304 bytes at commit f209e038, less 648,774 of JavaScript, 136,620 of our C, 5,340 and 5,962 of the last two.
 * ESP-IDF v6.0 comes with GCC 15.2.
 * @type {Readonly<Record<string, { least: number, most: number }>>}
 */
const OTHERS = { c6: { least: 772_566, most: 791_608 } };

/**
 * What a board's firmware takes of its slot, as far as it can be told without ESP-IDF: the JavaScript image and
 * our C are built and measured, the rest was linked twice.
 * @param {string} name board
 * @param {number} javascriptBytes of the linked JavaScript image
 * @param {boolean} [debug]
 * @returns {{ cBytes: number, least: number, most: number, slotBytes: number } | undefined} the whole image,
 * from the hopeful to the cautious end; undefined: nobody has linked this board's firmware yet, or our C
 * can't be compiled here
 */
export function estimateImage(name, javascriptBytes, debug) {
	const others = OTHERS[name];
	const cBytes = others && measureC(name);
	if (cBytes === undefined) return undefined;
	const ours = javascriptBytes + cBytes;
	const { size } = findPartition(findBoard(name).folder, "ota_0", debug);
	return { cBytes, least: others.least + ours, most: others.most + ours, slotBytes: size };
}

/** Names of C files below these folders of ROOT. @param {readonly string[]} folders */
export function cFilesBelow(folders) {
	return folders.flatMap((folder) =>
		readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
			.filter((path) => path.endsWith(".c"))
			.map((path) => join(folder, path)),
	);
}
