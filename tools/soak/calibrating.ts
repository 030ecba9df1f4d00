/** A calibration that the soak's driver begins, and how it ends. */
import type { Random } from "../../test/support/random.js";
import { learnOf, leaveCalibration, sayAlive, startCalibration } from "../campaign/calibrating.js";
import type { Drive } from "../campaign/drive.js";

/** After the answer a change is active; ticks and frames that are under way have left. */
export const TAKES_EFFECT_MS = 60;
/**
 * A condition that acted holds on for this long, and so long until control is back where others are looked
 * at.
 */
export const RESTS_MS = 1500;
/** Who calibrates says that he is there as often, at most. */
const ALIVE_MS = 3000;
/** Nobody has said so: it is aborted. */
const ALONE_MS = 6000;
const GIVEN_UP = "it was given up";

/**
 * Calibrates the car, which stands for it; it never ends well, for this coupling reports the same whatever it
 * is asked.
 * @param chooses the mode that is chosen @param drivesOn the car drives on
 * @returns whether it ran
 */
export async function calibrate(
	drive: Drive,
	random: Random,
	chooses: () => Promise<void>,
	drivesOn: () => Promise<void>,
): Promise<boolean> {
	const { car, demands } = drive;
	car.speedKmh = car.pedalPercent = 0;
	car.selector = "P";
	await drive.run(RESTS_MS);
	await startCalibration(drive);
	const ran = (await learnOf(drive)).active;
	for (let i = random.below(5); i > 0; i--) {
		await drive.run(random.below(ALIVE_MS));
		await sayAlive(drive);
	}
	const choosesMode = async (): Promise<void> => {
		await chooses();
		demands.calibration?.end(drive.nowMs, "a mode was chosen");
	};
	const givesUp = (path: string) => async (): Promise<void> => {
		await drive.must("POST", path, "");
		demands.calibration?.end(drive.nowMs, GIVEN_UP);
	};
	const ways = [givesUp("/api/learn/cancel"), givesUp("/api/learn/clear"), choosesMode, drivesOn, () => drive.run(ALONE_MS)];
	await random.of(ways)();
	await drive.run(TAKES_EFFECT_MS);
	if (demands.calibration?.because !== GIVEN_UP) await leaveCalibration(drive, "");
	else if ((await learnOf(drive)).active) drive.complain("a calibration goes on that was given up");
	car.selector = "D";
	return ran;
}
