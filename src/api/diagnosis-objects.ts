/** What the interface says of diagnosis: routes, results, status. Source: docs/api.md, "Diagnosis". */

import type { DiagnosisRoute } from "../can/layouts/diagnosis-ids.js";
import { elapsedMs } from "../clock/elapsed.js";
import { couplingOf } from "../coupling/couplings/couplings.js";
import type { ExchangeResult, ExchangeStatus } from "../diagnosis/diagnosis.js";
import { nrcName } from "../diagnosis/services.js";
import { upperCase } from "../text/characters.js";
import { hexadecimal, hexText } from "../text/hexadecimal.js";
import type { ApiContext } from "./context.js";

const NEGATIVE = 0x7f;

/** For people, by status; of a negative response its code's name is said. */
const MESSAGES: Readonly<Record<Exclude<ExchangeStatus, "negative_response">, string>> = Object.freeze({
	positive: "positive response",
	timeout: "the control unit does not answer",
	busy: "another job runs, or a tester of somebody else is at work",
	can_not_ready: "the coupling bus is not running",
	no_route: "no control unit answers on any route",
	unsupported_generation: "by KWP2000 the control unit has no data identifiers: ask /api/diag/measured",
	unexpected_response: "the response belongs to another request",
	send_failed: "the request could not be sent",
	bad_sequence: "a frame of the response is missing",
	payload_too_large: "the response has more than 256 bytes",
	flow_control_failed: "the control unit does not let the request go on",
	setup_timeout: "nobody answers the request for a channel",
	setup_negative: "the control unit refuses a channel",
	request_too_long: "the request is too long",
	ack_timeout: "the control unit acknowledges nothing",
	bad_tp20_frame: "the control unit breaks the rules of TP2.0",
	setup_send_failed: "the request for a channel could not be sent",
	bad_setup_response: "the control unit answers the request for a channel wrongly",
	params_send_failed: "the channel's parameters could not be sent",
	params_timeout: "the control unit does not answer the channel's parameters",
	bad_params_response: "the control unit answers the channel's parameters wrongly",
});

/** Bytes from `start` on as `62 F1 90`. */
export function bytesText(bytes: Uint8Array, start = 0): string {
	return upperCase(hexadecimal(bytes.subarray(start), " "));
}

/** How an exchange ended, for people: the name of the response's code if it is negative. Never throws. */
export function messageOf({ status, nrc }: ExchangeResult): string {
	if (status === "negative_response") return nrcName(nrc);
	return MESSAGES[status];
}

/**
 * `route` on the wire; undefined, while none is known: `{"selected":false}`.
 * Source: docs/api.md, "Diagnosis".
 */
export function routeObject(route: DiagnosisRoute | undefined): object {
	if (route === undefined) return { selected: false };
	const id = (value: number): string => `0x${hexText(value, route.extended ? 8 : 3)}`;
	const { name, requestId, responseId, extended } = route;
	return { selected: true, name, requestCanId: id(requestId), responseCanId: id(responseId), extended };
}

/** One exchange on the wire: texts in hexadecimal, times in ms. Source: docs/api.md, "Diagnosis". */
export function resultObject(result: ExchangeResult, route: DiagnosisRoute | undefined): object {
	const { status, request, response, nrc, pendingSeen, elapsedMs: tookMs } = result;
	const isNegative = status === "negative_response";
	const message = messageOf(result);
	return {
		ok: status === "positive",
		status,
		message,
		timeout: status === "timeout" || status === "setup_timeout" || status === "ack_timeout",
		busy: status === "busy",
		negative: isNegative,
		pendingSeen,
		elapsedMs: tookMs,
		requestServiceId: hexText(request[0], 2),
		responseServiceId: hexText(response.length > 0 ? response[0] : 0, 2),
		responseHex: bytesText(response),
		responseLength: response.length,
		...(isNegative && response[0] === NEGATIVE
			? { negativeServiceId: hexText(response[1], 2), nrc: hexText(nrc, 2), nrcName: message }
			: {}),
		route: routeObject(route),
	};
}

/** `uds` of the status and of every answer about diagnosis. */
export function diagnosisStatus({ controller, diagnosis }: ApiContext): object {
	const { worker, nowMs } = diagnosis;
	const { active, last } = worker;
	const atRest = couplingOf(controller.settings.generation)?.diagnosis || "uds_can";
	const transport = active ? worker.transport : atRest;
	return {
		supported: true,
		transport,
		kwpTp20Supported: true,
		target: "haldex",
		active,
		udsActive: active && transport === "uds_can",
		kwpTp20Active: active && transport === "kwp_tp20",
		route: routeObject(worker.route),
		last:
			last === undefined
				? { available: false }
				: { available: true, ageMs: elapsedMs(last.atMs, nowMs), ...resultObject(last.result, last.route) },
	};
}
