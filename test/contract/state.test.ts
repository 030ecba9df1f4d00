/** docs/api.md, "State and modes": status and mode; the description. */
import { describeContract } from "./contract.js";

const mode = (body: unknown, canonical: string) => ({
	body: { mode: body },
	answer: { ok: true, mode: canonical },
	afterwards: { "/api/status": { mode: canonical, disableController: canonical === "STOCK" } },
});

/** 100 % up to 90 degrees, 20 % from 290 on. */
const steeringGain = { enabled: true, startDeg: 90, fullDeg: 290, leastPercent: 20, lostPercent: 100 };

describeContract("state", { connected: false, settings: { mode: "MAP", steeringGain } }, (endpoint) => {
	endpoint("GET /api/preview", [
		{
			query: "?mode=expert&speed=40&throttle=40&rpm=3000",
			answer: { mode: "MAP", speed: 40, throttle: 40, rpm: 3000, lock: 25, ungated: 25 },
		},
		{ query: "?mode=MAP&speed=50&throttle=50", answer: { mode: "MAP", speed: 50, throttle: 50, lock: 28.75 } },
		{ query: "?mode=5050", answer: { mode: "5050", lock: 100 } },
		{ query: "?mode=7030&steering=190", answer: { mode: "7030", steering: 190, lock: 18, gainPercent: 60, ungated: 30 } },
	]);

	endpoint("GET /api/dashboard", [{ answer: { mode: 5, effectiveMode: 0, speed: 0, rpm: 0, boost: 0, locking: 0 } }]);

	endpoint("GET /api/status", [
		{
			answer: {
				mode: "MAP",
				effectiveMode: "STOCK",
				haldexGeneration: 5,
				couplingGeneration: 5,
				uds: { last: { available: false } },
				learn: { active: false, tableValid: false, progress: 0 },
				dashboardSignals: Array.from({ length: 8 }, (_, i) => ({ slot: `dash_${i + 1}`, mapped: false, display: "--" })),
				frameDiag: {
					motor1: { id: 640 },
					motor3: { id: 896 },
					brakes1: { id: 416 },
					brakes2: { id: 1440 },
					brakes3: { id: 1184 },
				},
				apiVersion: 1,
			},
			has: { "content-type": "application/json", "cache-control": "no-store" },
		},
	]);

	endpoint("POST /api/mode", [
		mode("STOCK", "STOCK"),
		mode(" fwd\t", "FWD"),
		mode(7525, "7030"),
		mode(5, "MAP"),
		{ title: "the last of two equal keys counts", body: '{"mode":"SPORT","mode":"FWD"}', answer: { mode: "FWD" } },
		{ title: "other keys are ignored", body: { mode: "MAP", x: { y: [1, { z: null }] } }, answer: { mode: "MAP" } },
	]);

	endpoint("GET /api/openapi.json", [
		{ answer: { openapi: "3.1.0" }, has: { etag: /^"[0-9a-f]{16}"$/ } },
		{ headers: { "If-None-Match": "*" }, status: 304, text: "" },
	]);
});
