import assert from "node:assert/strict";
import { anAnalyzer, anApiContext, aSendPermission, request } from "../support/api-client.js";

describe("api/analyzer", () => {
	const context = anApiContext({ analyzer: anAnalyzer() });
	const post = (body: object, of = context) => {
		const answer = request(of, "POST", "/api/analyzer", JSON.stringify(body));
		return [answer.status, answer.json()] as const;
	};

	it("is off, and is switched on and off by the body that displays send", () => {
		assert.deepEqual(request(context, "GET", "/api/analyzer").json(), STATE);
		assert.deepEqual(post({ enabled: true }), [200, { ok: true, ...STATE, enabled: true, port: 23 }]);
		assert.equal(context.controller.settings.analyzerEnabled, true);
		assert.deepEqual(post({ enabled: 0 }), [200, { ok: true, ...STATE }]);
		assert.equal(context.controller.settings.analyzerEnabled, false);
	});

	it("lets clients send, and ends that by itself with the port", () => {
		const [, on] = post({ enabled: true, maySend: true });
		assert.equal(on["maySend"], true);
		assert.equal(post({ maySend: false })[1]["maySend"], false);
		assert.equal(post({ maySend: 1 })[1]["maySend"], true);
		assert.equal(post({ enabled: false })[1]["maySend"], false);
	});

	it("rejects sending while the port is off or a condition fails, and changes nothing then", () => {
		const off = "switch the analyser port on first";
		assert.deepEqual(post({ maySend: true }), [409, { error: "sending refused", field: "maySend", value: true, detail: off }]);
		const moving = anApiContext({ analyzer: anAnalyzer(aSendPermission({ speedKmh: 1 })) });
		const [status, answer] = post({ enabled: true, maySend: true }, moving);
		assert.deepEqual([status, answer["detail"]], [409, "the car must stand: its speed must be known, and 0"]);
		assert.equal(moving.controller.settings.analyzerEnabled, false);
	});
});

const STATE = {
	enabled: false,
	port: 0,
	clients: [],
	maySend: false,
	sendRefusal: "",
	sentFrames: 0,
	refusedFrames: 0,
	lastRefusal: "",
};
