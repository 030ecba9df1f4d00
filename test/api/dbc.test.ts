/**
 * The DBC files that are served, against two other readers of such files: candied, and cantools, which
 * decoded frames of the recorded drives with them by name (`dbc-decoded.json.gz`, made once by cantools
 * 45.1.0: frame, data, signal by signal).
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import candied from "candied";
import { readPhysical } from "../../src/can/bits.js";
import { findSelector, MUX_NONE, type Network } from "../../src/can/catalogue.js";
import { MQB_SIGNALS } from "../../src/can/layouts/mqb.js";
import { STATUS_BYTES, STATUS_FRAME } from "../../src/can/layouts/status.js";
import { MODES } from "../../src/lock/modes.js";
import { request } from "../support/api-client.js";
import { aController } from "../support/controller-view.js";
import { dbcText, LEFT_OUT } from "../support/frame-lines.js";
import { listSignals } from "../support/signals.js";

interface Decoded {
	readonly frame: string;
	readonly data: string;
	readonly signals: Readonly<Record<string, number | string>>;
}
const DECODED = JSON.parse(gunzipSync(readFileSync(new URL("dbc-decoded.json.gz", import.meta.url))).toString()) as Readonly<
	Record<Network, readonly Decoded[]>
>;
const NETWORKS = ["pq", "mqb"] as const;
/** Frames that the catalogue does not have. */
const OWN: Readonly<Record<Network, readonly number[]>> = {
	pq: [STATUS_FRAME.id],
	mqb: [MQB_SIGNALS.engagement.id, STATUS_FRAME.id],
};

