/** What code and documents cite of `docs/` is there: file and section. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { IDENTITY, KWP_FORMULAS, KWP_VALUES, MEASURED } from "../../src/can/layouts/diagnosis-data.js";
import { KWP_ROUTE, TP20_IDS, UDS_ROUTES } from "../../src/can/layouts/diagnosis-ids.js";
import {
	DATA_ID_SEQUENCES,
	MOTOR_11_SIGNALS,
	MQB_CHECKS,
	MQB_NETWORK_MANAGEMENT,
	MQB_SIGNALS,
} from "../../src/can/layouts/mqb.js";
import { MQB_MARKED, PQ_MARKED } from "../../src/can/layouts/overwritten.js";
import { PQ_CHECKS, PQ_SIGNALS } from "../../src/can/layouts/pq.js";
import { STATUS_BYTES, STATUS_FRAME } from "../../src/can/layouts/status.js";
import { MQB_CAR, PQ_CAR } from "../../src/coupling/cars.js";
import { COUPLINGS, FRAME_PROFILES, GENERATIONS } from "../../src/coupling/couplings/couplings.js";
import { PLANS } from "../../src/coupling/plan-table.js";
import { MODES } from "../../src/lock/modes.js";
import { nodesOf, sourcesIn, syntaxOf } from "../support/syntax.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const DOCUMENTS = ["control-and-can", "decisions"];

/** A section's number, `3.1`, and what joins several of them. */
const SECTION = /\d+(?:\.\d+)*/y;
const JOIN = /(?:,? and |, | to | or |-)(?:section )?(?=\d)/y;

