/**
 * docs/api.md, "Calibration", "Diagnosis", without a car: what calibration and diagnosis answer then; their
 * parameters are checked all the same.
 */
import { NOTHING_LEARNED } from "../../src/calibration/learning.js";
import { describeContract } from "./contract.js";

const resting = { ok: false, haldexGeneration: 5, couplingGeneration: 5 };

const LEARNED = {
	...NOTHING_LEARNED,
	generation: 5,
	date: "2026-11-23",
	oilC: [24, 29],
	table: Array.from({ length: 101 }, (_, factor) => factor),
};

describeContract("diagnosis", { connected: false }, (endpoint) => {
	endpoint("GET /api/learn/status", [{ answer: { active: false, progress: 0, tableValid: false, currentCF: 0, currentEng: 0 } }]);
	endpoint("POST /api/learn/start", [
		...["", { confirmed: true }].map((body) => ({ body, answer: { ok: false, error: "No Haldex CAN data available" } })),
	]);
	endpoint("POST /api/learn/alive", [{ answer: { ok: true, active: false } }]);
	endpoint("POST /api/learn/table", [
		{ body: { ...LEARNED, oilC: [24] }, status: 400, error: "invalid table" },
		{
			body: LEARNED,
			answer: { ok: true },
			afterwards: { "/api/learn/table": { ...LEARNED, inForce: true, differs: "" }, "/api/learn/status": { tableValid: true } },
		},
	]);
	endpoint("POST /api/learn/cancel", [{ answer: { ok: true } }]);
	endpoint("POST /api/learn/clear", [{ answer: { ok: true } }]);
	endpoint("GET /api/learn/table", [{ answer: { generation: 0, table: [], inForce: false } }]);

	endpoint("GET /api/uds/status", [
		{
			answer: {
				supported: true,
				kwpTp20Supported: true,
				target: "haldex",
				active: false,
				route: { selected: false },
				last: { available: false },
			},
		},
	]);
	endpoint("POST /api/uds/probe", [{ answer: resting }]);
	endpoint("GET /api/uds/read", [
		{ query: "?did=F190", answer: { ...resting, did: "0xF190" } },
		...["", "?x=1"].map((query) => ({ query, error: "did query parameter required" })),
	]);
	endpoint("POST /api/uds/read", [{ body: { dataIdentifier: 61840 }, answer: { did: "0xF190" } }]);
	endpoint("POST /api/uds/identity", [{ answer: { ok: false } }]);
	for (const method of ["GET", "POST"])
		endpoint(`${method} /api/uds/dtc`, [
			{ answer: { ok: false, statusMask: "AF" } },
			{ query: "?statusMask=08", answer: { ok: false } },
		]);
	endpoint("POST /api/uds/clear-dtc", [{ answer: { ok: false } }]);
	for (const path of ["/api/diag/measured", "/api/uds/measured"])
		for (const method of ["GET", "POST"])
			endpoint(`${method} ${path}`, [
				{ query: "?dids=0286,0287", answer: { ok: false, haldexGeneration: 5, requestKind: "did", itemCount: 2 } },
				{ query: "?ids=0286", answer: { ok: false, itemCount: 1 } },
				{ answer: { ok: false, status: "did_required" } },
			]);
});
