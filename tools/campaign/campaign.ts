/**
 * The campaign: every fault in every state of the controller, on each generation and in each frame profile,
 * and two at a time drawn from a seed. Deterministic: the same seed gives the same figures and complaints.
 */

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generator } from "../../test/support/random.js";
import type { Character } from "../vehicle/coupling-inputs.js";
import { beginsInCalibration } from "./calibrating.js";
import { Drive } from "./drive.js";
import { BACK_SLOWLY_MS, begin, type End, FAULTS, type Fault } from "./faults.js";
import { Lockstep } from "./lockstep.js";
import { STATES, type State } from "./states.js";
import { judgeLog, judgeStatus } from "./status-judge.js";
import { type Generation, isGenerated, type Profile } from "./tables.js";

const CONTROL_MS = 2000;
const POLL_MS = 10;
const GENERATIONS: readonly Generation[] = [1, 2, 4, 5, 51, 53];
/** Heat and faults of the coupling keep it open for this long. */
const COOL_DOWN_MS = 10_000;
const PROFILES: readonly Profile[] = ["reference", "corrected"];
const CHARACTERS: readonly [Character, Character] = ["lenient", "strict"];
/** Without a car the controller listens for 3 s, begins, and control returns slowly. */
const READY_MS = 6000;
/** Pairs of faults at once in each state. */
const PAIRS = 12;

export interface Options {
	readonly seed: number;
	/** Only each M-th of the drives, from the N-th on. */
	readonly part: readonly [n: number, m: number];
	/** Only what matches as "STATE: FAULT", one at a time. */
	readonly grep?: RegExp | undefined;
	/** Absent: the four that are no variant of another. */
	readonly generations?: readonly Generation[];
	readonly sideBySide: number;
	readonly program: string;
}

export interface Result {
	combinations: number;
	/** Frames that left and were judged, and how many of them were commands. */
	frames: number;
	commands: number;
	readonly complaints: string[];
}

/** One process: a state on a generation and profile, and the faults that follow one another there. */
interface Leg {
	readonly state: State;
	readonly generation: Generation;
	readonly profile: Profile;
	readonly character: Character;
	readonly faults: readonly (readonly [Fault] | readonly [Fault, Fault, number])[];
}

function legsOf({ seed, grep, generations = GENERATIONS }: Options): Leg[] {
	const random = generator(seed);
	const legs: Leg[] = [];
	for (const state of STATES)
		for (const generation of generations)
			for (const profile of PROFILES) {
				if (state.isShort && isGenerated(generation, state.wishes.isAlone === true)) continue;
				const possible = FAULTS.filter(({ only }) => only?.(state, generation) ?? true);
				const named = possible.filter(({ name }) => grep?.test(`${state.name}: ${name}`) ?? true);
				const lasting = named.filter((fault) => !fault.fatal);
				// one after the other; the pairs have the other one
				const [character, other] = legs.length % 2 === 0 ? CHARACTERS : [...CHARACTERS].reverse();
				const leg = { state, generation, profile, character };
				if (state.brief) for (const fault of lasting) legs.push({ ...leg, faults: [[fault]] });
				else if (lasting.length > 0) legs.push({ ...leg, faults: lasting.map((fault) => [fault] as const) });
				for (const fault of named) if (fault.fatal) legs.push({ ...leg, faults: [[fault]] });
				if (grep !== undefined || state.brief || state.wishes.isAlone) continue;
				const free = lasting.filter((fault) => fault.backMs < COOL_DOWN_MS);
				const draw = (): readonly [Fault, Fault, number] => [random.of(free), random.of(free), random.below(400)];
				legs.push({
					...leg,
					character: other,
					faults: Array.from({ length: PAIRS }, draw).filter(([one, other]) => one !== other),
				});
			}
	return legs;
}

/** A flash folder on which the controller has crashed three times in a row. */
async function crashedFlash(program: string, folder: string): Promise<string> {
	const flash = join(folder, "crashed");
	mkdirSync(flash);
	for (let crash = 0; crash < 3; crash++) {
		const lockstep = await Lockstep.start(program, join(folder, "http"), ["--flash", flash, "--fault", "script-crashed=50"]);
		await lockstep.run(100);
		if (lockstep.exitCode !== 105) throw new Error(`the controller did not crash but ended with ${lockstep.exitCode}`);
	}
	return flash;
}

