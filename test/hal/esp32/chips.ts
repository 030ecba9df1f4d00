/** The boards' chips: compilers for them, and the flags with which Moddable compiles for them (tools/mcconfig/make.esp32.mk, 8.2.3). */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { writeCompilerOptions } from "../../../tools/device/boards.mjs";
import { S3_ROM_PROVIDES } from "./provided.js";

export interface Chip {
	readonly name: string;
	/** Its board. */
	readonly board: string;
	/** As Moddable numbers them. */
	readonly number: number;
	/** Compilers for it, the first one found is taken. */
	readonly compilers: readonly (string | undefined)[];
	readonly machine: readonly string[];
	/** What ESP-IDF's configuration says. */
	readonly configuration: readonly string[];
	/** What the compiler calls for numbers that its own libgcc lacks. */
	readonly romProvides: readonly string[];
	/** The package of Debian that has the compiler. */
	readonly debian: string;
}

/** For both. */
export const MODDABLE_FLAGS = [
	...["-Os", "-g", "-std=gnu17", "-fno-inline-functions", "-fno-jump-tables", "-fstrict-volatile-bitfields"],
	...["-falign-functions=4", "-fdata-sections", "-ffunction-sections"],
	...["-DESP_PLATFORM", "-DBOOTLOADER_BUILD=1", "-DWITH_POSIX", "-D__ets__", "-DmxUseDefaultSharedChunks=1"],
];

export const CHIPS: readonly Chip[] = [
	{
		name: "ESP32-C6's processor (rv32imc)",
		board: "c6",
		number: 5,
		compilers: [process.env["RISCV_CC"], "riscv32-esp-elf-gcc", "riscv64-unknown-elf-gcc", "riscv-none-elf-gcc"],
		// although the chip has atomic instructions: they are calls, which ESP-IDF does not answer
		machine: ["-march=rv32imc", "-mabi=ilp32"],
		configuration: ["-DCONFIG_IDF_TARGET_ESP32C6=1", "-DCONFIG_FREERTOS_UNICORE=1"],
		romProvides: [],
		debian: "gcc-riscv64-unknown-elf",
	},
	{
		// Debian's is for an older core, the ESP8266's, which has no atomic instructions: what refers to what, and where it lies, is the same
		name: "ESP32-S3's processor (Xtensa)",
		board: "t2can",
		number: 3,
		compilers: [process.env["XTENSA_CC"], "xtensa-esp32s3-elf-gcc", "xtensa-esp-elf-gcc", "xtensa-lx106-elf-gcc"],
		machine: ["-mlongcalls", "-mtext-section-literals"],
		configuration: ["-DCONFIG_IDF_TARGET_ESP32S3=1"],
		romProvides: S3_ROM_PROVIDES,
		debian: "gcc-xtensa-lx106",
	},
];

/** @returns the compiler's name, "" where there is none, which it says */
export function findCompiler({ compilers, machine, debian }: Chip): string {
	const found = compilers.find((name) => name && spawnSync(name, [...machine, "-print-multi-lib"]).status === 0);
	if (!found) console.log(`      skipped: no compiler for it (Debian: ${debian}; or set RISCV_CC, XTENSA_CC)`);
	return found ?? "";
}

/** What a build for a chip's board hands to the compiler, but for folders of headers. @param folder takes the file that holds a part of it */
export function boardFlags({ board, number, machine, configuration }: Chip, folder: string): string[] {
	mkdirSync(folder, { recursive: true });
	const options = join(folder, "compiler-options");
	writeCompilerOptions(options, board, process.env["IDF_PATH"] ?? "/no-esp-idf");
	return [...MODDABLE_FLAGS, ...machine, `-DESP32=${number}`, ...configuration, `@${options}`];
}
