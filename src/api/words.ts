/** The words of the interface: for values of the controller, and for requests that reach no handler. */

import { CalibrationProblem } from "../calibration/sweep.js";
import type { ModeDoubt } from "../controller/arbiter.js";
import { Reason } from "../controller/reason.js";
import { Awake } from "../sleep/parked-sleep.js";
import { ImageProblem } from "../update/firmware-image.js";
import { UpdateProblem } from "../update/rejection.js";

/**
 * For the driver; a star stands for the detail that comes with a reason. Identifiers are those of the
 * couplings' rows: `test/coupling/couplings.test.ts` compares them.
 */
const WORDS: Readonly<Record<Reason | CalibrationProblem, string>> = Object.freeze({
	[Reason.ACTIVE]: "control is active",
	[Reason.SELECTED_BY_CONDITION]: "control is active in the mode of a condition",
	[Reason.SELECTED_BY_BUTTON]: "control is active in the mode of the button that is held",
	[Reason.LIMITED_BY_CONDITION]: "a condition limits the lock",
	[Reason.OPENED_BY_CONDITION]: "a condition opens the coupling",
	[Reason.STEERING]: "the steering angle reduces the lock",
	[Reason.STEERING_LOST]: "the steering angle is not valid: lock as chosen for that",
	[Reason.STOCK_SELECTED]: "stock mode is selected",
	[Reason.DISABLED]: "the controller is disabled",
	[Reason.NO_GENERATION]: "no coupling generation is set",
	[Reason.BOOT_LOOP]: "the controller restarted too often: stock until the next clean start",
	[Reason.UPDATING]: "an update is in progress",
	[Reason.CAPTURE]: "CAN capture is running",
	[Reason.VERBOSE_LOGGING]: "verbose logging is on",
	[Reason.NO_FRAMES]: "all frames are switched off",
	[Reason.CALIBRATING]: "a calibration is running",
	[Reason.CHASSIS_BUS_DOWN]: "the chassis bus is not running",
	[Reason.COUPLING_BUS_DOWN]: "the coupling bus is not running",
	[Reason.CHASSIS_SILENT]: "no frames arrive from the car",
	[Reason.IGNITION_OFF]: "the ignition is off",
	[Reason.SPEEDS_CONTRADICT]: "the sources of the vehicle's speed contradict each other",
	[Reason.NO_SPEED]: "no valid vehicle speed",
	[Reason.NO_PEDAL]: "no valid pedal position",
	[Reason.NO_RPM]: "no valid engine speed",
	[Reason.STARTING]: "starting: waiting until every input has been valid for 1 s",
	[Reason.SETTLING]: "waiting until every input has been valid for 0.5 s",
	[Reason.INTERVENTION]: "ABS or ESP is intervening: coupling opened until 1 s after",
	[Reason.OVERHEATED]: "the coupling is too hot: opened until it has cooled down",
	[Reason.COUPLING_FAULT]: "the coupling reports a fault: opened until 10 s after the fault is gone",
	[Reason.EMERGENCY_MODE]: "the coupling is in emergency mode: opened until 10 s after it has left that",
	[Reason.FAULT]: "the controller has a fault: stock until it is restarted",
	[Reason.OPEN_NETWORK]: "the controller's network has no password: set one, or say that it may stay open",
	[Reason.NO_INTERVENTIONS]: "no frames that tell of ABS and ESP: 0x1A0, on generation 5 0x0FD",
	[Reason.MAP_UNREADABLE]: "a map that is needed can't be read: load or change one",
	[Reason.CHASSIS_BUS_SETTLING]: "waiting until the chassis bus has been running for 0.5 s",
	[Reason.COUPLING_BUS_SETTLING]: "waiting until the coupling bus has been running for 0.5 s",
	[Reason.NO_FEEDBACK]: "no frames in which the coupling reports: 0x2C0, on generation 5 0x118",
	[Reason.NO_CONDITION]: "a condition that opens the coupling gets no valid value of its signal",
	[Reason.CONDITION_AWAITED]: "waiting for the signal of a condition",
	[Reason.STANDALONE_WAITS]: "standalone operation listens for 3 s whether somebody else sends its frames",
	[Reason.STANDALONE_HEARD_CAR]: "standalone operation waits: somebody else sends its frames (* from the car)",
	[Reason.STANDALONE_HEARD_COUPLING]: "standalone operation waits: somebody else sends its frames (* from the coupling's bus)",
	[CalibrationProblem.CAR_MOVES]: "the car moves",
	[CalibrationProblem.INTERVENES]: "ABS or ESP intervene",
	[CalibrationProblem.HOT]: "the coupling is too hot",
	[CalibrationProblem.FAULTY]: "the coupling reports a fault",
	[CalibrationProblem.NO_ENGINE]: "the engine does not run",
	[CalibrationProblem.LATE]: "the control loop was late",
	[CalibrationProblem.TWICE]: "a calibration is running",
	[CalibrationProblem.SETTINGS_CHANGED]: "settings or the mode were changed",
	[CalibrationProblem.PAGE_GONE]: "the page that started it has gone",
	[CalibrationProblem.NO_REPORT]: "the coupling does not report its engagement",
	[CalibrationProblem.HARDLY_MOVED]: "the coupling moved by less than 50 % from the least to the most lock",
	[CalibrationProblem.NOT_PARKED]: "the selector stands neither in park nor in neutral",
});

