import assert from "node:assert/strict";
import { DEFAULT_MAP } from "../../src/lock/tuning.js";
import { lockMapFrom, lockMapToJson } from "../../src/maps/lock-map.js";
import { type Revised, Revisions } from "../../src/settings/revisions.js";
import { DEFAULT_SETTINGS } from "../../src/settings/settings.js";
import { SETTINGS_DOCUMENT } from "../../src/settings/stored-settings.js";
import { runScript } from "../hal/host/host-program.js";
import { request } from "../support/api-client.js";
import { partsOn } from "../support/stores.js";

type Parts = ReturnType<typeof partsOn>;

const map = (lock: number) => ({ ...lockMapToJson(DEFAULT_MAP), lockTable: Array(7).fill(Array(9).fill(lock)) });
const points = (lock: number) => [{ x: 0, lock }];

const WRITES: readonly [Revised, string, (value: number) => object][] = [
	["map", "/api/map", map],
	["speedCurve", "/api/curve/speed", (lock) => ({ points: points(lock) })],
	["throttleCurve", "/api/curve/throttle", (lock) => ({ points: points(lock) })],
	["rpmCurve", "/api/curve/rpm", (lock) => ({ points: points(lock) })],
	["settings", "/api/settings", (value) => ({ disableSpeed: value })],
];

describe("api: revisions", () => {
	const revisions = (parts: Parts) => request(parts, "GET", "/api/status").json()["revisions"] as Record<Revised, number>;
	const write = (parts: Parts, path: string, body: object) => request(parts, "POST", path, JSON.stringify(body));

	for (const [name, path, body] of WRITES) {
		it(`${path}: accepts only a change that is based on the active revision`, () => {
			const parts = partsOn();
			const before = revisions(parts);
			for (const revision of ["1", 1.5, null]) {
				const { status, json } = write(parts, path, { ...body(20), revision });
				assert.deepEqual([status, json()["error"], revisions(parts)], [400, "invalid revision", before]);
			}
			assert.equal(write(parts, path, { ...body(20), revision: before[name] }).status, 200);
			const after = revisions(parts);
			assert.notEqual(after[name], before[name]);
			for (const other of Object.keys(before) as Revised[]) if (other !== name) assert.equal(after[other], before[other], other);
			const active = () => JSON.stringify(parts.controller.settings);
			const settings = active();
			const late = write(parts, path, { ...body(30), revision: before[name] });
			assert.equal(late.status, 409);
			const { current, ...refusal } = late.json();
			assert.deepEqual(refusal, {
				error: "changed meanwhile",
				field: "revision",
				value: before[name],
				allowed: `${after[name]}, which is active`,
				revision: after[name],
			});
			if (name !== "settings") assert.deepEqual(current, request(parts, "GET", path).json());
			assert.equal(active(), settings, "nothing was changed");
			assert.equal(write(parts, path, { ...body(30), revision: after[name] }).status, 200);
			assert.equal(write(parts, path, body(40)).status, 200, "who sends none overwrites");
		});
	}

	it("are compared again when the flash is free: a map that was changed meanwhile stays", () => {
		for (const [path, body] of [
			["/api/map", { ...map(20), try: true }],
			["/api/map/swap", {}],
			["/api/maps/save", { name: "Mine" }],
		] as const) {
			const parts = partsOn();
			write(parts, "/api/map", map(10));
			const revision = revisions(parts).map;
			const maps = Object.create(parts.maps) as typeof parts.maps;
			const whileItWaits = (change: () => void): void => {
				const { settings } = parts.controller;
				parts.controller.applySettings({ ...settings, tuning: { ...settings.tuning, map: lockMapFrom(map(15)) } });
				change();
			};
			maps.try = (...of) => whileItWaits(() => parts.maps.try(...of));
			maps.save = (...of) => whileItWaits(() => parts.maps.save(...of));
			const late = write({ ...parts, maps }, path, { ...body, revision });
			assert.deepEqual(
				[late.status, late.json()["error"], late.json()["revision"]],
				[409, "changed meanwhile", revisions(parts).map],
			);
			assert.deepEqual(late.json()["current"], map(15));
			assert.equal(write({ ...parts, maps }, path, body).status, 200, "who sends none overwrites");
		}
	});

	it("are the same for the same content, after a restart too, and count changes only", () => {
		const [one, other] = [new Revisions(), new Revisions()];
		one.observe(DEFAULT_SETTINGS);
		const { changes } = one;
		one.observe({ ...DEFAULT_SETTINGS });
		one.observe({ ...DEFAULT_SETTINGS, mode: 2, disableController: true, currentMap: "/maps/x.json", analyzerEnabled: true });
		assert.equal(one.changes, changes, "what is chosen while driving is no edit");
		const stored = SETTINGS_DOCUMENT.read(JSON.parse(JSON.stringify(SETTINGS_DOCUMENT.write(DEFAULT_SETTINGS))));
		other.observe({ ...stored, tuning: { ...stored.tuning, map: { ...DEFAULT_MAP, cells: [...DEFAULT_MAP.cells] } } });
		for (const [name] of WRITES) assert.equal(other[name], one[name], name);
		one.observe({ ...DEFAULT_SETTINGS, setupDone: true });
		assert.equal(one.changes, changes + 1);
	});

	it("tell settings apart by any of them, and not by whether they were read from flash, on XS", async () => {
		const { lines, stderr } = await runScript(`
			import { NEW_CONDITION } from "../../src/settings/condition-list.js";
			import { Revisions } from "../../src/settings/revisions.js";
			import { DEFAULT_SETTINGS as of, type Settings } from "../../src/settings/settings.js";
			import { SETTINGS_DOCUMENT } from "../../src/settings/stored-settings.js";
			const revision = (settings: Settings): number => {
				const revisions = new Revisions();
				revisions.observe(settings);
				return revisions.settings;
			};
			const changed: Settings[] = [
				of,
				{ ...of, lockTrimPercent: 101 },
				{ ...of, inputMappings: { ...of.inputMappings, speed: "a" } },
				{ ...of, inputMappings: { ...of.inputMappings, rpm: "a" } },
				...of.dashboard.map((_, slot) => ({ ...of, dashboard: Object.assign([...of.dashboard], { [slot]: "é" }) })),
				{ ...of, conditions: [NEW_CONDITION] },
				{ ...of, conditions: [{ ...NEW_CONDITION, value: 1.5 }] },
				{ ...of, conditions: [NEW_CONDITION, { ...NEW_CONDITION, signal: "a b" }] },
				{ ...of, conditions: [{ ...NEW_CONDITION, signal: "a b" }, NEW_CONDITION] },
				{ ...of, controls: { ...of.controls, followBrake: true } },
				{ ...of, tuning: { ...of.tuning, disableSpeedKmh: 7 } },
				{ ...of, tuning: { ...of.tuning, disengageUnderKmh: { ...of.tuning.disengageUnderKmh, rpm: 7 } } },
			];
			print(String(new Set(changed.map(revision)).size - changed.length));
			for (const one of changed)
				print(String(revision(one) - revision(SETTINGS_DOCUMENT.read(JSON.parse(JSON.stringify(SETTINGS_DOCUMENT.write(one)))))));
		`);
		assert.deepEqual([...new Set(lines)], ["0"], stderr);
	});
});
