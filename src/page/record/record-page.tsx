/**
 * The drive recorder: lock asked, lock engaged, and what the draft of the map would have asked. A touch on the graph stops it there and
 * moves the point on the map.
 */

import { useEffect, useRef, useState } from "preact/hooks";
import { mapDraft } from "../map/map-draft";
import { MapPicture } from "../map/map-picture";
import { gatedLockAt, place } from "../map/place";
import { Trail } from "../map/trail";
import type { LockMap } from "../net/types";
import { useLoaded } from "../state/draft";
import { firstSince, type Sample, samples } from "../state/samples";
import { shownSpeed, speedText, speedUnit } from "../state/speed";
import { status } from "../state/status";
import { useStore } from "../state/store";
import { theme } from "../state/theme";
import { T } from "../texts";
import { useBeat } from "../ui/beat";
import { drawTimeChart, type Line, momentAt, type TimeChart } from "../ui/time-chart";
import { type DriveFile, RecordFiles } from "./record-files";

const SPANS_S = [30, 120, 900];
/** Ten times a second is more than one can see of a minute. */
const DRAW_MS = 250;
const RPM_MAX = 8000;
/** The scale of speed is one of these, km/h. */
const SPEEDS_MAX_KMH = [100, 200, 300];

/** A moment that was chosen, and where the graph ends meanwhile. */
interface Cursor {
	readonly atMs: number;
	readonly toMs: number;
}

export function RecordPage(_: { part: string }) {
	useLoaded(mapDraft);
	const { shown, dirty } = useStore(mapDraft.state);
	const underKmh = useStore(status)?.disengageUnderSpeed.map ?? 0;
	const [file, setFile] = useState<DriveFile>();
	const [spanMs, setSpanMs] = useState(SPANS_S[1]! * 1000);
	const [cursor, setCursor] = useState<Cursor>();
	useBeat(DRAW_MS, file === undefined);

	const drive = file?.drive ?? samples;
	const first = drive[0];
	const last = drive[drive.length - 1];
	const here = cursor === undefined ? last : nearest(drive, cursor.atMs);
	const draft = ({ speedKmh, pedalPercent }: Sample): number =>
		shown === undefined ? Number.NaN : gatedLockAt(shown, underKmh, speedKmh, pedalPercent);
	const toMs = cursor?.toMs ?? last?.atMs ?? 0;
	const fromMs = toMs - spanMs;

	/** Stops at a moment; the graph moves only if it lies outside. */
	const stop = (atMs: number, forMs = spanMs): void => {
		const inside = forMs === spanMs && atMs >= fromMs && atMs <= toMs;
		setCursor({ atMs, toMs: inside ? toMs : Math.min(last?.atMs ?? 0, atMs + forMs / 2) });
	};
	const show = (forMs: number): void => {
		setSpanMs(forMs);
		if (cursor !== undefined) stop(cursor.atMs, forMs);
	};
	const clock = (atMs: number): string => (file === undefined ? timeOfDay(atMs) : minutes(atMs - (first?.atMs ?? 0)));
	const marks = [fromMs, (fromMs + toMs) / 2, toMs].map((atMs) => ({ atMs, text: clock(atMs) }));
	const fastestKmh = drive.reduce((mostKmh, { speedKmh }) => (speedKmh > mostKmh ? speedKmh : mostKmh), 0);
	const speedMaxKmh = SPEEDS_MAX_KMH.find((largest) => largest >= fastestKmh) ?? 300;
	const common = { drive, fromMs, toMs, cursorMs: cursor === undefined ? undefined : here?.atMs };
	return (
		<div class="record">
			<div class="bar">
				<div class="choice" role="group" aria-label={T.record.span}>
					{SPANS_S.map((seconds) => (
						<button key={seconds} type="button" aria-pressed={spanMs === seconds * 1000} onClick={() => show(seconds * 1000)}>
							{T.record.spans(seconds)}
						</button>
					))}
				</div>
				<button type="button" aria-pressed={cursor === undefined} onClick={() => setCursor(undefined)}>
					{file === undefined ? T.record.now : T.record.end}
				</button>
			</div>
			<section class="card record-graph" aria-label={T.record.graph}>
				<Chart chart={{ ...common, lines: LOCKS(draft), marks }} label={T.record.locks} onMoment={stop} />
				<Chart chart={{ ...common, lines: INPUTS(speedMaxKmh), marks: [] }} label={T.record.inputs} onMoment={stop} />
				<input
					type="range"
					aria-label={T.record.moment}
					aria-valuetext={here === undefined ? T.record.nothing : clock(here.atMs)}
					min={0}
					max={Math.max(0, drive.length - 1)}
					value={here === undefined ? 0 : drive.indexOf(here)}
					disabled={drive.length < 2}
					onInput={(event) => stop(drive[Number(event.currentTarget.value)]?.atMs ?? toMs)}
				/>
				<Values sample={here} draft={here === undefined ? Number.NaN : draft(here)} dirty={dirty} clock={clock} />
			</section>
			<section class="card">
				{shown !== undefined && <Place map={shown} drive={drive} here={here} />}
				{shown !== undefined && (
					<p class="muted">
						{T.record.axes(
							speedText(shown.speedBins[shown.speedBins.length - 1]!),
							shown.throttleBins[shown.throttleBins.length - 1]!,
						)}
					</p>
				)}
				<p class="muted">{file === undefined ? T.record.hint : T.record.ofFile(file.name)}</p>
				<RecordFiles
					file={file}
					onFile={(chosen) => {
						setFile(chosen);
						setCursor(undefined);
					}}
				/>
			</section>
		</div>
	);
}

