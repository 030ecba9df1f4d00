/**
 * What every implementation of `FirmwarePort` in `hal/update-port.ts` does with an image. One list for all of
 * them: `update.test.ts` runs it on the slot of the unit tests, and on the host's, inside of the engine. So
 * nothing of Node is used here.
 */
import type { FirmwarePort } from "../../../hal/update-port.js";

/** Fault switch, with the name that the host program has for it (`hal/host/README.md`). */
export type UpdateFault = "update-image-corrupted";

export interface UpdateBehaviour {
	/** Reads on after "firmware". */
	readonly name: string;
	readonly fault?: UpdateFault;
	/**
	 * Begins with a confirmed firmware and an empty slot.
	 * @param image a valid one of more than 300 bytes
	 */
	act(firmware: FirmwarePort, image: Uint8Array): readonly unknown[];
	/** What `act` tells. */
	readonly tells: readonly unknown[];
	/** The other slot is started next. */
	readonly startsOther: boolean;
}

/** Platforms have words of their own for some errors. @returns "ok" or "thrown" */
function attempt(act: () => void): string {
	try {
		act();
		return "ok";
	} catch {
		return "thrown";
	}
}

/** Installs an image. @returns whether the platform accepted it */
function install(firmware: FirmwarePort, image: Uint8Array): string {
	const slot = firmware.begin();
	slot.write(image.subarray(0, 200));
	slot.write(image.subarray(200));
	const completed = attempt(() => slot.complete());
	slot.close();
	return completed;
}

export const UPDATE_BEHAVIOURS: readonly UpdateBehaviour[] = [
	{
		name: "is replaced at the next start by an image that was written and completed",
		act: (firmware, image) => [install(firmware, image), firmware.pendingVerify, firmware.rolledBack],
		tells: ["ok", false, false],
		startsOther: true,
	},
	{
		name: "stays if the image was not completed",
		act(firmware, image) {
			const slot = firmware.begin();
			slot.write(image);
			return [attempt(() => slot.close()), attempt(() => slot.close())];
		},
		tells: ["ok", "ok"],
		startsOther: false,
	},
	{
		name: "stays if an image is cut short",
		act: (firmware, image) => [install(firmware, image.subarray(0, -1))],
		tells: ["thrown"],
		startsOther: false,
	},
	{
		name: "stays if the flash has stored the image wrongly",
		fault: "update-image-corrupted",
		act: (firmware, image) => [install(firmware, image)],
		tells: ["thrown"],
		startsOther: false,
	},
	{
		name: "stays if another image was begun over the completed one",
		act(firmware, image) {
			const completed = install(firmware, image);
			firmware.begin().close();
			return [completed];
		},
		tells: ["ok"],
		startsOther: false,
	},
	{
		name: "takes nothing from a writer that was closed",
		act(firmware, image) {
			const closed = firmware.begin();
			closed.close();
			return [attempt(() => closed.write(image)), attempt(() => closed.complete()), install(firmware, image)];
		},
		tells: ["thrown", "thrown", "ok"],
		startsOther: true,
	},
	{
		name: "takes what the slot holds, and not a byte more",
		act(firmware, image) {
			const slot = firmware.begin();
			const piece = new Uint8Array(0x8000).fill(image[0]); // ESP-IDF rejects another first byte at once
			let bytes = 0;
			for (; bytes < firmware.slotBytes; bytes += piece.length) slot.write(piece);
			const over = attempt(() => slot.write(piece.subarray(0, 1)));
			slot.close();
			return [bytes === firmware.slotBytes, over];
		},
		tells: [true, "thrown"],
		startsOther: false,
	},
	{
		name: "may be confirmed again",
		act: (firmware) => [attempt(() => firmware.confirm()), attempt(() => firmware.confirm()), firmware.pendingVerify],
		tells: ["ok", "ok", false],
		startsOther: false,
	},
];
