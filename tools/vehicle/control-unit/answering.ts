/** When an answer is due: at once, late, or after some "response pending". The same for both transports. */
import type { ControlUnitFaults } from "./faults.js";

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
