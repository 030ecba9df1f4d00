/**
 * What the object files of our C refer to: what of it an interrupt can reach, by their relocations (while flash is
 * erased only internal RAM and ROM answer), and what a board's image has that is not ours.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const run = (command: string, ...args: string[]) => execFileSync(command, args, { encoding: "utf8", maxBuffer: 1 << 26 });

/** Of ESP-IDF: in internal RAM by its own linker fragments and attributes, or in the chip's ROM. */
const IN_RAM_OR_ROM = [
	/^esp_timer_(get_time|impl_get_time|isr_dispatch_need_yield)$/,
	/^vTask(Generic)?NotifyGiveFromISR$/,
	/^(vPortYieldFromISR|_frxt_setup_switch)$/,
	/^[vx]Port(Enter|Exit)Critical\w*$/,
	/^spi_flash_cache_enabled$/,
	/^esp_rom_software_reset_system$/,
	/^(memcpy|memset|__ashldi3|__lshrdi3)$/, // ROM, esp_rom/esp32c6/ld
	/^__riscv_(save|restore)_\d+$/, // esp_libc/src/system_libs.lf
];

interface Symbol {
	readonly object: string;
	readonly section: string;
}

const isCode = (section: string) => /^\.iram1/.test(section);
const isData = (section: string) => /^\.?(bss|sbss|data|sdata|dram1|rtc_noinit)/.test(section);

/**
 * @param objects that were compiled together
 * @param objdump the compiler's
 * @returns what code in internal RAM refers to without its being there, as "symbol (section) in object"; and
 * how many references were seen
 */
export function outOfReach(objects: readonly string[], objdump: string): { missing: string[]; seen: number } {
	const symbols = new Map<string, Symbol>();
	const key = (object: string, name: string) => `${object}:${name}`;
	for (const object of objects)
		for (const line of run(objdump, "-t", "--special-syms", object).split("\n")) {
			const [, flags, section, name] = /^[0-9a-f]+ (.{7}) (\S+)\s+[0-9a-f]+ (?:\.hidden )?(\S+)$/.exec(line) ?? [];
			if (!section || !name || section === "*UND*") continue;
			symbols.set(key(object, name), { object, section });
			if (flags!.includes("g")) symbols.set(name, { object, section });
		}
	const missing = new Set<string>();
	let seen = 0;
	for (const object of objects) {
		const [, ...parts] = run(objdump, "-r", object).split("RELOCATION RECORDS FOR ");
		for (const part of parts) {
			if (!isCode(/^\[(.*?)\]/.exec(part)![1]!)) continue;
			for (const [, type, target] of part.matchAll(/^[0-9a-f]+ (R_\S+)\s+(\S+)/gm)) {
				if (type === "R_RISCV_RELAX" || target!.startsWith("*ABS*")) continue;
				++seen;
				const name = target!.replace(/[+-]0x[0-9a-f]+$/, "");
				const symbol = symbols.get(key(object, name)) ?? symbols.get(name);
				const section = symbol?.section ?? (name.startsWith(".") ? name : undefined);
				const reaches = section ? isCode(section) || isData(section) : IN_RAM_OR_ROM.some((known) => known.test(name));
				if (!reaches) missing.add(`${name} (${section ?? "elsewhere"})`);
			}
		}
	}
	return { missing: [...missing].sort(), seen };
}

/** @returns bytes of internal RAM that objects take from the start: variables, and code that lies there */
export function staticRamBytes(objects: readonly string[], objdump: string): number {
	let bytes = 0;
	for (const object of objects)
		for (const [, section, size] of run(objdump, "-h", object).matchAll(/^ *\d+ (\S+) +([0-9a-f]{8}) /gm))
			if (isCode(section!) || isData(section!)) bytes += Number.parseInt(size!, 16);
	return bytes;
}

const DECLARED = readFileSync(fileURLToPath(new URL("./idf.h", import.meta.url)), "utf8");
/** A function or a variable of `idf.h`, but for types and macros. */
const DECLARATION = /^(?!typedef|#|\t)[^;{}()=]*?(\w+)\([^;{]*;|^extern [^;]*?(\w+)(?:\[\d+\])?;/gm;

/** Components of ESP-IDF v6.0. Where `IDF_PATH` is set, strict.test.ts looks for `IDF_PROVIDES` in them. */
export const IDF_COMPONENTS: readonly string[] = [
	...["app_update", "esp_app_format", "esp_driver_gpio", "esp_driver_ledc", "esp_driver_spi", "esp_driver_uart", "esp_eth"],
	...["esp_event", "esp_hw_support", "esp_netif", "esp_rom", "esp_system", "esp_timer", "esp_wifi", "freertos", "heap", "lwip"],
	...["nvs_flash", "spi_flash"],
];

/**
 * Registers: functions in line in headers of `esp_hal_twai` and `esp_hal_rmt`, a table of signals, and
 * addresses of the linker's scripts.
 */
export const IN_LINE_OR_ADDRESS = /^((twai|rmt)_ll_\w+|twai_periph_signals|RMT|RMTMEM|PERIPH_RCC_ATOMIC)$/;

/** All that `idf.h` declares, but for those. */
export const IDF_PROVIDES: readonly string[] = [...DECLARED.matchAll(DECLARATION)]
	.map(([, fn, variable]) => (fn ?? variable)!)
	.filter((name) => !IN_LINE_OR_ADDRESS.test(name));

/**
 * What the compiler calls for numbers: esp_rom/esp32s3/ld/esp32s3.rom.libgcc.ld. Debian's Xtensa compiler has
 * none of it.
 */
export const S3_ROM_PROVIDES: readonly string[] = `
	adddf3 addsf3 divdf3 muldf3 mulsf3 subdf3 negdf2 eqdf2 nedf2 gedf2 gtdf2 ledf2 ltdf2 ltsf2 gtsf2
	unorddf2 extendsfdf2 truncdfsf2 fixdfdi fixdfsi fixunsdfsi
	floatdidf floatdisf floatsidf floatundidf floatundisf floatunsidf floatunsisf
	muldi3 divdi3 moddi3 udivdi3 umoddi3 mulsi3 divsi3 modsi3 udivsi3 umodsi3 ashldi3 ashrdi3 lshrdi3 popcountsi2 clzsi2
`
	.trim()
	.split(/\s+/)
	.map((name) => `__${name}`);

/** C's own library: newlib, or the chip's ROM. */
export const LIBRARY_PROVIDES: readonly string[] =
	"abort calloc floor fmax fmin free malloc memchr memcmp memcpy memmove memset setjmp strchr strcmp strcspn strlen strnlen strspn strstr strtod".split(
		" ",
	);
