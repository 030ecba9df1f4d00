/** A calibration that the soak's driver begins, and how it ends. */
import type { Random } from "../../test/support/random.js";
import type { Drive } from "../campaign/drive.js";
import type { Answer } from "../campaign/lockstep.js";

/** After the answer a change is active; ticks and frames that are under way have left. */
export const IN_FORCE_MS = 60;
/**
 * A condition that acted holds on for this long, and so long until control is back where others are looked
 * at.
 */
export const RESTS_MS = 1500;
/** Who calibrates says that he is there as often, at most. */
const ALIVE_MS = 3000;
/** Nobody has said so: it is aborted. */
const ALONE_MS = 6000;

/** What of the driver a calibration needs: `driver.ts`. */
interface Driving {
	ask(method: string, path: string, body?: string): Promise<Answer>;
	mode(mode: string): Promise<void>;
	driveOn(): Promise<void>;
}

/**
 * Calibrates the car, which stands for it; it never ends well, for this coupling reports the same whatever it
 * is asked.
 * @returns whether it ran
 */
export async function calibrate(driver: Driving, drive: Drive, random: Random): Promise<boolean> {
	const { car, demands } = drive;
	car.speedKmh = car.pedalPercent = 0;
	car.selector = "P";
	await drive.run(RESTS_MS);
	demands.wishing = demands.wishes;
	drive.isCalibrating = true;
	await driver.ask("POST", "/api/learn/start", '{"confirmed":true}');
	const ran = await isActive(driver);
	for (let i = random.below(5); i > 0; i--) {
		await drive.run(random.below(ALIVE_MS));
		await driver.ask("POST", "/api/learn/alive");
	}
	await end(driver, drive, random);
	if (await isActive(driver)) drive.complain("a calibration goes on that was given up");
	await drive.run(IN_FORCE_MS);
	car.selector = "D";
	drive.isCalibrating = false;
	demands.wishing = undefined;
	return ran;
}

async function end(driver: Driving, drive: Drive, random: Random): Promise<void> {
	const ways: readonly (() => Promise<unknown>)[] = [
		() => driver.ask("POST", "/api/learn/cancel"),
		() => driver.ask("POST", "/api/learn/clear"),
		() => driver.mode(drive.demands.wishes.mode),
		() => driver.driveOn(),
		() => drive.run(ALONE_MS),
	];
	await random.of(ways)();
}

async function isActive(driver: Driving): Promise<boolean> {
	const { text } = await driver.ask("GET", "/api/learn/status");
	return (JSON.parse(text) as { active?: boolean }).active === true;
}
