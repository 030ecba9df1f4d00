/**
 * PEAK's TRC, as PCAN-View, PCAN-Explorer and python-can write it: versions 1.0 to 1.3, and 2.0 and 2.1,
 * whose head names the columns. Sources: PEAK's description of the format, python-can `io/trc.py`.
 */
import { bytesOf, frameOf, type LeftOut, lengthOf, type RecordedFrame, type TextForm } from "./form.js";

/** By version: N number, O ms, B bus, d direction, I identifier, R reserved, l length, D data. */
const COLUMNS: Readonly<Record<string, string>> = {
	"1.0": "N,O,I,l,D",
	"1.1": "N,O,d,I,l,D",
	"1.2": "N,O,B,d,I,l,D",
	"1.3": "N,O,B,d,I,R,l,D",
	"2.0": "N,O,T,I,d,l,D",
	"2.1": "N,O,T,B,I,d,R,l,D",
};
/** T, the type, that data frames have, and remote frames. */
const DATA = "DT";
const REMOTE = "RR";
const FLEXIBLE = ["FD", "FB", "FE", "BI"];
const NUMBER = /^\s*\d+\)?\s+\d+[.,]?\d*\s/;
/** In place of an identifier in what is no frame. */
const NO_FRAME = "FFFFFFFF";

function frameIn(columns: readonly string[], line: string): RecordedFrame | LeftOut | undefined {
	const words = line.trim().split(/\s+/);
	const word = (letter: string): string | undefined => {
		const at = columns.indexOf(letter);
		return at < 0 ? undefined : words[at];
	};
	if (!NUMBER.test(line)) throw new Error(`not like "  1)  1059.9  Rx  0300  2  00 41", columns ${columns.join(",")}`);
	const type = word("T") ?? DATA;
	if (FLEXIBLE.includes(type)) return "CAN FD frames";
	if (type === "ER") return "error frames";
	if (type !== DATA && type !== REMOTE) return undefined; // states and events
	const direction = word("d") ?? "Rx";
	const id = word("I") ?? "";
	if (direction === "Tx") return "frames marked as sent";
	if (direction === "Error") return "error frames";
	if (direction !== "Rx" || id === NO_FRAME) return undefined; // warnings
	if (!/^[0-9A-Fa-f]{3,8}$/.test(id)) throw new Error(`identifier "${id}", 4 or 8 hexadecimal digits are allowed`);
	const data = words.slice(columns.indexOf("D"));
	const length = lengthOf(word("l") ?? word("L"));
	if (length === "CAN FD frames") return length;
	const isRemote = type === REMOTE || data[0] === "RTR";
	const bytes = isRemote ? undefined : bytesOf(data, length);
	return frameOf(
		Math.round(Number((word("O") ?? "").replace(",", ".")) * 1000),
		word("B") ?? "1",
		Number.parseInt(id, 16),
		id.length > 4,
		bytes,
	);
}

export const TRC: TextForm = {
	name: "PCAN-View TRC",
	knows: (line) => /^;\s*(\$FILEVERSION|\$STARTTIME|\$COLUMNS|-+\+|#{4})/.test(line) || /^\s*\d+\)\s+\d+[.,]?\d*\s/.test(line),
	reader: () => {
		let columns = COLUMNS["1.0"]!.split(","); // files of 1.0 do not say so
		return (line) => {
			const version = /^;\$FILEVERSION=(\S+)/.exec(line)?.[1];
			if (version !== undefined) {
				if (COLUMNS[version] === undefined)
					throw new Error(`version ${version} of TRC, ${Object.keys(COLUMNS).join(", ")} are allowed`);
				columns = COLUMNS[version].split(",");
			}
			const named = /^;\$COLUMNS=(\S+)/.exec(line)?.[1];
			if (named !== undefined) columns = named.split(",");
			return line.startsWith(";") || line.trim() === "" ? undefined : frameIn(columns, line);
		};
	},
};
