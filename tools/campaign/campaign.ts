/**
 * The campaign: every fault in every state of the controller, on each generation and in each frame profile,
 * and two at a time drawn from a seed. Deterministic: the same seed gives the same figures and complaints.
 */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { generator } from "../random.js";
import { Drive } from "./drive.js";
import { BACK_SLOWLY_MS, FAULTS, type Fault } from "./faults.js";
import { STATES, type State } from "./states.js";
import { judgeLog, judgeStatus } from "./status-judge.js";
import { type Generation, isGenerated, type Profile } from "./tables.js";

const CONTROL_MS = 2000;
const POLL_MS = 10;
const GENERATIONS: readonly Generation[] = [1, 2, 4, 5, 51, 53];
/** Heat and faults of the coupling keep it open for this long. */
const COOL_DOWN_MS = 10_000;
const PROFILES: readonly Profile[] = ["reference", "corrected"];
/** Without a car the controller listens for 3 s, begins, and control returns slowly. */
const READY_MS = 6000;
/**
 * Faults of which the controller may see more than the frames tell: its clock, its gateway, a queue that is
 * full; frames that may be believed for a while, or whose counter is cut off; a source of the speed that is
 * missing, before another one takes over. A calibration goes on in spite of them, or ends.
 */
const MAY_END_CALIBRATION = /clock-jump|gateway-stalled|tx-full|power-cut|car: (speed-|frozen|counter|wrong-checksum|report-)/;
/** Pairs of faults at once in each state. */
const PAIRS = 12;
/** Drives at the same time. */
const SIDE_BY_SIDE = 2;

/** Which drives are made. */
export interface Options {
	readonly seed: number;
	/** Only each M-th of the drives, from the N-th on. Default: all. */
	readonly part?: readonly [n: number, m: number];
	/** Only what matches as complaints name it, "STATE, generation G, PROFILE: FAULT", one at a time. */
	readonly grep?: RegExp | undefined;
	readonly program: string;
}

/** What the drives showed. */
export interface Result {
	/** What was tried, as complaints name it. */
	readonly trials: string[];
	/** Frames that left and were judged, and how many of them were commands. */
	frames: number;
	commands: number;
	readonly complaints: string[];
}

/** One fault, or a second one beside it a while later. */
interface Trial {
	readonly faults: readonly Fault[];
	readonly laterMs: number;
}
const alone = (fault: Fault): Trial => ({ faults: [fault], laterMs: 0 });

/** One process: a state on a generation and profile, and the faults that follow one another there. */
interface Leg {
	readonly state: State;
	readonly generation: Generation;
	readonly profile: Profile;
	readonly trials: readonly Trial[];
}

/** As complaints name it. */
const nameOf = ({ state, generation, profile }: Omit<Leg, "trials">): string =>
	`${state.name}, generation ${generation}, ${profile}`;

function legsOf({ seed, grep }: Options): Leg[] {
	const random = generator(seed);
	const legs: Leg[] = [];
	for (const state of STATES)
		for (const generation of GENERATIONS)
			for (const profile of PROFILES) {
				if (state.isShort && isGenerated(generation, state.wishes.isAlone === true)) continue;
				const possible = FAULTS.filter(({ only }) => only?.(state, generation) ?? true);
				const leg = { state, generation, profile };
				const named = possible.filter(({ name }) => grep?.test(`${nameOf(leg)}: ${name}`) ?? true);
				const lasting = named.filter((fault) => !fault.fatal);
				if (state.brief) for (const fault of lasting) legs.push({ ...leg, trials: [alone(fault)] });
				else if (lasting.length > 0) legs.push({ ...leg, trials: lasting.map(alone) });
				for (const fault of named) if (fault.fatal) legs.push({ ...leg, trials: [alone(fault)] });
				if (grep !== undefined || state.brief || state.wishes.isAlone) continue;
				const free = lasting.filter((fault) => fault.backMs < COOL_DOWN_MS && !fault.single);
				const draw = (): Trial => ({ faults: [random.of(free), random.of(free)], laterMs: random.below(400) });
				const pairs = Array.from({ length: PAIRS }, draw).filter(({ faults: [one, two] }) => one !== two);
				legs.push({ ...leg, trials: pairs });
			}
	return legs;
}

/** Makes the drives, two at a time. */
export async function campaign(options: Options): Promise<Result> {
	const result: Result = { trials: [], frames: 0, commands: 0, complaints: [] };
	const [n, m] = options.part ?? [1, 1];
	const legs = legsOf(options).filter((_, i) => i % m === n - 1);
	const results: string[][] = legs.map(() => []);
	let next = 0;
	const worker = async (): Promise<void> => {
		for (let i = next++; i < legs.length; i = next++) results[i] = await runLeg(legs[i], options.program, result);
	};
	await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
	result.complaints.push(...results.flat());
	return result;
}

/** Starts it for the third time in a row after a crash. */
async function startCrashed(drive: Drive): Promise<void> {
	await drive.boot(["--fault", "script-crashed=50"]);
	await drive.run(100);
	if (!drive.crashed) throw new Error(`the controller did not crash but ended with ${drive.lockstep.exitCode}`);
	writeFileSync(join(drive.flash, "crashes"), "2");
	await drive.boot();
}

