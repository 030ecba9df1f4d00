/** A small fixed generator of numbers (mulberry32): a failure that it found can be repeated with its seed. */
export interface Random {
	/** 0..limit - 1. */
	below(limit: number): number;
	of<T>(list: readonly T[]): T;
}

export function generator(seed: number): Random {
	let state = seed;
	const next = () => {
		state = (state + 0x6d2b79f5) | 0;
		let x = Math.imul(state ^ (state >>> 15), state | 1);
		x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
		return (x ^ (x >>> 14)) >>> 0;
	};
	return { below: (limit) => next() % limit, of: (list) => list[next() % list.length] };
}
