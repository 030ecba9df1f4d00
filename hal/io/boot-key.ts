/** The board's BOOT key, on the host `--fault boot-key`; the contract is in hal/typings/ecma-419.d.ts. */
export default function isBootKeyHeld(): boolean {
	return native<boolean>("xs_hal_boot_key").call(undefined);
}
