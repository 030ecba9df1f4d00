/**
 * Answers a write when it is in force: after the control tick that has taken it over, so that the next status shows it. docs/decisions.md 25.
 */

import type { HttpResponse } from "../http/response.js";
import type { ApiContext } from "./context.js";
import { plainProblem, problem } from "./problem.js";

/** Between two looks. A tick comes every 10 ms, so that the second look is usually the last. */
const LOOK_MS = 10;
/** 200 ms, counted in looks: while the script stands still nothing is looked at, and no tick is overdue. */
const LOOKS = 20;

/** Has `answer` called once all that was asked of the controller so far is in force; 503 `busy` if no control tick takes it over. */
export function answerInForce({ controller, later }: ApiContext, response: HttpResponse, answer: () => void): void {
	const { revision } = controller;
	let looks = 0;
	const look = (): void => {
		if (controller.revisionInForce >= revision) answer();
		else if (looks++ < LOOKS) later(look, LOOK_MS);
		else problem(response, 503, "busy", { detail: "the change is stored, but the control loop has not taken it over" });
	};
	response.later();
	look();
}

/**
 * Has the rest of a write done in a turn of its own, also when its client is gone by then. What it throws is answered 500 and logged, as it
 * is for a handler.
 */
export function inOwnTurn({ later, log }: ApiContext, response: HttpResponse, work: () => void): void {
	response.later();
	later(() => {
		try {
			work();
		} catch (error) {
			log.write("ERROR", "http", String(error));
			plainProblem(response, 500);
		}
	}, 0);
}
