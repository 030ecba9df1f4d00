/**
 * Tables with a head: SavvyCAN's CSV ("GVRET", all versions), python-can's, and cabana's. Also with
 * semicolons or tabs, as spreadsheets save them. Sources: SavvyCAN `framefileio.cpp`, python-can `io/csv.py`,
 * openpilot's cabana.
 */
import {
	bytesOf,
	frameOf,
	type LeftOut,
	type LineReader,
	lengthOf,
	microseconds,
	type RecordedFrame,
	type TextForm,
} from "./form.js";

/** One kind of table. */
interface Table {
	readonly head: string;
	/** Names of columns that tell it from the others. */
	readonly columns: readonly string[];
	/** @param field text of a column, "" = absent. @param from fields from a column on */
	read(field: (column: string) => string, from: (column: string) => readonly string[]): RecordedFrame | LeftOut;
}

const HEXADECIMAL = /^(?:0x)?([0-9A-Fa-f]{1,8})$/;
const isTrue = (text: string): boolean => /^(true|1)$/i.test(text);

function identifier(text: string, base: 10 | 16): number {
	const digits = base === 16 || text.startsWith("0x") ? HEXADECIMAL.exec(text)?.[1] : /^\d{1,9}$/.exec(text)?.[0];
	if (digits === undefined)
		throw new Error(`identifier "${text}", a ${base === 16 ? "hexadecimal" : "decimal"} number is allowed`);
	return Number.parseInt(digits, base === 16 || text.startsWith("0x") ? 16 : 10);
}

/** Some versions write the clock of the system, as a negative number or one of 64 bits without a sign. */
function savvycanTime(text: string): number {
	if (!/^-?\d+(\.\d*)?(e\+?\d+)?$/i.test(text)) throw new Error(`time stamp "${text}", microseconds are allowed`);
	return /^\d{17,20}$/.test(text) ? Number(BigInt.asIntN(64, BigInt(text))) : Math.trunc(Number(text));
}

const SAVVYCAN: Table = {
	head: "Time Stamp,ID,Extended,Dir,Bus,LEN,D1,D2,D3,D4,D5,D6,D7,D8",
	columns: ["time stamp", "id", "bus", "len", "d1"], // older versions have no direction
	read: (field, from) => {
		if (/^t/i.test(field("dir"))) return "frames marked as sent";
		const length = lengthOf(field("len"));
		if (length === "CAN FD frames") return length;
		const id = identifier(field("id"), 16);
		// some versions forget to say that a frame is extended
		const extended = isTrue(field("extended")) || id > 0x7ff;
		return frameOf(savvycanTime(field("time stamp")), field("bus"), id, extended, bytesOf(from("d1"), length));
	},
};

const PYTHON_CAN: Table = {
	head: "timestamp,arbitration_id,extended,remote,error,dlc,data",
	columns: ["timestamp", "arbitration_id", "extended", "data"],
	read: (field) => {
		if (isTrue(field("error"))) return "error frames";
		const length = lengthOf(field("dlc"));
		if (length === "CAN FD frames") return length;
		const bytes = Buffer.from(field("data"), "base64");
		const isRemote = isTrue(field("remote"));
		if (!isRemote && bytes.length !== length) throw new Error(`data "${field("data")}", ${length} bytes in base64 are allowed`);
		const id = identifier(field("arbitration_id"), 16);
		return frameOf(microseconds(field("timestamp")), "can0", id, isTrue(field("extended")), isRemote ? undefined : bytes);
	},
};

/** On panda's buses from 128 on are the frames that it has sent. */
const SENT_BUSES = 128;

const CABANA: Table = {
	head: "time,addr,bus,data",
	columns: ["time", "addr", "bus", "data"],
	read: (field) => {
		if (Number(field("bus")) >= SENT_BUSES) return "frames marked as sent";
		const data = /^(?:0x)?((?:[0-9A-Fa-f]{2})*)$/.exec(field("data"))?.[1];
		if (data === undefined) throw new Error(`data "${field("data")}", bytes in hexadecimal are allowed`);
		const length = lengthOf(String(data.length / 2));
		if (length === "CAN FD frames") return length;
		const id = identifier(field("addr"), 10);
		return frameOf(microseconds(field("time")), field("bus"), id, id > 0x7ff, Buffer.from(data, "hex"));
	},
};

/** Columns of any table of frames, also of an unknown form. */
const TIMES = ["time stamp", "timestamp", "time"];
const IDENTIFIERS = ["id", "arbitration_id", "addr", "can id", "can_id"];
const TABLES = [SAVVYCAN, PYTHON_CAN, CABANA];

function columnsOf(head: string): { separator: string; columns: string[] } {
	const separator = [",", ";", "\t"].find((character) => head.includes(character)) ?? ",";
	return { separator, columns: head.split(separator).map((name) => name.trim().replaceAll('"', "").toLowerCase()) };
}

const tableOf = (columns: readonly string[]): Table | undefined =>
	TABLES.find((table) => table.columns.every((name) => columns.includes(name)));

function isHead(line: string): boolean {
	const { columns } = columnsOf(line);
	return TIMES.some((name) => columns.includes(name)) && IDENTIFIERS.some((name) => columns.includes(name));
}

export const CSV: TextForm = {
	name: "CSV of SavvyCAN, python-can or cabana",
	knows: isHead,
	reader: () => {
		let read: LineReader | undefined;
		return (line) => {
			if (read !== undefined) return read(line);
			if (!isHead(line)) return "lines before the first frame"; // such as Excel's "sep=;"
			const { separator, columns } = columnsOf(line);
			const table = tableOf(columns);
			if (table === undefined)
				throw new Error(`these columns are unknown; allowed are ${TABLES.map(({ head }) => `"${head}"`).join(", ")}`);
			read = (row) => {
				const fields = row.split(separator).map((text) => text.trim().replaceAll('"', ""));
				// files that were put together have the head again
				if (fields[0]?.toLowerCase() === columns[0]) return undefined;
				return table.read(
					(name) => fields[columns.indexOf(name)] ?? "",
					(name) => fields.slice(columns.indexOf(name)),
				);
			};
			return undefined;
		};
	},
};
