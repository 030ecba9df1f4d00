/**
 * GET /api/canview/dbc: what the firmware knows of a network's frames as a DBC file, so that other tools read
 * recordings with names. Written in C out of the signal catalogue.
 */

import { networkNumber } from "../can/catalogue.js";
import { couplingOf, networkOf } from "../coupling/couplings/couplings.js";
import type { HttpRequest } from "../http/request.js";
import { type HttpResponse, UNKNOWN_LENGTH } from "../http/response.js";
import type { ApiContext } from "./context.js";
import { problem } from "./problem.js";
import { TextBody } from "./text-body.js";

const SHORTEST_REPORT = 4;
const NETWORKS = Object.freeze(["pq", "mqb"] as const);

/** Answers with the file of `?network=`, by default that of the generation; 400 `invalid network`. */
export function getDbc({ controller, frameText }: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const wanted = request.query("network") ?? networkOf(controller.settings.generation);
	const network = NETWORKS.find((name) => name === wanted);
	if (network === undefined) {
		problem(response, 400, "invalid network", { field: "network", value: wanted, allowed: NETWORKS });
		return;
	}
	const own = couplingOf(controller.settings.generation);
	// without a coupling of that network: as the shortest report of it
	const reportBytes = own?.car.network === network ? own.status.bytes : SHORTEST_REPORT;
	response.stream(200, "text/plain", new TextBody("", frameText.dbcFile(networkNumber(network), reportBytes)), UNKNOWN_LENGTH);
	response.header("Content-Disposition", `attachment; filename=opencoupling-${network}.dbc`);
}