describe("api/canview: getDbc", () => {
	it("serves the network of the generation, or the one asked for", () => {
		const read = (path: string, generation: 0 | 4 | 5 = 4) => request({ controller: aController({ generation }) }, "GET", path);
		assert.equal(read("/api/canview/dbc").text, dbcText("pq"));
		assert.equal(read("/api/canview/dbc", 5).text, dbcText("mqb"));
		const asked = read("/api/canview/dbc?network=mqb", 0);
		assert.equal(asked.text, dbcText("mqb"));
		assert.equal(asked.headers["content-disposition"], "attachment; filename=opencoupling-mqb.dbc");
	});

	it("rejects another network", () => {
		const { status, json } = request({}, "GET", "/api/canview/dbc?network=can");
		assert.deepEqual(
			[status, json()],
			[400, { error: "invalid network", field: "network", value: "can", allowed: ["pq", "mqb"] }],
		);
	});

	for (const network of NETWORKS) {
		it(`has no two signals on the same bit, or strict readers reject it: ${network}`, () => {
			for (const message of new candied.Dbc().load(dbcText(network), true).messages.values()) {
				const taken = new Map<string, string>();
				for (const { name, startBit, length, endian, multiplex } of message.signals.values()) {
					let bit = startBit;
					for (let i = 0; i < length; i++) {
						const place = `${multiplex ?? ""} ${bit}`;
						assert.equal(taken.get(place), undefined, `${message.name}: ${name} lies on ${taken.get(place)}`);
						taken.set(place, name);
						// the next less significant bit of Motorola's order is in the next byte, at its top
						bit += endian === "Intel" ? 1 : bit % 8 === 0 ? 15 : -1;
					}
				}
			}
		});

		it(`has exactly the signals that the firmware knows, but for three that strict readers reject: ${network}`, () => {
			const dbc = new candied.Dbc();
			const messages = [...dbc.load(dbcText(network), true).messages.values()];
			let signals = 0;
			for (const message of messages) {
				const id = message.id % 0x80000000;
				if (OWN[network].includes(id)) continue;
				const known = listSignals(network, id).filter(({ name }) => !LEFT_OUT.includes(name));
				assert.deepEqual([...message.signals.keys()].sort(), known.map(({ name }) => name).sort(), message.name);
				for (const signal of known) {
					const { startBit, length, endian, signed, factor, offset, unit } = message.signals.get(signal.name)!;
					const there = [startBit, length, endian === "Motorola", signed, factor, offset, unit];
					const { start, length: bits, motorola, signed: sign, factor: scale, offset: zero, unit: of } = signal;
					assert.deepEqual(there, [start, bits, motorola, sign, scale, zero, of], signal.name);
					signals++;
				}
			}
			assert.equal(signals, network === "pq" ? 690 : 1347);
			assert.equal(messages.length, (network === "pq" ? 36 : 103) + OWN[network].length);
		});

		it(`has cantools read what the firmware reads: ${network}`, () => {
			let values = 0;
			for (const { frame, data, signals } of DECODED[network]) {
				const id = Number.parseInt(frame, 16) % 0x80000000;
				if (OWN[network].includes(id)) continue;
				const bytes = Uint8Array.from(Buffer.from(data, "hex"));
				const selector = findSelector(network, id);
				const selected = selector === undefined ? MUX_NONE : readPhysical(bytes, 0, 8, selector);
				const shown = listSignals(network, id).filter(({ name }) => !LEFT_OUT.includes(name));
				const known = shown.filter(({ mux }) => mux < 0 || mux === selected);
				assert.deepEqual(known.map(({ name }) => name).sort(), Object.keys(signals).sort(), frame);
				for (const signal of known) {
					const expected = signals[signal.name] as number;
					const value = readPhysical(bytes, 0, 8, signal);
					assert.ok(
						Math.abs(value - expected) <= Math.abs(expected) * 1e-6 + 1e-5,
						`${frame} ${signal.name}: ${value}, not ${expected}`,
					);
					values++;
				}
			}
			assert.ok(values > 300, `${values}`);
		});
	}

	it("says of each frame the length that cars send, for strict readers reject others", () => {
		/** Bytes of frames in recordings of cars, and of couplings on a bench. */
		const seen: Readonly<Record<Network, Readonly<Record<number, number>>>> = {
			pq: { 208: 6, 416: 8, 644: 6, 672: 8, 906: 4, 976: 6, 978: 7, 1352: 3, 1392: 5, 1394: 1, 1488: 6 },
			mqb: { 870: 8, 958: 8, 960: 4 },
		};
		for (const network of NETWORKS)
			for (const [id, bytes] of Object.entries(seen[network])) {
				const length = new RegExp(`^BO_ ${id} \\w+: (\\d) `, "m").exec(dbcText(network))?.[1];
				assert.equal(Number(length), bytes, id);
			}
	});

	it("has frames of our own where the firmware reads and writes them", () => {
		const { unused, ...bytes } = STATUS_BYTES;
		const { engagement, couplingState } = MQB_SIGNALS;
		const expected = new Map<string, readonly unknown[]>([
			["Engagement", [engagement.id, engagement.start, engagement.length, engagement.factor, engagement.unit]],
			["Drive_Profile", [couplingState.id, couplingState.start, couplingState.length, 1, ""]],
		]);
		for (const { dbc, at, unit } of Object.values(bytes)) expected.set(dbc, [STATUS_FRAME.id, 8 * at, 8, 1, unit]);
		const served = new Map<string, readonly unknown[]>();
		for (const { id, signals } of new candied.Dbc().load(dbcText("mqb"), true).messages.values())
			for (const { name, startBit, length, endian, signed, factor, unit } of OWN.mqb.includes(id) ? signals.values() : []) {
				served.set(name, [id, startBit, length, factor, unit]);
				assert.deepEqual([endian, signed], ["Intel", false], name);
			}
		assert.deepEqual(served, expected);
	});

	it("names the signals of the status frame and its modes, and the coupling's report of generation 5", () => {
		for (const network of NETWORKS) {
			const decoded = DECODED[network].find(({ frame }) => frame === "6B0");
			assert.deepEqual(decoded, {
				frame: "6B0",
				data: "0001502a3c00070f",
				signals: { Standalone: 1, Engagement_Raw: 80, Lock_Asked: 42, Speed: 60, Mode_Override: 0, Mode: MODES[7], Pedal: 15 },
			});
			for (const [number, mode] of MODES.entries()) assert.ok(dbcText(network).includes(` ${number} "${mode}" `));
		}
		const report = DECODED.mqb.at(-1);
		assert.deepEqual(report?.signals, { Engagement: 49.2125, Drive_Profile: 34 });
	});
});
