/** The vectors on the host XS, frame plans applied by the gateway's C core. Reads `vectors.json`; prints a line of JSON per set. */

import { GatewayCore } from "../../modules/can-gateway/can-gateway.js";
import { decodeUtf8 } from "../../src/text/utf8.js";
import type { PlanRunner } from "./frames.js";
import { Report } from "./report.js";
import { suite } from "./suite.js";

declare function print(text: string): void;
declare function readFile(path: string): ArrayBuffer;

const LEASE_MS = 1000;

class CoreRunner implements PlanRunner {
	readonly #core = new GatewayCore();
	#nowMs = 0;

	load(plan: Uint8Array): void {
		this.#core.loadPlan(plan);
	}

	commit(factor: number, groups: number): void {
		this.#nowMs++;
		this.#core.commit(factor, groups, LEASE_MS, this.#nowMs);
	}

	pass(bus: number, id: number, dlc: number, data: Uint8Array): Uint8Array {
		const frame = new Uint8Array(8);
		frame.set(data.subarray(0, dlc));
		const sentDlc = this.#core.pass(bus as 0 | 1, id >>> 0, dlc, frame, this.#nowMs);
		return frame.subarray(0, Math.max(sentDlc, 0));
	}
}

function run(folder: string): void {
	for (const [name, checks] of Object.entries(suite(() => new CoreRunner()))) {
		const bytes = new Uint8Array(readFile(`${folder}/${name}.json`));
		const set = JSON.parse(decodeUtf8(bytes, 0, bytes.length) as string);
		const report = new Report();
		for (const check of checks) check(set, report);
		print(JSON.stringify({ name, checked: report.checked, failed: report.failed, summary: report.summary(name) }));
	}
}

declare const VECTOR_FOLDER: string;
run(VECTOR_FOLDER);
