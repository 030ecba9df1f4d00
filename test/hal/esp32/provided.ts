/** What a board's image has that is not ours, as far as our C calls it. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

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
