/**
 * The vectors on the host XS, frame plans applied by the gateway's C core. Reads one set; prints a line of
 * JSON.
 */

import { GatewayCore } from "../../modules/can-gateway/gateway-core.js";
import { decodeUtf8 } from "../../src/text/bytes.js";
import type { PlanRunner } from "./frames.js";
import { Report } from "./report.js";
import { suite } from "./suite.js";

declare function print(text: string): void;
declare function readFile(path: string): ArrayBuffer;

const LEASE_MS = 1000;
const LISTEN_MS = 3000;
/** By then all that is due within five milliseconds is. */
const SLOT_END_MS = 4;

class CoreRunner implements PlanRunner {
	readonly #core = new GatewayCore();
	#nowMs = 0;
	#factor = 0;

	load(plan: Uint8Array): void {
		this.#core.loadPlan(plan);
	}

	commit(factor: number, groups: number): void {
		this.#nowMs++;
		this.#factor = factor;
		this.#core.commit(factor, groups, LEASE_MS, this.#nowMs);
	}

	pass(bus: number, id: number, dlc: number, data: Uint8Array): Uint8Array {
		const frame = new Uint8Array(8);
		frame.set(data.subarray(0, dlc));
		const sentDlc = this.#core.pass(bus as 0 | 1, id >>> 0, dlc, frame, this.#nowMs);
		return frame.subarray(0, Math.max(sentDlc, 0));
	}

	generated(tMs: number): Uint8Array[] {
		const frames: Uint8Array[] = [];
		const into = new Uint8Array(13);
		// the first commit began to listen at 1 ms
		this.#nowMs = 1 + LISTEN_MS + tMs;
		if (tMs === 0) this.#core.commit(this.#factor, 0xff, LEASE_MS, this.#nowMs);
		for (;;) {
			const dlc = this.#core.next(into, this.#nowMs);
			if (dlc >= 0) frames.push(Uint8Array.of(into[1], into[0], ...into.subarray(5, 5 + dlc)));
			else if (this.#nowMs < 1 + LISTEN_MS + tMs + SLOT_END_MS) this.#nowMs++;
			else return frames;
		}
	}
}

function run(folder: string, name: string): void {
	const bytes = new Uint8Array(readFile(`${folder}/${name}.json`));
	const set = JSON.parse(decodeUtf8(bytes, 0, bytes.length) as string);
	const report = new Report();
	for (const check of suite(() => new CoreRunner())[name]) check(set, report);
	print(JSON.stringify({ checked: report.checked, failed: report.failed, summary: report.summary(name) }));
}

declare const VECTOR_FOLDER: string;
declare const VECTOR_SET: string;
run(VECTOR_FOLDER, VECTOR_SET);
