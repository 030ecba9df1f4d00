/**
 * docs/api.md, "Settings", "Names of other firmware": every key of POST /api/settings, and capture, which
 * stands above some of them.
 */
import assert from "node:assert/strict";
import { connect } from "../support/http-server.js";
import { sleep } from "../system/wait.js";
import { describeContract, type Row } from "./contract.js";

const aliases = (reference: string, neutral: string, values: readonly [unknown, unknown]): Row[] => {
	const both = (value: unknown) => ({ [reference]: value, [neutral]: value });
	return [
		{ body: { [reference]: values[1] }, answer: both(values[1]), afterwards: { "/api/status": both(values[1]) } },
		{ body: { [neutral]: values[0] }, answer: both(values[0]), afterwards: { "/api/status": both(values[0]) } },
		{ body: both(values[1]), answer: both(values[1]) },
		{ body: { [reference]: values[0], [neutral]: values[1] }, status: 400, unchanged: [SETTINGS_SHOWN] },
		{ body: both(values[0]), answer: both(values[0]) },
	];
};

/** What never changes by itself and shows every setting of the map's side. */
const SETTINGS_SHOWN = "/api/canview/capture";

const flag = (key: string, shown: string): Row[] => [
	{ body: { [key]: true }, afterwards: { "/api/status": { logging: { [shown]: true } } } },
	{ body: { [key]: 0 }, afterwards: { "/api/status": { logging: { [shown]: false } } } },
	{ body: { [key]: 1 }, afterwards: { "/api/status": { logging: { [shown]: true } } } },
	{ body: { [key]: false }, afterwards: { "/api/status": { logging: { [shown]: false } } } },
];

