// Does what a fresh clone needs before anything can run: checks the tools, installs the dependencies, builds
// the host program and its bundles. Plain Node, no dependencies: it runs before node_modules exists. Says
// nothing when there is nothing to do.
import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { head, writeModule } from "./generated.mjs";
import { locked } from "./lock.mjs";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const NODE_MAJOR = 20;
const NODE_MINOR = 19;
const NPM_CODE = /^npm (error|ERR!)( (code|errno|syscall|path|dest)\b.*)?$/;
/** Which engine the host program has; hal/host/Makefile writes it. */
const ENGINE_STAMP = `${ROOT}build/host/engine`;
const COMPILERS = ["cc", "gcc", "clang"];
/** @type {readonly NodeJS.Signals[]} */
const ENDING = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Something is missing or failed; the message is one line that says what and how to get it. */
export class SetupError extends Error {}

/**
 * Sets up what is missing; two in one folder wait for each other.
 * @param {string} [engine] "npm", or "moddable" for the boards' own, of the SDK in MODDABLE; default: OPENCOUPLING_ENGINE, else the one before
 * @throws {SetupError}
 */
export async function setup(engine) {
	checkNode(process.versions.node);
	const host = chosenEngine(engine);
	const compiler = findCompiler();
	if (!runs("make"))
		throw new SetupError("make not found: install it (Debian: apt-get install make; macOS: xcode-select --install)");
	await alone(async () => {
		await installDependencies();
		await generateCatalogue();
		await sideBySide([buildHost(compiler, host), generateSources().then(buildBundles)]);
	});
}

/**
 * The same in a process of its own: what builds takes 300 MB, which a long command would keep. It ends, with
 * what it has started, when this process is told to.
 * @throws {SetupError} "" where that process has said why, or was ended
 */
export async function setupApart() {
	const child = spawn(process.execPath, [fileURLToPath(import.meta.url)], { stdio: "inherit", detached: true });
	const end = (/** @type {NodeJS.Signals} */ signal) => void process.kill(-(/** @type {number} */ (child.pid)), signal);
	for (const signal of ENDING) process.on(signal, end);
	const [status] = await once(child, "exit");
	for (const signal of ENDING) process.off(signal, end);
	if (status !== 0) throw new SetupError("");
}

/** Sets up what any bundle of the sources needs: the dependencies, and the sources that are generated. @throws {SetupError} */
export async function setUpSources() {
	checkNode(process.versions.node);
	await alone(async () => {
		await installDependencies();
		await generateCatalogue();
		await generateSources();
	});
}

/** @param {() => Promise<void>} work */
async function alone(work) {
	await locked(`${ROOT}build/setup.lock`, work, (pid) =>
		console.log(`waiting for another set-up of this folder (process ${pid}) ...`),
	);
}

/**
 * @param {string} version such as "20.9.0".
 * @throws {SetupError} it is too old
 */
export function checkNode(version) {
	const [major, minor] = version.split(".").map(Number);
	if (major > NODE_MAJOR || (major === NODE_MAJOR && minor >= NODE_MINOR)) return;
	throw new SetupError(`Node.js ${version} is too old: install ${NODE_MAJOR}.${NODE_MINOR} or later (https://nodejs.org)`);
}

function findCompiler() {
	const chosen = process.env.CC ? [process.env.CC] : COMPILERS;
	const found = chosen.find(runs);
	if (found) return found;
	if (process.env.CC) throw new SetupError(`the C compiler $CC=${process.env.CC} does not run: unset CC or install it`);
	throw new SetupError(
		"no C compiler found: install gcc or clang (Debian: apt-get install build-essential; macOS: xcode-select --install)",
	);
}

/** @param {string} program */
function runs(program) {
	return spawnSync(program, ["--version"], { stdio: "ignore" }).status === 0;
}

// npm leaves its own copy of the lock file behind when it has finished; what is older than the lock file is
// not what it asks for.
async function installDependencies() {
	const installed = `${ROOT}node_modules/.package-lock.json`;
	if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(`${ROOT}package-lock.json`).mtimeMs) return;
	console.log("installing the dependencies ...");
	// No retries: without a network npm would take minutes to say so.
	const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=0"];
	if (spawnSync("npm", ["ci", ...options], { cwd: ROOT, stdio: "ignore" }).status === 0) return;
	// A lock file made where the registry lacks optional packages of other platforms is incomplete in the
	// eyes of `npm ci`; `npm install` takes the same locked versions without insisting on those. It also says
	// what is wrong otherwise.
	await run("npm", ["install", "--no-save", ...options], "can't install the dependencies (this needs the network once)");
}

