/** Which coupling is behind the controller, by what comes from both buses; and what contradicts a choice. Pure. */

import type { Generation } from "../net/types";
import { CAR_FRAMES, REPORTS } from "./heard-table.js"; // a test imports this file in Node, too

type Network = keyof typeof CAR_FRAMES;

/** A frame that came from a bus, by its names of the interface. */
export interface Frame {
	readonly bus: string;
	readonly id: number;
	readonly dlc: number;
}

/** What the frames of the last seconds tell. */
export interface Heard {
	/** Known frames of the car, in order. */
	readonly car: readonly number[];
	/** Of these; more than one: they do not belong to one car. */
	readonly networks: readonly Network[];
	/** In which the coupling reports. */
	readonly report: { readonly id: number; readonly dlc: number } | undefined;
	/** What can be chosen by all of that. */
	readonly fits: readonly Generation[];
	/** They report in the same frame with another length. */
	readonly alike: readonly Generation[];
	/** A frame that came from the wrong side. */
	readonly swapped: number | undefined;
}

/** What contradicts a choice. */
type Contradiction = "report" | "length" | "car";

const GENERATIONS = Object.keys(REPORTS).map(Number) as Generation[];
const NETWORKS = Object.keys(CAR_FRAMES) as Network[];

/** Of the car, on one bus. */
function carFrames(frames: readonly Frame[], bus: string, networks = NETWORKS): number[] {
	const known = new Set(networks.flatMap((network): readonly number[] => CAR_FRAMES[network]));
	const ids = frames.filter((frame) => frame.bus === bus && known.has(frame.id)).map(({ id }) => id);
	return [...new Set(ids)].sort((a, b) => a - b);
}

const reportOn = (frames: readonly Frame[], bus: string): Frame | undefined =>
	frames.find((frame) => frame.bus === bus && GENERATIONS.some((generation) => REPORTS[generation].id === frame.id));

/** @param frames as received, each identifier of a bus once */
export function hear(frames: readonly Frame[]): Heard {
	const ofCar = carFrames(frames, "chassis");
	const count = (network: Network): number => carFrames(frames, "chassis", [network]).length;
	const most = Math.max(...NETWORKS.map(count));
	const networks = most === 0 ? [] : NETWORKS.filter((network) => count(network) === most);
	const other = reportOn(frames, "chassis");
	const report = reportOn(frames, "haldex") ?? other;
	const belongs = GENERATIONS.filter((generation) => most === 0 || networks.includes(REPORTS[generation].network));
	const reporting = GENERATIONS.filter((generation) => REPORTS[generation].id === report?.id);
	const among = reporting.some((generation) => belongs.includes(generation))
		? reporting.filter((generation) => belongs.includes(generation))
		: reporting;
	const exact = among.filter((generation) => REPORTS[generation].bytes === report?.dlc);
	const fits = report === undefined ? (most === 0 ? [] : belongs) : exact.length > 0 ? exact : among;
	return {
		car: ofCar,
		networks,
		report,
		fits,
		alike: among.filter((generation) => !fits.includes(generation)),
		swapped: most === 0 ? carFrames(frames, "haldex")[0] : report === other ? other?.id : undefined,
	};
}

/** @returns what contradicts the choice of a generation, worst first */
export function contradictions({ networks, report }: Heard, generation: number): Contradiction[] {
	const chosen = REPORTS[generation as Generation] as { network: Network; id: number; bytes: number } | undefined;
	if (chosen === undefined) return [];
	const told: Contradiction[] = [];
	if (report !== undefined && report.id !== chosen.id) told.push("report");
	else if (report !== undefined && report.dlc !== chosen.bytes) told.push("length");
	if (networks.length > 0 && !networks.includes(chosen.network)) told.push("car");
	return told;
}
