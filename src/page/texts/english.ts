/**
 * Every text of the page, in English: a text's name says where it stands. Those of a part of the page lie
 * beside their translation in a file of that part. A translation has the type `Texts` and so can't miss one.
 */

import { CAR } from "./car";
import { DRIVE } from "./drive";
import { MAP } from "./map";
import { SAID } from "./said";
import { SETTINGS } from "./settings";
import { SYSTEM } from "./system";

/**
 * Texts by place, functions where a number or name stands in one. Every other language is typed by this one.
 */
export const ENGLISH = {
	/** The locale of times and dates. */
	locale: "en-GB",
	name: "OpenCoupling",
	places: { drive: "Drive", tune: "Tune", record: "Record", car: "Car", system: "System" },
	pages: {
		drive: "Drive",
		map: "Map",
		curves: "Curves",
		gates: "Gates",
		steering: "Steering",
		library: "Library",
		share: "Share",
		record: "Recorder",
		coupling: "Coupling",
		inputs: "Inputs",
		conditions: "Conditions",
		calibration: "Calibration",
		diagnosis: "Diagnosis",
		can: "CAN",
		network: "Network",
		update: "Update",
		backup: "Backup",
		logs: "Logs",
		display: "Display",
		about: "About",
		full: "Full screen",
		settings: "Search settings",
		start: "First start",
	},
	display: { title: "Display", language: "Language", speed: "Speeds in" },
	shell: {
		skip: "Skip to the content",
		pages: "Places",
		contents: "Contents",
		toLight: "Switch to light colours",
		toDark: "Switch to dark colours",
		loading: "Loading ...",
		partMissing: "A part of the page could not be loaded.",
		tryAgain: "Try again",
		broken: "This part of the page has failed. The controller is not affected.",
		dismiss: "Close",
		bootLoop:
			"The controller has crashed three times in a row. The car stays stock, and only the update and the logs are there. Install another version, or switch the supply off and on.",
		toUpdate: "Open the update",
	},
	link: {
		connecting: "Connecting",
		live: "Live",
		reconnecting: "Reconnecting",
		offline: "Offline",
		offlineHint: "The numbers are old. The controller continues as set",
		noAnswer: "No answer from the controller",
		/** @param value "" = it is secret, or empty */
		allowed: (field: string, value: string, allowed: string) =>
			`${field}${value === "" ? "" : ` is ${value}`}, allowed: ${allowed}`,
	},
	units: { percent: "%", rpm: "rpm", seconds: "s" },
	password: { show: "Show", hide: "Hide" },
	...DRIVE,
	...SAID,
	...MAP,
	...SETTINGS,
	...CAR,
	...SYSTEM,
};

/** What a translation must have: the same names, and functions of the same arguments. */
export type Texts = typeof ENGLISH;
