/** What is heard of the coupling and its car, for the choice of the generation. It only proposes. */

import { useEffect, useRef, useState } from "preact/hooks";
import { repeatWhileSeen } from "../net/live";
import { get } from "../net/request";
import type { CanView, Generation } from "../net/types";
import { T } from "../texts";
import { contradictions, type Frame, type Heard, hear } from "./heard";
import { CAR_FRAMES, REPORTS } from "./heard-table";

/** Between an answer and the next request. */
const PERIOD_MS = 1000;
/** How long a frame counts: slow ones are seldom among the last 32 of their bus. */
const COUNTS_MS = 4000;
/** Of the car, as many as say which one it is. */
const SHOWN = 3;

/** What came from the buses in the last seconds; undefined before the first look. */
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

const idText = (id: number): string => `0x${id.toString(16).toUpperCase().padStart(3, "0")}`;
const namesOf = (generations: readonly Generation[]): string =>
	generations.map((generation) => T.settings.generations[generation][0]).join(", ");
const idTexts = (ids: readonly number[]): string => ids.slice(0, SHOWN).map(idText).join(", ");

/** What was heard, which generations that fits, and how to tell them apart. */
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

/** Nothing if there are none. @param chosen 0 = none yet */
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