/** Section numbers after each mention of a document. @returns pairs of document and section */
function citations(text: string): [document: string, section: string][] {
	const found: [string, string][] = [];
	for (const mention of text.matchAll(/\b(control-and-can|decisions)\.md`?,? ?(?:sections? )?/g)) {
		const document = mention[1]!;
		let at = mention.index + mention[0].length;
		for (;;) {
			SECTION.lastIndex = at;
			const section = SECTION.exec(text);
			if (section === null) break;
			found.push([document, section[0]]);
			// what stands in between is ours to say: `5 (500 ms after it went missing)`
			JOIN.lastIndex = SECTION.lastIndex;
			if (JOIN.exec(text) === null) break;
			at = JOIN.lastIndex;
		}
	}
	return found;
}

/** Numbers of a document's headings. */
function sectionsOf(document: string): Set<string> {
	const text = readFileSync(`${ROOT}docs/${document}.md`, "utf8");
	return new Set([...text.matchAll(/^#+ (\d+(?:\.\d+)*)\b/gm)].map(([, number]) => number!));
}

/**
 * Text files that git knows, or would know, with their text; a comment's line break and margin are a blank.
 */
function* texts(): Generator<[path: string, text: string]> {
	const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: ROOT, encoding: "utf8" });
	for (const path of listed.split("\n"))
		if (/\.(ts|tsx|mts|mjs|c|h|md|json|dbc|yml)$/.test(path) && !path.includes("test/vectors/data/") && existsSync(ROOT + path))
			yield [path, readFileSync(ROOT + path, "utf8").replace(/\n[ \t]*(?:\*|\/\/)? ?/g, " ")];
}

/** A `Source` of `src/can/signal-layout.ts`, with a section that is there. */
function isSource(text: string, known: ReadonlySet<string>): boolean {
	return known.has(/^(?:car|bench|maker|firmware|assumed), (\d+\.\d+): ./.exec(text)?.[1] ?? "");
}

/** A quantity has its unit in its name, as `SETTLE_MS`; a factor between two units needs no source. */
const QUANTITY = /^(?!.*_PER_).*_(MS|KMH|PERCENT|NM|RPM|MBAR|DEG|C|FRAMES)(_|$)/;

/**
 * Constants at the top of a file that are quantities with a number of their own, and the comment above them.
 * Without an empty line between them they share that of the first.
 */
function* quantitiesOf(path: string): Generator<[name: string, comment: string]> {
	const syntax = syntaxOf(path);
	let comment = "";
	for (const statement of syntax.statements) {
		if (!ts.isVariableStatement(statement)) continue;
		const above = syntax.text.slice(statement.pos, statement.getStart());
		if (above.includes("/*") || above.includes("\n\n")) comment = above.replace(/\s+\*?\s*/g, " ");
		for (const { name, initializer } of statement.declarationList.declarations) {
			const hasNumber = initializer !== undefined && [...nodesOf(initializer)].some(ts.isNumericLiteral);
			if (hasNumber && QUANTITY.test(name.getText())) yield [`${path}: ${name.getText()}`, comment];
		}
	}
}

describe("sources", () => {
	it("that code and documents cite exist, file and section", () => {
		const known = new Map(DOCUMENTS.map((document) => [document, sectionsOf(document)]));
		const missing: string[] = [];
		let resolved = 0;
		for (const [path, text] of texts())
			for (const [document, section] of citations(text))
				if (known.get(document)?.has(section)) resolved++;
				else missing.push(`${path}: docs/${document}.md ${section}`);
		assert.deepEqual(missing, []);
		assert.ok(resolved > 200, `only ${resolved} citations were found: is the pattern still right?`);
	});

	it("name headings of docs/api.md that exist", () => {
		const headings = new Set(
			[...readFileSync(`${ROOT}docs/api.md`, "utf8").matchAll(/^##+ (.*)$/gm)].map(([, heading]) => `"${heading}"`),
		);
		const cited = [...texts()].flatMap(([path, text]) =>
			[...text.matchAll(/\bdocs\/api\.md`?,((?: "[A-Z][^"]*",?)+)/g)].flatMap(([, list]) =>
				(list!.match(/"[^"]+"/g) ?? []).map((heading) => `${path}: ${heading}`),
			),
		);
		assert.deepEqual(
			cited.filter((citation) => !headings.has(citation.slice(citation.indexOf('"')))),
			[],
		);
		assert.ok(cited.length > 80, `only ${cited.length} citations were found: is the pattern still right?`);
	});

	it("are named by each row of the layout tables: its standing, a section of docs/control-and-can.md, then what it has there", () => {
		const known = sectionsOf("control-and-can");
		const vague = Object.entries({
			pq: PQ_SIGNALS,
			mqb: MQB_SIGNALS,
			motor11: MOTOR_11_SIGNALS,
			dataIds: DATA_ID_SEQUENCES,
			identity: IDENTITY,
			measured: MEASURED,
			kwpFormulas: KWP_FORMULAS,
			kwpValues: KWP_VALUES,
			pqChecks: PQ_CHECKS,
			mqbChecks: MQB_CHECKS,
			pqMarked: PQ_MARKED,
			mqbMarked: MQB_MARKED,
			reports: COUPLINGS.map(({ status }) => status),
			selectors: { pq: PQ_CAR.selector, mqb: MQB_CAR.selector },
			ids: { MQB_NETWORK_MANAGEMENT, TP20_IDS, KWP_ROUTE, ...UDS_ROUTES, STATUS_FRAME, ...STATUS_BYTES },
		})
			.flatMap(([table, rows]) => Object.entries(rows).map(([name, { source }]) => [`${table} ${name}`, source] as const))
			.filter(([, source]) => !isSource(source, known))
			.map(([name, source]) => `${name}: ${source}`);
		assert.deepEqual(vague, []);
	});

	it("are named by each comment of the DBC files, and each signal that is recommended has one", () => {
		const known = sectionsOf("control-and-can");
		for (const { network, recommended } of [PQ_CAR, MQB_CAR]) {
			const text = readFileSync(`${ROOT}src/can/dbc/${network}.dbc`, "utf8");
			const comments = [...text.matchAll(/^CM_ SG_ (\d+) (\w+) "(.*)";$/gm)];
			assert.deepEqual(
				comments.filter(([, , , comment]) => !isSource(comment!, known)).map(([line]) => line),
				[],
			);
			const commented = comments.map(([, id, name]) => `${Number(id)}|${name!.toLowerCase().replaceAll("_", " ")}`);
			const { inputs, steering, conditions } = recommended;
			const keys = [...Object.values(inputs), steering, ...Object.values(conditions)].filter((key) => key !== "");
			assert.deepEqual(
				keys.filter((key) => {
					const [, id, name] = key.split("|");
					return !commented.includes(`${Number(id)}|${name}`);
				}),
				[],
			);
		}
	});

	it("are named by each constant of control with a unit in its name, or its comment says what is assumed", () => {
		const folders = "analyzer calibration can controller controls coupling diagnosis lock runtime sleep update vehicle".split(
			" ",
		);
		const constants = folders.flatMap((folder) => sourcesIn(`src/${folder}`)).flatMap((path) => [...quantitiesOf(path)]);
		assert.ok(constants.length > 70, `only ${constants.length} constants were found: is the pattern still right?`);
		assert.deepEqual(
			constants.filter(([, comment]) => !/\b(Source|Assumed): /.test(comment)).map(([name]) => name),
			[],
		);
	});

	it("are named by each table of frames: standing, sections of docs/control-and-can.md, and what these have", () => {
		const known = sectionsOf("control-and-can");
		const sources = new Set<string>();
		const sets = new Set<number>();
		for (const generation of GENERATIONS)
			for (const profile of FRAME_PROFILES)
				for (const mode of MODES.keys())
					for (const tables of [PLANS[generation].inline, PLANS[generation].standalone]) {
						const { counterSet, source } = tables[profile](mode);
						sources.add(source);
						sets.add(counterSet);
					}
		const isNamed = (part: string): boolean => {
			const [, sections] = /^(?:car|bench|maker|firmware|assumed), ([\d., ]+): ./.exec(part) ?? [];
			return sections?.split(", ").every((section) => known.has(section)) ?? false;
		};
		assert.equal(sources.size, sets.size);
		assert.deepEqual(
			[...sources].filter((source) => !source.split("; ").every(isNamed)),
			[],
		);
	});
});
