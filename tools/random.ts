/** Numbers at random, and requests that are nearly right: the same seed gives the same. */

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

const POST_MODE = 'POST /api/mode HTTP/1.1\r\nHost: localhost\r\nContent-Length: 14\r\n\r\n{"mode":"map"}';
const WHOLE = [
	"GET /api/status HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n",
	POST_MODE,
	`GET /x?${"a=b&".repeat(200)} HTTP/1.0\r\nCookie: ${"c".repeat(3000)}\r\nConnection: keep-alive\r\n\r\n`,
];
const PIECES = [
	"\r\n",
	"\n",
	"\r",
	"\0",
	" ",
	":",
	"Host: h\r\n",
	"Content-Length: 5\r\n",
	"Transfer-Encoding: chunked\r\n",
	"Expect: 100-continue\r\n",
	"ffffffff\r\n",
	"%",
	"{",
	"[",
];

/**
 * One to three requests in a row, with up to three pieces put in, replaced or cut out. The same seed gives
 * the same.
 */
export function* mutilatedRequests(seed: number, count: number): Generator<Buffer> {
	const random = generator(seed);
	for (let i = 0; i < count; i++) {
		let text = "";
		for (let n = 1 + random.below(3); n > 0; n--) text += random.of(WHOLE);
		for (let n = random.below(4); n > 0; n--) {
			const at = random.below(text.length);
			const kind = random.below(3);
			const put = [random.of(PIECES), String.fromCharCode(random.below(256)), ""][kind];
			text = text.slice(0, at) + put + text.slice(at + random.below(kind === 2 ? 40 : 2));
		}
		yield Buffer.from(text, "latin1");
	}
}
