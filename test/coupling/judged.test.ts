/**
 * All plans by the fault campaign's judge of frames, which has the tables of `docs/control-and-can.md` 3.3 to 3.14
 * typed in anew: what is rewritten or generated, at which lock, and what is left alone.
 */
import assert from "node:assert/strict";
import { commandFactor } from "../../src/controller/lock-factor.js";
import { FRAME_PROFILES, GENERATIONS } from "../../src/coupling/couplings/couplings.js";
import { chosenPlan, planFollowsMode } from "../../src/coupling/frame-plan.js";
import { ALL_GROUPS } from "../../src/coupling/plan-format.js";
import { MAP, MODES } from "../../src/lock/modes.js";
import { FrameJudge, type WireFrame } from "../../tools/campaign/frame-judge.js";
import { MARKS } from "../../tools/campaign/marks.js";
import { isGenerated, lockOf, type Profile, type Row, tableOf } from "../../tools/campaign/tables.js";
import { generator, type Random } from "../../tools/random.js";
import { EXTENDED, PlanInterpreter, REMOTE } from "../support/plan-interpreter.js";

const LOCKS_PERCENT = [0, 1, 20, 50, 80, 99, 100];
/** At this one each counter wraps, and each pair of bytes is at the limits. */
const HALF_PERCENT = 50;
const TOLERANCE_PERCENT = 0.5;
const FRAMES = 40;
const GENERATED_MS = 2000;
/** Bytes below and above the limits of 3.13. */
const LIMITS = [0x00, 0x01, 0x7f, 0x80, 0xa0, 0xb0, 0xe8, 0xec, 0xfc, 0xfd, 0xfe, 0xff];
/** Nothing, and other torques beside frames that are left alone. */
const CHOICES = [
	{ ceilingNm: undefined, off: [] },
	{ ceilingNm: 150, off: [0x0a8, 0x116, 0x280] },
];

/** One that marks nothing as invalid, but for its content. */
const frameOf = (id: number, content: Readonly<Record<number, number>> = {}): WireFrame => ({
	id,
	flags: 0,
	data: Object.assign(Uint8Array.of(0, 0, 0, 0, 0x80, 0, 0, 0), content),
});

function aFrame(random: Random, id: number): WireFrame {
	const { data } = frameOf(id);
	for (let bytes = random.of([0, 1, 2, 4, 8]); bytes > 0; bytes--)
		data[random.below(8)] = random.below(4) === 0 ? random.below(256) : random.of(LIMITS);
	const length = random.below(8) === 0 ? random.below(8) : 8;
	return { id, flags: random.below(8) === 0 ? random.of([EXTENDED, REMOTE]) : 0, data: data.subarray(0, length) };
}

function* received(random: Random, rows: readonly Row[], lockPercent: number): Iterable<WireFrame> {
	for (const { id } of rows) for (let i = 0; i < FRAMES; i++) yield aFrame(random, id);
	if (lockPercent !== HALF_PERCENT) return;
	for (let id = 0; id <= 0x7ff; id++) yield aFrame(random, id);
	for (const { id } of rows)
		for (let at = 0; at < 7; at++)
			for (const one of LIMITS) for (const other of LIMITS) yield frameOf(id, { [at]: one, [at + 1]: other });
}

/** Undefined came what was generated. */
type Passed = readonly [came: WireFrame | undefined, left: WireFrame];

/** With valid checksums mostly. */
function* rewritten(plan: PlanInterpreter, random: Random, rows: readonly Row[], lockPercent: number): Iterable<Passed> {
	for (const { id, flags, data } of received(random, rows, lockPercent)) {
		const sent = random.below(4) === 0 ? data : plan.sealed(0, id, data.length, data);
		yield [
			{ id, flags, data: sent },
			{ id, flags, data: plan.pass(0, id + flags, sent.length, sent) },
		];
	}
}

function* generated(plan: PlanInterpreter): Iterable<Passed> {
	for (let ms = 0; ms < GENERATED_MS; ms += 5)
		for (const frame of plan.generated(ms))
			yield [undefined, { id: frame[0] * 256 + frame[1], flags: 0, data: frame.subarray(2) }];
}