export async function campaign(options: Options): Promise<Result> {
	const result: Result = { combinations: 0, frames: 0, commands: 0, complaints: [] };
	const [n, m] = options.part;
	const legs = legsOf(options).filter((_, i) => i % m === n - 1);
	const folder = mkdtempSync(join(tmpdir(), "oc-campaign-"));
	try {
		const flash = legs.some(({ state }) => state.crashed) ? await crashedFlash(options.program, folder) : undefined;
		const results: string[][] = legs.map(() => []);
		let next = 0;
		const worker = async (): Promise<void> => {
			for (let i = next++; i < legs.length; i = next++) results[i] = await runLeg(legs[i], options.program, flash, result);
		};
		await Promise.all(Array.from({ length: options.sideBySide }, worker));
		result.complaints.push(...results.flat());
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
	return result;
}

/** @returns its complaints */
async function runLeg(leg: Leg, program: string, crashed: string | undefined, result: Result): Promise<string[]> {
	const { state, generation, profile, character } = leg;
	const drive = await Drive.start(program, {
		...state,
		generation,
		profile,
		character,
		flash: state.crashed ? crashed : undefined,
	});
	const where = `${state.name}, generation ${generation}, ${profile}, ${character} coupling`;
	try {
		drive.subject = `${where}: start`;
		await settle(drive, state);
		for (const [fault, other, laterMs] of leg.faults) {
			drive.subject = `${where}: ${fault.name}${other === undefined ? "" : ` and, ${laterMs} ms later, ${other.name}`}`;
			result.combinations++;
			await state.keep?.(drive);
			if (other === undefined || laterMs === undefined) await tryFault(drive, state, fault);
			else await tryTwo(drive, state, fault, other, laterMs);
		}
	} catch (error) {
		drive.complain(`${error instanceof Error ? error.stack : error}\n${drive.lockstep.complaints}`);
	} finally {
		await drive.end();
	}
	result.frames += drive.figures.frames;
	result.commands += drive.figures.commands;
	return drive.complaints;
}

async function settle(drive: Drive, state: State): Promise<void> {
	await drive.run(state.afterMs ?? CONTROL_MS);
	await state.enter?.(drive);
	if (state.afterMs !== undefined) return;
	await drive.run(CONTROL_MS + readyMs(drive));
	drive.judgeSteady("before any fault");
	await judgeStatus(drive);
	await judgeLogOf(drive, state, 0, []);
}

/** Time until frames are generated, where they are. */
const readyMs = ({ moments }: Drive): number => (moments.generates ? READY_MS : 0);

async function tryFault(drive: Drive, state: State, fault: Fault): Promise<void> {
	const lines = drive.log.length;
	beginsInCalibration(drive, fault.name);
	const end = await begin(fault, drive);
	await drive.run(fault.ms);
	if (fault.fatal) {
		await restart(drive, state, fault);
		await judgeLogOf(drive, state, lines, [fault], fault.logged);
		return;
	}
	if (!drive.demands.isStalledAt(drive.nowMs - 1)) await judgeStatus(drive);
	await end?.();
	await state.leave?.(drive, fault.name);
	// what was under way may have been dropped just now
	await recover(drive, state.leave === undefined ? fault.backMs : Math.max(fault.backMs, BACK_SLOWLY_MS));
	await judgeLogOf(drive, state, lines, [fault], fault.logged);
}

/** A write that is to fail waits for the next one, which may come with a later fault. */
const NOT_STORED = /ERROR\tstorage\t.* can't be stored: /;

/** In a boot loop nothing is written to it. @param must of two faults one may hide the other */
async function judgeLogOf(drive: Drive, state: State, since: number, faults: readonly Fault[], must?: RegExp): Promise<void> {
	if (state.crashed) return;
	const errors = faults.flatMap(({ logged, errors }) => [logged, errors]).filter((line) => line !== undefined);
	await judgeLog(drive, since, must, [...errors, ...(state.errors ?? []), NOT_STORED]);
}

/** What ends the controller, as a board would restart. */
async function restart(drive: Drive, state: State, fault: Fault): Promise<void> {
	if (!drive.lockstep.hasEnded && !fault.boots) await judgeStatus(drive);
	drive.demands.standing.delete("capture");
	drive.demands.standing.delete("update");
	drive.car.pulse = undefined;
	drive.keepAlive = undefined;
	if (fault.name.startsWith("power-cut") && !drive.lockstep.hasEnded && state.crashed === undefined)
		drive.complain("nothing was stored, so the power was not cut");
	// in a boot loop the supply was switched off and on: that leads out
	const hasCrashed = drive.crashed || drive.lockstep.exitCode === 101 || fault.boots === "as a crash";
	if (state.crashed && !hasCrashed) drive.demands.standing.delete("bootLoop");
	if (!fault.boots) await drive.boot();
	await drive.run(CONTROL_MS + fault.backMs + readyMs(drive));
	drive.judgeSteady("after the restart");
	await judgeStatus(drive);
}

export async function recover(drive: Drive, faultBackMs: number): Promise<void> {
	// what asks for nothing any more is released first
	const releaseMs = drive.demands.targetPercent === 0 ? 100_000 / drive.demands.wishes.releaseRate : 0;
	const backMs =
		releaseMs + readyMs(drive) + (drive.car.pulse === undefined ? faultBackMs : Math.max(faultBackMs, BACK_SLOWLY_MS));
	drive.car.pulse = undefined;
	const endedMs = drive.nowMs;
	// an open coupling is what has to be until it has cooled down, but not what is asked for
	if (backMs > COOL_DOWN_MS && !drive.demands.isStockForGood) await drive.run(COOL_DOWN_MS);
	while (drive.nowMs - endedMs < backMs && !drive.isSteady) await drive.run(POLL_MS);
	const tookMs = drive.nowMs - endedMs;
	drive.judgeSteady(`${backMs} ms after its end`);
	await drive.run(Math.max(0, 300 - tookMs));
	await judgeStatus(drive);
}

async function tryTwo(drive: Drive, state: State, one: Fault, other: Fault, laterMs: number): Promise<void> {
	const fromMs = drive.nowMs;
	const lines = drive.log.length;
	const ends: (End | undefined)[] = [];
	const faults = [one, other];
	const beginning = (fault: Fault, i: number) => ({
		atMs: i * laterMs,
		happens: async (): Promise<void> => {
			ends[i] = await begin(fault, drive);
		},
	});
	const ending = (fault: Fault, i: number) => ({ atMs: i * laterMs + fault.ms, happens: () => ends[i]?.() });
	for (const { atMs, happens } of [...faults.map(beginning), ...faults.map(ending)].sort((a, b) => a.atMs - b.atMs)) {
		const waitMs = fromMs + atMs - drive.nowMs;
		if (waitMs > 0) await drive.run(waitMs);
		await happens();
	}
	await state.leave?.(drive, `${one.name} ${other.name}`);
	await recover(drive, one.backMs + other.backMs);
	await judgeLogOf(drive, state, lines, [one, other]);
	// what one had changed the other may have put back
	drive.car.meddling.clear();
	await state.enter?.(drive);
	await drive.run(CONTROL_MS);
}
