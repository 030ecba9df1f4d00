import assert from "node:assert/strict";
import { DEFAULT_MAP } from "../../src/lock/tuning.js";
import { lockMapToJson } from "../../src/maps/lock-map.js";
import { request } from "../support/api-client.js";
import { type Parts, partsOn } from "../support/stores.js";

const map = (lock: number) => ({ ...lockMapToJson(DEFAULT_MAP), lockTable: Array(7).fill(Array(9).fill(lock)) });
const get = (parts: Parts, path: string) => request(parts, "GET", path).json();
const send = (parts: Parts, path: string, body: unknown) => request(parts, "POST", path, JSON.stringify(body));
const write = (parts: Parts, path: string, body: object) =>
	assert.equal(send(parts, path, body).status, 200, JSON.stringify(body));
const current = (parts: Parts) => get(parts, "/api/maps")["current"];
const earlier = (parts: Parts) => get(parts, "/api/status")["earlier"];
const names = (of: unknown) => {
	const { mapName, mapFrom } = of as Record<string, unknown>;
	return [mapName, mapFrom];
};

describe("api: trying, keeping, and what was before", () => {
	it("tries a map: active at once, in no file of another one; keeping it is a save", () => {
		const parts = partsOn();
		write(parts, "/api/map", map(10));
		write(parts, "/api/maps/save", { name: "Winter" });
		write(parts, "/api/map", { ...map(20), try: true });
		assert.deepEqual([get(parts, "/api/map"), current(parts)], [map(20), "/maps/current.json"]);
		const stored = () => request(parts, "GET", "/api/maps/export?name=Winter&format=json").json();
		assert.deepEqual(stored(), map(10));
		write(parts, "/api/maps/save", { name: "Winter" });
		assert.deepEqual([stored(), current(parts)], [map(20), "/maps/Winter.json"]);
		write(parts, "/api/map", map(30));
		assert.equal(current(parts), "/maps/Winter.json", "who doesn't know of trying edits the named map, as ever");
	});

	it("rejects an invalid `try`, an invalid map and an old revision, and changes nothing", () => {
		const parts = partsOn();
		const before = JSON.stringify(parts.controller.settings);
		for (const wrong of ["true", 1, null, {}]) {
			const { status, json } = send(parts, "/api/map", { ...map(1), try: wrong });
			assert.deepEqual([status, json()["error"], json()["field"]], [400, "invalid try", "try"]);
		}
		assert.equal(send(parts, "/api/map", { ...map(1), speedBins: [], try: true }).status, 400);
		assert.equal(send(parts, "/api/map", { ...map(1), revision: 1, try: true }).status, 409);
		assert.equal(JSON.stringify(parts.controller.settings), before);
	});

	it("reads what was active before, map and curves, and says how far back one can go", () => {
		const parts = partsOn();
		write(parts, "/api/map", map(10));
		write(parts, "/api/map", map(20));
		write(parts, "/api/curve/rpm", { points: [{ x: 0, lock: 5 }] });
		assert.deepEqual(earlier(parts), { map: 2, speedCurve: 0, throttleCurve: 0, rpmCurve: 1, mapName: "", mapFrom: "" });
		const locks = [0, 1, 2].map((before) => get(parts, `/api/map?before=${before}`)["lockTable"]);
		assert.deepEqual(locks, [map(20).lockTable, map(10).lockTable, lockMapToJson(DEFAULT_MAP).lockTable]);
		assert.equal(get(parts, "/api/curve/rpm?before=1")["count"], 6);
		assert.deepEqual(get(parts, "/api/curve/rpm?before=0")["points"], [{ x: 0, lock: 5 }]);
		for (const path of ["/api/map?before=3", "/api/curve/speed?before=1"]) {
			const { status, json } = request(parts, "GET", path);
			assert.deepEqual([status, json()["error"], json()["field"]], [404, "not found", "before"], path);
		}
		for (const before of ["11", "-1", "x", ""]) {
			const { status, json } = request(parts, "GET", `/api/map?before=${before}`);
			assert.deepEqual([status, json()["error"]], [400, "invalid before"], before);
		}
	});

	it("swaps two maps, their names with them, as often as one likes", () => {
		const parts = partsOn();
		write(parts, "/api/map", map(10));
		write(parts, "/api/maps/save", { name: "Winter" });
		write(parts, "/api/map", { ...map(20), try: true });
		for (let i = 0; i < 3; i++) {
			assert.deepEqual(names(earlier(parts)), ["Winter", "Winter"]);
			assert.deepEqual(send(parts, "/api/map/swap", {}).json(), { ok: true, path: "/maps/Winter.json" });
			assert.deepEqual([get(parts, "/api/map"), current(parts)], [map(10), "/maps/Winter.json"]);
			assert.deepEqual(names(earlier(parts)), ["", "Winter"]);
			assert.deepEqual(send(parts, "/api/map/swap", {}).json(), { ok: true, path: "/maps/current.json" });
			assert.deepEqual(get(parts, "/api/map"), map(20));
		}
		assert.equal((earlier(parts) as { map: number }).map, 2);
	});

	it("says which stored map the active one is or was made from, a preset too, and takes its name again when it is the same", () => {
		const parts = partsOn();
		const inForce = () => names(request(parts, "GET", "/api/status").json());
		const preset = get(parts, "/api/maps/export?name=aggressive&format=json");
		assert.deepEqual(inForce(), ["", ""]);
		write(parts, "/api/map", { ...preset, try: true, from: "aggressive" });
		assert.deepEqual(inForce(), ["aggressive", "aggressive"]);
		write(parts, "/api/map", { ...map(20), try: true });
		assert.deepEqual(inForce(), ["", "aggressive"]);
		assert.deepEqual(names(earlier(parts)), ["aggressive", "aggressive"]);
		assert.equal(get(parts, "/api/map?before=1")["from"], "aggressive");
		write(parts, "/api/map", { ...preset, try: true });
		assert.deepEqual(inForce(), ["aggressive", "aggressive"]);
		write(parts, "/api/map", map(30));
		assert.deepEqual(inForce(), ["", "aggressive"], "also without a try");
		write(parts, "/api/maps/save", { name: "Mine" });
		assert.deepEqual(inForce(), ["Mine", "Mine"]);
		write(parts, "/api/map", { ...map(40), try: true, from: "" });
		assert.deepEqual(inForce(), ["", ""]);
		write(parts, "/api/maps/load", { name: "fwd" });
		assert.deepEqual(inForce(), ["fwd", "fwd"]);
		const wrong = send(parts, "/api/map", { ...map(1), try: true, from: 1 });
		assert.deepEqual([wrong.status, wrong.json()["error"]], [400, "invalid from"]);
	});

	it("gives back a stored map that a save or an import replaced, though it was never active, and swaps nothing with it", () => {
		for (const replace of ["/api/maps/save", "/api/maps/import?name=Winter"]) {
			const parts = partsOn();
			write(parts, "/api/maps/import?name=Winter", map(33));
			write(parts, replace, { name: "Winter", ...map(44) });
			assert.deepEqual(get(parts, "/api/map?before=1"), { ...map(33), from: "" }, replace);
			assert.deepEqual(earlier(parts), { map: 1, speedCurve: 0, throttleCurve: 0, rpmCurve: 0, mapName: null, mapFrom: "" });
			assert.equal(send(parts, "/api/map/swap", {}).json()["detail"], "no other map was active");
		}
	});

	it("does not swap with nothing, rejects a late swap or save, and changes nothing then", () => {
		const parts = partsOn();
		const nothing = send(parts, "/api/map/swap", {});
		assert.deepEqual([nothing.status, nothing.json()], [400, { error: "swap failed", detail: "no other map was active" }]);
		write(parts, "/api/map", map(10));
		const before = JSON.stringify(parts.controller.settings);
		for (const [path, body] of [
			["/api/map/swap", {}],
			["/api/maps/save", { name: "Late" }],
		] as const) {
			const late = send(parts, path, { ...body, revision: 1 });
			assert.deepEqual([late.status, late.json()["error"], late.json()["current"]], [409, "changed meanwhile", map(10)], path);
			const wrong = send(parts, path, { ...body, revision: "1" });
			assert.deepEqual([wrong.status, wrong.json()["error"]], [400, "invalid revision"], path);
		}
		assert.equal(JSON.stringify(parts.controller.settings), before);
		const { map: revision } = get(parts, "/api/status")["revisions"] as { map: number };
		write(parts, "/api/map/swap", { revision });
	});
});