/** @param value a `Reason` or `CalibrationProblem`; "" has no words. @param detail in or behind them */
export function inWords(value: string, detail = ""): string {
	const words = WORDS[value as Reason] ?? value;
	if (detail === "" || value === "") return words;
	return words.includes("*") ? words.replace("*", detail) : `${words} (${detail})`;
}

/** Why a mode can't be selected, as clients of the reference know it. Source: docs/api.md, "State and modes". */
export const MODE_WORDS = Object.freeze({
	[Reason.CAPTURE]: "canview capture mode active",
	[Reason.VERBOSE_LOGGING]: "debug capture active",
} satisfies Readonly<Record<ModeDoubt, string>>);

/** Why a parked controller stays awake. */
export const AWAKE_WORDS = Object.freeze({
	[Awake.OFF]: "parked sleep is off",
	[Awake.OVERRIDE]: "the BOOT key was pressed at the start: no sleep until the next one",
	[Awake.STANDALONE]: "in standalone operation no car could wake it",
	[Awake.MOVES]: "the car moves",
	[Awake.ENGINE]: "the engine runs",
	[Awake.LOST_MOVING]: "the car moved when its speed was last known: no sleep for an hour",
	[Awake.LOST_RUNNING]: "the engine ran when its speed was last known: no sleep for an hour",
	[Awake.IGNITION]: "the ignition is on",
	[Awake.BUS_OFF]: "a CAN controller has switched itself off: nobody knows what the car does",
	[Awake.CHASSIS]: "the car's bus is in use",
	[Awake.COUPLING]: "the coupling's bus is in use",
	[Awake.UPDATING]: "an update is in progress",
	[Awake.CALIBRATING]: "a calibration is running",
	[Awake.CAPTURE]: "CAN capture is running",
	[Awake.VERBOSE_LOGGING]: "verbose logging is on",
	[Awake.DIAGNOSIS]: "a diagnosis is running",
	[Awake.ANALYZER]: "SavvyCAN is connected",
	[Awake.CLIENT]: "somebody is connected",
	[Awake.STARTED]: "it stays awake for a minute after a start",
	[Awake.COUNTING]: "all is quiet: it counts the delay",
	[Awake.NOT_ALLOWED]: "it would sleep now, but is not allowed to",
	[Awake.RESTS]: "the car is parked, but its buses are in use: Wi-Fi is off, and frames are forwarded",
	[Awake.STORING]: "it is going to sleep: what has changed is being stored",
} satisfies Readonly<Record<Awake, string>>);

