/**
 * Why a calibration does not begin, or was aborted, beside the reasons of the arbiter. The interface shows
 * these names.
 */
export const CalibrationProblem = Object.freeze({
	CAR_MOVES: "carMoves",
	INTERVENES: "intervenes",
	HOT: "hot",
	FAULTY: "faulty",
	NO_ENGINE: "noEngine",
	LATE: "late",
	TWICE: "twice",
	SETTINGS_CHANGED: "settingsChanged",
	PAGE_GONE: "pageGone",
	NO_REPORT: "noReport",
	HARDLY_MOVED: "hardlyMoved",
	NOT_PARKED: "notParked",
} as const);

/** One of these. */
export type CalibrationProblem = (typeof CalibrationProblem)[keyof typeof CalibrationProblem];
