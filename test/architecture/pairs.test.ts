/** Each file of `src/` has a test of its name, or stands below with the test that shows what it does. */
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import ts from "typescript";
import { syntaxOf } from "../support/syntax.js";

const COUPLINGS = ["gen1", "gen2", "gen4", "gen5"];
const ofCouplings = (file: string): string => COUPLINGS.map((folder) => `coupling/couplings/${folder}/${file}`).join(" ");

/** Tests, and the files without one of their own that they try. */
const TRIED_BY: Readonly<Record<string, string>> = {
	"api/api-router": "api/problem api/routes",
	"api/canview": "api/query api/text-body trace/bus-filter",
	"api/json-body": "json/parse",
	"api/owner": "api/owner-guard owner/owner-document",
	"api/revisions": "api/revision settings/revisions settings/tuning-text",
	"api/settings": "api/capture",
	"api/status":
		"api/status/buses api/status/dashboard api/status/diagnosis api/status/driver api/status/figures api/status/aliases api/telemetry",
	"api/stored-maps": "api/map-transfer",
	"api/uds": "api/diagnosis-objects",
	"calibration/sweep": "calibration/fit",
	"calibration/learning": "calibration/learned-table",
	"can/catalogue": "can/layouts/mqb can/layouts/pq can/signal-key",
	"controller/controller": "can/bus controller/input-supervisor controller/preparation",
	"coupling/status-broadcast": "can/layouts/status",
	"coupling/frame-plan": `coupling/plan-rows coupling/plan-table coupling/rule-groups ${ofCouplings("plans")}`,
	"coupling/couplings/couplings": ofCouplings("coupling"),
	"coupling/profiles/corrected": ofCouplings("inline"),
	"coupling/profiles/standalone-corrected": ofCouplings("standalone"),
	"diagnosis/diagnosis": "can/layouts/diagnosis-ids diagnosis/exchange",
	"diagnosis/services": "can/layouts/diagnosis-data",
	"http/connection": "http/input-buffer http/least-rate http/response http/response-writer http/room",
	"http/request": "http/header-names",
	"logs/log": "logs/flood-gate logs/line-buffer",
	"modules/frame-text/frame-lines": "trace/frame-format",
	"network/names": "network/name-answer network/name-service",
	"runtime/http-service": "runtime/place",
	"settings/patch": "settings/condition-list settings/patch-reader settings/setting-groups settings/signal-keys",
	"settings/settings-documents": "settings/settings-table",
	"settings/stored-settings": "settings/stored-value",
	"storage/write-queue": "clock/turns",
	"system/boot": "app main platform",
	"system/conditions": "api/conditions",
	"contract/state": "api/preview",
	"system/displays": "api/dashboard",
	"system/diagnosis": "runtime/diagnosis-service",
	"system/update": "runtime/update-service",
	"tools/device/release": "version",
	"update/firmware-image": "text/hexadecimal",
	"update/updater": "update/update-ports",
	"vehicle/dashboard": "can/known-signals vehicle/coupling-status vehicle/signal-text",
	"vehicle/signal-input": "coupling/cars/mqb coupling/cars/pq vehicle/mapped-inputs vehicle/watch-list",
	"vehicle/telemetry": "vehicle/vehicle-state coupling/coupling coupling/couplings/allrad-1",
	"virtual-time/board-controls": "runtime/controls-service",
	"web/site-router": "http/asset",
};

/** Types, names and figures, without anything that could be tried. */
const NOTHING_TO_TRY =
	"api/context api/status/heap-figures can/signal-layout coupling/coupling-plans coupling/plan-format controller/view http/connection-context http/no-bytes http/phase http/router transport/channel".split(
		" ",
	);

const isFunction = (node: ts.Expression | undefined): boolean =>
	node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));

/** A class, a function, or a variable that is one. */
function exportsSomethingToTry(node: ts.Statement): boolean {
	if (!ts.canHaveModifiers(node) || !ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
		return false;
	if (ts.isClassDeclaration(node) || ts.isFunctionDeclaration(node)) return true;
	return ts.isVariableStatement(node) && node.declarationList.declarations.some(({ initializer }) => isFunction(initializer));
}

const testOf = (name: string): string => `test/${name}.test.ts`;

describe("the pairs of sources and tests", () => {
	const files = readdirSync("src", { recursive: true, encoding: "utf8" })
		.filter((path) => path.endsWith(".ts") && !path.startsWith("page/") && !path.includes("generated/"))
		.map((path) => path.slice(0, -".ts".length));
	const listed = [...Object.values(TRIED_BY).flatMap((names) => names.split(" ")), ...NOTHING_TO_TRY];

	it("are complete: whatever has no test of its name is listed, once", () => {
		const unpaired = files.filter((name) => !existsSync(testOf(name)));
		const expected = listed.filter((name) => !name.includes("generated/"));
		assert.deepEqual([...expected].sort(), unpaired.sort());
	});

	it("name tests that are there", () => {
		assert.deepEqual(
			Object.keys(TRIED_BY).filter((name) => !existsSync(testOf(name))),
			[],
		);
	});

	it("list nothing as untried that has functions", () => {
		assert.deepEqual(
			NOTHING_TO_TRY.filter((name) => syntaxOf(`src/${name}.ts`).statements.some(exportsSomethingToTry)),
			[],
		);
	});

	it("know something to try, however it is written", () => {
		const written = ["function f() {}", "class C {}", "abstract class C {}", "const f = () => 1", "const f = function () {}"];
		const nothing = ["interface I {}", "type T = () => void", "const A = 1", "const A = Object.freeze([1])"];
		const isFound = (text: string): boolean => syntaxOf("one.ts", `export ${text}`).statements.some(exportsSomethingToTry);
		assert.deepEqual([...written, ...nothing].filter(isFound), written);
	});
});
