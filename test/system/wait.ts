/**
 * The clock of a test, and waiting by condition. While a bench runs, its time is virtual: it goes on only
 * while a test waits, and no machine is too slow for it.
 */

/** What lives in the test's time: a controller with the car around it. */
export interface Stepped {
	/** A request of the test is under way: time stands still until it is answered, if it can be. */
	readonly isAsked: boolean;
	/** A browser or another program takes part: time goes on no faster than the machine's. */
	readonly isPaced: boolean;
	/** Lets time go on from `fromMs`; 0 ms: only what can be done now is done. */
	step(fromMs: number, ms: number): Promise<void>;
}

interface Sleeper {
	readonly dueMs: number;
	readonly resolve: () => void;
	readonly reject: (error: unknown) => void;
}

/** The longer a condition is waited for, the rarer it is looked at: each look costs both sides something. */
const POLL_MS = 5;
const POLL_MS_MAX = 20;
/** Of a condition that asks the controller. */
const ASK_MS = 10;
const ASK_MS_MAX = 100;
const POLL_SHARE = 8;
/** What goes on at once at most, for clients in this process to have their turns. */
const STEP_MS_MAX = 50;
/**
 * While no test waits for the clock, a client works. Time goes on in small steps, with a turn for the client
 * between two.
 */
const IDLE_MS = 1;
const IDLE_STEP_MS = 10;
/** Beside a browser, which notices no shorter steps. */
const PACED_STEP_MS = 25;
/** A machine that was late by more than this does not catch up. */
const PACED_STEP_MS_MAX = 50;
/**
 * Looks at the sockets while time stands still; an answer that has not come then waits for a tick, and one
 * that has not come for a while for something that takes time.
 */
const LOOKS = 4;
const ANSWER_STEP_MS = 2;
const SOON_MS = 20;
const LATE_STEP_MS = 10;

const realSleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let nowMs = 0;
const benches = new Set<Stepped>();
let sleepers: Sleeper[] = [];
let runs = false;
/** Of a bench: all that wait get it. */
let failure: unknown;
/** For how long time has gone on for an answer. */
let askedMs = 0;

/**
 * Time of the test, ms; during a step its end: what happens then happens at the latest now, and what is asked
 * for takes effect after it.
 */
export const now = (): number => nowMs;

/** From now on the clock is this bench's as well. @returns a function that takes it out */
export function join(bench: Stepped): () => void {
	failure = undefined;
	benches.add(bench);
	if (!runs) void run();
	return () => benches.delete(bench);
}

const isAsked = (): boolean => [...benches].some((bench) => bench.isAsked);
const isPaced = (): boolean => [...benches].some((bench) => bench.isPaced);

async function run(): Promise<void> {
	runs = true;
	let realMs = performance.now();
	try {
		while (benches.size > 0) {
			realMs = await goOn(realMs);
			wake();
			await nextTurn();
		}
	} catch (error) {
		failure = error;
		for (const { reject } of sleepers.splice(0)) reject(error);
	}
	runs = false;
	// without a bench the machine's clock wakes who still sleeps
	for (const { dueMs, resolve } of sleepers.splice(0)) setTimeout(resolve, dueMs - nowMs);
}

/**
 * Lets time go on as far as it may.
 * @param realMs when it did so last
 * @returns when it has done so
 */
async function goOn(realMs: number): Promise<number> {
	if (isAsked()) {
		const isLate = askedMs >= SOON_MS;
		for (let look = 0; look < (isLate ? 1 : LOOKS) && isAsked(); look++) {
			await stepAll(0);
			await nextTurn();
		}
		if (!isAsked()) return performance.now();
		const ms = isLate ? LATE_STEP_MS : ANSWER_STEP_MS;
		askedMs += ms;
		await stepAll(ms);
		return performance.now();
	}
	askedMs = 0;
	if (sleepers.length === 0) {
		await realSleep(isPaced() ? PACED_STEP_MS : IDLE_MS);
		const elapsedMs = Math.max(1, Math.floor(performance.now() - realMs));
		if (sleepers.length === 0) await stepAll(isPaced() ? Math.min(elapsedMs, PACED_STEP_MS_MAX) : IDLE_STEP_MS);
	} else {
		const dueMs = Math.min(...sleepers.map((sleeper) => sleeper.dueMs));
		const ms = Math.min(Math.max(1, Math.ceil(dueMs - nowMs)), STEP_MS_MAX);
		await stepAll(ms);
		const aheadMs = ms - (performance.now() - realMs);
		if (aheadMs > 0 && isPaced()) await realSleep(aheadMs);
	}
	return performance.now();
}

async function stepAll(ms: number): Promise<void> {
	const fromMs = nowMs;
	nowMs += ms;
	await Promise.all([...benches].map((bench) => bench.step(fromMs, ms)));
}

function wake(): void {
	const due = sleepers.filter(({ dueMs }) => dueMs <= nowMs);
	sleepers = sleepers.filter(({ dueMs }) => dueMs > nowMs);
	for (const { resolve } of due.sort((a, b) => a.dueMs - b.dueMs)) resolve();
}

/**
 * Waits in the test's time; without a bench, in real time. Then the test's time stands still: a bench may
 * have started before the sleep ends.
 */
export async function sleep(ms: number): Promise<void> {
	if (failure !== undefined) throw failure;
	if (runs) return new Promise((resolve, reject) => sleepers.push({ dueMs: nowMs + ms, resolve, reject }));
	await realSleep(ms);
}

/** Does something again and again in the test's time. @returns a function that ends it */
export function every(ms: number, work: () => void): () => void {
	let ended = false;
	const go = async (): Promise<void> => {
		for (await sleep(ms); !ended; await sleep(ms)) work();
	};
	go().catch(() => undefined); // who waits for the bench says so
	return () => (ended = true);
}

type Settled<T> = T extends false | undefined ? never : T;

/**
 * Polls until the condition gives something;
 * @throws {Error} naming `what` when it is too late. `what` may tell the last state.
 */
export async function until<T>(
	condition: () => T | Promise<T>,
	timeoutMs: number,
	what: string | (() => string),
): Promise<Settled<T>> {
	const since = nowMs;
	let sleptMs = 0;
	for (;;) {
		const answer = condition();
		const value = await answer;
		if (value !== undefined && value !== false) return value as Settled<T>;
		const waitedMs = Math.max(sleptMs, nowMs - since);
		if (waitedMs > timeoutMs) throw new Error(`not within ${timeoutMs} ms: ${typeof what === "string" ? what : what()}`);
		const [leastMs, mostMs] = answer instanceof Promise ? [ASK_MS, ASK_MS_MAX] : [POLL_MS, POLL_MS_MAX];
		const pauseMs = Math.max(leastMs, Math.min(mostMs, waitedMs / POLL_SHARE));
		await sleep(pauseMs);
		sleptMs += pauseMs;
	}
}
