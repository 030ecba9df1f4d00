/** The map, the curve, or the fixed lock over the last seconds, as a picture with the car's place in it. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { CURVE_X_MAX } from "../../lock/tuning.js";
import { acrossOf, BOTTOM, downOf, HEIGHT, LEFT, pathOf, RIGHT, reachOf, TOP } from "../curves/chart-frame";
import { useLayout } from "../map/layout";
import { ClosedGate, LiveTrail, MapPicture, OperatingPoint } from "../map/map-picture";
import { modeState, stale, telemetry } from "../net/live";
import { get } from "../net/request";
import type { CurveName, CurvePoint, LockMap, Revisions } from "../net/types";
import { mapAddress } from "../state/map-name";
import { samples } from "../state/samples";
import { status } from "../state/status";
import { useStore } from "../state/store";
import { theme } from "../state/theme";
import { lookUp, T } from "../texts";
import { drawTimeChart, type Line } from "../ui/canvas";
import { modeLabel } from "./mode-names";

const CURVES: Readonly<Record<string, CurveName>> = { SPEED: "speed", THROTTLE: "throttle", RPM: "rpm" };

/** The mode whose lock is shown: the active one, else the selected one. */
export function useShownMode(): string {
	const state = useStore(modeState);
	return (state?.controlActive ? state.effectiveMode : state?.mode) ?? "STOCK";
}

/** The controller's value at an address, read again after a change; undefined before that. */
function useActive<Value>(path: string, name: keyof Revisions): Value | undefined {
	const revision = useStore(status)?.revisions[name];
	const [value, setValue] = useState<Value>();
	useEffect(() => {
		if (revision === undefined) return;
		let over = false;
		// the link's state tells what is wrong; the next change, or the next visit, reads again
		void get<Value>(path)
			.then((read) => over || setValue(read))
			.catch(() => {});
		return () => {
			over = true;
		};
	}, [path, revision]);
	return value;
}

/** A touch on the picture opens it with its tools. */
export function Look() {
	const mode = useShownMode();
	const curve = lookUp(CURVES, mode);
	if (mode === "MAP") return <MapLook />;
	return curve === undefined ? <FixedLook mode={mode} /> : <CurveLook key={curve} name={curve} />;
}

function Frame({ hash, label, children }: { hash: string; label: string; children: ComponentChildren }) {
	return (
		<a class="look" href={`#${hash}`} aria-label={label} data-look={hash}>
			{children}
		</a>
	);
}

function MapLook() {
	const ruling = useStore(modeState)?.conditionMap;
	const map = useActive<LockMap>(ruling ? mapAddress(ruling) : "/api/map", "map");
	const layout = useLayout();
	return (
		<Frame hash="map" label={T.drive.openMap}>
			{map !== undefined && (
				<>
					<MapPicture map={map} label={T.map.grid} layout={layout} />
					<ClosedGate map={map} layout={layout} lead={0} />
					<LiveTrail map={map} layout={layout} lead={0} />
					<OperatingPoint map={map} layout={layout} lead={0} />
				</>
			)}
		</Frame>
	);
}

function CurveLook({ name }: { name: CurveName }) {
	const points = useActive<{ readonly points: readonly CurvePoint[] }>(`/api/curve/${name}`, `${name}Curve`)?.points;
	const gateKmh = useStore(status)?.disengageUnderSpeed.speed ?? 0;
	const { span } = reachOf(points ?? [], CURVE_X_MAX[name]);
	return (
		<Frame hash={`curves/${name}`} label={T.drive.openCurve}>
			<svg class="chart" viewBox={`0 0 ${RIGHT + 30} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
				{[0, 50, 100].map((lockPercent) => (
					<path key={lockPercent} class="chart-line" d={`M${LEFT} ${downOf(lockPercent)}H${RIGHT}`} />
				))}
				<path class="chart-curve" d={pathOf(points ?? [], span)} />
				<LiveLine name={name} span={span} />
			</svg>
			{name === "speed" && gateKmh > 0 && (
				<span
					class="closed-gate"
					style={{ left: percentOf(LEFT), right: `calc(100% - ${percentOf(acrossOf(gateKmh, span))})` }}
				/>
			)}
		</Frame>
	);
}

const percentOf = (across: number): string => `${(across / (RIGHT + 30)) * 100}%`;

/** Where the car is now on a curve's axis. By itself, since it is drawn ten times a second. */
export function LiveLine({ name, span }: { name: CurveName; span: number }) {
	const now = useStore(telemetry);
	const old = useStore(stale);
	const valid = { speed: now?.speedValid, throttle: now?.throttleValid, rpm: now?.rpmValid }[name] ?? false;
	if (!valid || now === undefined) return null;
	return <path class={`chart-live${old ? " old" : ""}`} d={`M${acrossOf(now[name], span)} ${TOP}V${BOTTOM}`} />;
}

function FixedLook({ mode }: { mode: string }) {
	const [, hint = ""] = lookUp(T.modes, mode) ?? [];
	return (
		<div class="look fixed">
			<p>
				<b>{modeLabel(mode)}</b> {hint}
			</p>
			<div class="trace-place">
				<Trace />
			</div>
		</div>
	);
}

/** Length of the trace. The text T.drive.trace names it, too. */
const TRACE_MS = 15_000;

const LINES: readonly Line[] = [
	{ value: ({ engagedPercent }) => engagedPercent, largest: 100, colour: "--engaged", ground: "--engaged-soft", widthPx: 2 },
	{ value: ({ requestedPercent }) => requestedPercent, largest: 100, colour: "--requested", widthPx: 2.5 },
];

function draw(canvas: HTMLCanvasElement): void {
	const toMs = performance.now();
	const marks = [15, 10, 5].map((seconds) => ({ atMs: toMs - seconds * 1000, text: `-${seconds} ${T.units.seconds}` }));
	const now = { atMs: toMs, text: T.drive.traceNow };
	drawTimeChart(canvas, { drive: samples, fromMs: toMs - TRACE_MS, toMs, lines: LINES, marks: [...marks, now] });
}

/** A canvas of these 15 s, drawn anew with each telemetry, and twice a second without any. */
function Trace() {
	const canvas = useRef<HTMLCanvasElement>(null);
	useEffect(() => {
		let asked = 0;
		const ask = (): void => {
			asked ||= requestAnimationFrame(() => {
				asked = 0;
				if (canvas.current !== null) draw(canvas.current);
			});
		};
		ask();
		const ends = [telemetry.follow(ask), theme.follow(ask)];
		// without news the trace moves on, and shows the gap
		const timer = setInterval(ask, 500);
		addEventListener("resize", ask);
		return () => {
			for (const end of ends) end();
			clearInterval(timer);
			removeEventListener("resize", ask);
			cancelAnimationFrame(asked);
		};
	}, []);
	return <canvas class="trace" ref={canvas} role="img" aria-label={T.drive.trace} />;
}
