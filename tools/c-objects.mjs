/** Compiles C and keeps the objects, so that programs share them and a second build takes no time. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../build/objects", import.meta.url));

/** @param {readonly string[]} texts */
const digest = (texts) => createHash("sha256").update(texts.join("\0")).digest("hex");

/**
 * Digest of an object's sources: its command and each file that the compiler has read.
 * @param {string} command
 * @param {string} rule of make
 */
function origin(command, rule) {
	const files = rule.replaceAll("\\\n", " ").trim().split(/\s+/).slice(1);
	return digest([command, ...files.map((path) => (existsSync(path) ? readFileSync(path, "latin1") : ""))]);
}

/**
 * @param {string} compiler
 * @param {readonly string[]} options
 * @param {string} source
 * @returns {string} path of the object
 */
function objectOf(compiler, options, source) {
	const texts = options.map((option) => (option.startsWith("@") ? readFileSync(option.slice(1), "utf8") : option));
	const command = digest([compiler, ...texts, source]);
	const object = join(FOLDER, `${basename(source, ".c")}-${command.slice(0, 16)}.o`);
	const [rule, stamp] = [`${object}.d`, `${object}.origin`];
	if (existsSync(stamp) && readFileSync(stamp, "utf8") === origin(command, readFileSync(rule, "utf8"))) return object;
	const made = `${object}.${process.pid}`;
	execFileSync(compiler, [...options, "-MD", "-MF", `${made}.d`, "-c", "-o", made, source], { encoding: "utf8", stdio: "pipe" });
	renameSync(`${made}.d`, rule);
	renameSync(made, object);
	writeFileSync(stamp, origin(command, readFileSync(rule, "utf8")));
	return object;
}

/**
 * Compiles sources unless their objects are there already. Several processes may do so at the same time.
 * @param {string} compiler
 * @param {readonly string[]} options
 * @param {readonly string[]} sources paths
 * @returns {string[]} paths of the objects
 * @throws {Error} with what the compiler says
 */
export function objectsOf(compiler, options, sources) {
	mkdirSync(FOLDER, { recursive: true });
	return sources.map((source) => objectOf(compiler, options, source));
}

/**
 * Links objects. Several processes may do so at the same time: nobody sees a program that is written in part.
 * @param {string} compiler
 * @param {readonly string[]} options
 * @param {readonly string[]} objects and libraries
 * @param {string} program its path
 */
export function link(compiler, options, objects, program) {
	const made = `${program}.${process.pid}`;
	execFileSync(compiler, [...options, "-o", made, ...objects], { encoding: "utf8", stdio: "pipe" });
	renameSync(made, program);
}
