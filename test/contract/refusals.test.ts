/**
 * Every refusal says what would have been taken. Walks each member of each write with values of the wrong
 * type, out of range and of the wrong kind: all are 400 that name the member and what is allowed, and nothing
 * is changed.
 */
import assert from "node:assert/strict";
import { Bench } from "../system/bench-car.js";
import { Api } from "./contract.js";

/** A member and what is wrong for it. `#` stands for it in `body`. */
interface Member {
	readonly endpoint: string;
	readonly body: string;
	/** As the answer names it. */
	readonly field: string;
	readonly wrong: readonly unknown[];
	/** What `allowed` must name. */
	readonly allowed: readonly string[];
}

const NO_TEXT = [null, 5, true, [], {}];
const NO_FLAG = [null, 2, -1, 0.5, "true", "", [], {}];
const NO_NUMBER = [null, true, "12", "plenty", [], {}];
const NO_NUMBER_OR_TEXT = [null, false, "", "plenty", "1e3", "0x10", "1 2", [], {}];
const NO_GROUP = [null, 1, true, "x", []];
const FLAG = ["true", "false", "1", "0"];
const MODES = ["STOCK", "FWD", "5050", "MAP", "RPM"];
const KEY = ["bus|0xID|signal name|unit"];

const settings = (field: string, wrong: readonly unknown[], allowed: readonly string[]): Member => {
	const [group, member] = field.split(".");
	const body = member === undefined ? `{"${group}":#}` : `{"${group}":{"${member}":#}}`;
	return { endpoint: "/api/settings", body, field, wrong, allowed };
};

const CURVE = '{"points":[{"x":0,"lock":0},{"x":20,"lock":50}]}';
const MAP = {
	speedBins: [0, 10, 20, 30, 40, 50, 60, 70, 80],
	throttleBins: [0, 10, 20, 30, 40, 50, 60],
	lockTable: Array(7).fill(Array(9).fill(0)),
};
const map = (changes: object): string => JSON.stringify({ ...MAP, ...changes }).replaceAll('"#"', "#");

