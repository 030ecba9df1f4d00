import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MemoryFiles, PowerCut } from "../../support/memory-files.js";
import { makeFlash, runScript } from "../host/host-program.js";
import { AFTER_CUT, changeUntilCut, FILE_BEHAVIOURS, type FileFault } from "./file-behaviours.js";

/** On its own line, lists as JSON: undefined becomes null. */
const asTold = (values: readonly unknown[]): string => JSON.stringify(values);

function memoryFiles(fault: FileFault | undefined): MemoryFiles {
	const files = new MemoryFiles();
	let writes = 0;
	files.onWrite = () => {
		if (++writes !== 2) return;
		if (fault === "flash-write-torn=2") files.tearsNext = true;
		if (fault === "flash-write-fails=2") throw new Error("write failed");
	};
	if (fault === "flash-full=20") files.capacity = 20;
	return files;
}

describe("the contract of hal/file-port.ts: files in memory", () => {
	for (const { name, fault, act, tells } of FILE_BEHAVIOURS)
		it(name, () => assert.equal(asTold(act(memoryFiles(fault))), asTold(tells)));

	it("hold after a power cut what was flushed or closed, and nothing else", () => {
		for (const [operation, left] of Object.entries(AFTER_CUT)) {
			const files = new MemoryFiles();
			files.cutAfter = Number(operation);
			let told = false;
			assert.throws(() => changeUntilCut(files, () => (told = true)), PowerCut);
			assert.equal(told, Number(operation) >= 8);
			assert.deepEqual(Object.fromEntries(files.names.map((path) => [path, files.text(path)])), left, `operation ${operation}`);
		}
	});
});

describe("the contract of hal/file-port.ts: the host's files", () => {
	const script = (body: string): string => `
		import files from "embedded:storage/files";
		import { changeUntilCut, FILE_BEHAVIOURS } from "../../test/hal/contract/file-behaviours.js";
		${body}`;

	for (const [i, { name, fault, tells }] of FILE_BEHAVIOURS.entries())
		it(name, async () => {
			const faults = fault === undefined ? [] : ["--fault", fault];
			const { lines, stderr } = await runScript(script(`print(JSON.stringify(FILE_BEHAVIOURS[${i}].act(files)));`), ...faults);
			assert.deepEqual(lines, [asTold(tells)], stderr);
		});

	it("hold after a power cut what was flushed or closed, and nothing else", async () => {
		for (const [operation, left] of Object.entries(AFTER_CUT)) {
			const flash = makeFlash();
			const cut = ["--flash", flash, "--fault", `power-cut=${operation}`];
			const { code, lines, stderr } = await runScript(script('changeUntilCut(files, () => print("still here"));'), ...cut);
			assert.equal(code, 9);
			assert.match(stderr, /power cut after storage operation/);
			assert.deepEqual(lines, Number(operation) >= 8 ? ["still here"] : []);
			const found = readdirSync(flash).map((name) => [name, readFileSync(join(flash, name), "utf8")]);
			assert.deepEqual(Object.fromEntries(found), left, `operation ${operation}`);
		}
	});
});
