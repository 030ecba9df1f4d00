/**
 * The running firmware, why it has started, sleep, and the BOOT key: the same on every platform, on natives of
 * the same names. The work is in hal/esp32/platform.c, hal/host/io/board.c, partitions.c
 * and hal/host/main.c.
 */
import Flash from "embedded:storage/flash";
import Update from "embedded:update";
import type { SleepPort, WakeCause } from "../ports.js";
import type { FirmwarePort, SlotWriter } from "../update-port.js";

/** True while the BOOT key is held now; on the host `--fault boot-key`. */
export function isBootKeyHeld(): boolean {
	return native<boolean>("xs_hal_boot_key").call(undefined);
}

/**
 * Why the controller has started, in words: "power on", "wake", "watchdog", "brownout", "crash", "restart",
 * "unknown". SIGKILL is a power cut of the host.
 */
export function resetReason(): string {
	return native<string>("xs_hal_reset_reason").call(undefined);
}

/** Version in the running image's description; "" if the platform can't tell. */
export function firmwareVersion(): string {
	return native<string>("xs_hal_firmware_version").call(undefined);
}

/** The running firmware and the slot for the next one. */
export const firmware: FirmwarePort = Object.freeze({
	get pendingVerify(): boolean {
		return native<boolean>("xs_hal_firmware_pending").call(undefined);
	},

	get rolledBack(): boolean {
		return native<boolean>("xs_hal_firmware_rolled_back").call(undefined);
	},

	get slotBytes(): number {
		return native<number>("xs_hal_firmware_slot_bytes").call(undefined);
	},

	begin(): SlotWriter {
		return Update.open({ partition: Flash.open({ path: "nextota", mode: "r+" }) });
	},

	confirm(): void {
		native("xs_hal_firmware_confirm").call(undefined);
	},

	restart(): void {
		native("xs_hal_restart").call(undefined);
	},
});

/** Sleep of the whole controller. */
export const parkedSleep: SleepPort = Object.freeze({
	get wakeCause(): WakeCause {
		return native<WakeCause>("xs_hal_sleep_cause").call(undefined);
	},

	get entries(): number {
		return native<number>("xs_hal_sleep_entries").call(undefined);
	},

	enter(wakeAfterMs: number): void {
		native("xs_hal_sleep_enter").call(undefined, wakeAfterMs);
	},
});
