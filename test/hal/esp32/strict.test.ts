/**
 * Our C against ESP-IDF's own headers of both chips, where `IDF_PATH` has them and there is a compiler for
 * rv32, all warnings being errors. For the S3 it stands in for that of its processor: only what the headers
 * declare is looked at. The declarations in `idf.h`, with which the other tests do, can't tell whether ESP-IDF
 * has changed. With `MODDABLE` also what needs the engine.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { BOARDS, SODIUM_FOLDERS, writeCompilerOptions, writeUdpWithoutIpv6 } from "../../../tools/device/boards.mjs";
import { sourcesOf } from "../../../tools/device/c-half.mjs";
import { ROOT, WARNINGS } from "../../modules/can-gateway/build.js";
import { skip } from "../../support/skip.js";
import { IDF_COMPONENTS, IDF_PROVIDES, outOfReach } from "./objects.js";

interface Chip {
	readonly name: string;
	readonly board: string;
	/** As Moddable numbers them. */
	readonly number: number;
	readonly architecture: "riscv" | "xtensa";
	readonly flags: readonly string[];
	readonly sdkconfig: string;
}

const CHIPS: readonly Chip[] = [
	{
		name: "esp32c6",
		board: "c6",
		number: 5,
		architecture: "riscv",
		flags: [],
		sdkconfig: `
#define CONFIG_IDF_TARGET_ARCH_RISCV 1
#define CONFIG_IDF_TARGET_ESP32C6 1
#define CONFIG_IDF_FIRMWARE_CHIP_ID 0x000D
#define CONFIG_FREERTOS_UNICORE 1
#define CONFIG_FREERTOS_NUMBER_OF_CORES 1
`,
	},
	{
		name: "esp32c3",
		board: "emulator",
		number: 4,
		architecture: "riscv",
		flags: [],
		sdkconfig: `
#define CONFIG_IDF_TARGET_ARCH_RISCV 1
#define CONFIG_IDF_TARGET_ESP32C3 1
#define CONFIG_IDF_FIRMWARE_CHIP_ID 0x0005
#define CONFIG_FREERTOS_UNICORE 1
#define CONFIG_FREERTOS_NUMBER_OF_CORES 1
#define CONFIG_ETH_USE_OPENETH 1
`,
	},
	{
		name: "esp32s3",
		board: "t2can",
		number: 3,
		architecture: "xtensa",
		flags: ["-U__riscv", "-D__XTENSA__", "-D__xtensa__"],
		sdkconfig: `
#define CONFIG_IDF_TARGET_ARCH_XTENSA 1
#define CONFIG_IDF_TARGET_ESP32S3 1
#define CONFIG_IDF_FIRMWARE_CHIP_ID 0x0009
#define CONFIG_SOC_RTC_SLOW_MEM_SUPPORTED 1
#define CONFIG_LWIP_IPV6 1
#define CONFIG_LWIP_IPV6_NUM_ADDRESSES 3
#define CONFIG_FREERTOS_NUMBER_OF_CORES 2
`,
	},
];

const DRIVERS = join(ROOT, "hal/esp32");
const BUILD = join(ROOT, "build/test/esp32-strict");
const COMPILERS = [process.env["RISCV_CC"], "riscv32-esp-elf-gcc", "riscv64-unknown-elf-gcc"];
const ENGINE = ["board_c6.c", "platform.c", "heap_figures.c"];

/** What ESP-IDF's configuration makes of our sdkconfig, as far as headers look at it. */
const SDKCONFIG = `
#define CONFIG_SOC_RTC_FAST_MEM_SUPPORTED 1
#define CONFIG_SOC_RTC_MEM_SUPPORTED 1
#define CONFIG_FREERTOS_HZ 1000
#define CONFIG_FREERTOS_MAX_TASK_NAME_LEN 16
#define CONFIG_FREERTOS_TIMER_TASK_PRIORITY 1
#define CONFIG_FREERTOS_TIMER_TASK_STACK_DEPTH 2048
#define CONFIG_FREERTOS_TIMER_QUEUE_LENGTH 10
#define CONFIG_FREERTOS_QUEUE_REGISTRY_SIZE 0
#define CONFIG_FREERTOS_TASK_NOTIFICATION_ARRAY_ENTRIES 1
#define CONFIG_FREERTOS_IDLE_TASK_STACKSIZE 1024
#define CONFIG_FREERTOS_ISR_STACKSIZE 2100
#define CONFIG_FREERTOS_THREAD_LOCAL_STORAGE_POINTERS 1
#define CONFIG_BOOTLOADER_LOG_LEVEL 0
#define CONFIG_LOG_MAXIMUM_LEVEL 0
#define CONFIG_LOG_DEFAULT_LEVEL 0
#define CONFIG_ESP_TIMER_SUPPORTS_ISR_DISPATCH_METHOD 1
#define CONFIG_LIBC_PICOLIBC 1
#define CONFIG_APP_RETRIEVE_LEN_ELF_SHA 16
#define CONFIG_LWIP_IPV4 1
#define CONFIG_LWIP_DHCP_COARSE_TIMER_SECS 1
#define CONFIG_LWIP_TCP_OVERSIZE_MSS 1
#define CONFIG_LWIP_MAX_SOCKETS 12
#define CONFIG_MMU_PAGE_SIZE 0x10000
`;

