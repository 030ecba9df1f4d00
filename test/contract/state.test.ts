/** docs/api.md, "State and modes": status and mode; the event stream; the description. */
import { describeContract, refused } from "./contract.js";

const mode = (body: unknown, canonical: string) => ({
	body: { mode: body },
	answer: { ok: true, mode: canonical },
	afterwards: { "/api/status": { mode: canonical, disableController: canonical === "STOCK" } },
});

describeContract("state", { connected: false }, (endpoint) => {
	endpoint("GET /api/preview", [
		{
			query: "?mode=expert&speed=40&throttle=40&rpm=3000",
			answer: { mode: "MAP", speed: 40, throttle: 40, rpm: 3000, lock: 25, ungated: 25 },
		},
		{ query: "?mode=MAP&speed=50&throttle=50", answer: { mode: "MAP", speed: 50, throttle: 50, lock: 28.75 } },
		{ query: "?mode=5050", answer: { mode: "5050", lock: 100 } },
		{ query: "?mode=XYZ", status: 400, error: "invalid mode" },
		{ query: "?speed=301", status: 400, error: "invalid speed" },
		{ query: "?speed=", status: 400, error: "invalid speed" },
		{ query: "?throttle=x", status: 400, error: "invalid throttle" },
		{ query: "?rpm=-1", status: 400, error: "invalid rpm" },
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
		{ query: "?anything=1" },
		{ query: "/", title: "a slash behind it" },
	]);

	endpoint("POST /api/mode", [
		...[
			["STOCK", "STOCK"],
			["PASSTHRU", "STOCK"],
			["FWD", "FWD"],
			["100:0", "FWD"],
			["5050", "5050"],
			["50:50", "5050"],
			["LOCK", "5050"],
			["6040", "6040"],
			["60:40", "6040"],
			["7030", "7030"],
			["70:30", "7030"],
			["7525", "7030"],
			["75:25", "7030"],
			["8020", "8020"],
			["80:20", "8020"],
			["9010", "9010"],
			["90:10", "9010"],
			["SPEED", "SPEED"],
			["THROTTLE", "THROTTLE"],
			["RPM", "RPM"],
			["MAP", "MAP"],
			["EXPERT", "MAP"],
		].flatMap(([name, canonical]) => [mode(name, canonical), mode(` ${name.toLowerCase()}\t`, canonical)]),
		...[5050, 6040, 7030, 8020, 9010].map((name) => mode(name, String(name))),
		...["STOCK", "FWD", "5050", "6040", "7030", "MAP"].map((name, number) => mode(number, name)),
		mode(7525, "7030"),
		...refused(
			"invalid mode",
			["SPORT", "", "MAP2", "M A P", null, true, "1", 6, 9, 50.5, [], {}, ["MAP"]].map((value) => ({ mode: value })),
			{ unchanged: [] },
		).map((row) => ({ ...row, answer: { field: "mode" }, afterwards: { "/api/status": { mode: "7030" } } })),
		...refused("invalid mode", [{}, { Mode: "MAP" }, { mod: "MAP" }]),
		{ title: "the last of two equal keys counts", body: '{"mode":"SPORT","mode":"FWD"}', answer: { mode: "FWD" } },
		{ title: "other keys are ignored", body: { mode: "MAP", x: { y: [1, { z: null }] } }, answer: { mode: "MAP" } },
	]);

	endpoint("GET /api/events", [
		...["0", "21", "x", "", "5.5", "-1", "NaN"].map((hz) => ({ query: `?hz=${hz}`, error: "invalid hz" })),
	]);

	endpoint("GET /api/openapi.json", [
		{ answer: { openapi: "3.1.0" }, has: { etag: /^"[0-9a-f]{16}"$/ } },
		{ headers: { "If-None-Match": "*" }, status: 304, text: "" },
	]);
});
