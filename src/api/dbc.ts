/**
 * GET /api/canview/dbc: what the firmware knows of a network's frames as a DBC file, so that other tools read recordings with names.
 * `tools/build-dbc.mjs` makes it of the signal catalogue.
 */

import { networkOf } from "../can/catalogue.js";
import { sendAsset } from "../http/asset.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import type { ApiContext } from "./context.js";
import { DBC_FILES } from "./generated/dbc-assets.js";
import { problem } from "./problem.js";

const NETWORKS = Object.freeze(["pq", "mqb"] as const);

/** Answers with the file of `?network=`, by default that of the generation, or 304 to a client that has it; 400 `invalid network`. */
export function getDbc({ controller }: ApiContext, request: HttpRequest, response: HttpResponse): void {
	const wanted = request.query("network") ?? networkOf(controller.settings.generation);
	const network = NETWORKS.find((name) => name === wanted);
	if (network === undefined) {
		problem(response, 400, "invalid network", { field: "network", value: wanted, allowed: NETWORKS });
		return;
	}
	const file = DBC_FILES[network];
	sendAsset(file, request, response);
	response.header("Content-Disposition", `attachment; filename=${file.path}`);
}
