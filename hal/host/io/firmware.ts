/** The running firmware on the host; the contract is in hal/typings/ecma-419.d.ts, the work in partitions.c. */
export default Object.freeze({
	get version(): string {
		return native<string>("host_firmware_version").call(undefined);
	},

	get pendingVerify(): boolean {
		return native<boolean>("host_firmware_pending").call(undefined);
	},

	get rolledBack(): boolean {
		return native<boolean>("host_firmware_rolled_back").call(undefined);
	},

	get slotBytes(): number {
		return native<number>("host_firmware_slot_bytes").call(undefined);
	},

	confirm(): void {
		native("host_firmware_confirm").call(undefined);
	},

	restart(): never {
		native("host_firmware_restart").call(undefined);
		throw new Error("unreachable");
	},
});
