/**
 * The campaign: every fault in every state of the controller, on each generation and in each frame profile,
 * and two at a time drawn from a seed. Deterministic: the same seed gives the same figures and complaints.
 */

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Character } from "../vehicle/coupling-inputs.js";
import { beginsInCalibration } from "./calibrating.js";
import { Drive } from "./drive.js";
import { BACK_SLOWLY_MS, FAULTS, type Fault } from "./faults.js";
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
	/** Of the pairs. */
	readonly seed: number;
	/** Only each M-th of the drives, from the N-th on. */
	readonly part: readonly [n: number, m: number];
	/** Only faults and states whose names have this in them. */
	readonly grep?: string;
	/** Absent: the four that are no variant of another. */
	readonly generations?: readonly Generation[];
	/** Drives that run at once. */
	readonly sideBySide: number;
	readonly program: string;
}

export interface Result {
	/** Faults and pairs of faults that were tried. */
	combinations: number;
	frames: number;
	commands: number;
	/** From a fault's beginning to the last command before stock, ms, and after which. */
	worstToStockMs: number;
	worstToStock: string;
	/** From a fault's end until what is asked for is commanded again. */
	worstBackMs: number;
	worstBack: string;
	/** Percent. */
	worstAfterIntervention: number;
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

/** A generator of numbers below 2^32: xorshift. */
function randomOf(seed: number): (below: number) => number {
	let state = (seed * 2654435761 + 1) >>> 0 || 1;
	return (below) => {
		state ^= state << 13;
		state ^= state >>> 17;
		state ^= state << 5;
		state >>>= 0;
		return state % below;
	};
}

function legsOf({ seed, grep = "", generations = GENERATIONS }: Options): Leg[] {
	const random = randomOf(seed);
	const legs: Leg[] = [];
	for (const state of STATES)
		for (const generation of generations)
			for (const profile of PROFILES) {
				if (state.isShort && isGenerated(generation, state.wishes.isAlone === true)) continue;
				const possible = FAULTS.filter(({ only }) => only?.(state, generation) ?? true);
				const named = possible.filter((fault) => state.name.includes(grep) || fault.name.includes(grep));
				const lasting = named.filter((fault) => !fault.fatal);
				// one after the other; the pairs have the other one
				const [character, other] = legs.length % 2 === 0 ? CHARACTERS : [...CHARACTERS].reverse();
				const leg = { state, generation, profile, character };
				if (state.brief) for (const fault of lasting) legs.push({ ...leg, faults: [[fault]] });
				else if (lasting.length > 0) legs.push({ ...leg, faults: lasting.map((fault) => [fault] as const) });
				for (const fault of named) if (fault.fatal) legs.push({ ...leg, faults: [[fault]] });
				if (grep !== "" || state.brief || state.wishes.isAlone) continue;
				const free = lasting.filter((fault) => fault.backMs < COOL_DOWN_MS);
				const draw = (): readonly [Fault, Fault, number] => [free[random(free.length)], free[random(free.length)], random(400)];
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

/** Runs the campaign. */
export async function campaign(options: Options): Promise<Result> {
	const result: Result = {
		combinations: 0,
		frames: 0,
		commands: 0,
		worstToStockMs: 0,
		worstToStock: "",
		worstBackMs: 0,
		worstBack: "",
		worstAfterIntervention: 0,
		complaints: [],
	};
	const [n, m] = options.part;
	const legs = legsOf(options).filter((_, i) => i % m === n - 1);
	const folder = mkdtempSync(join(tmpdir(), "oc-campaign-"));
	try {
		const flash = await crashedFlash(options.program, folder);
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
async function runLeg(leg: Leg, program: string, crashed: string, result: Result): Promise<string[]> {
	const { state, generation, profile, character } = leg;
	const drive = await Drive.start(program, { ...state, generation, profile, character, flash: state.crashed && crashed });
	const where = `${state.name}, generation ${generation}, ${profile}, ${character} coupling`;
	try {
		drive.subject = `${where}: start`;
		await settle(drive, state);
		for (const [fault, other, laterMs] of leg.faults) {
			drive.subject = `${where}: ${fault.name}${other === undefined ? "" : ` and, ${laterMs} ms later, ${other.name}`}`;
			result.combinations++;
			await state.keep?.(drive);
			if (other === undefined || laterMs === undefined) await tryFault(drive, state, fault, result);
			else await tryTwo(drive, state, fault, other, laterMs);
		}
	} catch (error) {
		drive.complain(`${error instanceof Error ? error.stack : error}\n${drive.lockstep.complaints}`);
	} finally {
		await drive.end();
	}
	result.frames += drive.figures.frames;
	result.commands += drive.figures.commands;
	result.worstAfterIntervention = Math.max(result.worstAfterIntervention, drive.figures.worstAfterIntervention);
	return drive.complaints;
}

/** From a start into the state. */
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

async function tryFault(drive: Drive, state: State, fault: Fault, result: Result): Promise<void> {
	const beganMs = drive.nowMs;
	const lines = drive.log.length;
	const commanded = drive.isCommanding;
	beginsInCalibration(drive, fault.name);
	await fault.begin(drive);
	await drive.run(fault.ms);
	if (fault.fatal) {
		await restart(drive, state, fault);
		await judgeLogOf(drive, state, lines, [fault], fault.logged);
		return;
	}
	if (commanded && !drive.isCommanding && !drive.moments.generates) {
		const tookMs = drive.lastCommandMs - beganMs - (fault.toleratedMs ?? 0);
		if (tookMs > result.worstToStockMs) Object.assign(result, { worstToStockMs: tookMs, worstToStock: drive.subject });
	}
	if (!drive.demands.isStalledAt(drive.nowMs - 1)) await judgeStatus(drive);
	await fault.end?.(drive);
	await state.leave?.(drive, fault.name);
	// what was under way may have been dropped just now
	await recover(drive, state.leave === undefined ? fault.backMs : Math.max(fault.backMs, BACK_SLOWLY_MS), result);
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

/** Until all is as before. */
export async function recover(drive: Drive, faultBackMs: number, result?: Result): Promise<void> {
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
	if (result !== undefined && !drive.moments.generates && tookMs > result.worstBackMs && releaseMs === 0 && backMs < COOL_DOWN_MS)
		Object.assign(result, { worstBackMs: tookMs, worstBack: drive.subject });
	drive.judgeSteady(`${backMs} ms after its end`);
	await drive.run(Math.max(0, 300 - tookMs));
	await judgeStatus(drive);
}

async function tryTwo(drive: Drive, state: State, one: Fault, other: Fault, laterMs: number): Promise<void> {
	const fromMs = drive.nowMs;
	const lines = drive.log.length;
	const moments = [
		{ atMs: 0, happens: one.begin },
		{ atMs: laterMs, happens: other.begin },
		{ atMs: one.ms, happens: one.end },
		{ atMs: laterMs + other.ms, happens: other.end },
	].sort((a, b) => a.atMs - b.atMs);
	for (const { atMs, happens } of moments) {
		const waitMs = fromMs + atMs - drive.nowMs;
		if (waitMs > 0) await drive.run(waitMs);
		await happens?.(drive);
	}
	await state.leave?.(drive, `${one.name} ${other.name}`);
	await recover(drive, one.backMs + other.backMs);
	await judgeLogOf(drive, state, lines, [one, other]);
	// what one had changed the other may have put back
	drive.car.meddling.clear();
	await state.enter?.(drive);
	await drive.run(CONTROL_MS);
}
