/** The board's BOOT key (--fault boot-key); the contract is in hal/typings/ecma-419.d.ts. */
export default function isBootKeyHeld(): boolean {
	return native<boolean>("host_boot_key").call(undefined);
}
