/** Waiting by condition, and running cases side by side. */

const POLL_MS = 3;
/** A condition that asks the controller costs both sides a request: the longer the wait, the rarer it asks. */
const ASK_MS_MAX = 100;
const ASK_SHARE = 20;

/** What a transport and a scheduler on two noisy cores may add to a time that is measured from outside, ms. */
export const TRANSPORT_SLACK_MS = 30;
/** Controllers that run at once. */
const SIDE_BY_SIDE = 4;
const CASE_TIMEOUT_MS = 180_000;

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

type Settled<T> = T extends false | undefined ? never : T;

/** Polls until the condition gives something; @throws {Error} naming `what` when it is too late. `what` may tell the last state. */
export async function until<T>(
	condition: () => T | Promise<T>,
	timeoutMs: number,
	what: string | (() => string),
): Promise<Settled<T>> {
	const since = performance.now();
	for (;;) {
		const answer = condition();
		const value = await answer;
		if (value !== undefined && value !== false) return value as Settled<T>;
		const waitedMs = performance.now() - since;
		if (waitedMs > timeoutMs) throw new Error(`not within ${timeoutMs} ms: ${typeof what === "string" ? what : what()}`);
		const asks = answer instanceof Promise;
		await sleep(asks ? Math.max(POLL_MS, Math.min(ASK_MS_MAX, waitedMs / ASK_SHARE)) : POLL_MS);
	}
}

type Case = (title: string, run: () => Promise<void>) => void;

/** Of what is described: its title, or how many of its cases may run at once as well. */
type Suite = string | { readonly title: string; readonly atOnce: number };

/**
 * Describes cases that each have a controller of their own: they run side by side, at most `atOnce` together;
 * every `it` reports its own. What `--grep` leaves out does not run. These are measurements in real time on a machine that has other things
 * to do, the neighbours among them: a case that fails runs once more when all are through, alone, and that counts.
 */
export function describeSideBySide(suite: Suite, define: (it: Case) => void): void {
	const { title, atOnce } = typeof suite === "string" ? { title: suite, atOnce: SIDE_BY_SIDE } : suite;
	describe(title, function () {
		this.timeout(CASE_TIMEOUT_MS);
		const waiting: { title: string; start: () => Promise<void> }[] = [];
		const outcomes = new Map<string, Promise<void>>();
		let all: Promise<unknown> = Promise.resolve();
		define((name, run) => {
			let settle: { resolve: () => void; reject: (error: unknown) => void };
			outcomes.set(name, new Promise((resolve, reject) => (settle = { resolve, reject })));
			outcomes.get(name)?.catch(() => undefined); // its `it` reports it
			waiting.push({ title: name, start: () => run().then(settle.resolve, settle.reject) });
			it(name, async () => {
				try {
					await outcomes.get(name);
				} catch (error) {
					await all;
					console.log(`      ${name}: failed beside others, once more, alone: ${String(error).split("\n")[0]}`);
					await run();
				}
			});
		});
		before(function () {
			const wanted = new Set(this.test?.parent?.tests.filter((test) => mayRun(test.fullTitle())).map((test) => test.title));
			const queue = waiting.filter((entry) => wanted.has(entry.title));
			const worker = async () => {
				for (let next = queue.shift(); next !== undefined; next = queue.shift()) await next.start();
			};
			all = Promise.all(Array.from({ length: atOnce }, worker));
		});
	});
}

/** Whether mocha's `--grep`, if there is one on the command line, wants a test. */
function mayRun(fullTitle: string): boolean {
	const at = process.argv.findIndex((argument) => argument === "--grep" || argument === "-g");
	return at < 0 || new RegExp(process.argv[at + 1]).test(fullTitle);
}
