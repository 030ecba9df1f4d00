// Runs bundles of tests in a thread of its own, one after another: each message is the code of a bundle, each
// answer whether its tests pass. First of all it runs a script that makes what they need. The first message
// it sends says that it has started.
import { createRequire } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import Mocha from "mocha";

const require = createRequire(import.meta.url);

/** Tells nobody anything. */
class Silent {}

/** @param {string} code */
function passes(code) {
	const reporter = /** @type {import("mocha").ReporterConstructor} */ (/** @type {unknown} */ (Silent));
	const mocha = new Mocha({ ui: "bdd", reporter, bail: true, timeout: 0 });
	mocha.suite.emit("pre-require", globalThis, null, mocha);
	try {
		new Function("require", "module", "exports", code)(require, { exports: {} }, {});
	} catch {
		return false;
	}
	return new Promise((resolve) =>
		mocha.run((failures) => {
			mocha.dispose();
			resolve(failures === 0);
		}),
	);
}

new Function("require", "module", "exports", workerData)(require, { exports: {} }, {});
parentPort?.on("message", async (code) => parentPort?.postMessage(await passes(code)));
parentPort?.postMessage("started");
