/**
 * Runs on XS: answers of the CAN view, made piece by piece from the real gateway in a replay's virtual time.
 * Prints one JSON line per request: bytecodes of its beginning and of its dearest piece, rows or bytes in all.
 */

import Instrumentation from "instrumentation";
import Timer from "timer";
import { CanGateway } from "../../modules/can-gateway/can-gateway.js";
import { getCanview } from "../../src/api/canview.js";
import { getCanviewDump } from "../../src/api/canview-dump.js";
import type { ApiContext } from "../../src/api/context.js";
import type { Generation } from "../../src/coupling/generation.js";
import { PIECE_BYTES } from "../../src/http/limits.js";
import type { HttpRequest } from "../../src/http/request.js";
import { HttpResponse } from "../../src/http/response.js";
import { CanView } from "../../src/trace/can-view.js";

const meter = (): number => Instrumentation.get("meter") as number;

/** @param atMs when to ask, virtual time */
export function measure(generation: Generation, atMs: number): void {
	const into = new Uint8Array(PIECE_BYTES);
	const gateway = new CanGateway();
	const context = { canView: new CanView(gateway), controller: { generation, uptimeMs: 0 } } as unknown as ApiContext;
	const ask = (path: string, query: Readonly<Record<string, string>>, handle: typeof getCanview): void => {
		const request = { query: (name: string) => query[name] } as unknown as HttpRequest;
		const response = new HttpResponse();
		const before = meter();
		handle(context, request, response);
		const start = (meter() - before) >>> 0;
		let most = 0;
		let sum = 0;
		let pieces = 0;
		let bytes = 0;
		for (let length = 1; length !== 0; pieces++) {
			const from = meter();
			length = response.body?.produce(into, 0, PIECE_BYTES) ?? 0;
			const cost = (meter() - from) >>> 0;
			sum += cost;
			if (cost > most) most = cost;
			if (length > 0) bytes += length;
		}
		const result = {
			bench: path,
			generation,
			start,
			pieces,
			mostPerPiece: most,
			perKilobyte: Math.round((1000 * sum) / bytes),
			bytes,
		};
		trace(`${JSON.stringify(result)}\n`);
	};
	Timer.set(() => {
		(context.controller as { uptimeMs: number }).uptimeMs = atMs;
		const all = { decoded: "2000", raw: "128" };
		ask("canview, first", all, getCanview);
		ask("canview", all, getCanview);
		ask("canview of the setup page", { decoded: "300", raw: "0" }, getCanview);
		ask("canview, raw rows of one bus", { bus: "chassis", decoded: "0", raw: "128" }, getCanview);
		for (const format of ["text", "candump", "savvycan"]) ask(`dump ${format}`, { format }, getCanviewDump);
		ask("dump of a quiet bus", { bus: "haldex", dir: "rx" }, getCanviewDump);
	}, atMs);
}