const MEMBERS: readonly Member[] = [
	{
		endpoint: "/api/mode",
		body: '{"mode":#}',
		field: "mode",
		wrong: [null, true, [], {}, 6, 7500, 50.5, "", "SPORT"],
		allowed: MODES,
	},
	...[
		...[
			"disableController",
			"broadcastControllerOverCAN",
			"broadcastOpenHaldexOverCAN",
			"c6ModeNumbers",
			"respectInterventions",
			"controlWithoutFeedback",
			"sleepAllowed",
			"setupDone",
			"analyzerEnabled",
			"isStandalone",
		],
		...["logToFileEnabled", "logCanToFileEnabled", "logErrorToFileEnabled", "logSerialEnabled", "logDebugFirmwareEnabled"],
		...["logDebugNetworkEnabled", "logDebugCanEnabled", "lowPowerSleepEnabled", "lowPower.sleepEnabled", "pwm.inverted"],
		...["modeTrigger.enabled", "modeTrigger.broadcastControllerOverCAN", "modeTrigger.broadcastOpenHaldexOverCAN"],
	].map((field) => settings(field, NO_FLAG, FLAG)),
	...["enabled", "maySend"].map(
		(field): Member => ({ endpoint: "/api/analyzer", body: `{"${field}":#}`, field, wrong: NO_FLAG, allowed: FLAG }),
	),
	...["couplingGeneration", "haldexGeneration"].map((field) =>
		settings(field, [...NO_NUMBER_OR_TEXT, 0, 3, 6, -1, 4.5, "3"], ["1, 2, 4 or 5"]),
	),
	settings("disableThrottle", NO_NUMBER_OR_TEXT, ["0..100"]),
	settings("disableSpeed", NO_NUMBER_OR_TEXT, ["0..300"]),
	settings("lockReleaseRatePctPerSec", NO_NUMBER_OR_TEXT, ["0..1000"]),
	settings("lockEngageRatePctPerSec", NO_NUMBER, ["0..1000"]),
	settings("lockTrimPercent", NO_NUMBER, ["50..150"]),
	...["map", "speed", "throttle", "rpm"].map((mode) => settings(`disengageUnderSpeed.${mode}`, NO_NUMBER, ["0..300"])),
	settings("lowPower.sleepDelayMs", NO_NUMBER, ["5000..600000"]),
	settings("lowPower.wakeTimerSeconds", NO_NUMBER, ["30..86400"]),
	settings("lowPower.probeDurationMs", NO_NUMBER, ["100..5000"]),
	settings("pwm.frequencyHz", NO_NUMBER, ["10..20000"]),
	settings("modeTrigger.value", NO_NUMBER, ["-1000000..1000000"]),
	settings("modeTrigger.operator", [...NO_TEXT, "", "~", "constructor"], ["gt", ">=", "!=", "change"]),
	settings("modeTrigger.mode", [...NO_TEXT, "", "SPORT"], MODES),
	settings("frameProfile", [...NO_TEXT, "", "toString", "Reference"], ["reference", "corrected"]),
	settings("torqueModel", [...NO_TEXT, "", "toString"], ["pinned", "proportional"]),
	settings("torqueCeilingNm", NO_NUMBER, ["10..509"]),
	settings("allowedOrigin", [...NO_TEXT, "*", "null", "localhost", "http://a/"], ["scheme://host[:port]"]),
	settings("framesOff", [...NO_TEXT, "0x800", "x"], ["identifiers"]),
	...["inputMappings.speed", "inputMappings.throttle", "inputMappings.rpm", "dashMappings.dash_1", "dashMappings.dash_8"].map(
		(field) => settings(field, [...NO_TEXT, "a\u0007b", "a\nb"], KEY),
	),
	settings("modeTrigger.signal", [...NO_TEXT, "a\u0007b"], KEY),
	...[
		["inputMappings", "speed", "throttle", "rpm"],
		["disengageUnderSpeed", "map", "speed", "throttle", "rpm"],
		["dashMappings", "dash_1", "dash_8"],
		["modeTrigger", "enabled", "signal", "operator", "value", "mode"],
		["lowPower", "sleepEnabled", "sleepDelayMs", "wakeTimerSeconds", "probeDurationMs"],
		["pwm", "frequencyHz", "inverted"],
	].map(([group, ...members]) => settings(group, NO_GROUP, ["an object", ...members])),
	...(["speed", "throttle", "rpm"] as const).flatMap((curve): Member[] => {
		const endpoint = `/api/curve/${curve}`;
		const xMax = { speed: 300, throttle: 100, rpm: 10_000 }[curve];
		const wrong = [...NO_NUMBER, -1, 0.5];
		return [
			{ endpoint, body: '{"points":#}', field: "points", wrong: [...NO_GROUP, {}], allowed: ["1 to 12"] },
			{ endpoint, body: CURVE.replace("20", "#"), field: "points[1].x", wrong: [...wrong, xMax + 1], allowed: [`0 to ${xMax}`] },
			{ endpoint, body: CURVE.replace("50", "#"), field: "points[1].lock", wrong: [...wrong, 101], allowed: ["0 to 100"] },
			{ endpoint, body: '{"points":[#]}', field: "points[0].x", wrong: [null, 5, "x", [], {}], allowed: [`0 to ${xMax}`] },
			{ endpoint, body: CURVE.replace('"x":0', '"x":20'), field: "points[1].x", wrong: [0], allowed: ["above 20"] },
		];
	}),
	...["speedBins", "throttleBins"].flatMap((axis): Member[] => {
		const bins = MAP[axis as "speedBins"];
		const max = axis === "speedBins" ? 65_535 : 100;
		const with3 = (value: unknown) => map({ [axis]: bins.map((bin, i) => (i === 3 ? value : bin)) });
		return [
			{
				endpoint: "/api/map",
				body: map({ [axis]: "#" }),
				field: axis,
				wrong: [...NO_GROUP, {}],
				allowed: [`${bins.length} values`],
			},
			{ endpoint: "/api/map", body: with3("#"), field: `${axis}[3]`, wrong: NO_NUMBER, allowed: [`0..${max}`] },
			{ endpoint: "/api/map", body: with3("#"), field: `${axis}[3]`, wrong: [-5, 0, 20, 20.4], allowed: ["above 20"] },
		];
	}),
	{ endpoint: "/api/map", body: map({ lockTable: "#" }), field: "lockTable", wrong: [...NO_GROUP, {}], allowed: ["7 values"] },
	{
		endpoint: "/api/map",
		body: map({ lockTable: MAP.lockTable.map((row, i) => (i === 2 ? "#" : row)) }),
		field: "lockTable[2]",
		wrong: [...NO_GROUP, {}],
		allowed: ["9 values"],
	},
	{
		endpoint: "/api/map",
		body: map({ lockTable: MAP.lockTable.map((row, i) => (i === 2 ? ["#", ...row.slice(1)] : row)) }),
		field: "lockTable[2][0]",
		wrong: NO_NUMBER,
		allowed: ["0..100"],
	},
	...["load", "delete"].flatMap((what): Member[] => {
		const endpoint = `/api/maps/${what}`;
		const allowed = ["GET /api/maps"];
		return [
			{ endpoint, body: '{"path":#}', field: "path", wrong: [...NO_TEXT, ""], allowed },
			{ endpoint, body: '{"path":"/maps/fwd.txt","name":#}', field: "name", wrong: NO_TEXT, allowed },
			{ endpoint, body: '{"name":#}', field: "name", wrong: NO_TEXT, allowed },
		];
	}),
	{ endpoint: "/api/maps/save", body: '{"name":#}', field: "name", wrong: [...NO_TEXT, ""], allowed: ["a name"] },
	{
		endpoint: "/api/maps/save",
		body: '{"name":#}',
		field: "name",
		wrong: [" ", "x".repeat(64)],
		allowed: ["1 to 63 bytes"],
	},
	{
		endpoint: "/api/logs/delete",
		body: '{"path":#}',
		field: "path",
		wrong: [...NO_TEXT, "", "/logs/x"],
		allowed: ["GET /api/logs"],
	},
	{ endpoint: "/api/logs/delete", body: '{"name":#}', field: "name", wrong: [...NO_TEXT, "x"], allowed: ["GET /api/logs"] },
	{
		endpoint: "/api/logs/delete",
		body: '{"path":"/logs/all.txt","name":#}',
		field: "name",
		wrong: NO_TEXT,
		allowed: ["GET /api/logs"],
	},
	{
		endpoint: "/api/logs/clear",
		body: '{"scope":#}',
		field: "scope",
		wrong: [...NO_TEXT, "", "some"],
		allowed: ["all", "can", "error", "everything"],
	},
	{ endpoint: "/api/canview/capture", body: '{"active":#}', field: "active", wrong: NO_FLAG, allowed: FLAG },
	{
		endpoint: "/api/wifi",
		body: '{"ssid":#}',
		field: "ssid",
		wrong: [...NO_TEXT, "x".repeat(33), "a\nb"],
		allowed: ["32 bytes"],
	},
	{
		endpoint: "/api/wifi",
		body: '{"password":#}',
		field: "password",
		wrong: [...NO_TEXT, "1234567", "x".repeat(64), "x".repeat(65), "1234567\n"],
		allowed: ["empty", "8..63", "64 hexadecimal"],
	},
	{
		endpoint: "/api/wifi",
		body: '{"apPassword":#}',
		field: "apPassword",
		wrong: [...NO_TEXT, "1234567", "x".repeat(64), "1234567é"],
		allowed: ["empty", "8..63"],
	},
	{ endpoint: "/api/wifi", body: '{"staEnabled":#}', field: "staEnabled", wrong: NO_FLAG, allowed: FLAG },
	{ endpoint: "/api/wifi", body: '{"apOpen":#}', field: "apOpen", wrong: [null, 2, "true", [], {}], allowed: ["true", "false"] },
	{
		endpoint: "/api/learn/start",
		body: '{"confirmed":#}',
		field: "confirmed",
		wrong: [null, 1, "true", [], {}],
		allowed: ["true", "false"],
	},
	{
		endpoint: "/api/learn/start",
		body: '{"confirmed":true,"date":#}',
		field: "date",
		wrong: [...NO_TEXT, "today", "2026-1-23", " 2026-11-23"],
		allowed: ["2026-11-23"],
	},
	...["did", "dataIdentifier"].map((field) => ({
		endpoint: "/api/uds/read",
		body: `{"${field}":#}`,
		field: "did",
		wrong: [null, true, -1, 65_536, 0.5, "", "x", "10000", [], {}],
		allowed: ["0..FFFF"],
	})),
	{ endpoint: "/api/uds/read", body: '{"did":"F190","dataIdentifier":#}', field: "did", wrong: [{}, "x"], allowed: ["0..FFFF"] },
];

