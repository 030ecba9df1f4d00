/**
 * docs/api.md, "Settings", "Names of other firmware": what a write answers and the status shows then, and
 * capture, which stands above some keys. Every key, range and alias: test/settings/patch.test.ts.
 */
import { describeContract, type Row } from "./contract.js";

/** A write, and what the status shows then. */
const shown = (body: object, status: object): Row => ({ body, answer: { ok: true }, afterwards: { "/api/status": status } });

/** A value that is sent by the neutral name: answer and status have the reference's name as well. */
const aliased = (neutral: string, reference: string, value: unknown): Row => {
	const both = { [neutral]: value, [reference]: value };
	return { ...shown({ [neutral]: value }, both), answer: both };
};

const CAPTURE_CONFLICT = { status: 409, error: "canview capture mode active" };

describeContract("settings", { connected: false, settings: { mode: "MAP" } }, (endpoint) => {
	endpoint("POST /api/settings", [
		...[false, true].map((value) => aliased("broadcastControllerOverCAN", "broadcastOpenHaldexOverCAN", value)),
		...[4, 5].map((value) => aliased("couplingGeneration", "haldexGeneration", value)),
		{ body: { unknown: 1 }, answer: { ok: true, debugCaptureActive: false, isStandalone: false } },
		shown({ disableThrottle: 12.9, disableSpeed: "42" }, { disableThrottle: 12, disableSpeed: 42 }),
		{
			title: "nothing of a request is applied when anything is wrong",
			body: { disableThrottle: 77, disableSpeed: 77, disableController: "no" },
			error: "invalid disableController",
			afterwards: { "/api/status": { disableThrottle: 12, disableSpeed: 42, disableController: false } },
		},
		{ ...shown({ disableController: true }, { mode: "STOCK" }), answer: { disableController: true } },
		{ ...shown({ disableController: 0 }, { mode: "MAP" }), answer: { disableController: false } },
	]);

	endpoint("POST /api/settings, signals", [
		{
			title: "an empty one is filled with the generation's",
			body: { inputMappings: { speed: "", rpm: "" } },
			answer: {
				inputMappings: {
					speed: "chassis|0xfd|esp v signal|unit_kilometerperhour",
					rpm: "chassis|0xa8|mo drehzahl 01|unit_minutinver",
				},
			},
		},
		{
			title: "a mode trigger's, too",
			body: { modeTrigger: { signal: "", operator: " Changed ", value: 2e6, mode: "lock" } },
			answer: {
				modeTrigger: { signal: "chassis|0xfd|esp tastung passiv|", operator: "change", value: 1e6, mode: "5050", seen: false },
			},
		},
		shown({ modeTrigger: { enabled: false } }, { modeTrigger: { enabled: false, mode: "5050" } }),
	]);

	endpoint("POST /api/settings, sleep and logs", [
		{
			body: { lowPower: { sleepEnabled: true, sleepDelayMs: 1, wakeTimerSeconds: 1e9, probeDurationMs: 2000 } },
			answer: { lowPower: { sleepEnabled: true, sleepDelayMs: 5000, wakeTimerSeconds: 86400, probeDurationMs: 2000 } },
		},
		...[
			["logErrorToFileEnabled", "errorEnabled"],
			["logSerialEnabled", "serialEnabled"],
			["logToFileEnabled", "enabled"],
		].flatMap(([key, name]) => [true, 0].map((value) => shown({ [key]: value }, { logging: { [name]: Boolean(value) } }))),
		{
			title: "a debug flag forces both files on, and the controller off for good",
			body: { logDebugCanEnabled: true },
			answer: { debugCaptureActive: true, disableController: true },
			afterwards: {
				"/api/status": {
					mode: "STOCK",
					debugCaptureActive: true,
					logging: { enabled: true, errorEnabled: true, debugCanEnabled: true, debugCaptureActive: true },
				},
			},
		},
		{
			...shown({ logDebugCanEnabled: false }, { mode: "STOCK" }),
			answer: { debugCaptureActive: false, disableController: true },
		},
		{ ...shown({ disableController: false }, { mode: "MAP" }), answer: { disableController: false } },
	]);

	endpoint("GET /api/canview/capture", [
		{ answer: { active: false, disableController: false, broadcastOpenHaldexOverCAN: true, broadcastControllerOverCAN: true } },
	]);

	endpoint("POST /api/canview/capture", [
		{ body: { active: false }, answer: { ok: true, active: false, disableController: false } },
		{
			body: { active: 1 },
			answer: {
				ok: true,
				active: true,
				disableController: true,
				broadcastOpenHaldexOverCAN: true,
				broadcastControllerOverCAN: true,
			},
			afterwards: {
				"/api/canview/capture": { active: true, disableController: true },
				"/api/status": { canviewCaptureMode: true, effectiveMode: "STOCK", disableController: true },
			},
		},
	]);

	endpoint("POST /api/settings, while a capture runs", [
		{ body: { broadcastControllerOverCAN: false, disableThrottle: 9 }, ...CAPTURE_CONFLICT, unchanged: ["/api/canview/capture"] },
		shown({ disableThrottle: 5 }, { disableThrottle: 5 }),
	]);

	endpoint("POST /api/mode, while a capture runs", [
		{ body: { mode: "map" }, ...CAPTURE_CONFLICT },
		{ body: { mode: "passthru" }, answer: { ok: true, mode: "STOCK" } },
	]);

	endpoint("POST /api/learn/start, while a capture runs", [{ answer: { ok: false, error: "CAN View capture is active" } }]);

	endpoint("POST /api/canview/capture, its end", [
		{
			...shown({ active: false }, { mode: "STOCK", canviewCaptureMode: false, disableController: true }),
			answer: { ok: true, active: false, disableController: true },
		},
	]);
});
