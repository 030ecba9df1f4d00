/**
 * docs/api.md, "Settings", "Names of other firmware": every key of POST /api/settings, and capture, which
 * stands above some of them.
 */
import { describeContract, type Row } from "./contract.js";

/** A write, and what the status shows then. */
const shown = (body: object, status: object): Row => ({ body, answer: { ok: true }, afterwards: { "/api/status": status } });

const aliases = (reference: string, neutral: string, values: readonly [unknown, unknown]): Row[] => {
	const both = (value: unknown) => ({ [reference]: value, [neutral]: value });
	return [
		{ ...shown({ [reference]: values[1] }, both(values[1])), answer: both(values[1]) },
		{ ...shown({ [neutral]: values[0] }, both(values[0])), answer: both(values[0]) },
		shown(both(values[0]), both(values[0])),
		{ body: { [reference]: values[0], [neutral]: values[1] }, error: `conflicting ${neutral}/${reference}` },
	];
};

const trigger = (body: object, modeTrigger: object): Row => ({ body: { modeTrigger: body }, answer: { modeTrigger } });
const CAPTURE_CONFLICT = { status: 409, error: "canview capture mode active" };

describeContract("settings", { connected: false, settings: { mode: "MAP" } }, (endpoint) => {
	endpoint("POST /api/settings", [
		...aliases("broadcastOpenHaldexOverCAN", "broadcastControllerOverCAN", [true, false]),
		...aliases("haldexGeneration", "couplingGeneration", [5, 4]),
		{ body: {}, answer: { ok: true, haldexGeneration: 5, debugCaptureActive: false, isStandalone: false } },
		{ title: "other keys are ignored", body: { unknown: 1, another: { deep: [] } }, answer: { ok: true } },
		shown({ disableThrottle: 101 }, { disableThrottle: 100 }),
		shown({ disableThrottle: 12.9, disableSpeed: "42" }, { disableThrottle: 12, disableSpeed: 42 }),
		shown({ lockReleaseRatePctPerSec: 12.5 }, { lockReleaseRatePctPerSec: 12.5 }),
		shown(
			{ disengageUnderSpeed: { map: 5, rpm: 400, speed: -3 } },
			{ disengageUnderSpeed: { map: 5, speed: 0, throttle: 0, rpm: 300 } },
		),
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
			title: "one that is not sent is the generation's",
			body: { inputMappings: { speed: " chassis|0x1a0|x|y ", rpm: "r".repeat(300) } },
			answer: {
				inputMappings: {
					speed: "chassis|0x1a0|x|y",
					throttle: "chassis|0x121|mo fahrpedalrohwert 01|unit_percent",
					rpm: "r".repeat(160),
				},
			},
		},
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
		shown(
			{ dashMappings: { dash_1: "haldex state", dash_8: " engagement ", dash_9: "x" } },
			{ dashMappings: { dash_1: "haldex state", dash_8: "engagement", dash_2: "" } },
		),
		shown({ dashMappings: { dash_1: "" } }, { dashMappings: { dash_1: "", dash_8: "engagement" } }),
		trigger({ operator: " Changed " }, { operator: "change" }),
		trigger(
			{ value: 2e6, mode: "lock", broadcastControllerOverCAN: false },
			{ value: 1e6, mode: "5050", broadcastOpenHaldexOverCAN: false, broadcastControllerOverCAN: false },
		),
		trigger({ signal: "", value: -0.5 }, { signal: "chassis|0xfd|esp tastung passiv|", value: -0.5, active: false, seen: false }),
		trigger({ enabled: true }, { enabled: true, operator: "change" }),
		shown({ modeTrigger: { enabled: false } }, { modeTrigger: { enabled: false, mode: "5050" } }),
	]);

	endpoint("POST /api/settings, sleep and logs", [
		{
			body: { lowPower: { sleepEnabled: true, sleepDelayMs: 1, wakeTimerSeconds: 1e9, probeDurationMs: 2000 } },
			answer: { lowPower: { sleepEnabled: true, sleepDelayMs: 5000, wakeTimerSeconds: 86400, probeDurationMs: 2000 } },
		},
		{ body: { lowPowerSleepEnabled: false }, answer: { lowPower: { sleepEnabled: false, sleepDelayMs: 5000 } } },
		{
			title: "the old spelling wins",
			body: { lowPower: { sleepEnabled: false }, lowPowerSleepEnabled: true },
			answer: { lowPower: { sleepEnabled: true } },
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
		{ body: { logCanToFileEnabled: true }, answer: { debugCaptureActive: true } },
		{
			...shown({ logCanToFileEnabled: false, disableController: false }, { mode: "MAP" }),
			answer: { debugCaptureActive: false, disableController: false },
		},
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
