/**
 * The steps in which a draft was changed in this browser, for undo and redo. They hold values by identity and
 * never change one.
 */

/**
 * Before the oldest is forgotten. Each holds a map of 79 numbers at the most, so that twice would be no
 * burden, but no use either; with half a long edit loses its beginning sooner.
 */
const STEPS_MAX = 100;

/** Those of the steps that lead back no further than to `value`. */
function since<T>(steps: readonly T[], value: T): T[] {
	return steps.slice(Math.max(0, steps.lastIndexOf(value)));
}

/** What leads back, at most STEPS_MAX steps, and forward again until another change. */
export class Steps<T> {
	/** What was shown before each change, the latest last. */
	#past: T[] = [];
	/** What was shown before each undo, the latest last. */
	#future: T[] = [];
	#group = "";

	get canUndo(): boolean {
		return this.#past.length > 0;
	}

	get canRedo(): boolean {
		return this.#future.length > 0;
	}

	/**
	 * Before a change.
	 * @param shown until now
	 * @param group changes of one group in a row are one step; "" = each is one by itself
	 */
	add(shown: T, group: string): void {
		if (group === "" || group !== this.#group) this.#past = [...this.#past, shown].slice(-STEPS_MAX);
		this.#group = group;
		this.#future = [];
	}

	/** The next change is a step of its own, whatever its group. */
	endGroup(): void {
		this.#group = "";
	}

	/** @returns what is to be shown again, undefined = there is no step left; call `undone` once it is */
	undo(): T | undefined {
		return this.#past.pop();
	}

	/** @param shown before an undo: redo brings it back */
	undone(shown: T): void {
		this.#future.push(shown);
		this.endGroup();
	}

	/**
	 * @param shown until now
	 * @returns what is to be shown instead, undefined = nothing was undone
	 */
	redo(shown: T): T | undefined {
		const value = this.#future.pop();
		if (value !== undefined) this.#past.push(shown);
		this.endGroup();
		return value;
	}

	/** Forgets what leads further back than to `value`, or to anything if it is none of the steps. */
	keepSince(value: T): void {
		this.#past = since(this.#past, value);
		this.#future = since(this.#future, value);
	}

	/** Forgets all steps, those that lead back and those that lead forward. */
	clear(): void {
		this.#past = [];
		this.#future = [];
	}
}