/** Why an update or its image is rejected. Some say after a colon how to go on. */
export const UPDATE_WORDS = Object.freeze({
	[UpdateProblem.CONTROL_ACTIVE]: "control is active: select mode STOCK first",
	[UpdateProblem.CAR_MOVES]: "the car is moving",
	[UpdateProblem.SPEED_UNKNOWN]: "the car's speed is unknown",
	[UpdateProblem.INSTALLING]: "already installing",
	[UpdateProblem.UPLOADING]: "an upload is running",
	[UpdateProblem.RESTARTING]: "a restart is due",
	[UpdateProblem.SELF_TEST]: "the running firmware is still being tested",
	[UpdateProblem.NOT_NEWER]: "no newer firmware for this board",
	[UpdateProblem.NO_URL]: "missing firmware url",
	[UpdateProblem.NOT_SIGNED]: "not signed with this controller's key",
	[UpdateProblem.REPLAYED]:
		"older than what was announced or runs here: press BOOT at the board for 2 s, and look again within 10 minutes",
	[UpdateProblem.SLOT_FAILED]: "the update could not be stored",
	[UpdateProblem.OTHER_PASSWORD]: "the owner has set another password",
	[UpdateProblem.BROKEN_OFF]: "the upload was broken off",
	[ImageProblem.NO_IMAGE]: "no image",
	[ImageProblem.NOT_AN_IMAGE]: "not an image",
	[ImageProblem.TOO_LARGE]: "too large",
	[ImageProblem.INCOMPLETE]: "image is incomplete",
	[ImageProblem.CUT_OR_FOLLOWED]: "image is incomplete, or bytes follow it: get the file again",
	[ImageProblem.DAMAGED]: "image is damaged",
	[ImageProblem.OTHER_BOARD]: "image is for another board",
	[ImageProblem.TOO_OLD]: "image is too old",
	[ImageProblem.OTHER_VERSION]: "image is not the announced version",
	[ImageProblem.OLDER]:
		"image is older than one that was kept here: press BOOT at the board for 2 s, and send it again within 10 minutes",
	[ImageProblem.UNSIGNED]: "image is not signed: sign it with this controller's key (npm run release), or flash it by USB",
	[ImageProblem.OTHER_KEY]:
		"image is signed with another key: sign it with this controller's (npm run release), or flash it by USB",
	[ImageProblem.WRONG_SIGNATURE]: "image's signature is wrong: it was changed after it was signed, get it again",
	[ImageProblem.FOLLOWED]: "bytes follow the image: in a form it must be the last field",
	[ImageProblem.INVALID_FORM]: "invalid form: at most 2 KiB and 64 lines come before the image, and the boundary ends it",
} satisfies Readonly<Record<UpdateProblem | ImageProblem, string>>);

const UPDATE_PROBLEMS: readonly string[] = Object.freeze(Object.keys(UPDATE_WORDS));

/** @param problem others stay as they are: "offline", "http 404" */
export function updateInWords(problem: string): string {
	// each text that is looked up becomes a name of the engine
	return UPDATE_PROBLEMS.includes(problem) ? UPDATE_WORDS[problem as UpdateProblem] : problem;
}

/** Why a request does not reach its handler, and what to do instead. */
export const GUARD_WORDS = Object.freeze({
	byPost:
		"in a browser the car is asked by POST, and so it is in an app; where there is a password, changes need the owner's key",
	otherPage: "an app uses the native HTTP client, or the owner sets its origin as allowedOrigin",
	otherName: "this name may be anybody's: open",
	bootLoop: "only update, status and logs are there: install another version, or switch the supply off and on",
	needsKey: "POST /api/session opens the key; send it as Authorization: Bearer KEY",
});
