/**
 * Diagnosis on the real program, with the simulated control unit at the other end of the coupling bus, beside
 * the traffic of a whole car.
 */
import assert from "node:assert/strict";
import type { CouplingEcu } from "../../tools/vehicle/coupling-ecu.js";
import type { CanFrame } from "../../tools/vehicle/frame.js";
import { assertNoneLost, type Bench, withBench } from "./bench-car.js";
import { BUSY_ID, BUSY_ROWS, bytes, type Generation, makeBusy } from "./car-rows.js";
import { ControlUnitPeer, UDS_RESPONSE } from "./control-unit-peer.js";
import { EventClient } from "./event-client.js";
import { sleep, until } from "./wait.js";

const UDS_REQUEST = 0x70f;
/** How long another tester is taken to be at work. */
const FOREIGN_PAUSE_MS = 5000;
/** What a second round of answers may keep more of the heap. */
const RESTING_SLOTS = 100;
const PARAMETERS = "0x0286,028d,2be4,2be6,1006";

/** A standing car, whose coupling's control unit answers. */
function withControlUnit(generation: Generation, test: (bench: Bench, ecu: CouplingEcu) => Promise<void>): Promise<void> {
	return withBench({ generation }, async (bench) => {
		const peer = new ControlUnitPeer(bench);
		try {
			bench.show(0, 0);
			await bench.untilStatus(({ telemetry }) => Boolean(telemetry["speedValid"]), 4000, "a known speed");
			await test(bench, peer.ecu);
		} finally {
			peer.end();
		}
	});
}

// biome-ignore lint/suspicious/noExplicitAny: the tests are about the shape
const ask = async (bench: Bench, method: string, path: string): Promise<any> => JSON.parse((await bench.ask(method, path)).text);

/**
 * 16 values, or false: on a machine that pauses the simulated control unit answers too late, and the rest is
 * not asked for.
 */
// biome-ignore lint/suspicious/noExplicitAny: as above
async function sixteen(bench: Bench, query: string): Promise<any> {
	const answer = await ask(bench, "GET", `/api/uds/measured?${query}`);
	return answer.positiveResponseCount === 16 && answer;
}

/** A frame of the text `ID BYTES`, hexadecimal. */
const frameOf = (text: string): CanFrame => {
	const [id, ...data] = text.split(" ");
	return { id: Number.parseInt(id!, 16), extended: false, rtr: false, data: bytes(data.join(" ")) };
};
const isLike = (text: string) => {
	const { id, data } = frameOf(text);
	return (frame: CanFrame): boolean => frame.id === id && Buffer.from(frame.data).equals(data);
};

