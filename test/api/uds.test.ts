import assert from "node:assert/strict";
import { BUS_OFF } from "../../src/can/bus.js";
import type { DiagnosisJob } from "../../src/diagnosis/diagnosis.js";
import { readDtcs } from "../../src/diagnosis/services.js";
import { request } from "../support/api-client.js";
import { ControlUnitBench } from "../support/control-unit-bench.js";
import { aController } from "../support/controller-view.js";

type Generation = 0 | 1 | 2 | 4 | 5 | 51 | 53;

const asking =
	(bench = new ControlUnitBench(), standing = true) =>
	(generation: Generation, method: string, path: string, body = "") => {
		const controller = aController({ generation, ...(standing ? { speedKmh: 0, speedValid: true } : {}) });
		const { status, text } = request({ controller, diagnosis: bench.context }, method, path, body);
		// biome-ignore lint/suspicious/noExplicitAny: the tests are about the shape
		return { httpStatus: status, ...(JSON.parse(text) as any) };
	};
const ask = asking();

describe("api/uds", () => {
	it("has a status at rest, and the last result after a job", () => {
		const bench = new ControlUnitBench();
		const status = asking(bench)(5, "GET", "/api/uds/status");
		assert.deepEqual(status, {
			...{ httpStatus: 200, supported: true, transport: "uds_can", kwpTp20Supported: true, target: "haldex" },
			...{ active: false, udsActive: false, kwpTp20Active: false, route: { selected: false }, last: { available: false } },
		});
		assert.equal(asking(bench)(2, "GET", "/api/uds/status").transport, "kwp_tp20");
		asking(bench)(5, "GET", "/api/uds/read?did=F189");
		const { last, route } = asking(bench)(5, "GET", "/api/uds/status");
		assert.equal(last.available, true);
		assert.equal(last.responseHex, "62 F1 89 37 30 37 36");
		assert.deepEqual(route, {
			selected: true,
			name: "allwheel-70f",
			requestCanId: "0x70F",
			responseCanId: "0x779",
			extended: false,
		});
	});

	it("is part of the status, also with the longest answer", () => {
		const bench = new ControlUnitBench();
		asking(bench)(5, "GET", "/api/uds/read?did=1006");
		const said = asking(bench)(5, "GET", "/api/status").uds;
		const { httpStatus, ...itself } = asking(bench)(5, "GET", "/api/uds/status");
		assert.equal(httpStatus, 200);
		assert.ok(said.last.responseLength > 30, `${said.last.responseLength}`);
		assert.deepEqual(said, itself);
	});

	it("reads a value, also as text", () => {
		const answer = ask(5, "GET", "/api/uds/read?did=0xf1_90");
		assert.deepEqual([answer.ok, answer.haldexGeneration, answer.did, answer.value], [true, 5, "0xF190", "WVWZZZAUZ00000000"]);
		assert.equal(answer.rawDataHex.slice(0, 8), "57 56 57");
		const { elapsedMs, ...result } = answer.result;
		assert.ok(elapsedMs > 0);
		assert.deepEqual(result, {
			ok: true,
			status: "positive",
			message: "positive response",
			timeout: false,
			busy: false,
			negative: false,
			pendingSeen: false,
			requestServiceId: "22",
			responseServiceId: "62",
			responseLength: 20,
			responseHex: `62 F1 90 ${answer.rawDataHex}`,
			route: answer.uds.route,
		});
		assert.equal(ask(5, "POST", "/api/uds/read", '{"dataIdentifier":646}').value, "8A");
		assert.equal(ask(5, "POST", "/api/uds/read", '{"did":"F1 9E"}').did, "0xF19E");
	});

	it("says what the control unit rejects", () => {
		const { ok, result } = ask(5, "GET", "/api/uds/read?did=1234");
		assert.equal(ok, false);
		const { status, message, negative, negativeServiceId, nrc, nrcName } = result;
		assert.deepEqual(
			[status, message, negative, negativeServiceId, nrc, nrcName],
			["negative_response", "requestOutOfRange", true, "22", "31", "requestOutOfRange"],
		);
	});

	it("finds the control unit, and reports a missing answer", () => {
		const probe = ask(5, "POST", "/api/uds/probe");
		assert.deepEqual([probe.ok, probe.asamOdxFileIdentifier], [true, "EV_AllWheelContrHaldeVW41X"]);
		const bench = new ControlUnitBench();
		bench.faults.silent = true;
		const nobody = asking(bench)(5, "POST", "/api/uds/probe");
		assert.deepEqual([nobody.ok, nobody.result.status, nobody.result.timeout], [false, "timeout", true]);
		const lost = asking(bench)(5, "GET", "/api/uds/read?did=F190");
		assert.deepEqual([lost.ok, lost.result.status], [false, "no_route"]);
	});

	it("reads the identity of the control unit", () => {
		const identity = ask(5, "POST", "/api/uds/identity");
		assert.deepEqual([identity.ok, identity.positiveResponseCount, identity.meaningfulPositiveResponseCount], [true, 10, 10]);
		assert.equal(identity.records.length, 10);
		const { rawDataHex, ...vin } = identity.records[5];
		assert.equal(rawDataHex.length, 17 * 3 - 1);
		assert.deepEqual(vin, {
			did: "0xF190",
			label: "VIN Vehicle Identification Number",
			field: "vin",
			ok: true,
			value: "WVWZZZAUZ00000000",
		});
		assert.deepEqual([identity.vin, identity.partNumber, identity.softwareVersion], ["WVWZZZAUZ00000000", "0CQ907554D", "7076"]);
		const bench = new ControlUnitBench();
		bench.faults.silent = true;
		const nobody = asking(bench)(5, "POST", "/api/uds/identity");
		assert.deepEqual([nobody.ok, nobody.result.status, nobody.records], [false, "no_route", undefined]);
	});

	it("reads trouble codes with their status in words", () => {
		const { ok, statusMask, dtc } = ask(5, "GET", "/api/uds/dtc");
		assert.deepEqual(
			[ok, statusMask, dtc.parsed, dtc.reportType, dtc.statusAvailabilityMask, dtc.dtcCount],
			[true, "AF", true, "02", "FF", 2],
		);
		assert.deepEqual(dtc.records[0], {
			rawDtcHex: "C10100",
			rawDtcSpaced: "C1 01 00",
			statusHex: "09",
			statusByte: 9,
			odisFaultType: "active/static",
			statusLabels: ["testFailed", "confirmedDTC"],
		});
		assert.equal(ask(5, "POST", "/api/uds/dtc?statusMask=01").dtc.dtcCount, 1);
		const kwp = ask(4, "GET", "/api/uds/dtc").dtc;
		assert.deepEqual([kwp.dtcCount, kwp.records[1].rawDtcHex, kwp.records[1].rawDtcSpaced], [2, "5235", "52 35"]);
		assert.equal(readDtcs(0xaf).length, 3);
	});

	for (const generation of [5, 4, 2] as const)
		it(`clears trouble codes of generation ${generation}, only in a car that stands`, () => {
			const bench = new ControlUnitBench();
			const moving = asking(bench, false)(generation, "POST", "/api/uds/clear-dtc");
			assert.deepEqual([moving.ok, moving.result.message], [false, "the car must stand: its speed must be known, and 0"]);
			assert.deepEqual(bench.traffic, []);
			const { ok, transport, groupOfDTC } = asking(bench)(generation, "POST", "/api/uds/clear-dtc");
			assert.deepEqual([ok, groupOfDTC, transport], [true, "FF FF FF", generation === 5 ? "uds_can" : "kwp_tp20"]);
			assert.deepEqual(bench.unit.faults, []);
			const late = new ControlUnitBench();
			const controller = aController({ generation, speedKmh: 0, speedValid: true });
			const { context } = late;
			const start = (job: DiagnosisJob): void => {
				// as behind a question for conditions, or while the way to the control unit is looked for
				controller.vehicle.speedKmh = 30;
				context.start(job);
			};
			const { text } = request({ controller, diagnosis: { ...context, start } }, "POST", "/api/uds/clear-dtc");
			assert.deepEqual(JSON.parse(text).result.message, "the car must stand: its speed must be known, and 0");
			assert.deepEqual(late.traffic, []);
		});

	it("reads measured values with number and unit, and marks unverified ones", () => {
		const answer = ask(5, "GET", "/api/uds/measured?dids=0x0286,2be4;1234");
		const { ok, transport, requestKind, itemCount, positiveResponseCount } = answer;
		assert.deepEqual([ok, transport, requestKind, itemCount, positiveResponseCount], [true, "uds_can", "did", 3, 2]);
		assert.deepEqual(answer.items[0], {
			...{ id: "0x0286", did: "0x0286", ok: true, status: "positive", message: "positive response" },
			...{ rawDataHex: "8A", value: "8A", responseHex: "62 02 86 8A", label: "Voltage at terminal 30", unit: "V" },
			verified: true,
			number: 13.8,
		});
		assert.deepEqual([answer.items[1].number, answer.items[1].verified], [52, false]);
		assert.deepEqual([answer.items[2].ok, answer.items[2].nrcName], [false, "requestOutOfRange"]);
	});

	it("reads local identifiers of generation 4", () => {
		const { ok, transport, requestKind, itemCount, items } = ask(4, "POST", "/api/diag/measured");
		assert.deepEqual([ok, transport, requestKind, itemCount], [true, "kwp_tp20", "localIdentifier", 4]);
		assert.deepEqual([items[0].localIdentifier, items[0].ok], ["01", true]);
	});

	it("reads each value of a block with number and unit, as real couplings answer", () => {
		const block = (generation: Generation, id: string, data: string) => {
			const bench = new ControlUnitBench();
			bench.unit.kwp = ([service, ...rest]) =>
				service === 0x10
					? Uint8Array.of(0x50, 0x89)
					: Uint8Array.of(0x61, ...rest, ...Buffer.from(data.replaceAll(" ", ""), "hex"));
			const { items } = asking(bench)(generation, "GET", `/api/diag/measured?localIds=${id}`);
			assert.equal(items[0].value, data);
			return items[0].values;
		};
		const raw = (rawDataHex: string) => ({ rawDataHex });
		assert.deepEqual(block(2, "01", "25 00 C1 06 64 90 25 00 00 25 00 00"), [
			raw("25 00 C1"),
			{ label: "Supply voltage", number: 14.4, unit: "V", ...raw("06 64 90") },
			raw("25 00 00"),
			raw("25 00 00"),
		]);
		assert.deepEqual(block(2, "02", "1A 00 38 0E C8 06"), [
			{ label: "Oil temperature", number: 56, unit: "°C", ...raw("1A 00 38") },
			{ label: "Oil pressure", number: 6, unit: "bar", ...raw("0E C8 06") },
		]);
		assert.deepEqual(block(4, "03", "0E 1B C8 5E A0 FF 21 64 28 18 0A BF"), [
			{ label: "Oil pressure", number: 27, unit: "bar", ...raw("0E 1B C8") },
			{ label: "Estimated torque", number: 2032, unit: "Nm", ...raw("5E A0 FF") },
			{ label: "Clutch valve duty", number: 40, unit: "%", ...raw("21 64 28") },
			{ label: "Clutch valve current", number: 1.91, unit: "A", ...raw("18 0A BF") },
		]);
		// with another formula it is another value, and one that divides by 0 is none
		assert.deepEqual(block(4, "03", "06 64 90 21 00 05"), [{ number: 14.4, unit: "V", ...raw("06 64 90") }, raw("21 00 05")]);
		assert.deepEqual(block(4, "03", "06 64"), [], "a block of another form");
		assert.equal(block(4, "7D", Array(16).fill("25 01 70").join(" ")).length, 8);
	});

	it("asks a KWP2000 control unit nothing by UDS, and does not call it silent", () => {
		const bench = new ControlUnitBench();
		const probe = asking(bench)(4, "POST", "/api/uds/probe");
		assert.deepEqual([probe.ok, probe.result.status, probe.result.route.name], [true, "positive", "allwheel-kwp-tp20"]);
		assert.equal(probe.uds.last.status, "positive");
		const asked = bench.traffic.length;
		for (const [method, path, more] of [
			["GET", "/api/uds/read?did=F190", { did: "0xF190" }],
			["POST", "/api/uds/identity", {}],
		] as const) {
			const { ok, result, uds, httpStatus, did } = asking(bench)(2, method, path);
			assert.deepEqual([httpStatus, ok, result.status, result.timeout], [200, false, "unsupported_generation", false], path);
			assert.equal(result.message, "by KWP2000 the control unit has no data identifiers: ask /api/diag/measured");
			assert.equal(uds.last.status, "positive");
			assert.deepEqual(did === undefined ? {} : { did }, more);
		}
		assert.equal(bench.traffic.length, asked);
	});

	it("stops at the first value without an answer", () => {
		const bench = new ControlUnitBench();
		asking(bench)(5, "POST", "/api/uds/probe");
		bench.faults.silent = true;
		const { items, itemCount } = asking(bench)(5, "GET", "/api/uds/measured?dids=286,287");
		assert.deepEqual([items.length, itemCount, items[0].status], [1, 2, "timeout"]);
	});

	it("reports a missing generation, a bus that is off, and another tester", () => {
		assert.deepEqual(ask(5, "POST", "/api/diag/measured").status, "did_required");
		assert.deepEqual(ask(0, "POST", "/api/diag/measured?ids=01").status, "unsupported_generation");
		const cleared = ask(1, "POST", "/api/uds/clear-dtc");
		assert.deepEqual([cleared.status, cleared.transport, cleared.result], ["unsupported_generation", "", undefined]);
		assert.equal(cleared.message, "set the coupling generation to 2, 4, 5, 51 or 53 first");
		const off = request(
			{ controller: aController({ generation: 5, couplingBusState: BUS_OFF }) },
			"POST",
			"/api/uds/probe",
		).json();
		assert.equal((off["result"] as { status: string }).status, "can_not_ready");
		const bench = new ControlUnitBench();
		bench.foreignAgeMs = 100;
		assert.deepEqual(asking(bench)(5, "POST", "/api/uds/probe").result.busy, true);
	});

	it("rejects a page's GET that would ask the car, such as an image in a foreign page", () => {
		const paths = ["uds/read?did=F190", "uds/dtc", "uds/measured?dids=286", "diag/measured?dids=286"];
		const read = (method: string, path: string, ...lines: string[]) => {
			const bench = new ControlUnitBench();
			const controller = aController({ generation: 5 });
			const { status, text } = request({ controller, diagnosis: bench.context }, method, `/api/${path}`, "", ...lines);
			return [status, bench.traffic.length > 0, text.includes("in a browser the car is asked by POST")];
		};
		const browser = "Accept-Language: ";
		for (const path of paths) {
			for (const [method, lines, ...expected] of [
				["GET", [`${browser}de-DE,de;q=0.9`], 403, false, true],
				["GET", [browser, "Sec-Fetch-Site: same-site"], 403, false, true],
				["GET", [browser, "Sec-Fetch-Site: none"], 200, true, false], // typed by the driver
				["GET", [browser, "Sec-Fetch-Site: same-origin"], 200, true, false],
				["GET", [], 200, true, false], // a script, a display
				["POST", [browser, "Origin: http://localhost"], 200, true, false],
				["POST", [browser, "Origin: http://evil"], 403, false, false],
			] as const)
				if (method === "GET" || !path.includes("read"))
					assert.deepEqual(read(method, path, ...lines), expected, `${method} ${path} ${lines}`);
		}
		assert.deepEqual(read("HEAD", "uds/dtc", browser).slice(0, 2), [403, false]);
	});

	it("rejects too many ids or digits, and a list that another generation would use", () => {
		for (const [path, error] of [
			["/api/uds/read?did=000000190", "invalid did"],
			["/api/diag/measured?dids=,;", "invalid did list"],
			[`/api/uds/measured?ids=${"1,".repeat(17)}`, "invalid did list"],
		] as const) {
			const answer = ask(5, "GET", path);
			assert.deepEqual([answer.httpStatus, answer.error], [400, error], path);
		}
		// whatever the generation would make of it
		for (const generation of [0, 2, 5] as const) {
			assert.equal(ask(generation, "GET", "/api/diag/measured?localIds=zz").error, "invalid local id list");
			assert.equal(ask(generation, "GET", "/api/diag/measured?dids=zz").error, "invalid did list");
		}
	});
});