/**
 * @param {string | undefined} wanted
 * @returns {string}
 */
function chosenEngine(wanted) {
	const last = existsSync(ENGINE_STAMP) ? readFileSync(ENGINE_STAMP, "utf8").trim() : "npm";
	const engine = wanted ?? process.env.OPENCOUPLING_ENGINE ?? last;
	if (!["npm", "moddable"].includes(engine)) throw new SetupError(`the engine ${engine} is unknown: npm or moddable`);
	if (engine === "moddable" && !existsSync(`${process.env.MODDABLE}/xs/sources/xsAll.h`))
		throw new SetupError(
			"the boards' engine is in the Moddable SDK: set MODDABLE to its folder, or npm run setup -- --engine npm",
		);
	return engine;
}

/**
 * Waits for all of them, also where one has failed: nothing is written any more when the next set-up begins.
 * @param {readonly Promise<void>[]} works
 * @throws what the first of them that failed has thrown
 */
async function sideBySide(works) {
	await Promise.allSettled(works);
	await Promise.all(works);
}

/**
 * @param {string} compiler
 * @param {string} engine
 */
async function buildHost(compiler, engine) {
	// make's own default is cc, which may be the one that is missing.
	const args = ["-s", "-C", `${ROOT}hal/host`, `CC=${compiler}`, `ENGINE=${engine}`];
	if (spawnSync("make", ["-q", ...args], { stdio: "ignore" }).status === 0) return;
	console.log("building the controller for this computer (the first time takes a minute) ...");
	await run("make", ["-j2", ...args], "can't build the controller (make -C hal/host)");
}

/** What the C needs of the sources that are generated. */
async function generateCatalogue() {
	try {
		(await import("./build-catalogue.mjs")).buildCatalogue();
	} catch (error) {
		throw new SetupError(`can't generate the signal catalogue: ${firstLine(error.message)}`);
	}
}

async function generateSources() {
	try {
		await (await import("./build-plans.mjs")).buildPlans();
		await (await import("./build-openapi.mjs")).buildOpenapi();
		const { importTypeScript } = await import("./typescript.mjs");
		const { pageModules } = await importTypeScript("page-tables.ts");
		for (const { path, source } of pageModules()) writeModule(ROOT + path, head("page-tables.ts") + source);
		await (await import("./build-page.mjs")).buildPage();
	} catch (error) {
		throw new SetupError(`can't generate sources: ${firstLine(error.message)}`);
	}
}

async function buildBundles() {
	try {
		await (await import("./build.mjs")).buildAll();
	} catch (error) {
		throw new SetupError(`can't bundle the application: ${firstLine(error.message)}`);
	}
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} failure
 */
async function run(program, args, failure) {
	try {
		await promisify(execFile)(program, args, { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 26 });
	} catch ({ syscall, message, stderr, stdout }) {
		const output = `${stderr}\n${stdout}`;
		// The line that names the problem: not the codes that npm puts before it, nor the farewell of make after
		// it.
		const telling = output.split("\n").find((line) => /\berror\b|ERR!/i.test(line) && !NPM_CODE.test(line)) ?? output.trim();
		// where the program could not be started, it has said nothing
		throw new SetupError(`${failure}: ${firstLine(syscall ? message : telling).replace(/^npm (error|ERR!) /, "")}`);
	}
}

/** @param {unknown} text */
function firstLine(text) {
	return String(text).trim().split("\n")[0] || "no message";
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
	try {
		const [option, engine] = process.argv.slice(2);
		if (option !== undefined && (option !== "--engine" || engine === undefined))
			throw new SetupError("usage: npm run setup [-- --engine npm|moddable]");
		await setup(engine);
	} catch (error) {
		if (!(error instanceof SetupError)) throw error;
		console.error(`npm run setup: ${error.message}`);
		process.exit(1);
	}
}