describe("diagnosis on the car", () => {
	it("asks for the oil's temperature for a condition, and is silent until 5 s after a tester's last frame", () =>
		withControlUnit(2, async (bench, ecu) => {
			const report = bench.couplingRows[0];
			report.data = report.data.slice(0, 4);
			await bench.mode("5050");
			const untilReason = (reason: string, ms = 5000) => bench.untilStatus((now) => now.reason === reason, ms, reason);
			const signal = "kwp|diagnosis|oil temperature|degc";
			const condition = async (effect: string) => {
				const one = { enabled: true, effect, limitPercent: 40, value: 90, signal };
				assert.equal((await bench.post("/api/settings", { conditions: [one] })).code, 200);
			};
			ecu.restingC = 60;
			await condition("limit");
			await untilReason("control is active", 10_000);
			ecu.restingC = 95;
			await untilReason("a condition limits the lock");
			ecu.restingC = 60;
			await untilReason("control is active");
			const tester = () => bench.chassis.send([frameOf("200 07 c0 00 10 00 03 01")]);
			tester();
			const { length } = bench.coupling.arrived;
			for (let second = 0; second < 8; second++) {
				await sleep(1000);
				tester();
			}
			const isOurs = ({ id, data }: CanFrame): boolean => (id === 0x200 || id === 0x740) && data[0] !== 7;
			assert.ok(bench.coupling.arrived.slice(length).filter(isOurs).length <= 1, "our channel closes, if it was open");
			const [{ doing, lastValue, live }] = (await ask(bench, "GET", "/api/conditions")).conditions;
			assert.deepEqual([doing, lastValue < 90, live], ["acts", true, false], "a limit stays");
			await condition("open");
			tester();
			await untilReason("a condition that opens the coupling gets no valid value of its signal");
			await untilReason("control is active", 20_000);
			await bench.assertShortTurns();
		}));

	for (const [bus, generation, path, ours, testers, answers] of [
		["chassis", 5, "/api/uds/read?did=F189", UDS_REQUEST, "70f 03 22 02 86", "779 04 62 02 86 77"],
		["coupling", 4, "/api/uds/measured?localIds=01", 0x200, "200 0a c0 00 10 00 03 01", "20a 00 d0 00 03 40 07 01"],
	] as const)
		it(`ends its question at once for a tester on the ${bus} bus, who gets every answer, generation ${generation}`, () =>
			withControlUnit(generation, async (bench, { diagnosisFaults }) => {
				diagnosisFaults.lateMs = 60_000;
				diagnosisFaults.silent = generation === 4;
				const asked = ask(bench, "GET", path);
				await until(() => bench.coupling.arrived.some(({ id }) => id === ours), 2000, "our request");
				// the answer right behind the question: there is no time to notice anything in between
				bench[bus].send([frameOf(testers)]);
				if (bus === "chassis") await until(() => bench.coupling.arrived.filter(isLike(testers)).length > 0, 2000, "his question");
				bench.coupling.send([frameOf(answers)]);
				await until(() => bench.chassis.arrived.some(isLike(answers)), 2000, "his answer");
				const { ok, result, items } = await asked;
				assert.deepEqual([ok, (result ?? items[0]).status], [false, "busy"]);
				Object.assign(diagnosisFaults, { lateMs: 0, silent: false });
				const begun = (await bench.status()).uptimeMs;
				const again = async () => {
					const answer = await ask(bench, "GET", path);
					return answer.ok && (await bench.status()).uptimeMs;
				};
				const passedMs = (await until(again, 15_000, "our turn")) - begun;
				assert.ok(passedMs > FOREIGN_PAUSE_MS - 1000, `${passedMs} ms`);
			}));

	it("keeps running when a control unit fills every byte of its answers", () =>
		withControlUnit(5, async (bench, { controlUnit }) => {
			controlUnit.uds = ([service, ...rest]) => {
				const head = service === 0x22 ? rest.slice(0, 2) : [2, 0xff];
				return Uint8Array.from({ length: service === 0x22 ? 256 : 255 }, (_, i) =>
					i === 0 ? service + 0x40 : (head[i - 1] ?? 0xff),
				);
			};
			const { keys } = (await bench.report()).heap;
			const slots: number[] = [];
			const dids = Array.from({ length: 16 }, (_, i) => i.toString(16)).join();
			for (let round = 0; round < 2; round++) {
				const { dtc } = await ask(bench, "GET", "/api/uds/dtc");
				assert.deepEqual([dtc.dtcCount, dtc.records.length, dtc.records[62].statusLabels.length], [63, 63, 8]);
				const identity = await ask(bench, "POST", "/api/uds/identity");
				assert.deepEqual(
					[identity.records.length, identity.vin.length, identity.records[9].rawDataHex.length],
					[10, 95, 3 * 253 - 1],
				);
				const { items } = await until(() => sixteen(bench, `dids=${dids}`), 60_000, "16 values");
				assert.deepEqual([items.length, items[15].rawDataHex.length], [16, 3 * 253 - 1]);
				await until(async () => (await ask(bench, "GET", "/api/uds/status")).active === false, 10_000, "its end");
				slots.push((await bench.report()).heap.slotsLive);
			}
			await bench.assertShortTurns();
			assert.equal((await bench.report()).heap.keys, keys);
			assert.ok(slots[1] - slots[0] <= RESTING_SLOTS, `${slots[1] - slots[0]} slots more`);
		}));

	it("survives a control unit of generation 4 that fills each response, with four pages open", () =>
		withControlUnit(4, async (bench, { controlUnit }) => {
			const filled = (...head: number[]) => Uint8Array.from({ length: 256 }, (_, i) => head[i] ?? 0x22);
			const answer = (request: Uint8Array) => filled(request[0] + 0x40, request[0] === 0x19 ? 2 : request[1], request[2] ?? 0x22);
			controlUnit.kwp = answer;
			const streams = Array.from({ length: 4 }, () => new EventClient(bench.port, "?hz=20"));
			for (const stream of streams) assert.equal(await stream.opened(), 200);
			await bench.report();
			const { dtc } = await ask(bench, "GET", "/api/uds/dtc");
			assert.deepEqual([dtc.dtcCount, dtc.records.length], [84, 84]);
			const ids = Array.from({ length: 16 }, (_, i) => (0xf0 + i).toString(16)).join();
			const { items } = await until(() => sixteen(bench, `ids=${ids}`), 60_000, "16 values");
			assert.deepEqual([items.length, items[15].rawDataHex.length], [16, 254 * 3 - 1]);
			await bench.assertShortTurns();
			for (const stream of streams) {
				assert.equal(stream.ended, false);
				stream.close();
			}
		}));

	it("loses no frame of two busy buses, lets no lease run out, and keeps nothing back but its own answers", () =>
		withControlUnit(5, async (bench) => {
			await bench.untilCommand();
			makeBusy(bench.chassisRows, bench.couplingRows);
			const before = await bench.status();
			await bench.report();
			for (let i = 0; i < 3; i++) {
				assert.equal((await ask(bench, "GET", `/api/uds/measured?dids=${PARAMETERS}`)).positiveResponseCount, 5);
				assert.equal((await ask(bench, "POST", "/api/uds/identity")).positiveResponseCount, 10);
			}
			await bench.assertShortTurns(); // no tick had to wait
			const after = await bench.status();
			for (const figure of ["leaseExpiries", "droppedQueueFull", "droppedTooOld", "droppedNotRunning", "cyclicDropped"])
				assert.equal(after.gateway[figure], before.gateway[figure], figure);
			assert.notEqual(bench.command(), undefined);
			for (let i = 0; i < BUSY_ROWS; i++) {
				assertNoneLost(bench.coupling.arrived, BUSY_ID + i);
				assertNoneLost(bench.chassis.arrived, BUSY_ID + BUSY_ROWS + i);
			}
			assert.deepEqual(
				bench.chassis.arrived.filter(({ id }) => id === UDS_RESPONSE),
				[],
			);
		}));
});
