/** docs/api.md, "CAN buses", "Rules": CAN view and dump, with a car on the buses. */

import assert from "node:assert/strict";
import { sleep } from "../system/wait.js";
import { describeContract, type Reply, type Row } from "./contract.js";

interface Entry {
	readonly bus: string;
	readonly dlc: number;
	readonly data: string;
	readonly ts: number;
	readonly id: number;
	readonly name: string;
	readonly value: number | string;
}
const rows = (query: string, check: (decoded: Entry[], raw: Entry[]) => void): Row => ({
	query,
	check: (reply: Reply) => {
		const { decoded, raw } = reply.json();
		check(decoded, raw);
	},
});

const ascends = (times: readonly number[]): boolean => times.every((time, i) => i === 0 || time >= times[i - 1]);
const HEADER = /^OpenHaldex CAN dump\nwindow_ms=\d+ bus=\w+.*\nts_ms\tbus\tdir\tgen\tid\tdlc\tdata\n/;
const LINE = /^\d+\t(chassis|haldex)\t(RX|TX)\t(GEN|-)\t0x[0-9a-f]+\t[0-8]\t([0-9a-f]{2}( [0-9a-f]{2})*)?$/;

const dump = (query: string, check: (times: number[], buses: Set<string>) => void): Row => ({
	query,
	has: { "content-type": /^text\/plain/, "content-disposition": /attachment; filename=/ },
	text: HEADER,
	check: (reply: Reply) => {
		const lines = reply.text.split("\n").slice(3, -1);
		assert.ok(reply.text.endsWith("\n"));
		for (const line of lines) assert.match(line, LINE);
		const cells = lines.map((line) => line.split("\t"));
		const times = cells.map(([ts]) => Number(ts));
		assert.ok(times.length > 0 && ascends(times), "oldest first");
		check(times, new Set(cells.map(([, bus]) => bus)));
	},
});

describeContract("CAN view", {}, (endpoint) => {
	before(() => sleep(1500));

	endpoint("GET /api/canview", [
		rows("", (decoded, raw) => {
			assert.ok(decoded.length > 20 && decoded.length <= 200, `${decoded.length}`);
			assert.equal(raw.length, 20);
			assert.ok(ascends(raw.map(({ ts }) => ts).reverse()), "newest first");
			for (const { dlc, data } of raw) assert.equal(data.split(" ").filter((byte) => byte !== "").length, dlc);
			assert.deepEqual([decoded[0].id, decoded[0].name, decoded[0].value], [0x118, "Haldex state", "34 (None)"]);
			assert.equal(decoded[1].name, "Engagement");
		}),
		rows("?decoded=3&raw=2", (decoded, raw) => assert.deepEqual([decoded.length, raw.length], [3, 2])),
		rows("?decoded=256&raw=256", (decoded, raw) => {
			assert.ok(decoded.length > 200 && raw.length > 20);
			const shown = decoded.filter(({ bus, name }) => bus === "chassis" && name === "ESP_v_Signal");
			assert.deepEqual(shown[0]?.value, 0);
		}),
		rows("?bus=Coupling", (decoded, raw) => {
			assert.ok(decoded.length > 0 && raw.length > 0);
			assert.ok([...decoded, ...raw].every((row) => row.bus === "haldex"));
		}),
		rows("?bus=none", (decoded, raw) => assert.deepEqual([decoded, raw], [[], []])),
	]);

	endpoint("GET /api/canview/dump", [
		dump("", (times) => assert.ok(times.length > 100, `${times.length} lines`)),
		dump("?seconds=1", (times) => assert.ok(times[times.length - 1] - times[0] <= 1100)),
		dump("?bus=coupling&seconds=1", (_times, buses) => assert.deepEqual([...buses], ["haldex"])),
		{ query: "?format=candump&seconds=1", text: /^(\(\d+\.\d{6}\) \w+ [0-9A-F]{3,8}#([0-9A-F]{2}){0,8}( [RT])?\n){10,}$/ },
	]);

	endpoint("GET /api/canview/capture", [
		{ answer: { active: false, disableController: false, broadcastOpenHaldexOverCAN: true, broadcastControllerOverCAN: true } },
	]);
});