/** @returns its complaints */
async function runLeg(leg: Leg, program: string, result: Result): Promise<string[]> {
	const { state, generation, profile } = leg;
	const drive = await Drive.start(program, { ...state, generation, profile });
	const where = nameOf(leg);
	try {
		drive.subject = `${where}: start`;
		if (state.crashed) await startCrashed(drive);
		await settle(drive, state);
		for (const { faults, laterMs } of leg.trials) {
			drive.subject = `${where}: ${faults.map(({ name }) => name).join(` and, ${laterMs} ms later, `)}`;
			result.trials.push(drive.subject);
			await state.keep?.(drive);
			await tryFaults(drive, state, faults, laterMs);
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
	await judgeCondition(drive, state);
	await judgeLogOf(drive, state, 0, []);
}

/** Complains of a condition that is not as the state and the car want it: it may have lost its meaning. */
async function judgeCondition(drive: Drive, { wishes }: State): Promise<void> {
	if (wishes.triggerMode === undefined && wishes.condition === undefined) return;
	const isSet = wishes.triggerMode !== undefined || drive.car.hazardLights?.(drive.nowMs);
	const expected = isSet === undefined ? "no signal" : isSet ? "acts" : "waits";
	const answer = await drive.ask("GET", "/api/conditions");
	const { conditions } = JSON.parse(answer?.text ?? "{}") as { conditions?: readonly { doing: string }[] };
	if (conditions?.[0]?.doing !== expected)
		drive.complain(`the condition has to be "${expected}", /api/conditions says ${answer?.text}`);
}

/** Time until frames are generated, where they are. */
const readyMs = ({ moments }: Drive): number => (moments.generates ? READY_MS : 0);

async function tryFaults(drive: Drive, state: State, faults: readonly Fault[], laterMs: number): Promise<void> {
	const lines = drive.log.length;
	await happen(drive, faults, laterMs);
	const [first] = faults;
	if (first.fatal) await restart(drive, state, first);
	else {
		await state.leave?.(drive);
		const backMs = faults.reduce((sum, fault) => sum + fault.backMs, 0);
		// what was under way may have been dropped just now
		await recover(drive, state.leave === undefined ? backMs : Math.max(backMs, BACK_SLOWLY_MS));
	}
	await judgeLogOf(drive, state, lines, faults);
	if (faults.length === 1) return;
	// what one had changed the other may have put back
	await state.enter?.(drive);
	await drive.run(CONTROL_MS);
}

/** In a boot loop nothing is written to it. */
async function judgeLogOf(drive: Drive, state: State, since: number, faults: readonly Fault[]): Promise<void> {
	const errors = [state, ...faults].flatMap(({ errors = [] }) => errors);
	if (!state.crashed) await judgeLog(drive, since, errors);
}

/** Restarts the controller after a fault that ends it, as a board would. */
export async function restart(drive: Drive, state: State, fault: Fault): Promise<void> {
	if (!drive.lockstep.hasEnded && !fault.boots) await judgeStatus(drive);
	drive.demands.standing.delete("capture");
	drive.demands.standing.delete("update");
	drive.car.abs = undefined;
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

/**
 * Lets faults begin, each a while after the one before. When each has lasted for its time, all end, the last
 * one first. A fault that ends the controller only begins.
 */
export async function happen(drive: Drive, faults: readonly Fault[], laterMs = 0): Promise<void> {
	const ends: unknown[] = [];
	let untilMs = drive.nowMs;
	for (const fault of faults) {
		if (ends.length > 0) await drive.run(laterMs);
		if (MAY_END_CALIBRATION.test(fault.name)) drive.demands.calibration?.mayEnd(drive.nowMs);
		ends.unshift(await fault.begin(drive));
		untilMs = Math.max(untilMs, drive.nowMs + fault.ms);
	}
	await drive.run(untilMs - drive.nowMs);
	if (faults[0].fatal) return;
	if (faults.length === 1 && !drive.demands.isStalledAt(drive.nowMs - 1)) await judgeStatus(drive);
	for (const end of ends) if (typeof end === "function") await end();
}

/** The faults are over. Complains unless all is as before in time. */
export async function recover(drive: Drive, faultBackMs: number): Promise<void> {
	// lock that the mode asks for no more is released first
	const releaseMs = drive.demands.targetPercent === 0 ? 100_000 / drive.demands.wishes.releaseRate : 0;
	const backMs = releaseMs + readyMs(drive) + (drive.car.abs === undefined ? faultBackMs : Math.max(faultBackMs, BACK_SLOWLY_MS));
	drive.car.abs = undefined;
	const endedMs = drive.nowMs;
	// an open coupling is what has to be until it has cooled down, but not what is asked for
	if (backMs > COOL_DOWN_MS && !drive.demands.isStockForGood) await drive.run(COOL_DOWN_MS);
	while (drive.nowMs - endedMs < backMs && !drive.isSteady) await drive.run(POLL_MS);
	const tookMs = drive.nowMs - endedMs;
	drive.judgeSteady(`${backMs} ms after its end`);
	await drive.run(Math.max(0, 300 - tookMs));
	await judgeStatus(drive);
}