describeContract("settings", { connected: false, settings: { mode: "MAP" } }, (endpoint) => {
	endpoint("POST /api/settings, aliases", [
		...aliases("broadcastOpenHaldexOverCAN", "broadcastControllerOverCAN", [true, false]),
		...aliases("haldexGeneration", "couplingGeneration", [5, 4]),
		{
			body: { broadcastOpenHaldexOverCAN: true, broadcastControllerOverCAN: false },
			error: "conflicting broadcastControllerOverCAN/broadcastOpenHaldexOverCAN",
		},
	]);

	endpoint("POST /api/settings, plain values", [
		{ body: {}, answer: { ok: true, haldexGeneration: 5, debugCaptureActive: false, isStandalone: false } },
		{ body: { unknown: 1, another: { deep: [] } }, answer: { ok: true } },
		{ body: { disableThrottle: 101 }, afterwards: { "/api/status": { disableThrottle: 100 } } },
		{
			body: { disableThrottle: 12.9, disableSpeed: "42" },
			afterwards: { "/api/status": { disableThrottle: 12, disableSpeed: 42 } },
		},
		{ body: { lockReleaseRatePctPerSec: 12.5 }, afterwards: { "/api/status": { lockReleaseRatePctPerSec: 12.5 } } },
		{
			body: { disengageUnderSpeed: { map: 5, rpm: 400, speed: -3 } },
			afterwards: { "/api/status": { disengageUnderSpeed: { map: 5, speed: 0, throttle: 0, rpm: 300 } } },
		},
		{
			title: "nothing of a request is applied when anything is wrong",
			body: { disableThrottle: 77, disableSpeed: 77, disableController: "no" },
			status: 400,
			error: "invalid disableController",
			afterwards: { "/api/status": { disableThrottle: 12, disableSpeed: 42, disableController: false } },
		},
	]);

	endpoint("POST /api/settings, controller", [
		{ body: { disableController: true }, answer: { disableController: true }, afterwards: { "/api/status": { mode: "STOCK" } } },
		{ body: { disableController: false }, answer: { disableController: false }, afterwards: { "/api/status": { mode: "MAP" } } },
		{ body: { disableController: 1 }, answer: { disableController: true } },
		{ body: { disableController: 0 }, answer: { disableController: false } },
	]);

	endpoint("POST /api/settings, inputs", [
		{
			body: { inputMappings: { speed: " chassis|0x1a0|x|y " } },
			answer: {
				inputMappings: {
					speed: "chassis|0x1a0|x|y",
					throttle: "chassis|0x121|mo fahrpedalrohwert 01|unit_percent",
					rpm: "chassis|0xa8|mo drehzahl 01|unit_minutinver",
				},
			},
		},
		{ body: { inputMappings: { rpm: "r".repeat(300) } }, answer: { inputMappings: { rpm: "r".repeat(160) } } },
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
	]);

	endpoint("POST /api/settings, two changes of the inputs within a control tick", [
		{
			body: { inputMappings: { speed: "chassis|0x1a0|x|y" } },
			check: async (_reply, api) => {
				await sleep(100);
				const post = (speed: string) => {
					const body = JSON.stringify({ inputMappings: { speed } });
					return `POST /api/settings HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
				};
				const client = connect(api.bench.port);
				client.send(post("a") + post("b"));
				await client.until((received) => received.split("HTTP/1.1 ").length === 3 && received.endsWith("0\r\n\r\n"));
				client.socket.destroy();
				assert.match(client.received, /^HTTP\/1\.1 200 [\s\S]*"speed":"a"[\s\S]*HTTP\/1\.1 200 [\s\S]*"speed":"b"/);
			},
		},
		{ body: { inputMappings: { speed: "" } } },
	]);

	endpoint("POST /api/settings, dashboard", [
		{
			body: { dashMappings: { dash_1: "haldex state", dash_8: " engagement ", dash_9: "x" } },
			afterwards: { "/api/status": { dashMappings: { dash_1: "haldex state", dash_8: "engagement", dash_2: "" } } },
		},
		{
			body: { dashMappings: { dash_1: "" } },
			afterwards: { "/api/status": { dashMappings: { dash_1: "", dash_8: "engagement" } } },
		},
	]);

	endpoint("POST /api/settings, trigger", [
		{ body: { modeTrigger: { operator: " Changed " } }, answer: { modeTrigger: { operator: "change" } } },
		{
			body: { modeTrigger: { value: 2e6, mode: "lock", broadcastControllerOverCAN: false } },
			answer: { modeTrigger: { value: 1e6, mode: "5050", broadcastOpenHaldexOverCAN: false, broadcastControllerOverCAN: false } },
		},
		{
			body: { modeTrigger: { signal: "", value: -0.5 } },
			answer: { modeTrigger: { signal: "chassis|0xfd|esp tastung passiv|", value: -0.5, active: false, seen: false } },
		},
		{ body: { modeTrigger: { enabled: true } }, answer: { modeTrigger: { enabled: true, operator: "change" } } },
		{
			body: { modeTrigger: { enabled: false } },
			afterwards: { "/api/status": { modeTrigger: { enabled: false, mode: "5050" } } },
		},
	]);

	endpoint("POST /api/settings, sleep", [
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
	]);

	endpoint("POST /api/settings, logs", [
		...flag("logErrorToFileEnabled", "errorEnabled"),
		...flag("logSerialEnabled", "serialEnabled"),
		...flag("logToFileEnabled", "enabled"),
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
			body: { logDebugCanEnabled: false },
			answer: { debugCaptureActive: false, disableController: true },
			afterwards: { "/api/status": { mode: "STOCK" } },
		},
		{ body: { logCanToFileEnabled: true }, answer: { debugCaptureActive: true } },
		{
			body: { logCanToFileEnabled: false, disableController: false },
			answer: { debugCaptureActive: false, disableController: false },
			afterwards: { "/api/status": { mode: "MAP" } },
		},
	]);

	endpoint("POST /api/canview/capture", [
		{ body: { active: false }, answer: { ok: true, active: false, disableController: false } },
		{
			body: { active: true },
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
		{ body: { active: 1 }, answer: { active: true } },
	]);

	endpoint("POST /api/settings, while a capture runs", [
		{
			body: { broadcastControllerOverCAN: false, disableThrottle: 9 },
			status: 409,
			error: "canview capture mode active",
			unchanged: ["/api/canview/capture"],
		},
		{ body: { disableThrottle: 5 }, afterwards: { "/api/status": { disableThrottle: 5 } } },
	]);

	endpoint("POST /api/mode, while a capture runs", [
		{ body: { mode: "map" }, status: 409, error: "canview capture mode active" },
		{ body: { mode: "passthru" }, answer: { ok: true, mode: "STOCK" } },
	]);

	endpoint("POST /api/learn/start, while a capture runs", [{ answer: { ok: false, error: "CAN View capture is active" } }]);

	endpoint("POST /api/canview/capture, its end", [
		{
			body: { active: false },
			answer: { ok: true, active: false, disableController: true },
			afterwards: { "/api/status": { mode: "STOCK", canviewCaptureMode: false, disableController: true } },
		},
	]);
});
