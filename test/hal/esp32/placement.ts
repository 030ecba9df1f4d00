/**
 * What the interrupts of a chip can reach, by the relocations of object files: while flash is erased only
 * internal RAM and ROM answer.
 */
import { execFileSync } from "node:child_process";

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