/** Of a row, whatever its mode. */
const nameOf = ({ id, tokens }: Row): string => `0x${id.toString(16)} ${tokens[0]}`;
/** Marks of what the row writes; proportional torques have their own. */
const marksOf = ({ id, tokens, ceilingNm }: Row): (typeof MARKS)[number] =>
	ceilingNm === undefined ? (MARKS[id] ?? []).filter(([from, to]) => tokens[from] !== ".." || tokens[to] !== "..") : [];

/** Reads what left at all locks, and what was met by then. */
class Readings {
	readonly #rows: readonly Row[];
	readonly #profile: Profile;
	/** How often each row was read as a command. */
	readonly #commands = new Map<string, number>();
	/** Marks that have kept a frame as it came, each alone. */
	readonly #marks = new Set<unknown>();

	constructor(rows: readonly Row[], profile: Profile) {
		this.#rows = rows;
		this.#profile = profile;
	}

	/** @throws {Error} a frame left otherwise than the tables say, or says another lock */
	read(judge: FrameJudge, [came, left]: Passed, lockPercent: number): void {
		const reading = judge.read(came, left);
		const where = `0x${left.id.toString(16)} at ${lockPercent} %`;
		if (reading.kind === "wrong") assert.fail(`${where}: ${reading.why}`);
		if (reading.kind === "stock") assert.fail(`${where}: ${left.data} is left alone`);
		if (reading.kind === "foreign") {
			const row = this.#rows.find(({ id }) => id === left.id);
			const marks = row === undefined ? [] : marksOf(row).filter(([, , isMarked]) => isMarked(left.data));
			if (marks.length === 1) this.#marks.add(marks[0]);
		}
		if (reading.kind !== "command") return;
		const { row, share } = reading;
		const { least, most } = lockOf(share, this.#profile) ?? { least: Number.NaN, most: Number.NaN };
		if (!(least <= lockPercent + TOLERANCE_PERCENT && most >= lockPercent - TOLERANCE_PERCENT))
			assert.fail(`${where}: ${left.data} says ${least} to ${most} %`);
		this.#commands.set(nameOf(row), (this.#commands.get(nameOf(row)) ?? 0) + 1);
	}

	/** @throws {Error} a row or mark was not met, or a frame did not come at its period */
	end(): void {
		assert.ok(this.#rows.length > 0);
		for (const row of this.#rows) {
			const times = this.#commands.get(nameOf(row)) ?? 0;
			if (row.periodMs > 0) assert.equal(times, (LOCKS_PERCENT.length * GENERATED_MS) / row.periodMs, nameOf(row));
			else assert.ok(times > 0 && marksOf(row).every((mark) => this.#marks.has(mark)), nameOf(row));
		}
	}
}

describe("coupling: plans by the campaign's judge", () => {
	for (const generation of GENERATIONS)
		for (const frameProfile of FRAME_PROFILES)
			for (const standalone of [false, true])
				it(`generation ${generation}, ${frameProfile}${standalone ? ", standalone" : ""}`, () => {
					const modes = planFollowsMode(generation, frameProfile) ? [...MODES.keys()] : [MAP];
					for (const { ceilingNm, off } of CHOICES)
						for (const mode of modes) {
							const choice = { ceilingNm, off };
							const { rows } = tableOf(generation, frameProfile, standalone, MODES[mode], choice);
							const readings = new Readings(rows, frameProfile);
							const random = generator(mode);
							const bytes = chosenPlan(
								{
									generation,
									frameProfile,
									standalone,
									torqueModel: ceilingNm === undefined ? "pinned" : "proportional",
									torqueCeilingNm: ceilingNm ?? 0,
									framesOff: off.map((id) => `0x${id.toString(16)}`).join(" "),
								},
								mode,
							);
							for (const lockPercent of LOCKS_PERCENT) {
								const plan = new PlanInterpreter();
								plan.load(bytes);
								plan.commit(commandFactor(lockPercent, null, frameProfile), ALL_GROUPS);
								const judge = new FrameJudge(generation, frameProfile, standalone, choice);
								judge.modes = [MODES[mode]];
								const isAlone = isGenerated(generation, standalone);
								const all = isAlone ? generated(plan) : rewritten(plan, random, rows, lockPercent);
								for (const passed of all) readings.read(judge, passed, lockPercent);
							}
							readings.end();
						}
				});
});
