/**
 * What docs/api.md and README.md show with curl is true: the examples of a page are run in its order, against
 * the real program with a car, and are answered as it says. Every endpoint has one in docs/api.md.
 */
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROUTES } from "../../src/api/routes.js";
import { skip } from "../support/skip.js";
import { Bench } from "../system/bench-car.js";
import { sleep } from "../system/wait.js";

const API = "docs/api.md";
const ADDRESS = /http:\/\/(localhost|127\.0\.0\.1):8080/g;
/** A change is on flash within 2 s. */
const ON_FLASH_MS = 2200;
/** After it, the controller no longer says that it waits for valid inputs. */
const VALID_MS = 1500;
/** Only a hang takes longer, in real time. */
const LIMIT_MS = 120_000;

interface Example {
	readonly line: number;
	readonly command: string;
	readonly answer: string;
	/** The controller was killed and started again before it. */
	readonly restarted: boolean;
}

/**
 * All commands of blocks marked `console`: lines that begin with "$ ", each with the lines up to the next
 * one.
 */
function examplesOf(page: string): Example[] {
	const found: Example[] = [];
	for (const block of page.matchAll(/^```console( restarted)?\n([\s\S]*?)^```$/gm)) {
		let line = page.slice(0, block.index).split("\n").length;
		for (const [i, text] of block[2].split(/^\$ /m).slice(1).entries()) {
			const [command, ...answer] = text.split("\n");
			found.push({ line: ++line, command, answer: answer.join("\n").trimEnd(), restarted: block[1] !== undefined && i === 0 });
			line += answer.length - 1;
		}
	}
	return found;
}

/** Compares as the page's readers do: `…` is anything, or more of the same. */
function assertAnswer(actual: string, expected: string, where: string): void {
	if (expected.startsWith("{")) {
		const json = expected
			.replace(/:…/g, ':"…"')
			.replace(/([{,])…(?=[},])/g, '$1"…":"…"')
			.replace(/([[,])…(?=\])/g, '$1"…"');
		assertLike(JSON.parse(actual), JSON.parse(json), `${where}: ${actual.slice(0, 600)}`);
	} else {
		const pattern = expected.split("…").map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
		assert.match(
			actual.replaceAll("\r\n", "\n").trimEnd(),
			new RegExp(`^${pattern.join("[\\s\\S]*?")}$`),
			`${where}: ${actual.slice(-600)}`,
		);
	}
}

function assertLike(actual: unknown, expected: unknown, where: string): void {
	if (expected === "…") return;
	if (typeof expected !== "object" || expected === null) {
		assert.deepEqual(actual, expected, where);
		return;
	}
	assert.equal(Array.isArray(actual), Array.isArray(expected), where);
	const more = Array.isArray(expected) ? expected.at(-1) === "…" : "…" in expected;
	const shown = Object.entries(expected).filter(([key, value]) => key !== "…" && !(Array.isArray(expected) && value === "…"));
	if (!more) assert.deepEqual(Object.keys(actual as object).sort(), shown.map(([key]) => key).sort(), where);
	for (const [key, value] of shown) assertLike((actual as Record<string, unknown>)[key], value, `${key} of ${where}`);
}

describe(API, () => {
	it("has an example of every endpoint", () => {
		const shown = new Set(
			examplesOf(readFileSync(API, "utf8")).flatMap(({ command }) =>
				[...command.matchAll(/curl [^;|]*/g)].map(([curl]) => {
					const method = / -X (\w+)/.exec(curl)?.[1] ?? (/ (-d|-F|--data-binary) /.test(curl) ? "POST" : "GET");
					return `${method} ${/localhost:8080(\/[^\s?']*)/.exec(curl)?.[1]}`;
				}),
			),
		);
		const missing = ROUTES.map(({ method, path }) => `${method} ${path}`).filter((route) => !shown.has(route));
		assert.deepEqual(missing, []);
	});
});

/** Runs the examples of a page, in its order. @throws {AssertionError} naming the line that is not true */
async function runExamples(page: string): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), "oc-page-"));
	const flash = join(folder, "flash");
	mkdirSync(flash);
	const start = async (settings: object | null) => {
		const bench = await Bench.start({ flash, settings: settings as Record<string, unknown> | null });
		bench.show(30, 50);
		await sleep(VALID_MS);
		return bench;
	};
	let bench = await start({ mode: "STOCK" });
	try {
		for (const { line, command, answer, restarted } of examplesOf(readFileSync(page, "utf8"))) {
			if (restarted) {
				await sleep(ON_FLASH_MS);
				await bench.cutPower();
				await bench.end();
				bench = await start(null);
			}
			const [, seconds = "0", rest] = /^(?:sleep (\d+); )?(.*)$/s.exec(command) as unknown as string[];
			await sleep(Number(seconds) * 1000); // in the car's time
			const script = rest.replaceAll(ADDRESS, `http://localhost:${bench.port}`);
			// what curl says of a stream that it ended by --max-time, or of a pipe that was closed, is no matter
			const { stdout } = await promisify(execFile)("bash", ["-c", script], { cwd: folder, timeout: LIMIT_MS }).catch(
				(error) => error,
			);
			assertAnswer(String(stdout), answer, `${page}:${line}: ${command}`);
		}
	} finally {
		await bench.end();
		rmSync(folder, { recursive: true, force: true });
	}
}

for (const page of ["README.md", API])
	describe(`the examples of ${page}`, () => {
		it("are answered as it says, to the letter, from the first to the last", async function () {
			if (spawnSync("curl", ["--version"]).status !== 0) skip(this, "curl is not installed");
			await runExamples(page);
		});

		it("are all of its curl commands", () => {
			const text = readFileSync(page, "utf8");
			const examples = examplesOf(text);
			assert.ok(examples.length > 1);
			const lines = text.split("\n").filter((line) => /^[^`|]*\bcurl -/.test(line));
			assert.equal(lines.length, examples.filter(({ command }) => command.includes("curl -")).length);
		});
	});
