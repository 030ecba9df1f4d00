/**
 * What every implementation of `hal/file-port.ts` does. One list for all of them: `files.test.ts` runs it on
 * the files in memory that unit tests store in, and on the host's, inside of the engine. So nothing of Node
 * is used here.
 */
import type { FilePort } from "../../../hal/file-port.js";

/** Fault switches, with the names that the host program has for them (`hal/host/README.md`). */
export type FileFault = "flash-full=20" | "flash-write-torn=2" | "flash-write-fails=2";

export interface FileBehaviour {
	/** Reads on after "files". */
	readonly name: string;
	readonly fault?: FileFault;
	/** Begins on an empty flash. */
	act(files: FilePort): readonly unknown[];
	/** What `act` tells. */
	readonly tells: readonly unknown[];
}

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
const text = (buffer: ArrayBuffer): string => String.fromCharCode(...new Uint8Array(buffer));

/** @returns "ok", or what was wrong */
function attempt(act: () => void): string {
	try {
		act();
		return "ok";
	} catch (error) {
		return (error as Error).message;
	}
}

function save(files: FilePort, path: string, content: string): void {
	const file = files.openFile({ path, mode: "w" });
	try {
		file.write(bytes(content), 0);
	} finally {
		file.close();
	}
}

function load(files: FilePort, path: string): string {
	const file = files.openFile({ path });
	try {
		return text(file.read(1000, 0));
	} finally {
		file.close();
	}
}

export const FILE_BEHAVIOURS: readonly FileBehaviour[] = [
	{
		name: "hold what was written",
		act(files) {
			save(files, "a", "hello");
			return [load(files, "a"), files.status("a").size];
		},
		tells: ["hello", 5],
	},
	{
		name: "are read in parts, and not beyond their end",
		act(files) {
			save(files, "a", "hello");
			const file = files.openFile({ path: "a" });
			const parts = [text(file.read(3, 1)), text(file.read(100, 4)), text(file.read(1, 5)), text(file.read(2))];
			file.close();
			return parts;
		},
		tells: ["ell", "o", "", "he"],
	},
	{
		name: "must exist to be read or changed, and are created to be written",
		act(files) {
			const tries = (["r", "r+", "w"] as const).map((mode) => attempt(() => files.openFile({ path: "a", mode }).close()));
			return [...tries, files.status("a").size];
		},
		tells: ["not found", "not found", "ok", 0],
	},
	{
		name: "are empty when they are written anew",
		act(files) {
			save(files, "a", "hello");
			save(files, "a", "x");
			return [load(files, "a")];
		},
		tells: ["x"],
	},
	{
		name: "keep what a change does not reach",
		act(files) {
			save(files, "a", "hello");
			const file = files.openFile({ path: "a", mode: "r+" });
			file.write(bytes("LPS"), 3);
			const size = file.status().size;
			file.close();
			return [size, load(files, "a")];
		},
		tells: [6, "helLPS"],
	},
	{
		name: "are cut, and filled with zeros",
		act(files) {
			save(files, "a", "hello");
			const file = files.openFile({ path: "a", mode: "r+" });
			file.setSize(2);
			file.setSize(4);
			file.close();
			return [load(files, "a")];
		},
		tells: ["he\0\0"],
	},
	{
		name: "may be closed twice",
		act(files) {
			const file = files.openFile({ path: "a", mode: "w" });
			file.close();
			return [attempt(() => file.close())];
		},
		tells: ["ok"],
	},
	{
		name: "are deleted once",
		act(files) {
			save(files, "a", "hello");
			return [files.delete("a"), files.delete("a"), files.status("a").size, attempt(() => load(files, "a"))];
		},
		tells: [true, false, undefined, "not found"],
	},
	{
		name: "take the place of others when they are moved",
		act(files) {
			save(files, "old", "1");
			save(files, "new", "2");
			files.move("new", "old");
			return [load(files, "old"), [...files.scan()], attempt(() => files.move("new", "old")), load(files, "old")];
		},
		tells: ["2", ["old"], "not found", "2"],
	},
	{
		name: "lie in folders, which are made once",
		act(files) {
			const before = attempt(() => save(files, "d/a", "1"));
			const made = [files.createDirectory("d"), files.createDirectory("d")];
			save(files, "d/a", "1");
			const kinds = ["d", "d/a", "x"].map((path) => {
				const status = files.status(path);
				return `${status.isDirectory() ? "folder" : ""}${status.isFile() ? "file" : ""}`;
			});
			return [before, made, load(files, "d/a"), kinds];
		},
		tells: ["not found", [true, false], "1", ["folder", "file", ""]],
	},
	{
		name: "are listed in byte order, with the folders beside them",
		act(files) {
			files.createDirectory("d");
			for (const path of ["e", "d/2", "B", "d/10"]) save(files, path, "");
			return [[...files.scan()], [...files.scan("d")], attempt(() => [...files.scan("none")])];
		},
		tells: [["B", "d", "e"], ["10", "2"], "not found"],
	},
	{
		name: "find no space on a full flash until something is deleted",
		fault: "flash-full=20",
		act(files) {
			save(files, "kept", "0123456789");
			const over = attempt(() => save(files, "new", "12345678901"));
			const kept = files.openFile({ path: "kept", mode: "r+" });
			const larger = attempt(() => kept.setSize(100));
			const within = attempt(() => kept.write(bytes("x"), 2));
			kept.close();
			files.delete("kept");
			return [over, larger, within, attempt(() => save(files, "new", "12345678901"))];
		},
		tells: ["no space", "no space", "ok", "ok"],
	},
	{
		name: "keep half of a torn write, and take the next one whole",
		fault: "flash-write-torn=2",
		act: (files) => [...writesThree(files), load(files, "b"), load(files, "c")],
		tells: ["ok", "write failed", "ok", "bbb", "cccccc"],
	},
	{
		name: "keep nothing of a failed write, and take the next one whole",
		fault: "flash-write-fails=2",
		act: (files) => [...writesThree(files), load(files, "b"), load(files, "c")],
		tells: ["ok", "write failed", "ok", "", "cccccc"],
	},
];

function writesThree(files: FilePort): string[] {
	return ["a", "b", "c"].map((name) => attempt(() => save(files, name, name.repeat(6))));
}

/** Storage operations, the power being cut after one of them: `told` is called before the eighth. */
export function changeUntilCut(files: FilePort, told: () => void): void {
	save(files, "kept", "first"); // operations 1 open, 2 write, 3 close
	const file = files.openFile({ path: "kept", mode: "w" }); // 4
	file.write(bytes("second"), 0); // 5
	file.flush(); // 6
	file.write(bytes("third!"), 0); // 7
	told();
	file.close(); // 8
	files.move("kept", "moved"); // 9
}

/**
 * What is on flash after a cut: what was flushed or closed, and nothing else. By the operation after which
 * the power went.
 */
export const AFTER_CUT: Readonly<Record<number, Readonly<Record<string, string>>>> = {
	1: { kept: "" },
	2: { kept: "" },
	3: { kept: "first" },
	4: { kept: "first" },
	5: { kept: "first" },
	6: { kept: "second" },
	7: { kept: "second" },
	8: { kept: "third!" },
	9: { moved: "third!" },
};
