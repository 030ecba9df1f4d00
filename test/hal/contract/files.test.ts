import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import boardFiles, { mount } from "../../../hal/esp32/io/files.js";
import type { FilePort } from "../../../hal/file-port.js";
import { MemoryFiles, PowerCut } from "../../support/memory-files.js";
import { littlefs } from "../esp32/littlefs-model.js";
import { makeFlash, runScript } from "../host/host-program.js";
import { AFTER_CUT, changeUntilCut, FILE_BEHAVIOURS, type FileBehaviour, type FileFault } from "./file-behaviours.js";

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

/** What is as `MemoryFiles` make it. @param open what shall use them */
function inMemory(open: (files: MemoryFiles) => FilePort, behaviours: readonly FileBehaviour[]): void {
	for (const { name, fault, act, tells } of behaviours)
		it(name, () => assert.equal(asTold(act(open(memoryFiles(fault)))), asTold(tells)));

	it("hold after a power cut what was flushed or closed, and nothing else", () => {
		for (const [operation, left] of Object.entries(AFTER_CUT)) {
			const files = new MemoryFiles();
			files.cutAfter = Number(operation);
			let told = false;
			assert.throws(() => changeUntilCut(open(files), () => (told = true)), PowerCut);
			assert.equal(told, Number(operation) >= 8);
			assert.deepEqual(Object.fromEntries(files.names.map((path) => [path, files.text(path)])), left, `operation ${operation}`);
		}
	});
}

describe("the contract of hal/file-port.ts: files in memory", () => {
	inMemory((files) => files, FILE_BEHAVIOURS);
});

describe("the contract of hal/file-port.ts: the boards' files, on a model of Moddable's", () => {
	const onLittlefs = (files: MemoryFiles): FilePort => {
		mount(littlefs(files));
		return boardFiles;
	};

	// littlefs stores nothing of a write that is torn: with the switch the host is worse than any board
	inMemory(
		onLittlefs,
		FILE_BEHAVIOURS.filter(({ fault }) => fault !== "flash-write-torn=2"),
	);
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
