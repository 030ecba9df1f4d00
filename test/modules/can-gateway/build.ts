/** Compiles the core with test programs and says which of its lines and branches a run has not reached. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { link, objectsOf } from "../../../tools/c-objects.mjs";
import { idfHeaders } from "../../../tools/device/c-half.mjs";

const here = dirname(fileURLToPath(import.meta.url));
export const ROOT = join(here, "../../..");
export const CORE = join(ROOT, "modules/can-gateway");
const BUILD = join(ROOT, "build/test/can-gateway");

export const WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Werror"];
/** Optimized: without, an access beyond an object that inlining shows (`object-size`) goes unseen. */
export const SANITIZERS = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

const BOARD_FOLDERS = [
	...[join(ROOT, "hal/esp32"), CORE, join(ROOT, "modules/signature"), here],
	...[join(ROOT, "test/hal/contract"), ...idfHeaders()],
];
/** As one of the boards, for the files of the modules that have a branch for boards. */
export const AS_BOARD = ["-DESP32=5"];
/** Where the drivers of the boards and their tests find headers. All programs use this list, so they share objects. */
export const BOARD_INCLUDES = BOARD_FOLDERS.flatMap((folder) => ["-I", folder]);

const cFiles = (folder: string) => readdirSync(folder).filter((name) => name.endsWith(".c"));
const coreFiles = () =>
	cFiles(CORE)
		.filter((name) => !name.startsWith("can-gateway-"))
		.map((name) => join(CORE, name));
export const unitFiles = () => cFiles(here).map((name) => join(here, name));
export const compiler = process.env["CC"] ?? "cc";

/**
 * Builds a program of the core and these files, warnings being errors.
 * @param flags of all sources and of the link
 * @param own of these files only
 * @returns its path
 */
export function compile(name: string, files: string[], flags: string[] = SANITIZERS, own: string[] = []): string {
	mkdirSync(BUILD, { recursive: true });
	const program = join(BUILD, name);
	const all = ["-g", ...WARNINGS, ...flags, "-I", CORE];
	const core = objectsOf(compiler, ["-std=c11", ...all], coreFiles());
	const others = objectsOf(compiler, ["-std=c11", ...all, ...own], files);
	link(compiler, [...flags, "-pthread"], [...core, ...others], program);
	return program;
}

/** Titles of the cases in a C test file. */
export function casesOf(file: string): string[] {
	return [...readFileSync(file, "utf8").matchAll(/^(?:TEST|BEHAVIOUR)\(\w+, "([^"]+)"\)/gm)].map((match) => match[1]);
}

function runCases(program: string, cases: string[], environments: readonly Record<string, string>[]): void {
	for (const environment of environments)
		execFileSync(program, cases, { env: { ...process.env, ...environment }, stdio: ["ignore", "ignore", "pipe"] });
}

/**
 * Runs each case of a program by itself.
 * @param environments in each of which it is run
 * @returns throws with what the case of a title says that fails
 */
export function casesAlone(program: string, environments: readonly Record<string, string>[] = [{}]): (title: string) => void {
	return (title) => runCases(program, [title], environments);
}

/**
 * Runs all cases of a program at once, and where that fails each by itself.
 * @param titles of all its cases
 * @param environments in each of which they are run
 * @returns throws with what the case of a title says that fails
 * @throws {Error} the program fails as a whole only: it leaks memory, or a case depends on another one
 */
export function casesIn(
	program: string,
	titles: readonly string[],
	environments: readonly Record<string, string>[] = [{}],
): (title: string) => void {
	try {
		runCases(program, [], environments);
	} catch (whole) {
		const check = casesAlone(program, environments);
		const passes = (title: string): boolean => {
			try {
				check(title);
			} catch {
				return false;
			}
			return true;
		};
		if (titles.every(passes)) throw whole;
		return check;
	}
	return () => undefined;
}

interface GcovLine {
	line_number: number;
	count: number;
	branches: { count: number }[];
}

/**
 * Runs files, compiled with the core, with coverage counting.
 * @param measured the folder whose C files are looked at
 * @returns lines and branches never taken, "file:line", and how many branches there are in all
 */
export function coverage(files: string[], measured = CORE, flags: string[] = []): { missed: string[]; branches: number } {
	const folder = join(BUILD, "coverage", basename(measured));
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const program = join(folder, "unit");
	execFileSync(compiler, ["-std=c11", "-O0", "--coverage", ...flags, "-I", CORE, "-o", program, ...files, ...coreFiles()], {
		cwd: folder,
	});
	execFileSync(program, { cwd: folder });
	const counts = readdirSync(folder).filter((name) => name.endsWith(".gcda"));
	const gcov = compiler.replace(/g?cc(?=[^/]*$)/, "gcov");
	const json = execFileSync(gcov, ["--json-format", "--stdout", "--branch-counts", "--branch-probabilities", ...counts], {
		cwd: folder,
		encoding: "utf8",
		maxBuffer: 1 << 26,
		stdio: ["ignore", "pipe", "ignore"],
	});
	const missed: string[] = [];
	let branches = 0;
	for (const text of json.split("\n").filter(Boolean)) {
		const report = JSON.parse(text) as { files: { file: string; lines: GcovLine[] }[] };
		for (const { file, lines } of report.files.filter(({ file }) => dirname(file) === measured)) {
			for (const line of lines) {
				branches += line.branches.length;
				const place = `${file.slice(measured.length + 1)}:${line.line_number}`;
				if (line.count === 0) missed.push(place);
				else if (line.branches.some(({ count }) => count === 0)) missed.push(`${place} (branch)`);
			}
		}
	}
	return { missed, branches };
}