/** Queries: endpoint, parameter, what is wrong for it, what must be named. */
const PARAMETERS: readonly (readonly [endpoint: string, name: string, wrong: readonly string[], allowed: readonly string[]])[] = [
	["GET /api/events", "hz", ["0", "21", "x", "", "5.5", "-1"], ["1..20"]],
	["GET /api/status", "fields", ["", "x", "mode,spec", Array(17).fill("mode").join()], ["1 to 16"]],
	["GET /api/canview", "decoded", ["x", "1x", ""], ["0..2000"]],
	["GET /api/canview", "raw", ["x", ""], ["0..128"]],
	["GET /api/canview/dump", "seconds", ["x", ""], ["1..120"]],
	["GET /api/canview/dump", "format", ["pcap", ""], ["text", "candump", "savvycan"]],
	["GET /api/canview/dump", "dir", ["up", ""], ["all", "rx", "tx"]],
	["GET /api/preview", "mode", ["SPORT", "", "constructor"], MODES],
	["GET /api/preview", "speed", ["-1", "301", "x", ""], ["0..300"]],
	["GET /api/preview", "throttle", ["-1", "101", "x", ""], ["0..100"]],
	["GET /api/preview", "rpm", ["-1", "10001", "x", ""], ["0..10000"]],
	["GET /api/maps/export", "format", ["pdf", ""], ["json", "txt"]],
	["GET /api/logs", "scope", ["some", ""], ["all", "can", "error", "everything"]],
	["GET /api/logs/read", "path", [""], ["GET /api/logs"]],
	["GET /api/uds/read", "did", ["", "x", "10000"], ["0..FFFF"]],
	["GET /api/uds/dtc", "statusMask", ["", "x", "100"], ["0..FF"]],
	["POST /api/uds/clear-dtc", "groupOfDTC", ["", "x", "1000000"], ["0..FFFFFF"]],
	["GET /api/uds/measured", "ids", ["x", "10000", Array(17).fill("1").join()], ["1 to 16", "0..FFFF"]],
	["GET /api/uds/measured", "dids", ["x"], ["1 to 16", "0..FFFF"]],
	["POST /api/maps/import", "name", [""], ["a name"]],
];

