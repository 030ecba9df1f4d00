/** What a control unit may do wrong, and when an answer is due: at once, late, or after some "response pending". */

/** For tests, and for who wants to see it on the page. */
export interface ControlUnitFaults {
	/** Answers this much later, ms. */
	lateMs: number;
	/** Says "response pending" this long before it answers, each half second, ms. */
	pendingMs: number;
	/** Answers every request with this negative code, -1 = as it should. */
	negativeCode: number;
	/** From this frame of an answer on it is silent (1 = the second), -1 = never. */
	silentFrom: number;
	/** This frame of an answer carries a wrong sequence number, -1 = none. */
	wrongSequenceAt: number;
	/** Does not say a word. */
	silent: boolean;
	/** Asks for so many frames between two flow controls, and so much time between them. */
	blockSize: number;
	separationMs: number;
}

export const noFaults = (): ControlUnitFaults => ({
	lateMs: 0,
	pendingMs: 0,
	negativeCode: -1,
	silentFrom: -1,
	wrongSequenceAt: -1,
	silent: false,
	blockSize: 0,
	separationMs: 0,
});

const PENDING_EACH_MS = 500;

export class Answering {
	readonly #faults: ControlUnitFaults;
	readonly #say: (answer: Uint8Array) => void;
	#due: { readonly answer: Uint8Array; readonly service: number; readonly atMs: number; pendingAtMs: number } | undefined;

	constructor(faults: ControlUnitFaults, say: (answer: Uint8Array) => void) {
		this.#faults = faults;
		this.#say = say;
	}

	/** A request came; what it is answered with. */
	begin(request: Uint8Array, answer: Uint8Array, timeMs: number): void {
		const service = request[0] ?? 0;
		const { negativeCode, lateMs, pendingMs } = this.#faults;
		const said = negativeCode < 0 ? answer : Uint8Array.of(0x7f, service, negativeCode);
		this.#due = { answer: said, service, atMs: timeMs + lateMs + pendingMs, pendingAtMs: pendingMs > 0 ? timeMs : Infinity };
	}

	forget(): void {
		this.#due = undefined;
	}

	step(timeMs: number): void {
		const due = this.#due;
		if (due === undefined) return;
		if (timeMs >= due.atMs) {
			this.#due = undefined;
			this.#say(due.answer);
		} else if (timeMs >= due.pendingAtMs) {
			due.pendingAtMs += PENDING_EACH_MS;
			this.#say(Uint8Array.of(0x7f, due.service, 0x78));
		}
	}
}
