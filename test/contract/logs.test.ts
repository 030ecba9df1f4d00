/** docs/api.md, "Logs": listing, reading, deleting and clearing logs. */

import assert from "node:assert/strict";
import { sleep } from "../system/wait.js";
import { describeContract } from "./contract.js";

describeContract("logs", { connected: false }, (endpoint) => {
	before(() => sleep(2500)); // lines are on flash a second later

	endpoint("GET /api/logs", [
		{
			check: async (reply, api) => {
				const { files } = reply.json();
				assert.ok(files.length >= 1);
				for (const { scope, path } of files)
					assert.equal(scope, path.startsWith("/logs/can/") ? "can" : path.startsWith("/logs/error/") ? "error" : "all");
				const order = files.map(({ scope }: { scope: string }) => ["all", "can", "error"].indexOf(scope));
				assert.deepEqual(order, [...order].sort());
				for (const scope of ["all", "CAN", "Error"])
					assert.deepEqual(
						(await api.get(`/api/logs?scope=${scope}`)).files,
						files.filter((file: { scope: string }) => file.scope === scope.toLowerCase()),
						scope,
					);
				assert.deepEqual((await api.get("/api/logs?scope=everything")).files, files);
			},
		},
	]);

	endpoint("GET /api/logs/read", [
		{
			query: "?path=/logs/all.txt",
			has: { "content-type": "text/plain", "cache-control": "no-store" },
			text: /^\d+\t[A-Z]+\t\w+\t.*\n/,
		},
		{ query: "?path=/logs/all.txt&max=20", text: /^\[truncated to last 20 bytes\]\n[\s\S]{20}$/ },
		{ query: "?path=/logs/../settings.json", status: 404, error: "log read failed" },
	]);

	endpoint("POST /api/logs/delete", [
		{
			title: "one that is there, by its last part",
			body: { name: "all.txt" },
			answer: { ok: true, inputsMapped: true },
		},
	]);

	endpoint("POST /api/logs/clear", [
		...["all", "CAN", "Error", "everything"].map((scope) => ({
			body: { scope },
			answer: { ok: true, debugCaptureActive: false, disableController: false },
		})),
		{ title: "everything", body: {}, answer: { ok: true } },
		{
			title: "what is left is what was written since",
			body: { scope: "everything" },
			check: async (_reply, api) => {
				const { files } = await api.get("/api/logs");
				assert.ok(files.reduce((sum: number, { size }: { size: number }) => sum + size, 0) < 1000, JSON.stringify(files));
			},
		},
	]);
});
