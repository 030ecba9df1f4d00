/**
 * The running firmware; the contract is in hal/typings/ecma-419.d.ts, the work in hal/esp32/platform.c and
 * hal/host/io/partitions.c.
 */
export default Object.freeze({
	get version(): string {
		return native<string>("xs_hal_firmware_version").call(undefined);
	},

	get pendingVerify(): boolean {
		return native<boolean>("xs_hal_firmware_pending").call(undefined);
	},

	get rolledBack(): boolean {
		return native<boolean>("xs_hal_firmware_rolled_back").call(undefined);
	},

	get slotBytes(): number {
		return native<number>("xs_hal_firmware_slot_bytes").call(undefined);
	},

	confirm(): void {
		native("xs_hal_firmware_confirm").call(undefined);
	},

	restart(): never {
		native("xs_hal_restart").call(undefined);
		throw new Error("unreachable");
	},
});
