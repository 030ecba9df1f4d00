import assert from "node:assert/strict";
import { answerOnceActive, inOwnTurn } from "../../src/api/active-state.js";
import { HttpResponse } from "../../src/http/response.js";
import { anApiContext } from "../support/api-client.js";
import { aController } from "../support/controller-view.js";
import { aLogBench } from "../support/memory-files.js";

/** A write at the controller's revision 7; `look` lets the next look happen. */
function write(activeRevision: number) {
	const controller = aController({ revision: 7, activeRevision });
	const looks: (() => void)[] = [];
	const response = new HttpResponse();
	answerOnceActive(anApiContext({ controller, later: (look) => looks.push(look) }), response);
	return { controller, response, looks, look: () => looks.shift()?.() };
}

describe("api/active-state", () => {
	it("answers at once if the state is active already", () => {
		assert.equal(write(7).response.status, 200);
		assert.equal(write(Number.POSITIVE_INFINITY).response.status, 200);
	});

	it("answers once a control tick has taken the change over, whatever else has changed since", () => {
		const { controller, response, look, looks } = write(6);
		look();
		assert.equal(response.status, 0);
		controller.revision = 8;
		controller.activeRevision = 7;
		look();
		assert.deepEqual([response.status, looks.length], [200, 0]);
	});

	it("answers 503 if no control tick does", () => {
		const { response, looks, look } = write(6);
		let count = 0;
		for (; looks.length > 0; count++) look();
		assert.deepEqual([response.status, count], [503, 20]);
	});

	it("does the rest in a turn of its own, also for a client that has gone; what that throws is answered 500 and logged", () => {
		const { log, serial } = aLogBench({ serial: true });
		const turns: (() => void)[] = [];
		const context = anApiContext({ log, later: (turn) => turns.push(turn) });
		const response = new HttpResponse();
		let done = 0;
		inOwnTurn(context, response, () => done++);
		assert.equal(done, 0);
		response.abandon();
		turns.shift()?.();
		assert.equal(done, 1);

		const failing = new HttpResponse();
		inOwnTurn(context, failing, () => {
			throw new Error("no room");
		});
		turns.shift()?.();
		assert.equal(failing.status, 500);
		assert.match(serial.join(), /ERROR\thttp\tError: no room/);
	});
});
