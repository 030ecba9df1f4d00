/**
 * Checks `vehicle/telemetry.ts` against the golden vectors of the sets `telemetry-gen*`: the decoded fields
 * of each row. Each frame goes through a sample as the gateway would make it, at the row's time. Lock, mode
 * and sent frames are not checked here.
 */

import { wordsOf } from "../../src/vehicle/sample.js";
import { Telemetry } from "../../src/vehicle/telemetry.js";
import type { VehicleState } from "../../src/vehicle/vehicle-state.js";
import { SampleBuilder } from "../support/sample-builder.js";
import { bugsOf, bytesOf, type Report } from "./report.js";

type Fields = Record<string, number>;
type FrameRow = [
	bus: "c" | "h",
	t: number,
	id: number,
	dlc: number,
	hex: string,
	changed: Fields,
	extra?: { ext?: 1; rtr?: 1; referenceBug?: string },
];

interface TelemetryCase {
	id: string;
	profile: "clean" | "dirty" | "mapped" | "trigger" | "standalone";
	config: { mapped?: { speed?: string; throttle?: string; rpm?: string } | null; standalone?: boolean };
	rows: (["s", number, Record<string, unknown>] | FrameRow)[];
}

interface TelemetrySet {
	generation: number;
	cases: TelemetryCase[];
}

const FIELDS = ["speed", "throttle", "rpm", "boost", "engagementRaw", "engagement", "state", "flags"];
/** Bug flags that concern decoding; the others (ramp, torque, counters) leave these fields alone. */
const DECODING_BUGS = [
	"dlc-ignored",
	"extd-ignored",
	"rtr-processed",
	"hdx-any-id",
	"hdx-stale-bytes",
	"gen2-engagement-overflow",
	"esp21-self-block",
	"mapped-boot-window",
	"mapped-u16-overflow",
];
/**
 * PQ frames that the reference reads on generation 5, too, and the fields that they give. We do not
 * (docs/decisions.md 22), so every row with such a chassis frame does not bind these fields, and neither do
 * later rows until the reference takes them from a frame of generation 5: till then it goes on with the value
 * of PQ, or is kept by it from taking ESP_21's speed.
 */
const PQ_FRAMES: Readonly<Record<number, readonly string[]>> = {
	640: ["throttle", "rpm"], // Motor_1
	416: ["speed"], // Bremse_1
	648: ["speed"], // Motor_2
};
const FLAGS = 0x4f; // the bits of the state byte that the reference unpacks
/**
 * The nibble in which a car counts its frames, by identifier: byte and shift. The vectors have bytes at
 * random there, and a counter that stands still is a sender that hangs (docs/decisions.md 46). So each frame
 * gets the number that a car would give it; the reference reads none of them.
 */
const COUNTERS: Readonly<Record<number, readonly [at: number, shift: number]>> = {
	194: [5, 4],
	416: [7, 0],
	704: [7, 4],
	1088: [6, 3],
	1192: [6, 4],
	...Object.fromEntries(
		[0x086, 0x08a, 0x0a7, 0x0a8, 0x0ad, 0x0fd, 0x101, 0x106, 0x116, 0x118, 0x121, 0x30b, 0x3be, 0x3c0].map((id) => [id, [1, 0]]),
	),
};

/** All cases but those in standalone operation, where the reference does not decode the chassis bus. */
export function checkTelemetry(set: TelemetrySet, report: Report): void {
	for (const one of set.cases) {
		if (one.config.standalone) report.skip("rows of standalone operation");
		else checkCase(set.generation, one, report);
	}
}