function includeFolders(idf: string, { name: chip, architecture }: Chip): string[] {
	const components = join(idf, "components");
	const ofComponent = (name: string) =>
		["include", `${chip}/include`, `include/${chip}`].map((folder) => join(components, name, folder));
	const others = [
		"esp_hw_support/etm/include",
		"esp_hw_support/dma/include",
		"esp_hw_support/ldo/include",
		`soc/${chip}/register`,
		"hal/platform_port/include",
		`esp_hw_support/port/${chip}/include`,
		`esp_rom/${chip}/include/${chip}`,
		"freertos/config/include",
		"freertos/config/include/freertos",
		`freertos/config/${architecture}/include`,
		"freertos/FreeRTOS-Kernel/include",
		`freertos/FreeRTOS-Kernel/portable/${architecture}/include`,
		`freertos/FreeRTOS-Kernel/portable/${architecture}/include/freertos`,
		"freertos/esp_additions/include",
		"xtensa/deprecated_include",
		"lwip/lwip/src/include",
		"lwip/port/include",
		"lwip/port/freertos/include",
		"lwip/port/esp32xx/include",
	].map((folder) => join(components, folder));
	return [...readdirSync(components).flatMap(ofComponent), ...others].filter((folder) => existsSync(folder));
}

/** Those in which Moddable's makefile has the compiler look, and those that we add. */
function buildFolders(sdk: string, idf: string, { name, board, architecture }: Chip): string[] {
	const makefile = readFileSync(join(sdk, "tools/mcconfig/make.esp32.mk"), "utf8");
	const lists = makefile.slice(makefile.indexOf("\nDRIVER_DIRS = "), makefile.indexOf("\nXS_OBJ = "));
	const variables: Record<string, string> = { ESP32_SUBCLASS: name, ESP32_BT_SUBCLASS: name, ESP_ARCH: architecture };
	const folders = [...lists.matchAll(/\$\(IDF_PATH\)(\/[^\s\\]+)/g)].map(([, path]) =>
		join(
			idf,
			path!.replace(/\$\((\w+)\)/g, (_, variable) => variables[variable] ?? ""),
		),
	);
	assert.ok(folders.length > 100);
	writeCompilerOptions(join(BUILD, "options"), board, idf);
	const ours = readFileSync(join(BUILD, "options"), "utf8").matchAll(/^-I(.*)$/gm);
	return [...folders, ...[...ours].map(([, path]) => path!)];
}

const MODULES = ["can-gateway", "frame-text", "sha256", "signature", "text"];
const OURS = [DRIVERS, ...MODULES.map((name) => join(ROOT, "modules", name))];
const needsEngine = (path: string) => /(-xs|_natives)\.c$/.test(path) || ENGINE.includes(basename(path));

const filesOf = (chip: Chip) => sourcesOf(chip.board).map((path) => join(ROOT, path));

/** Names of the options that ESP-IDF has. */
function kconfigOptions(idf: string): Set<string> {
	const files = readdirSync(idf, { recursive: true, encoding: "utf8" }).filter((path) => basename(path).startsWith("Kconfig"));
	const texts = files.map((path) => readFileSync(join(idf, path), "utf8")).join("\n");
	return new Set([...texts.matchAll(/^\s*(?:menu)?config (\w+)/gm)].map((match) => `CONFIG_${match[1]}`));
}

