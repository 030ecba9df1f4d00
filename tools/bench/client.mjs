/** What clients of the counted controller send. */

/** Fields of a plain client. */
export const CLIENT = { Host: "192.168.4.1", Connection: "keep-alive" };
export const BROWSER = {
	...CLIENT,
	"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
	Accept: "*/*",
	Referer: "http://192.168.4.1/",
	"Accept-Encoding": "gzip, deflate",
	"Accept-Language": "en-US,en;q=0.9",
};

/** Two maps of a driver. */
export const [GENTLE, FIRM] = [5, 10].map((step) => ({
	speedBins: [0, 10, 20, 40, 60, 80, 110, 140, 160],
	throttleBins: [0, 10, 25, 40, 60, 80, 100],
	lockTable: Array.from({ length: 7 }, (_, row) => Array.from({ length: 9 }, () => row * step)),
}));
/** The head of a request. @param {string} method @param {string} path @param {Record<string, string | number>} fields */
export function head(method, path, fields) {
	const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
	return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

/**
 * A request of a plain client, which sends these fields also when there is no body.
 * @param {string} method @param {string} path @param {unknown} [body]
 */
export function request(method, path, body, /** @type {Record<string, string | number>} */ fields = {}) {
	const text = body === undefined ? "" : JSON.stringify(body);
	const own = { ...CLIENT, "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) };
	return head(method, path, { ...own, ...fields }) + text;
}