/** One case. Its rows tell what changed, so the reference's state is carried along. */
function checkCase(generation: number, one: TelemetryCase, report: Report): void {
	const { speed = "", throttle = "", rpm = "" } = one.config.mapped ?? {};
	const telemetry = new Telemetry(generation, { speed, throttle, rpm });
	const gateway = new SampleBuilder(telemetry.watch.bytes());
	const expected: Fields = Object.fromEntries(FIELDS.map((field) => [field, 0]));
	// Fields in which we deviate on purpose since some row. They count again when the reference takes a new
	// value: before, agreement may be chance (a flagged frame that counted as mapped input keeps the built-in
	// decoding off for a second).
	const deviating = new Set<string>();
	const counts: Record<string, number> = {};
	for (const row of one.rows) {
		if (row[0] === "s") {
			if ("mapped" in row[2] || "standalone" in row[2]) throw new Error(`${one.id}: configuration changes the telemetry`);
			continue;
		}
		const [bus, t, id, dlc, hex, changed, extra] = row;
		const data = bytesOf(hex);
		const [at, shift] = COUNTERS[id] ?? [0, -1];
		const lacksCount = shift >= 0 && at >= data.length;
		if (shift >= 0 && !lacksCount) {
			const sender = `${bus} ${id}`;
			const count = (counts[sender] ?? 0) + 1;
			counts[sender] = count;
			// never 0: that is what a frame which is too short for it seems to have
			data[at] = (data[at] & ~(0x0f << shift)) | (((count % 15) + 1) << shift);
		}
		gateway.frame(bus === "c" ? 0 : 1, id, extra?.ext === 1, extra?.rtr === 1, dlc, data, t);
		const sample = gateway.bytes(t);
		telemetry.update(sample, wordsOf(sample), t);
		Object.assign(expected, changed);
		const bugs = bugsOf(extra)
			.split(",")
			.filter((bug) => DECODING_BUGS.includes(bug))
			.join();
		const flagged = bugs !== "";
		const foreign = generation === 5 && bus === "c" ? (PQ_FRAMES[id] ?? []) : [];
		for (const field of foreign) deviating.add(field);
		const got = fieldsOf(telemetry.state);
		for (const field of FIELDS) {
			const same = got[field] === Math.fround(expected[field]);
			if (foreign.includes(field)) continue;
			const rule = same ? "" : lacksCount ? SHORT : overruled(generation, id, data, field);
			if (same) {
				if (field in changed) deviating.delete(field);
			} else if (flagged) deviating.add(field);
			else if (rule !== "") {
				deviating.add(field);
				report.skip(`${field}: ${rule}`);
			} else if (field in changed) deviating.delete(field);
			const ok = same || deviating.has(field);
			if (!ok) report.check(false, `${one.id} ${row.slice(0, 5).join(" ")}: ${field} ${got[field]}, expected ${expected[field]}`);
		}
		if (flagged) report.skip(bugs);
		else if (foreign.length > 0) report.skip("PQ frames on generation 5 (docs/decisions.md 22)");
		else report.check(true, "");
	}
}

const CODE = "no value, but a code or a marked one (docs/decisions.md 5)";
const OPEN = "the coupling says that it is open (docs/control-and-can.md 2.2)";
const SCALE = "another scale of the report (docs/control-and-can.md 2.2)";
const TEMPERATURE = "byte 4 is a temperature and no part of it (docs/control-and-can.md 2.2)";
const SHORT = "too short for the counter that the frames before had (docs/decisions.md 46)";
const NO_SPEED = "byte 3 of Motor_2 is no speed (docs/control-and-can.md 2.1)";

/** Why a frame does not bind a field, "" = it does: what the reference takes and facts of cars contradict. */
function overruled(generation: number, id: number, data: Uint8Array, field: string): string {
	const word = (at: number): number => data[at] | (data[at + 1] << 8);
	const code = (isCode: boolean): string => (isCode ? CODE : "");
	switch (id) {
		case 0x280:
			return code((field === "throttle" && data[5] >= 0xfe) || (field === "rpm" && word(2) > 0xfe00));
		case 0x1a0:
			return code(field === "speed" && word(2) >> 1 > 0x7f7f);
		case 0x288:
			return field === "speed" ? NO_SPEED : "";
		case 0x121:
			return code(field === "throttle" && ((data[2] & 0x10) !== 0 || ((word(1) >> 4) & 0xff) >= 0xfe));
		case 0x0fd:
			return code(field === "speed" && ((data[6] & 0x80) !== 0 || word(4) >= 0xfffd));
		case 0x0a8:
			return code(field === "rpm" && ((data[5] & 0x80) !== 0 || word(6) >= 0xfffd));
		case 0x0b2:
			return code(field === "speed" && [0, 2, 4, 6].some((at) => word(at) >= 0xfffd));
		case 0x107:
			return code(field === "boost" && ((word(4) >> 7) & 0x1ff) === 0x1ff);
		case 0x2c0:
		case 0x118:
			return field === "engagement" || field === "engagementRaw" ? overruledReport(generation, data, field) : "";
		default:
			return "";
	}
}

function overruledReport(generation: number, data: Uint8Array, field: string): string {
	if (generation === 5) return data[2] === 0xff ? CODE : field === "engagement" ? SCALE : "";
	if (data[1] < 0x80 || data[1] === 0xff) return CODE;
	if (generation === 2 && data[4] !== 0) return TEMPERATURE;
	if (field === "engagementRaw") return "";
	return (data[0] & 8) !== 0 ? OPEN : generation === 1 ? "" : SCALE;
}

function fieldsOf(state: VehicleState): Fields {
	return {
		speed: state.speedKmh,
		throttle: state.pedalPercent,
		rpm: state.rpm,
		boost: state.boostMbar,
		engagementRaw: state.engagementRaw,
		engagement: state.engagementPercent,
		state: state.couplingState,
		flags: state.couplingState & FLAGS,
	};
}