const LOCKS = (draft: Line["value"]): readonly Line[] => [
	{ value: ({ engagedPercent }) => engagedPercent, largest: 100, colour: "--engaged", ground: "--engaged-soft", widthPx: 2 },
	{ value: draft, largest: 100, colour: "--draft", widthPx: 2, dash: [6, 3] },
	{ value: ({ requestedPercent }) => requestedPercent, largest: 100, colour: "--requested", widthPx: 2.5 },
];
const INPUTS = (speedMaxKmh: number): readonly Line[] => [
	{ value: ({ speedKmh }) => speedKmh, largest: speedMaxKmh, colour: "--accent", widthPx: 2.5 },
	{ value: ({ pedalPercent }) => pedalPercent, largest: 100, colour: "--good", widthPx: 2, dash: [8, 3] },
	{ value: ({ rpm }) => rpm, largest: RPM_MAX, colour: "--warn", widthPx: 2, dash: [2, 3] },
];

/** The sample that is closest in time. */
function nearest(drive: readonly Sample[], atMs: number): Sample | undefined {
	const after = firstSince(drive, atMs);
	const [before, next] = [drive[after - 1], drive[after]];
	if (before === undefined || next === undefined) return next ?? before;
	return atMs - before.atMs < next.atMs - atMs ? before : next;
}

function Chart({ chart, label, onMoment }: { chart: TimeChart; label: string; onMoment: (atMs: number) => void }) {
	const canvas = useRef<HTMLCanvasElement>(null);
	const colours = useStore(theme);
	useEffect(() => {
		if (canvas.current !== null) drawTimeChart(canvas.current, chart);
	}, [chart, colours]);
	const touch = (event: PointerEvent): void => {
		if (event.buttons !== 0 && canvas.current !== null) onMoment(momentAt(canvas.current, chart, event.clientX));
	};
	return <canvas ref={canvas} role="img" aria-label={label} onPointerDown={touch} onPointerMove={touch} />;
}

interface ValuesProps {
	readonly sample: Sample | undefined;
	/** NaN = unknown. */
	readonly draft: number;
	readonly dirty: boolean;
	readonly clock: (atMs: number) => string;
}

/** What was at the cursor; also the key to the lines. */
function Values({ sample, draft, dirty, clock }: ValuesProps) {
	const { percent, rpm } = T.units;
	const rows: [colour: string, label: string, value: number | undefined, unit: string][] = [
		["requested", T.drive.requested, sample?.requestedPercent, percent],
		["draft", dirty ? T.record.draft : T.record.map, draft, percent],
		["engaged", T.drive.engaged, sample?.engagedPercent, percent],
		["accent", T.drive.speed, sample && shownSpeed(sample.speedKmh), speedUnit],
		["good", T.drive.pedal, sample?.pedalPercent, percent],
		["warn", T.drive.rpm, sample?.rpm, rpm],
	];
	return (
		<dl class="record-values" aria-label={sample === undefined ? T.record.nothing : clock(sample.atMs)}>
			{rows.map(([colour, label, value, unit]) => (
				<div key={colour} style={{ "--line-colour": `var(--${colour})` }}>
					<dt>{label}</dt>
					<dd data-record={colour}>{`${value === undefined || Number.isNaN(value) ? "–" : Math.round(value)} ${unit}`}</dd>
				</div>
			))}
		</dl>
	);
}

/** The map, the way that led to the cursor, and the point where the car was. */
function Place({ map, drive, here }: { map: LockMap; drive: readonly Sample[]; here: Sample | undefined }) {
	const known = here !== undefined && !Number.isNaN(here.speedKmh) && !Number.isNaN(here.pedalPercent);
	const at = (bins: readonly number[], value: number): string => `${((place(bins, value) + 0.5) / bins.length) * 100}%`;
	return (
		<div class="record-place">
			<MapPicture map={map} label={known ? T.record.place(speedText(here.speedKmh), here.pedalPercent) : T.record.noPlace}>
				{here !== undefined && <Trail map={map} drive={drive} untilMs={here.atMs} upright={false} lead={0} />}
			</MapPicture>
			{known && (
				<span
					class="point"
					style={{ left: at(map.speedBins, here.speedKmh), top: at(map.throttleBins, here.pedalPercent) }}
					aria-hidden="true"
				/>
			)}
		</div>
	);
}

/** By the driver's clock. */
function timeOfDay(atMs: number): string {
	return new Date(performance.timeOrigin + atMs).toLocaleTimeString([], { hour12: false });
}

function minutes(ms: number): string {
	const seconds = Math.round(ms / 1000);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
