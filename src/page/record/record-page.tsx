/**
 * The drive recorder: lock asked, lock engaged, and what the draft of the map would have asked. A touch on
 * the graph stops it there and moves the point on the map.
 */

import { useEffect, useRef, useState } from "preact/hooks";
import { gatedLockAt } from "../map/edit";
import { LYING } from "../map/layout";
import { mapDraft } from "../map/map-draft";
import { MapPicture, Point, Trail } from "../map/map-picture";
import { useDraft } from "../state/draft";
import { firstSince, SAMPLES_MAX, type Sample, samples } from "../state/samples";
import { shownSpeed, speedText, speedUnit } from "../state/speed";
import { status } from "../state/status";
import { useBeat, useStore } from "../state/store";
import { theme } from "../state/theme";
import { T } from "../texts";
import { drawTimeChart, type Line, momentAt, type TimeChart, useSideways } from "../ui/canvas";
import { isSure } from "../ui/dialogs";
import { downloadText, FileButton, textOf } from "../ui/fields";
import { attempt } from "../ui/notice";
import { CsvProblem, csvOf, driveOf } from "./csv";

/** A bend, a road, and all that there is (SAMPLES_MAX). */
const SPANS_S = [30, 120, 900];
/** Ten times a second is more than one can see of a minute. */
const DRAW_MS = 250;
/** End of the scale of engine speeds. */
const RPM_MAX = 8000;
/** The scale of speed is one of these, km/h. */
const SPEEDS_MAX_KMH = [100, 200, 300];

/** A moment that was chosen, and where the graph ends meanwhile. */
interface Cursor {
	readonly atMs: number;
	readonly toMs: number;
}

interface View {
	readonly drive: readonly Sample[];
	readonly fromMs: number;
	readonly toMs: number;
	/** Where the graph was stopped, else where the drive ends; undefined = nothing is known yet. */
	readonly here: Sample | undefined;
	/** Undefined: it goes on. */
	readonly cursorMs: number | undefined;
	readonly clock: (atMs: number) => string;
	readonly onMoment: (atMs: number) => void;
}

