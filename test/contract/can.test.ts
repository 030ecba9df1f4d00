/** docs/api.md, "CAN buses", "Rules": CAN view and dump, with a car on the buses. */

import assert from "node:assert/strict";
import { sleep } from "../system/wait.js";
import { describeContract, type Reply, type Row } from "./contract.js";

const rows = (query: string, check: (decoded: Entry[], raw: Entry[]) => void): Row => ({
	query,
	check: (reply: Reply) => {
		const { decoded, raw } = reply.json();
		check(decoded, raw);
	},
});
interface Entry {
	readonly bus: string;
	readonly dir: string;
	readonly id: number;
	readonly dlc: number;
	readonly data: string;
	readonly ts: number;
}
const HEADER = /^OpenHaldex CAN dump\nwindow_ms=\d+ bus=\w+.*\nts_ms\tbus\tdir\tgen\tid\tdlc\tdata\n/;
const LINE = /^\d+\t(chassis|haldex)\t(RX|TX)\t(GEN|-)\t0x[0-9a-f]+\t[0-8]\t([0-9a-f]{2}( [0-9a-f]{2})*)?$/;

const dump = (query: string, check: (lines: string[][], text: string) => void = () => {}): Row => ({
	query,
	has: { "content-type": /^text\/plain/, "content-disposition": /attachment; filename=/ },
	text: HEADER,
	check: (reply: Reply) => {
		const lines = reply.text.split("\n").slice(3, -1);
		assert.ok(reply.text.endsWith("\n"));
		for (const line of lines) assert.match(line, LINE);
		check(
			lines.map((line) => line.split("\t")),
			reply.text,
		);
	},
});

const ALL = (decoded: Entry[], raw: Entry[]) => {
	assert.ok(decoded.length > 20 && decoded.length <= 200, `${decoded.length}`);
	assert.equal(raw.length, 20);
	assert.ok(
		raw.every((row, i) => i === 0 || row.ts <= raw[i - 1].ts),
		"newest first",
	);
	for (const { dlc, data } of raw) assert.equal(data.split(" ").filter((byte) => byte !== "").length, dlc);
};

describeContract("CAN view", {}, (endpoint) => {
	before(() => sleep(1500));

	endpoint("GET /api/canview", [
		rows("", ALL),
		rows("?decoded=3&raw=2", (decoded, raw) => assert.deepEqual([decoded.length, raw.length], [3, 2])),
		rows("?decoded=256&raw=256", (decoded, raw) => assert.ok(decoded.length > 200 && raw.length > 20)),
		rows("?bus=Coupling", (decoded, raw) => {
			assert.ok(decoded.length > 0 && raw.length > 0);
			assert.ok([...decoded, ...raw].every((row) => row.bus === "haldex"));
		}),
		rows("?bus=none", (decoded, raw) => assert.deepEqual([decoded, raw], [[], []])),
	]);

	endpoint("GET /api/canview/dump", [
		dump("", (lines) => {
			assert.ok(lines.length > 100, `${lines.length} lines`);
			const times = lines.map(([ts]) => Number(ts));
			assert.ok(
				times.every((ts, i) => i === 0 || ts >= times[i - 1]),
				"oldest first",
			);
		}),
		dump("?seconds=1", (lines) => {
			const times = lines.map(([ts]) => Number(ts));
			assert.ok((times.at(-1) as number) - times[0] <= 1100);
		}),
		dump("?bus=coupling&seconds=1", (lines) => assert.ok(lines.length > 0 && lines.every(([, bus]) => bus === "haldex"))),
		{
			query: "?format=candump&seconds=1",
			check: ({ text }) => {
				const lines = text.trimEnd().split("\n");
				assert.ok(lines.length > 10);
				for (const line of lines) assert.match(line, /^\(\d+\.\d{6}\) \w+ [0-9A-F]{3,8}#([0-9A-F]{2}){0,8}( [RT])?$/);
			},
		},
	]);

	endpoint("GET /api/canview/capture", [
		{ answer: { active: false, disableController: false, broadcastOpenHaldexOverCAN: true, broadcastControllerOverCAN: true } },
	]);
});
