import assert from "node:assert/strict";
import { DEFAULT_MAP, type LockMap } from "../../src/lock/tuning.js";
import {
	lockMapFrom,
	lockMapFromC6,
	lockMapToJson,
	MapProblem,
	mapText,
	parseMapText,
	reasonOf,
} from "../../src/maps/lock-map.js";

const json = (): { speedBins: unknown[]; throttleBins: unknown[]; lockTable: unknown[][] } => lockMapToJson(DEFAULT_MAP);

function problemOf(read: () => LockMap): MapProblem {
	try {
		read();
	} catch (error) {
		assert.ok(error instanceof MapProblem);
		return error;
	}
	throw new Error("accepted");
}

describe("maps/lock-map", () => {
	it("reads back what it writes, with exactly the keys of the contract", () => {
		assert.deepEqual(lockMapFrom(json()), DEFAULT_MAP);
		assert.deepEqual(Object.keys(json()), ["speedBins", "throttleBins", "lockTable"]);
		assert.equal(json().lockTable.length, 7);
	});

	it("ignores other members, rounds, and clamps cells and bins", () => {
		const fields = json();
		fields.lockTable[0] = [-5, 101, 1e300, 49.5, 49.4, 12.0, -0.2, 0, 100];
		fields.speedBins = [-1, 5, 10, 20, 40, 60, 80, 100, 1e9];
		fields.throttleBins = [-3, 4.6, 10, 20, 40, 60, 256];
		const map = lockMapFrom({ ...fields, name: "x" });
		assert.deepEqual(map.cells.slice(0, 9), [0, 100, 100, 50, 49, 12, 0, 0, 100]);
		assert.deepEqual([map.speedBinsKmh[0], map.speedBinsKmh[8]], [0, 65535]);
		assert.deepEqual(map.pedalBinsPercent, [0, 5, 10, 20, 40, 60, 100]);
	});

	it("treats a file with numbers that it never writes as damaged", () => {
		assert.deepEqual(lockMapFrom(json(), true), DEFAULT_MAP);
		for (const cell of [200, -1, 49.5, "5", null]) {
			const fields = json();
			fields.lockTable[0][8] = cell;
			assert.throws(() => lockMapFrom(fields, true), {
				field: "lockTable[0][8]",
				value: cell,
				allowed: "0..100, a whole number",
			});
		}
		for (const [changed, field] of [
			[{ speedBins: [0, 5, 10, 20, 40, 60, 80, 100, 1e9] }, "speedBins[8]"],
			[{ throttleBins: [0, 4.6, 10, 20, 40, 60, 100] }, "throttleBins[1]"],
		] as const)
			assert.throws(() => lockMapFrom({ ...json(), ...changed }, true), { field });
	});

	it("rejects other sizes, rows, cells and axes, naming the first", () => {
		const lastRow = (row: unknown) => ({ lockTable: [...json().lockTable.slice(0, 6), row] });
		for (const [changed, message, field, value] of [
			[{ speedBins: [1, 2] }, "invalid map sizes", "speedBins", "2 values"],
			[{ speedBins: undefined }, "invalid map sizes", "speedBins", null],
			[{ speedBins: "0,5" }, "invalid map sizes", "speedBins", "0,5"],
			[{ throttleBins: Array(8).fill(0) }, "invalid map sizes", "throttleBins", "8 values"],
			[{ throttleBins: {} }, "invalid map sizes", "throttleBins", {}],
			[{ lockTable: Array(8).fill(Array(9).fill(0)) }, "invalid map sizes", "lockTable", "8 values"],
			[lastRow(Array(8).fill(0)), "invalid lock table", "lockTable[6]", "8 values"],
			[lastRow(Array(10).fill(0)), "invalid lock table", "lockTable[6]", "10 values"],
			[lastRow("x"), "invalid lock table", "lockTable[6]", "x"],
			[lastRow([0, 0, "5", 0, 0, 0, 0, 0, 0]), "invalid lock table", "lockTable[6][2]", "5"],
			[lastRow([0, 0, 0, 0, 0, 0, 0, 0, null]), "invalid lock table", "lockTable[6][8]", null],
			[lastRow([true, 0, 0, 0, 0, 0, 0, 0, 0]), "invalid lock table", "lockTable[6][0]", true],
			[lastRow([Number.POSITIVE_INFINITY, 0, 0, 0, 0, 0, 0, 0, 0]), "invalid lock table", "lockTable[6][0]", "Infinity"],
			[{ speedBins: [0, "5", 10, 20, 40, 60, 80, 100, 140] }, "invalid map sizes", "speedBins[1]", "5"],
			[{ speedBins: [0, 5, 5, 20, 40, 60, 80, 100, 140] }, "bins must ascend", "speedBins[2]", 5],
			// after rounding, and after clamping
			[{ speedBins: [0, 5, 5.4, 20, 40, 60, 80, 100, 140] }, "bins must ascend", "speedBins[2]", 5],
			[{ throttleBins: [0, 5, 10, 20, 40, 100, 120] }, "bins must ascend", "throttleBins[6]", 100],
		] as const) {
			const problem = problemOf(() => lockMapFrom({ ...json(), ...changed }));
			assert.deepEqual([problem.message, problem.field, problem.value], [message, field, value]);
		}
		const throttle = problemOf(() => lockMapFrom({ ...json(), throttleBins: [0, 5, 10, 20, 40, 100, 120] }));
		assert.equal(reasonOf(throttle), "bins must ascend: throttleBins[6] is 100; allowed: above 100");
	});

	describe("of OpenHaldex-C6", () => {
		const c6 = () => ({
			speedArray: [0, 20, 40, 70, 100, 150, 190] as unknown[],
			throttleArray: [0, 10, 20, 40, 50, 70, 95] as unknown[],
			lockArray: [0, 1, 2, 3, 4, 5, 6].map((row) => [6, 5, 4, 3, 2, 1, 0].map((column) => 10 * row + column)) as unknown[],
		});

		it("gets two more columns with the lock of its last one", () => {
			const map = lockMapFromC6({ ...c6(), mode: 5 });
			assert.deepEqual(map.speedBinsKmh, [0, 20, 40, 70, 100, 150, 190, 200, 210]);
			assert.deepEqual(map.pedalBinsPercent, [0, 10, 20, 40, 50, 70, 95]);
			assert.deepEqual(map.cells.slice(0, 9), [6, 5, 4, 3, 2, 1, 0, 0, 0]);
			assert.deepEqual(map.cells.slice(54), [66, 65, 64, 63, 62, 61, 60, 60, 60]);
		});

		it("is rejected by its own member names, and does not change its input", () => {
			for (const [changes, message, field] of [
				[{ speedArray: undefined }, "invalid map sizes", "speedArray"],
				[{ throttleArray: [1] }, "invalid map sizes", "throttleArray"],
				[{ lockArray: [[1]] }, "invalid map sizes", "lockArray"],
				[{ lockArray: [...c6().lockArray.slice(0, 6), [1]] }, "invalid lock table", "lockArray[6]"],
				[{ speedArray: [0, 1, 2, 3, 4, 5, "6"] }, "invalid map sizes", "speedBins[6]"],
				[{ speedArray: [0, 0, 2, 3, 4, 5, 6] }, "bins must ascend", "speedBins[1]"],
			] as const) {
				const problem = problemOf(() => lockMapFromC6({ ...c6(), ...changes }));
				assert.deepEqual([problem.message, problem.field], [message, field]);
			}
			const given = c6();
			lockMapFromC6(given);
			assert.deepEqual(given, c6());
		});
	});
});

