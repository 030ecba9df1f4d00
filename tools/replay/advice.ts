/** Inputs that a recording lacks, and how to go on without them. */
import { couplingOf } from "../../src/coupling/couplings/couplings.js";
import type { Read } from "./recording.js";

const NAMES = { speed: "speed", pedal: "pedal", rpm: "engine speed" } as const;
const hex = (id: number): string => `0x${id.toString(16).toUpperCase().padStart(3, "0")}`;

/** Frames that only the coupling of a generation sends. */
export function couplingSends(generation: number): ReadonlySet<number> {
	const report = couplingOf(generation)?.status.engagement.id;
	return new Set(report === undefined ? [] : [report]);
}

/**
 * @param generation of the coupling
 * @param withoutFeedback it is controlled although nothing reports
 * @returns a sentence for each thing that is missing
 */
export function missingIn({ chassisIds, couplingIds }: Read, generation: number, withoutFeedback: boolean): string[] {
	const coupling = couplingOf(generation);
	if (coupling === undefined) return [];
	const missing: string[] = [];
	const report = coupling.status.engagement.id;
	if (!withoutFeedback && !couplingIds.has(report)) {
		if (chassisIds.has(report) && couplingIds.size > 0)
			missing.push(`the coupling reports (${hex(report)}) on the chassis bus: say with --chassis and --coupling which is which`);
		else if (chassisIds.has(report))
			missing.push(`the coupling reports (${hex(report)}) on the only bus of the recording: add --without-feedback`);
		else missing.push(`nothing reports on the coupling bus (${hex(report)}): add --without-feedback`);
	}
	for (const [meaning, name] of Object.entries(NAMES)) {
		const ids = coupling.car.readings.filter((row) => row.meaning === meaning).map(({ signals }) => signals[0]!.id);
		if (ids.length > 0 && !ids.some((id) => chassisIds.has(id)))
			missing.push(`no ${name} on the chassis bus (${ids.map(hex).join(", ")}): is the generation ${generation}?`);
	}
	return missing;
}