/** The graph of the live drive or of a file, the values of the chosen moment, and its place on the map. */
export function RecordPage(_: { part: string }) {
	useDraft(mapDraft);
	const [file, setFile] = useState<DriveFile>();
	const [spanS, setSpanS] = useState(SPANS_S[1]!);
	const [cursor, setCursor] = useState<Cursor>();
	useBeat(DRAW_MS, file === undefined);

	const drive = file?.drive ?? samples;
	const last = drive[drive.length - 1];
	const here = cursor === undefined ? last : nearest(drive, cursor.atMs);
	const endMs = last?.atMs ?? 0;
	const toMs = cursor?.toMs ?? endMs;
	const fromMs = toMs - spanS * 1000;

	/** Stops at a moment; the graph moves only if it lies outside. */
	const stop = (atMs: number, forS = spanS): void => {
		const inside = forS === spanS && atMs >= fromMs && atMs <= toMs;
		setCursor({ atMs, toMs: inside ? toMs : Math.min(endMs, atMs + (forS * 1000) / 2) });
	};
	const show = (seconds: number): void => {
		setSpanS(seconds);
		if (cursor !== undefined) stop(cursor.atMs, seconds);
	};
	const clock = (atMs: number): string => (file === undefined ? timeOfDay(atMs) : minutes(atMs - (drive[0]?.atMs ?? 0)));
	return (
		<div class="record">
			<div class="bar">
				<div class="choice" role="group" aria-label={T.record.span}>
					{SPANS_S.map((seconds) => (
						<button key={seconds} type="button" aria-pressed={spanS === seconds} onClick={() => show(seconds)}>
							{T.record.spans(seconds)}
						</button>
					))}
				</div>
				<button type="button" aria-pressed={cursor === undefined} onClick={() => setCursor(undefined)}>
					{file === undefined ? T.record.now : T.record.end}
				</button>
			</div>
			<Graph
				drive={drive}
				fromMs={fromMs}
				toMs={toMs}
				here={here}
				clock={clock}
				onMoment={stop}
				cursorMs={cursor && here?.atMs}
			/>
			<section class="card">
				<MapPlace drive={drive} here={here} />
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

/** The lines, a slider for those who can't touch them, and the values at the cursor. */
function Graph({ clock, onMoment, here, ...chart }: View) {
	const { drive, fromMs, toMs } = chart;
	const { shown, dirty } = useStore(mapDraft.state);
	const when = here === undefined ? T.record.nothing : clock(here.atMs);
	const gates = useStore(status);
	const draft = ({ speedKmh, pedalPercent }: Sample): number =>
		shown === undefined ? Number.NaN : gatedLockAt(shown, gates, speedKmh, pedalPercent);
	const marks = [fromMs, (fromMs + toMs) / 2, toMs].map((atMs) => ({ atMs, text: clock(atMs) }));
	const fastestKmh = drive.reduce((mostKmh, { speedKmh }) => (speedKmh > mostKmh ? speedKmh : mostKmh), 0);
	const speedMaxKmh = SPEEDS_MAX_KMH.find((largest) => largest >= fastestKmh) ?? 300;
	return (
		<section class="card record-graph" aria-label={T.record.graph}>
			<Chart chart={{ ...chart, lines: LOCKS(draft), marks }} label={T.record.locks} onMoment={onMoment} />
			<Chart chart={{ ...chart, lines: INPUTS(speedMaxKmh), marks: [] }} label={T.record.inputs} onMoment={onMoment} />
			<input
				type="range"
				aria-label={T.record.moment}
				aria-valuetext={when}
				min={0}
				max={Math.max(0, drive.length - 1)}
				value={here === undefined ? 0 : drive.indexOf(here)}
				disabled={drive.length < 2}
				onInput={(event) => onMoment(drive[Number(event.currentTarget.value)]?.atMs ?? toMs)}
			/>
			<Values sample={here} draft={draft} dirty={dirty} label={when} />
		</section>
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
	return <canvas ref={canvas} role="img" aria-label={label} onPointerDown={touch} onPointerMove={touch} {...useSideways()} />;
}

/** Values at the cursor; also the key to the lines. @param props draft: of the lock */
function Values(props: { sample: Sample | undefined; draft: Line["value"]; dirty: boolean; label: string }) {
	const { sample, draft, dirty, label } = props;
	const { percent, rpm } = T.units;
	const rows: [colour: string, label: string, value: number | undefined, unit: string][] = [
		["requested", T.drive.requested, sample?.requestedPercent, percent],
		["draft", dirty ? T.record.draft : T.record.map, sample && draft(sample), percent],
		["engaged", T.drive.engaged, sample?.engagedPercent, percent],
		["accent", T.drive.speed, sample && shownSpeed(sample.speedKmh), speedUnit],
		["good", T.drive.pedal, sample?.pedalPercent, percent],
		["warn", T.drive.rpm, sample?.rpm, rpm],
	];
	return (
		<dl class="record-values" aria-label={label}>
			{rows.map(([colour, label, value, unit]) => (
				<div key={colour} style={{ "--line-colour": `var(--${colour})` }}>
					<dt>{label}</dt>
					<dd data-record={colour}>{`${value === undefined || Number.isNaN(value) ? "–" : Math.round(value)} ${unit}`}</dd>
				</div>
			))}
		</dl>
	);
}

/** The draft of the map, the way that led to the cursor, and the point where the car was. */
function MapPlace({ drive, here }: Pick<View, "drive" | "here">) {
	const map = useStore(mapDraft.state).shown;
	if (map === undefined) return null;
	const { speedBins, throttleBins } = map;
	const known = here !== undefined && !Number.isNaN(here.speedKmh) && !Number.isNaN(here.pedalPercent);
	return (
		<>
			<div class="record-place">
				<MapPicture map={map} label={known ? T.record.place(speedText(here.speedKmh), here.pedalPercent) : T.record.noPlace}>
					{here !== undefined && <Trail map={map} drive={drive} untilMs={here.atMs} upright={false} lead={0} />}
				</MapPicture>
				{known && <Point map={map} layout={LYING} lead={0} {...here} />}
			</div>
			<p class="muted">{T.record.axes(speedText(speedBins[speedBins.length - 1]!), throttleBins[throttleBins.length - 1]!)}</p>
		</>
	);
}

/** The time of day by the driver's clock. */
function timeOfDay(atMs: number): string {
	return new Date(performance.timeOrigin + atMs).toLocaleTimeString([], { hour12: false });
}

function minutes(ms: number): string {
	const seconds = Math.round(ms / 1000);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

interface DriveFile {
	readonly name: string;
	readonly drive: readonly Sample[];
}

/** The 9,000 samples that there are at most have 0.34 MB as we write them. */
const BYTES_MAX = 2_000_000;

async function read(file: File): Promise<DriveFile> {
	if (file.size > BYTES_MAX) throw new Error(T.record.tooLarge(file.name));
	try {
		return { name: file.name, drive: driveOf(await textOf(file), SAMPLES_MAX) };
	} catch (error) {
		throw error instanceof CsvProblem ? new Error(T.record.wrongFile(file.name, error.line, error.found, error.allowed)) : error;
	}
}

/** Saves the drive as CSV, and opens one. @param props file: undefined = the live drive */
function RecordFiles({ file, onFile }: { file: DriveFile | undefined; onFile: (file: DriveFile | undefined) => void }) {
	return (
		<div class="tools">
			<button type="button" disabled={samples.length === 0} onClick={() => downloadText(fileName(), csvOf(samples))}>
				{T.record.save}
			</button>
			<FileButton label={T.record.open} accept=".csv" onFile={(chosen) => void attempt(async () => onFile(await read(chosen)))} />
			{file === undefined ? (
				<button
					type="button"
					onClick={async () => {
						if (await isSure(T.record.clearSure, T.record.clear)) samples.length = 0;
					}}
				>
					{T.record.clear}
				</button>
			) : (
				<button type="button" onClick={() => onFile(undefined)}>
					{T.record.toLive}
				</button>
			)}
		</div>
	);
}

/** A name with date and time of now, by the browser's clock. */
function fileName(): string {
	const now = new Date();
	const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString();
	return `drive-${local.slice(0, 10)}-${local.slice(11, 16).replace(":", "")}.csv`;
}
