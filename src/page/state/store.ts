/** Values that components follow. */

import { useEffect, useReducer, useState } from "preact/hooks";

/** A follower is called once for each other value, in the moment in which it is set. */
export class Store<T> {
	#value: T;
	readonly #followers = new Set<() => void>();

	constructor(value: T) {
		this.#value = value;
	}

	get value(): T {
		return this.#value;
	}

	/** Sets the value and calls all followers, unless it is the same by `Object.is`. */
	set(value: T): void {
		if (Object.is(value, this.#value)) return;
		this.#value = value;
		for (const follower of [...this.#followers]) follower();
	}

	/** Calls `follower` after each change, not for the value of now. @returns ends that */
	follow(follower: () => void): () => void {
		this.#followers.add(follower);
		return () => this.#followers.delete(follower);
	}
}

/** The store's value; the component is drawn again when it changes. */
export function useStore<T>(store: Store<T>): T {
	const [, redraw] = useReducer((count: number, _: undefined) => count + 1, 0);
	const { value } = store;
	useEffect(() => {
		const follower = () => redraw(undefined);
		// it may have changed between drawing and following
		if (!Object.is(store.value, value)) follower();
		return store.follow(follower);
	}, [store]);
	return value;
}

/** @param wanted false = it stands still */
export function useBeat(periodMs: number, wanted = true): void {
	const [, redraw] = useState(0);
	useEffect(() => {
		if (!wanted) return;
		const timer = setInterval(() => redraw((count) => count + 1), periodMs);
		return () => clearInterval(timer);
	}, [wanted]);
}
