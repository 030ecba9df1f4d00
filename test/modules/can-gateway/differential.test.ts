import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { generator, type Random } from "../../../tools/random.js";
import { PlanInterpreter } from "../../support/plan-interpreter.js";
import { compile } from "./build.js";

const PLANS = 600;
const FRAMES_PER_PLAN = 60;

// Few ids, so that frames meet rules: same numbers with both types and on both buses.
const IDS = [0x001, 0x280, 0x7ff, 0x80000001, 0x80000280, 0x9fffffff];

function randomRule(random: Random, counterCount: number, dataIdCount: number): number[] {
	const id = random.of(IDS);
	const rule = [
		id & 255,
		(id >> 8) & 255,
		(id >> 16) & 255,
		id >>> 24,
		random.below(2),
		random.below(8),
		random.below(9),
		random.of([0, 0, random.below(9)]),
	];
	for (let i = 0; i < 8; i++) {
		let op = random.below(7);
		if (op === 2 && (i + id) % 3 === 0) op = 8;
		if ((op === 4 || op === 5) && counterCount === 0) op = 1;
		if (rule[5 + 3 * i] === 6) op = 0;
		if (op === 6 && i === 7) op = 0;
		rule.push(
			op,
			op === 4 || op === 5 ? random.below(counterCount) : random.below(256),
			random.of([0, 1, 2, 255, random.below(256)]),
		);
	}
	for (let i = 0; i < 2; i++)
		rule.push(
			random.below(4),
			random.below(8),
			random.below(256),
			random.below(dataIdCount + 1),
			1 + random.below(2),
			random.of([0, 0, 1]),
		);
	return rule;
}

/** Valid, except that one in five is damaged in one byte (which may or may not make it invalid). */
function randomPlan(random: Random): Uint8Array {
	const counterCount = random.below(6);
	const dataIdCount = random.below(4);
	const bytes = [
		2,
		random.below(2),
		random.below(256),
		random.below(256),
		random.below(256),
		counterCount,
		dataIdCount,
		0,
		0,
		0,
		0,
		0,
	];
	for (let i = 0; i < counterCount * 4 + dataIdCount * 16; i++) bytes.push(random.below(256));
	const named = new Set<string>();
	for (let i = random.below(9); i > 0; i--) {
		const rule = randomRule(random, counterCount, dataIdCount);
		const name = rule.slice(0, 5).join();
		if (named.has(name)) continue;
		named.add(name);
		bytes.push(...rule);
		bytes[7]++;
	}
	for (let rule = 0; rule < bytes[7]; rule++)
		for (let i = random.of([0, 0, 0, 0, 0, 0, 1, 2]); i > 0; i--) {
			const mask = random.of([0xffff, 0xfffe, 0xff, 0x0600, 0x0080, random.below(65536)]);
			const first = random.of([0xff00, 1, random.below(65536)]);
			const last = random.of([mask, first, first + random.below(9000), random.below(65536)]) & 0xffff;
			bytes.push(rule, random.below(7), ...[mask, first, last].flatMap((word) => [word & 255, word >> 8]));
			bytes[9]++;
		}
	let start = 0;
	for (let rule = 0; rule < bytes[7]; rule++, start = 0)
		for (let i = random.of([0, 0, 0, 0, 0, 1, 3]); i > 0 && bytes[10] < 8; i--) {
			const length = 1 + random.below(16);
			start += random.below(20);
			if (start + length > 64 && random.below(20) > 0) break;
			const low = random.below(2 ** length);
			const span = random.below(2 ** length - low);
			const step = random.of([0, 0, 1, 8, 255]);
			bytes.push(rule, start, length, step, low & 255, low >> 8, span & 255, span >> 8);
			bytes[10]++;
			start += length;
		}
	if (random.below(5) === 0) bytes[random.below(bytes.length)] = random.of([0, 1, 2, 8, 9, 128, random.below(256)]);
	if (random.below(50) === 0) bytes.pop();
	return Uint8Array.from(bytes);
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

describe("modules/can-gateway core against the plan interpreter", () => {
	it(`agrees on ${PLANS} random plans and ${PLANS * FRAMES_PER_PLAN} frames`, function () {
		this.timeout(60000);
		const here = dirname(fileURLToPath(import.meta.url));
		const program = compile("differential", [join(here, "differential/differential.c")]);
		const random = generator(20261121);
		const interpreter = new PlanInterpreter();
		const commands: string[] = [];
		const expected: string[] = [];
		const seen = { refused: 0, changed: 0 };
		for (let p = 0; p < PLANS; p++) {
			const plan = randomPlan(random);
			commands.push(`L ${hex(plan)}`);
			try {
				interpreter.load(plan);
				expected.push("ok");
			} catch (error) {
				assert.ok(error instanceof RangeError);
				expected.push("refused");
				seen.refused++;
			}
			for (let f = 0; f < FRAMES_PER_PLAN; f++) {
				if (f % 20 === 0) {
					const factor = random.of([0, 25600, random.below(25601)]);
					const groups = random.of([255, random.below(256)]);
					commands.push(`C ${factor} ${groups}`);
					interpreter.commit(factor, groups);
				}
				const [bus, id, dlc] = [random.below(2), random.of(IDS), random.of([8, 8, random.below(9)])];
				const data = Uint8Array.from({ length: 8 }, () => random.below(256));
				if (random.below(2) === 0) data.set(interpreter.sealed(bus, id, dlc, data));
				const remote = random.below(20) === 0;
				const flagged = remote ? (id | 0x40000000) >>> 0 : id;
				commands.push(`P ${bus} ${flagged} ${dlc} ${hex(data)}`);
				const sent = interpreter.pass(bus, flagged, dlc, data);
				expected.push(remote ? "" : hex(sent));
				if (hex(sent) !== hex(data.slice(0, dlc))) seen.changed++;
			}
		}
		const output = execFileSync(program, { input: commands.join("\n"), encoding: "utf8", maxBuffer: 1 << 26 });
		const actual = output.split("\n").slice(0, -1);
		const answered = commands.filter((command) => !command.startsWith("C"));
		assert.equal(actual.length, expected.length);
		for (let i = 0; i < actual.length; i++) assert.equal(actual[i], expected[i], `answer ${i} to ${answered[i]}`);
		// The comparison means something only if much was rewritten and some plans were rejected.
		assert.ok(seen.changed > (PLANS * FRAMES_PER_PLAN) / 10, `changed ${seen.changed}`);
		assert.ok(seen.refused > PLANS / 50, `refused ${seen.refused}`);
	});
});