describe("hal/esp32 against ESP-IDF's headers", function () {
	this.timeout(300_000);
	let compiler: string;
	let idf: string;

	before(function () {
		idf = process.env["IDF_PATH"] ?? "";
		compiler = COMPILERS.find((name) => name && spawnSync(name, ["--version"]).status === 0) ?? "";
		const missing = !existsSync(join(idf, "components/esp_hal_twai"))
			? "no ESP-IDF v6.0 in IDF_PATH"
			: compiler === ""
				? "no rv32 compiler"
				: "";
		if (missing !== "") skip(this, missing);
	});

	/** @returns what the compiler says */
	function compileAll(chip: Chip, sources: string[], more: string[], folders = includeFolders(idf, chip)): string {
		const build = join(BUILD, chip.name);
		mkdirSync(join(build, "sys"), { recursive: true });
		writeFileSync(join(build, "sdkconfig.h"), `#define CONFIG_IDF_TARGET "${chip.name}"${chip.sdkconfig}${SDKCONFIG}`);
		// of newlib, which Debian's compiler lacks; ESP-IDF's headers only need the name
		writeFileSync(join(build, "sys/reent.h"), "#pragma once\nstruct _reent { int _errno; };\n");
		const own = [build, BUILD, ...OURS].flatMap((folder) => ["-I", folder]);
		// libsodium's last, as in a build
		const sodium = SODIUM_FOLDERS.map((folder) => join(ROOT, folder));
		const system = [build, ...folders, ...sodium].flatMap((folder) => ["-isystem", folder]);
		const late = ["-idirafter", join(idf, "components/esp_libc/platform_include")];
		const target = [
			"-march=rv32imc",
			"-mabi=ilp32",
			"-DESP_PLATFORM",
			"-DBOOTLOADER_BUILD=1",
			`-DESP32=${chip.number}`,
			"-D__ets__",
		];
		const libc =
			spawnSync(compiler, ["--specs=picolibc.specs", "-E", "-x", "c", "-"], { input: "" }).status === 0
				? ["--specs=picolibc.specs"]
				: [];
		const board = `-DOPENCOUPLING_BOARD=gateway_board_${chip.board}`;
		const flags = [
			"-std=gnu17",
			"-Os",
			...(more.includes("-c") ? [] : ["-fsyntax-only"]),
			...WARNINGS,
			board,
			...target,
			...chip.flags,
			...libc,
		];
		return sources
			.map((source) => spawnSync(compiler, [...flags, ...more, ...own, ...system, ...late, source], { encoding: "utf8" }).stderr)
			.join("");
	}

	it("compiles without warnings", () => {
		for (const chip of CHIPS) {
			const sources = filesOf(chip).filter((path) => !needsEngine(path));
			assert.ok(sources.length > 12);
			assert.equal(compileAll(chip, sources, []), "", chip.name);
		}
	});

	it("has nothing on the path of an interrupt that lies in flash", () => {
		const [c6] = CHIPS as [Chip];
		const sources = filesOf(c6).filter((path) => !needsEngine(path));
		const objects = sources.map((source) => {
			const object = join(BUILD, `${basename(source, ".c")}.o`);
			assert.equal(compileAll(c6, [source], ["-msave-restore", "-c", "-o", object]), "", source);
			return object;
		});
		const { missing, seen } = outOfReach(objects, compiler.replace(/gcc$/, "objdump"));
		assert.deepEqual(missing, []);
		assert.ok(seen > 100, `only ${seen} references were seen`);
	});

	it("compiles without warnings with the folders of a build, files that use the engine too", function () {
		const sdk = process.env["MODDABLE"];
		if (!sdk) skip(this, "MODDABLE is not set");
		mkdirSync(BUILD, { recursive: true });
		writeUdpWithoutIpv6(sdk, BUILD);
		const udp = join(BUILD, "udp.c");
		// xsid writes this file from the names that the sources use
		const names = new Set(
			[...CHIPS.flatMap(filesOf), udp].flatMap((path) => readFileSync(path, "utf8").match(/\bxsID_\w+/g) ?? []),
		);
		const ids = [...names].map((name, i) => `#define ${name} ${i + 1}\n`);
		writeFileSync(join(BUILD, "mc.xs.h"), `${ids.join("")}extern void xs_udp_destructor(void *data);\n`);
		for (const name of ["mc.defines.h", "mc.format.h", "mc.rotation.h"]) writeFileSync(join(BUILD, name), "");
		const folders = [
			...["xs/includes", "xs/sources", "xs/platforms/esp", "xs/platforms/mc"],
			...["modules/base/instrumentation", "modules/io/common", "modules/network/socket/lwip"],
		];
		// its macros nest
		const more = [
			"-Wno-sequence-point",
			"-DmxUseDefaultSharedChunks=1",
			...folders.flatMap((folder) => ["-isystem", join(sdk, folder)]),
		];
		for (const chip of CHIPS) assert.equal(compileAll(chip, filesOf(chip), more, buildFolders(sdk, idf, chip)), "", chip.name);
		// Moddable's own, for the chip without IPv6: not free of warnings, and not to be compiled as it is
		const [c6] = CHIPS as [Chip];
		const errors = (path: string) => compileAll(c6, [path], [...more, "-w"], buildFolders(sdk, idf, c6));
		assert.equal(errors(udp), "");
		assert.match(errors(join(sdk, "modules/io/socket/lwip/udp.c")), /error: .*has no member named 'u_addr'/);
	});

	it("has each symbol of idf.h", () => {
		const texts = IDF_COMPONENTS.flatMap((component) => {
			const folder = join(idf, "components", component);
			const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => /\.([chS]|ld)$/.test(path));
			return files.map((path) => readFileSync(join(folder, path), "utf8"));
		});
		const words = new Set(texts.flatMap((text) => text.match(/\w+/g) ?? []));
		assert.deepEqual(
			IDF_PROVIDES.filter((symbol) => !words.has(symbol)),
			[],
		);
	});

	it("has each option of our sdkconfig, for it ignores others without a word", () => {
		const known = kconfigOptions(idf);
		for (const board of BOARDS) {
			const ours = readFileSync(join(DRIVERS, "boards", board, "sdkconfig/sdkconfig.defaults"), "utf8");
			for (const [, option] of ours.matchAll(/^(CONFIG_\w+)=/gm)) assert.ok(known.has(option!), `${board}: ${option}`);
		}
	});
});