describe("contract: refusals", () => {
	let bench: Bench;
	let api: Api;
	before(async () => {
		bench = await Bench.start({ connected: false });
		api = new Api(bench);
	});
	after(() => bench.end());

	async function refuses(method: string, path: string, body: string | undefined, field: string, allowed: readonly string[]) {
		const { status, json, text } = await api.call(method, path, body);
		const where = `${method} ${path} ${body ?? ""}: ${text}`;
		assert.equal(status, 400, where);
		const answer = json();
		assert.ok(typeof answer.error === "string" && answer.error !== "", where);
		if (path === "/api/settings") assert.match(answer.error, /^invalid \w/, where);
		assert.equal(answer.field, field, where);
		const named = Array.isArray(answer.allowed) ? answer.allowed.join(" ") : answer.allowed;
		for (const part of allowed) assert.ok(named?.includes(part), `${where} names ${part}`);
	}

	const state = async () => {
		const status = await api.get("/api/status");
		const { mode, disableController, logging, lowPower, inputMappings, dashMappings, modeTrigger, pwm, currentMap } = status;
		const driver = { mode, disableController, logging, lowPower, inputMappings, dashMappings, modeTrigger, pwm, currentMap };
		return [
			driver,
			await api.get("/api/map"),
			await api.get("/api/curve/speed"),
			await api.get("/api/maps"),
			await api.get("/api/wifi"),
		];
	};

	for (const endpoint of new Set(MEMBERS.map((member) => member.endpoint)))
		it(`POST ${endpoint} says of each member what it takes`, async () => {
			const before = await state();
			for (const { body, field, wrong, allowed } of MEMBERS.filter((member) => member.endpoint === endpoint))
				for (const value of wrong)
					await refuses(
						"POST",
						endpoint,
						body.replace("#", () => JSON.stringify(value)),
						field,
						allowed,
					);
			assert.deepEqual(await state(), before);
		});

	it("every route with a query says of each parameter what it takes", async () => {
		for (const [endpoint, name, wrong, allowed] of PARAMETERS) {
			const [method, path] = endpoint.split(" ");
			for (const value of wrong) await refuses(method, `${path}?${name}=${encodeURIComponent(value)}`, undefined, name, allowed);
		}
	});

	it("a value that can't be decoded is not overlooked, as one that is absent", async () => {
		for (const [endpoint, name, , allowed] of PARAMETERS) {
			const [method, path] = endpoint.split(" ");
			if (name === "name" || path === "/api/logs/read") continue; // any text is a name, and a path of no log is 404
			for (const broken of ["%00", "%zz", "%ff", "1%2"])
				await refuses(method, `${path}?${name}=${broken}`, undefined, name, allowed);
		}
	});
});
