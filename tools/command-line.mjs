/** Command lines of tools. */

const EXIT_USAGE = 2;

/**
 * What a tool was called with. Ends the process, and says how the tool is used, if that is asked for or if `parse` throws: before anything is
 * set up or run.
 * @param {string} help
 * @template T
 * @param {() => T} parse
 * @returns {T}
 */
export function argumentsOf(help, parse) {
	if (process.argv.includes("--help")) {
		process.stdout.write(help);
		process.exit(0);
	}
	try {
		return parse();
	} catch (error) {
		process.stderr.write(`${error.message}\n${help}`);
		process.exit(EXIT_USAGE);
	}
}
