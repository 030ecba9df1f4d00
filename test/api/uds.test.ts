import assert from "node:assert/strict";
import { request } from "../support/api-client.js";
import { aController } from "../support/controller-view.js";

const ask = (generation: 0 | 1 | 2 | 4 | 5, method: string, path: string, body = "") => {
	const { status, text } = request({ controller: aController({ generation }) }, method, path, body);
	// biome-ignore lint/suspicious/noExplicitAny: the tests are about the shape
	return { status, ...(JSON.parse(text) as any) };
};

describe("api/uds: honest until it is built", () => {
	it("has a status at rest", () => {
		const expected = {
			...{ status: 200, supported: true, transport: "uds_can", kwpTp20Supported: true, target: "haldex" },
			...{ active: false, udsActive: false, kwpTp20Active: false, route: { selected: false }, last: { available: false } },
		};
		assert.deepEqual(ask(5, "GET", "/api/uds/status"), expected);
		assert.equal(ask(2, "GET", "/api/uds/status").transport, "kwp_tp20");
	});

	it("answers every transaction in its shape, with ok false and the reason", () => {
		for (const [method, path, body, service, extra] of [
			["POST", "/api/uds/probe", "", "22", {}],
			["POST", "/api/uds/identity", "", "22", {}],
			["GET", "/api/uds/read?did=0xf1_90", "", "22", { did: "0xF190" }],
			["POST", "/api/uds/read", '{"did":"F1 9E"}', "22", { did: "0xF19E" }],
			["POST", "/api/uds/read", '{"dataIdentifier":256}', "22", { did: "0x0100" }],
			["GET", "/api/uds/dtc", "", "19", { statusMask: "AF", dtc: { parsed: false } }],
			["POST", "/api/uds/dtc?statusMask=8", "", "19", { statusMask: "08", dtc: { parsed: false } }],
			["POST", "/api/uds/clear-dtc", "", "14", { transport: "uds_can", groupOfDTC: "FF FF FF" }],
		] as const) {
			const { status, ok, haldexGeneration, couplingGeneration, result, uds, ...rest } = ask(5, method, path, body);
			assert.deepEqual([status, ok, haldexGeneration, couplingGeneration], [200, false, 5, 5], path);
			assert.deepEqual(rest, extra, path);
			assert.deepEqual(
				[result.ok, result.status, result.message, result.requestServiceId, result.responseHex, result.route],
				[false, "not_initialized", "diagnostics are not built yet", service, "", { selected: false }],
			);
			assert.equal(uds.target, "haldex");
		}
	});

	it("refuses wrong parameters", () => {
		for (const [method, path, body, error] of [
			["GET", "/api/uds/read", "", "did query parameter required"],
			["GET", "/api/uds/read?did=10000", "", "invalid did"],
			["GET", "/api/uds/read?did=xyz", "", "invalid did"],
			["GET", "/api/uds/read?did=", "", "invalid did"],
			["GET", "/api/uds/read?did=000000190", "", "invalid did"],
			["POST", "/api/uds/read", "{}", "invalid did"],
			["POST", "/api/uds/read", '{"did":65536}', "invalid did"],
			["POST", "/api/uds/read", '{"did":1.5}', "invalid did"],
			["POST", "/api/uds/read", '{"did":null}', "invalid did"],
			["POST", "/api/uds/read", "", "invalid json"],
			["GET", "/api/uds/dtc?statusMask=100", "", "invalid statusMask"],
			["POST", "/api/uds/clear-dtc?groupOfDTC=1000000", "", "invalid groupOfDTC"],
			["POST", "/api/diag/measured?dids=1,x", "", "invalid did list"],
			["POST", "/api/diag/measured?dids=,;", "", "invalid did list"],
			["GET", `/api/uds/measured?ids=${"1,".repeat(17)}`, "", "invalid did list"],
		] as const) {
			const answer = ask(5, method, path, body);
			assert.deepEqual([answer.status, answer.error], [400, error], path + body);
		}
		assert.equal(ask(4, "GET", "/api/diag/measured?localIds=100").error, "invalid local id list");
	});

	it("answers requests for measured values by generation", () => {
		const measured = (generation: 0 | 1 | 4 | 5, query: string) => {
			const { status, ok, items, transport, requestKind, itemCount, positiveResponseCount } = ask(
				generation,
				"POST",
				`/api/diag/measured${query}`,
			);
			assert.deepEqual([ok, items, positiveResponseCount], [false, [], 0]);
			return [status, transport, requestKind, itemCount];
		};
		assert.deepEqual(measured(5, "?dids=0x0286%2c0287;%090288"), ["not_initialized", "uds_can", "did", 3]);
		assert.deepEqual(measured(5, ""), ["did_required", "uds_can", "did", 0]);
		assert.deepEqual(measured(4, ""), ["not_initialized", "kwp_tp20", "localIdentifier", 4]);
		assert.deepEqual(measured(0, "?ids=zz"), ["unsupported_generation", "", "", 0]);
		const cleared = ask(1, "POST", "/api/uds/clear-dtc");
		assert.deepEqual([cleared.status, cleared.transport, cleared.result], ["unsupported_generation", "", undefined]);
	});
});

describe("api/learn: honest until it is built", () => {
	it("rests, refuses to start with the reason, and has nothing to end", () => {
		const { status, ...learn } = ask(5, "GET", "/api/learn/status");
		assert.deepEqual(learn, { active: false, progress: 0, tableValid: false, currentCF: 0, currentEng: 32 });
		assert.deepEqual(ask(5, "POST", "/api/learn/start"), {
			status: 200,
			ok: false,
			error: "Learned calibration is not built yet",
		});
		const controller = aController({ captureActive: true });
		assert.equal(request({ controller }, "POST", "/api/learn/start").json()["error"], "CAN View capture is active");
		for (const path of ["cancel", "clear"]) assert.deepEqual(ask(5, "POST", `/api/learn/${path}`), { status: 200, ok: true });
	});
});
