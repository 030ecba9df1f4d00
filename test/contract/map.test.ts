/** docs/api.md, "Maps and curves", "Stored maps", "Map files": map, curves, stored maps. */
import assert from "node:assert/strict";
import { describeContract, type Row } from "./contract.js";

const SPEED = [0, 10, 20, 40, 60, 80, 110, 140, 160];
const THROTTLE = [0, 10, 25, 40, 60, 80, 100];
const table = (lock = 7) => THROTTLE.map((_, row) => SPEED.map((_, column) => Math.min(100, lock + row + column)));
const map = (changes = {}) => ({ speedBins: SPEED, throttleBins: THROTTLE, lockTable: table(), ...changes });
const point = (x: unknown, lock: unknown = 50) => ({ x, lock });

const name = (sent: string, path: string): Row => ({
	body: { name: sent },
	answer: { ok: true, path },
	afterwards: { "/api/maps": { current: path } },
});

describeContract("map", { connected: false }, (endpoint) => {
	endpoint("GET /api/map", [
		{ answer: { speedBins: [0, 5, 10, 20, 40, 60, 80, 100, 140], throttleBins: [0, 5, 10, 20, 40, 60, 80] } },
	]);

	endpoint("POST /api/map", [
		{ body: map(), answer: { ok: true }, afterwards: { "/api/map": map() } },
		{
			title: "under `map`, with further keys",
			body: { map: map({ lockTable: table(20) }), name: "x" },
			afterwards: { "/api/map": { lockTable: table(20) } },
		},
	]);

	for (const [curve, most] of [
		["speed", 300],
		["throttle", 100],
		["rpm", 10000],
	] as const) {
		const written = [point(0, 0), point(most, 100)];
		endpoint(`POST /api/curve/${curve}`, [
			{
				body: { points: written },
				answer: { ok: true, debugCaptureActive: false, disableController: false },
				afterwards: { [`/api/curve/${curve}`]: { count: 2, points: written } },
			},
			{
				title: "twelve points, whole numbers with a fraction of zero, further keys",
				body: `{"points":[${Array.from({ length: 12 }, (_, i) => `{"x":${i}.0,"lock":${i},"y":1}`)}],"name":"x"}`,
				afterwards: { [`/api/curve/${curve}`]: { count: 12 } },
			},
		]);
	}

	endpoint("POST /api/maps/save", [
		name("a/b", "/maps/a_b.json"),
		name("x.json", "/maps/x.json"),
		name("Küche #1", "/maps/K__che _1.json"),
		{ title: "once more over the same", ...name("x", "/maps/x.json") },
		{ title: "the longest", body: { name: "n".repeat(58) }, answer: { path: `/maps/${"n".repeat(58)}.json` } },
	]);

	endpoint("GET /api/maps", [
		{
			check: (reply) => {
				const { current, maps } = reply.json();
				assert.equal(current, `/maps/${"n".repeat(58)}.json`);
				const paths = maps.map(({ path }: { path: string }) => path);
				assert.deepEqual(paths, [...paths].sort(), "sorted");
				assert.ok(!paths.includes("/maps/current.json"));
				const presets = ["aggressive", "conservative", "danger", "fwd"].map((preset) => [preset, "txt", true] as const);
				for (const [name, format, readOnly] of [["K__che _1", "json", false] as const, ...presets]) {
					const path = `/maps/${name}.${format}`;
					const found = maps.find((entry: { path: string }) => entry.path === path);
					assert.deepEqual(found, { name, path, format, readOnly });
				}
			},
		},
	]);

	endpoint("POST /api/maps/load", [
		{
			body: { path: "/maps/fwd.txt" },
			answer: { ok: true, path: "/maps/fwd.txt" },
			afterwards: { "/api/maps": { current: "/maps/current.json" }, "/api/map": { speedBins: SPEED, throttleBins: THROTTLE } },
			check: async (_reply, api) => assert.ok((await api.get("/api/map")).lockTable.flat().every((cell: number) => cell === 0)),
		},
		{ body: { name: "x" }, answer: { path: "/maps/x.json" }, afterwards: { "/api/maps": { current: "/maps/x.json" } } },
		{ body: { path: "", name: "danger.txt" }, answer: { path: "/maps/danger.txt" } },
		{ body: { path: "/maps/x.json", name: "danger" }, answer: { path: "/maps/x.json" } },
		{ body: { name: "K__che _1" }, answer: { path: "/maps/K__che _1.json" } },
		...["/maps/../settings.json", "/maps/x.JSON"].map((path) => ({ body: { path }, error: "load failed" })),
	]);

	endpoint("GET /api/maps/export", [
		{
			query: "?name=danger",
			has: { "content-type": "text/plain", "content-disposition": 'attachment; filename="danger.txt"' },
			text: /^\w+\t\w+\tS0\tS10\t.*\tS160\nT0\t.*\n(.*\n){6}$/,
		},
		{ query: "?path=/maps/x.json&format=json", answer: { speedBins: SPEED }, has: { "content-disposition": /x\.json/ } },
		{ query: "?path=/maps/../settings.json", status: 404, error: "not found" },
	]);

	endpoint("POST /api/maps/import", [
		{
			query: "?name=Imported",
			body: map({ lockTable: table(3) }),
			answer: { ok: true, path: "/maps/Imported.json" },
			unchanged: ["/api/map"],
			afterwards: { "/api/maps/export?name=Imported&format=json": map({ lockTable: table(3) }) },
		},
		{
			query: "?name=C6",
			body: {
				speedArray: [0, 30, 60, 90, 120, 160, 180],
				throttleArray: [0, 15, 30, 45, 60, 75, 90],
				lockArray: table(3).map((row) => row.slice(0, 7)),
			},
			answer: { ok: true, path: "/maps/C6.json" },
			unchanged: ["/api/map"],
		},
		...["", "?name="].map((query) => ({ query, body: map(), error: "missing name" })),
		{ query: "?name=%20", body: map(), error: "import failed" },
		{ query: "?name=Bad", body: map({ speedBins: [] }), error: "invalid map sizes", unchanged: ["/api/maps"] },
	]);

	endpoint("POST /api/maps/delete", [
		{ body: { path: "/maps/a_b.json" }, answer: { ok: true } },
		{
			title: "it is gone",
			body: { path: "/maps/a_b.json" },
			status: 400,
			answer: { error: "delete failed", detail: "there is no such map" },
		},
		...[
			["/maps/K__che _1.json", "it is the current map"],
			["/maps/fwd.txt", "it is read-only"],
		].map(([path, detail]) => ({
			title: "not the current one, and none that is read-only",
			body: { path },
			status: 400,
			answer: { error: "delete failed", detail },
			unchanged: ["/api/maps"],
		})),
		{
			title: "none that lies elsewhere",
			body: { path: "/maps/../settings.json" },
			error: "delete failed",
			unchanged: ["/api/maps"],
		},
	]);
});
