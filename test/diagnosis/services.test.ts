import assert from "node:assert/strict";
import { KWP_VALUES, type KwpValue, MEASURED } from "../../src/can/layouts/diagnosis-data.js";
import {
	asText,
	blockTemperatureC,
	clearDtcs,
	clearKwpDtcs,
	faultType,
	kwpQuantity,
	kwpTroubleCodes,
	measuredNumber,
	nrcName,
	readDid,
	readDtcs,
	readKwpDtcs,
	readLocalId,
	STATUS_LABELS,
	startSession,
	troubleCodes,
} from "../../src/diagnosis/services.js";

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"));

describe("diagnosis services", () => {
	it("names negative response codes", () => {
		assert.equal(nrcName(0x31), "requestOutOfRange");
		assert.equal(nrcName(0x99), "unknownNrc");
	});

	it("makes requests of two bytes of identifier", () => {
		assert.deepEqual(readDid(0xf19e), bytes("22f19e"));
	});

	it("makes no request that is longer than a packet of TP2.0, or a frame of ISO-TP", () => {
		const uds = [readDid(0xffff), readDtcs(0xff), clearDtcs(0xffffff)];
		for (const request of [...uds, startSession(), readLocalId(0xff), readKwpDtcs(), clearKwpDtcs(0xffff)])
			assert.ok(request.length <= 5, `${request}`);
	});

	it("reads trouble codes and skips those that are all zero", () => {
		const read = troubleCodes(bytes("5902ffc10100090000000852350048"));
		assert.equal(read?.statusMask, 0xff);
		assert.deepEqual(read?.codes, [
			{ code: 0xc10100, status: 0x09 },
			{ code: 0x523500, status: 0x48 },
		]);
		assert.deepEqual(troubleCodes(bytes("5902ffc101")), { statusMask: 0xff, codes: [] });
		assert.equal(troubleCodes(bytes("5901ff")), undefined);
		assert.deepEqual(kwpTroubleCodes(bytes("5802c10169000060")), [{ code: 0xc101, status: 0x69 }]);
	});

	it("says a status in words", () => {
		assert.deepEqual([0x09, 0x08, 0x04, 0x50].map(faultType), ["active/static", "passive/sporadic", "pending", ""]);
		assert.equal(STATUS_LABELS.length, 8);
	});

	it("converts the bytes of a measured value by its formula, to NaN outside of its range or length", () => {
		for (const [did, data, value] of [
			[0x0286, "8a", 13.8],
			[0x0286, "ff", Number.NaN],
			[0x028d, "6b", 52],
			[0x028d, "0e", Number.NaN],
			[0x028d, "0f", -40],
			[0x2be4, "8693", 149.99],
			[0x2be4, "9093", Number.NaN],
			[0x2be4, "a46d", 53.01],
			[0x2be6, "12c0", 4.8],
			[0x2be6, "4e20", 20],
			[0x2be6, "4e21", Number.NaN],
			[0x2be7, "65", Number.NaN],
			[0x2bf3, "66", 40.1574],
			[0x2be5, "0003", 3],
			[0x2be5, "03", Number.NaN],
		] as const) {
			const what = MEASURED.find((known) => known.did === did)!;
			const read = measuredNumber(what, bytes(data));
			assert.ok(Number.isNaN(value) ? Number.isNaN(read) : Math.abs(read - value) < 1e-9, `${data} of ${did}: ${read}`);
		}
	});

	it("converts formula and two bytes of a KWP2000 block to number and unit, and leaves out what no formula tells", () => {
		for (const [data, number, unit] of [
			["01a010", 512, "1/min"],
			["050a84", 32, "°C"],
			["050a60", -4, "°C"],
			["066490", 14.4, "V"],
			["0ec806", 6, "bar"],
			["1a0a05", -5, "°C"],
			["216428", 40, "%"],
			["210005", undefined],
			["180abf", 1.91, "A"],
			["343232", 0, "Nm"],
			["5ea0ff", 2032, "Nm"],
			["5ea000", -2048, "Nm"],
			["2500c1", undefined],
			["ff0101", undefined],
		] as const) {
			const [formula, a, b] = bytes(data);
			const quantity = kwpQuantity(formula!, a!, b!);
			assert.equal(quantity?.unit, unit, data);
			if (number === undefined) assert.equal(quantity, undefined, data);
			else assert.ok(Math.abs(quantity!.number - number) < 1e-9, `${data}: ${quantity!.number}`);
		}
	});

	it("reads a temperature of a block, if it has the formula, is -40 to 150 °C, and is in the block", () => {
		const [oil, plates] = KWP_VALUES.filter(({ label }) => label.endsWith("temperature")).slice(1) as [KwpValue, KwpValue];
		const block = bytes("61011a00341a1400");
		assert.deepEqual([blockTemperatureC(block, oil), blockTemperatureC(block, plates)], [52, -20]);
		assert.equal(blockTemperatureC(bytes("61021a0034"), oil), Number.NaN, "of another block");
		for (const [values, celsius] of [
			["1a0096", 150],
			["1a2800", -40],
			["1a0097", Number.NaN],
			["1a2900", Number.NaN],
			["050ac8", Number.NaN],
			["1a00", Number.NaN],
			["", Number.NaN],
		] as const)
			assert.equal(blockTemperatureC(bytes(`6101${values}`), oil), celsius, values);
	});

	it("marks DIDs 028D, 2BE4 and 2BF1 as not verified", () => {
		assert.deepEqual(
			MEASURED.filter(({ isVerified }) => !isVerified).map(({ did }) => did),
			[0x028d, 0x2be4, 0x2bf1],
		);
	});

	it("reads bytes as text if three of four are characters", () => {
		assert.equal(asText(bytes("30435139303735353444200000"), 0), "0CQ907554D");
		assert.equal(asText(bytes("4142437f"), 0), "ABC");
		assert.equal(asText(bytes("41427f80"), 0), undefined);
		assert.equal(asText(bytes(""), 0), undefined);
		assert.equal(asText(bytes("80804142"), 2), "AB");
	});
});
