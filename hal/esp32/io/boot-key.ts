/** The board's BOOT key; the contract is in hal/typings/ecma-419.d.ts, the work in platform.c. */
export default function isBootKeyHeld(): boolean {
	return native<boolean>("xs_esp32_boot_key").call(undefined);
}