const bytes = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const parse = (text: string): LockMap => parseMapText(bytes(text));

/** The example of docs/api.md, "Map files". */
const EXAMPLE = [
	"ID\tName\tS0\tS15\tS30\tS45\tS60\tS75\tS90\tS120\tS150",
	"T0\t0%\t0\t0\t0\t0\t0\t0\t0\t0\t0",
	"T10\t10%\t4\t4\t4\t3\t3\t2\t2\t1\t0",
	"T20\t20%\t8\t8\t8\t6\t6\t4\t4\t2\t0",
	"T35\t35%\t16\t16\t16\t12\t12\t8\t8\t4\t0",
	"T50\t50%\t32\t32\t32\t24\t24\t16\t16\t8\t0",
	"T75\t75%\t48\t48\t48\t36\t36\t24\t24\t12\t0",
	"T100\t100%\t64\t64\t64\t48\t48\t32\t32\t16\t0",
];
const EXAMPLE_MAP = parse(EXAMPLE.join("\n"));

const textProblem = (text: string): MapProblem => problemOf(() => parse(text));
const withLine = (index: number, change: (line: string) => string): string =>
	EXAMPLE.map((line, i) => (i === index ? change(line) : line)).join("\n");

describe("maps/lock-map: TXT files", () => {
	it("reads the example of the contract", () => {
		assert.deepEqual(EXAMPLE_MAP.speedBinsKmh, [0, 15, 30, 45, 60, 75, 90, 120, 150]);
		assert.deepEqual(EXAMPLE_MAP.pedalBinsPercent, [0, 10, 20, 35, 50, 75, 100]);
		assert.deepEqual(EXAMPLE_MAP.cells.slice(54), [64, 64, 64, 48, 48, 32, 32, 16, 0]);
		assert.deepEqual(EXAMPLE_MAP.cells.slice(9, 18), [4, 4, 4, 3, 3, 2, 2, 1, 0]);
	});

	it("reads back what it writes", () => {
		for (const map of [EXAMPLE_MAP, DEFAULT_MAP]) assert.deepEqual(parseMapText(mapText(map)), map);
		assert.equal(Buffer.from(mapText(EXAMPLE_MAP)).toString(), `${EXAMPLE.join("\n")}\n`);
	});

	it("accepts CRLF, blank lines, lines after the seventh, more columns, blanks, %, no last newline, any bytes in the free columns", () => {
		const variants = [
			EXAMPLE.join("\r\n"),
			`${EXAMPLE.join("\n\n  \n\r\n")}\n`,
			...["\n", "\r\n", " \t \n\n", "\xef\xbb\xbf\r\n"].map((blank) => blank + EXAMPLE.join("\n")),
			`${EXAMPLE.join("\n")}\nT100\tmore\nnonsense`,
			EXAMPLE.map((line) => `${line}\textra\t1\t\t`).join("\n"),
			EXAMPLE.map((line) => ` ${line.replaceAll("\t", " \t ")}  `).join("\n"),
			EXAMPLE.map((line, i) => (i === 0 ? line : `${line}%`)).join("\n"),
			EXAMPLE.map((line) => line.replace(/\t[^\t]*/, "\t\xff\xfe\0")).join("\n"),
			EXAMPLE.join("\n").replace("ID\tName", "\xef\xbb\xbfT\tThrottle"),
			EXAMPLE.map((line) => line.replace(/^T(\d+)\t\d+%/, "$1%\t$1")).join("\n"),
			EXAMPLE.join("\n").replaceAll("S", "t").replaceAll("T", "s"),
			withLine(7, (line) => line.replace("\t64", "\t63.6")),
		];
		for (const text of variants) assert.deepEqual(parse(text), EXAMPLE_MAP, text);
	});

	it("accepts semicolons, commas and blanks between columns, and decimal commas where they are unambiguous", () => {
		const variants = [
			EXAMPLE.map((line) => line.replaceAll("\t", ";")).join("\r\n"),
			EXAMPLE.map((line) => `${line.replaceAll("\t", " ; ")};`).join("\n"),
			EXAMPLE.map((line) => line.replaceAll("\t", ",")).join("\n"),
			EXAMPLE.map((line) => line.replaceAll("\t", ", ")).join("\n"),
			EXAMPLE.map((line) => `${line.replaceAll("\t", ",")},`).join("\n"),
			EXAMPLE.map((line) => line.replaceAll("\t", " ")).join("\n"),
			EXAMPLE.map((line) => ` ${line.replaceAll("\t", "   ")}`).join("\n"),
			EXAMPLE.map((line) => line.replace(/[^\t]+/g, '"$&"').replaceAll("\t", ",")).join("\n"),
			EXAMPLE.map((line, i) => line.replaceAll("\t", "\t ; ,"[i % 2] ?? "\t")).join("\n"),
			...["\t", ";", " "].map((separator) =>
				EXAMPLE.map((line, i) => (i < 2 ? line : line.replace(/\t(\d+)$/, "\t$1,2").replaceAll("\t", separator))).join("\n"),
			),
		];
		for (const text of variants) assert.deepEqual(parse(text), EXAMPLE_MAP, text);
		// each value has a decimal comma, so that eleven columns by blanks are eleven by commas, too
		const commas = withLine(7, () => "T99,6 100% 64,4 64,0 64,0 48,1 48,0 32,0 32,0 16,0 0");
		assert.deepEqual(parse(commas), EXAMPLE_MAP);
	});

	it("rejects a line whose commas may be either, and shows it with the wanted form", () => {
		for (const [line, count] of [
			["T20,20%,8,0,8,0,8,0,6,0,6,0,4,0,4,0,2,0,0", "more than 11 columns"],
			["T20 20% 8 8 8 6 6 4 4 2", "10 columns"],
			["T20 20% 8 8 8 6 6 4 4 2 1 0", "more than 11 columns"],
			["T20,20%,8,8,8,6,6,4,4,2", "10 columns"],
			["T20|20%|8|8|8|6|6|4|4|2|0", "1 columns"],
		] as const) {
			const problem = textProblem(withLine(3, () => line));
			assert.deepEqual(
				[problem.message, problem.field, problem.value, problem.detail],
				["invalid map sizes", "line 4", count, line],
			);
			assert.match(problem.allowed, /^11 columns, separated by tabs, semicolons, commas or blanks: ID Name S0 /);
		}
		assert.equal(textProblem(withLine(3, () => `x ${"y".repeat(200)}`)).detail?.length, 100);
		assert.equal(textProblem(withLine(3, () => "\xff 1")).detail, "? 1");
		for (const number of ["1,2,3", "1.5,2", ",", "5,", ",5"])
			assert.equal(textProblem(withLine(3, (text) => text.replace("\t6\t", `\t${number}\t`))).value, number);
	});

	it("rejects a line of more than 240 bytes, and cuts none", () => {
		const named = (bytes: number) => withLine(7, (line) => line.replace("100%", "n".repeat(bytes - line.length + 4)));
		assert.deepEqual(parse(named(240)), EXAMPLE_MAP);
		const { message, field, value, allowed, detail } = textProblem(named(241));
		assert.deepEqual([message, field, value, allowed], ["invalid map sizes", "line 8", "241 bytes", "at most 240 bytes"]);
		assert.equal(detail, `T100\t${"n".repeat(95)}`);
	});

	it("clamps values out of range", () => {
		const map = parse(withLine(7, () => "T150\t\t101\t-5\t1000000\t0\t0\t0\t0\t0\t0"));
		assert.deepEqual([map.pedalBinsPercent[6], ...map.cells.slice(54, 57)], [100, 100, 0, 100]);
	});

	it("rejects texts such as 0x10, 1e2 and S in place of a number, naming the value", () => {
		for (const text of ["", "x", "S", "5x", "0x10", "1e2", "--1", "1.2.3", ".5", "5.", "%", "+-5", "NaN", "SS5", "5 5"]) {
			const cell = textProblem(withLine(3, (line) => line.replace("\t6\t", `\t${text}\t`)));
			assert.deepEqual([cell.message, cell.field, cell.value], ["invalid lock table", "lockTable[2][3]", text], text);
			const speed = textProblem(withLine(0, (line) => line.replace("S15", text)));
			assert.deepEqual([speed.message, speed.field], ["invalid map sizes", "speedBins[1]"]);
			const pedal = textProblem(withLine(3, (line) => line.replace("T20", text)));
			assert.deepEqual([pedal.message, pedal.field], ["invalid map sizes", "throttleBins[2]"]);
		}
		const shown = (text: string) => textProblem(withLine(3, (line) => line.replace("\t6\t", `\t${text}\t`))).value;
		assert.deepEqual([shown("y".repeat(99)), shown("\xff")], ["y".repeat(16), "?"]);
	});

	it("shows the line of a wrong number, also behind blank lines", () => {
		const shown = (index: number, change: (line: string) => string): string | undefined =>
			textProblem(`\n${withLine(index, change).replaceAll("\n", "\n\n")}`).detail;
		for (let line = 1; line <= 7; line++)
			for (const cell of ["x", "", "1e1", "10 %"]) {
				const change = (text: string) => text.replace(/\t[^\t]*\t/, `\t\t${cell}\t`).replace(/\t[^\t]*$/, "");
				assert.equal(shown(line, change), change(EXAMPLE[line] ?? ""), `${line}: ${cell}`);
			}
		assert.equal(
			shown(0, (text) => text.replace("S15", "fast")),
			EXAMPLE[0]?.replace("S15", "fast"),
		);
		assert.equal(
			shown(0, (text) => text.replace("S15", "S0")),
			EXAMPLE[0]?.replace("S15", "S0"),
		);
		assert.equal(
			shown(4, (text) => text.replace("T35", "T20")),
			EXAMPLE[4]?.replace("T35", "T20"),
		);
		assert.equal(
			shown(7, (text) => text.replace("T100", "Txx")),
			EXAMPLE[7]?.replace("T100", "Txx"),
		);
		assert.equal(textProblem(EXAMPLE.slice(0, 4).join("\n")).detail, EXAMPLE[3], "the last line, where some are missing");
	});

	it("rejects too few lines or columns, naming the line", () => {
		assert.deepEqual([textProblem("").field, textProblem("").value], ["lines", 0]);
		assert.equal(textProblem(EXAMPLE.slice(0, 7).join("\n")).value, 6);
		for (const line of [0, 4]) {
			const problem = textProblem(withLine(line, (text) => text.slice(0, text.lastIndexOf("\t"))));
			assert.deepEqual([problem.message, problem.field, problem.value], ["invalid map sizes", `line ${line + 1}`, "10 columns"]);
		}
		assert.equal(textProblem(withLine(3, (line) => line.replace(/[^\t]*$/, ""))).field, "lockTable[2][8]");
	});

	it("rejects axes that do not strictly ascend", () => {
		assert.deepEqual(textProblem(withLine(3, (line) => line.replace("T20", "T10"))).message, "bins must ascend");
		assert.deepEqual(textProblem(withLine(0, (line) => line.replace("S15", "S0"))).field, "speedBins[1]");
	});

	it("never throws anything else, whatever the bytes are", () => {
		let seed = 1;
		const random = () => (seed = (seed * 48271) % 2147483647);
		const alphabet = Buffer.from("\t\t\t\n\n\r 0123456789ST%.,;-x\xff\0", "latin1");
		for (let run = 0; run < 3000; run++) {
			const text = Buffer.from(EXAMPLE.join("\n"));
			for (let k = random() % 8; k >= 0; k--) text[random() % text.length] = alphabet[random() % alphabet.length];
			try {
				const map = parseMapText(new Uint8Array(text.subarray(0, random() % (2 * text.length))));
				assert.deepEqual([map.cells.length, map.speedBinsKmh.length, map.pedalBinsPercent.length], [63, 9, 7]);
				assert.ok(map.cells.every((cell) => Number.isInteger(cell) && cell >= 0 && cell <= 100));
			} catch (error) {
				assert.ok(error instanceof MapProblem, String(error));
			}
		}
	});
});
