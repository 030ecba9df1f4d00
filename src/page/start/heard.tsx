/** Proposes the generation by what comes from both buses, and says what contradicts a choice. */

import { useEffect, useRef, useState } from "preact/hooks";
import { idText } from "../coupling/frames";
import { CAR_FRAMES, REPORTS } from "../generated/coupling-table";
import { repeatWhileSeen } from "../net/live";
import { get } from "../net/request";
import type { CanView, Generation } from "../net/types";
import { T } from "../texts";

type Network = keyof typeof CAR_FRAMES;

/** A frame that came from a bus, by its names of the interface. */
export interface Frame {
	readonly bus: string;
	readonly id: number;
	readonly dlc: number;
}

/** Conclusions from the frames of the last seconds. */
export interface Heard {
	/** Known frames of the car, in order. */
	readonly car: readonly number[];
	/** The networks that have most of these; more than one: the frames do not belong to one car. */
	readonly networks: readonly Network[];
	/** The frame in which the coupling reports. */
	readonly report: { readonly id: number; readonly dlc: number } | undefined;
	/** Generations that fit what was heard. */
	readonly fits: readonly Generation[];
	/** Generations that report in the same frame with another length. */
	readonly alike: readonly Generation[];
	/** A frame that came from the wrong side. */
	readonly swapped: number | undefined;
}

/** A contradiction of a choice. */
type Contradiction = "report" | "length" | "car";

const GENERATIONS = Object.keys(REPORTS).map(Number) as Generation[];
const NETWORKS = Object.keys(CAR_FRAMES) as Network[];

/** Identifiers of the car's frames on one bus, in order. */
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

/** Time between an answer and the next request. */
const PERIOD_MS = 1000;
/** How long a frame counts: slow ones are seldom among the last 32 of their bus. */
const COUNTS_MS = 4000;
/** Frames of the car that are named: as many as say which car it is. */
const SHOWN = 3;

/** Conclusions from the last seconds; undefined before the first look. */
export function useHeard(): Heard | undefined {
	const seen = useRef(new Map<string, Frame & { readonly atMs: number }>());
	const [heard, setHeard] = useState<Heard>();
	useEffect(
		() =>
			repeatWhileSeen(async () => {
				const { raw } = await get<CanView>("/api/canview?decoded=0&raw=128");
				const nowMs = performance.now();
				for (const { bus, dir, id, dlc, ageMs } of raw)
					if (dir === "RX") seen.current.set(`${bus} ${id}`, { bus, id, dlc, atMs: nowMs - ageMs });
				setHeard(hear([...seen.current.values()].filter(({ atMs }) => nowMs - atMs < COUNTS_MS)));
			}, PERIOD_MS),
		[],
	);
	return heard;
}

const namesOf = (generations: readonly Generation[]): string =>
	generations.map((generation) => T.settings.generations[generation][0]).join(", ");
const idTexts = (ids: readonly number[]): string => ids.slice(0, SHOWN).map(idText).join(", ");

/** Heard frames, the generations that they fit, and how to tell these apart. */
export function HeardBuses({ heard, chosen }: { heard: Heard | undefined; chosen: number }) {
	const H = T.start.heard;
	if (heard === undefined) return <p class="muted">{H.listening}</p>;
	const { car, report, fits, alike, swapped } = heard;
	const silent = car.length === 0 && report === undefined && swapped === undefined;
	return (
		<div class="heard" role="status">
			{silent && <p class="warn">{H.nothing}</p>}
			{car.length > 0 && <p class="muted">{H.car(idTexts(car))}</p>}
			{report !== undefined ? (
				<p class="muted">{H.report(idText(report.id), report.dlc)}</p>
			) : (
				!silent && <p class="muted">{H.noReport}</p>
			)}
			{swapped !== undefined && <p class="warn">{H.swapped(idText(swapped))}</p>}
			{fits.length > 0 && <p class="good">{H.fits(namesOf(fits))}</p>}
			{report !== undefined && alike.length > 0 && (
				<p class="muted">{H.alike(namesOf(alike), REPORTS[alike[0] as Generation].bytes)}</p>
			)}
			{(fits.length > 1 || alike.length > 0) && <p class="muted">{H.label}</p>}
			<Contradictions heard={heard} chosen={chosen} />
		</div>
	);
}

/** @param chosen 0 = none yet */
function Contradictions({ heard, chosen }: { heard: Heard; chosen: number }) {
	const H = T.start.heard;
	const told = contradictions(heard, chosen);
	if (told.length === 0) return null;
	const { car, report } = heard;
	const { network, id, bytes } = REPORTS[chosen as Generation];
	return (
		<div class="warn" role="status" data-test="contradiction">
			<p>{H.against(namesOf([chosen as Generation]))}</p>
			<ul>
				{told.includes("report") && <li>{H.otherReport(idText(id), idText(report?.id ?? 0))}</li>}
				{told.includes("length") && <li>{H.otherLength(idText(id), report?.dlc ?? 0, bytes)}</li>}
				{told.includes("car") && <li>{H.otherCar(idTexts(CAR_FRAMES[network]), idTexts(car))}</li>}
			</ul>
		</div>
	);
}

/** The same for a generation that was chosen before. */
export function WatchedGeneration({ chosen }: { chosen: number }) {
	const heard = useHeard();
	return heard === undefined ? null : <Contradictions heard={heard} chosen={chosen} />;
}
