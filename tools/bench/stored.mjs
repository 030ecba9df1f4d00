/** The flash of a driver who has set and kept all there is: what a start has to load. */
import { FIRM } from "./client.mjs";

const RPM_SIGNAL = "chassis|0x107|MO_Drehzahl_01|rpm";
/** @param {number} end */
const curve = (end) => Array.from({ length: 12 }, (_, i) => [(i * end) / 12, i * 8]);
/** A value of the driver's own in each field, as src/settings/STORAGE.md has them. */
export const EVERYTHING = {
	generation: 5,
	mode: "MAP",
	frameProfile: "corrected",
	broadcastOverCan: false,
	setupDone: true,
	respectInterventions: false,
	controlWithoutFeedback: true,
	disableThrottle: 5,
	disableSpeed: 200,
	releaseRate: 100,
	engageRate: 50,
	currentMap: "/maps/Winter.json",
	disengageUnder: { map: 1, speed: 2, throttle: 3, rpm: 4 },
	inputMappings: { speed: "", throttle: "", rpm: RPM_SIGNAL },
	curves: { speed: curve(300), throttle: curve(100), rpm: curve(9000) },
	dashboard: Array(8).fill(RPM_SIGNAL),
	trigger: { enabled: true, signal: RPM_SIGNAL, operator: "gte", value: 9000, mode: "FWD", broadcastOverCan: true },
	logging: { file: true, can: false, error: false, serial: true, debugFirmware: true, debugNetwork: true, debugCan: false },
	lowPower: { sleepEnabled: true, sleepDelayMs: 45_000, wakeTimerSeconds: 600, probeDurationMs: 900 },
	pwm: { frequencyHz: 250, inverted: true },
};
/** And its other files. Earlier maps: all that are kept. */
export const STORED = {
	"maps/current.json": FIRM,
	"maps/Winter.json": FIRM,
	"history.json": {
		format: 1,
		states: Array.from({ length: 10 }, (_, i) => {
			const { speedBins, throttleBins, lockTable } = FIRM;
			return ["map", "/maps/Winter.json", `${speedBins} ${throttleBins} ${lockTable.flat().map((percent) => percent + i)}`];
		}),
	},
};
