/** The running firmware; the contract is in hal/typings/ecma-419.d.ts, the work in platform.c. */
export default Object.freeze({
	get version(): string {
		return native<string>("xs_esp32_firmware_version").call(undefined);
	},

	get pendingVerify(): boolean {
		return native<boolean>("xs_esp32_firmware_pending").call(undefined);
	},

	get rolledBack(): boolean {
		return native<boolean>("xs_esp32_firmware_rolled_back").call(undefined);
	},

	get slotBytes(): number {
		return native<number>("xs_esp32_firmware_slot_bytes").call(undefined);
	},

	confirm(): void {
		native("xs_esp32_firmware_confirm").call(undefined);
	},

	restart(): never {
		native("xs_esp32_restart").call(undefined);
		throw new Error("unreachable");
	},
});
