/** The driver's view: the map with the car in it, lock, mode, reason and faults. */

import { faults, modeState, signals, stale, telemetry } from "../net/live";
import { mapNameText, nameOfPath } from "../state/map-name";
import { shownSpeed, speedUnit } from "../state/speed";
import { status } from "../state/status";
import { useStore } from "../state/store";
import { inOurWords, lookUp, T } from "../texts";
import { Icon } from "../ui/icon";
import { Look, useShownMode } from "./look";
import { modeLabel } from "./mode-names";
import { AllModes, Favourites, Swap } from "./modes";
import { causeOf, shownFaults, useReason } from "./reason";

/** The first view, and below it the dashboard's signals. */
export function DrivePage() {
	return (
		<div class="drive">
			<DriveView />
			<Dashboard />
		</div>
	);
}

/** Name, picture, lock, values, state and the favourite modes, in one look. */
export function DriveView() {
	return (
		<div class="drive-look">
			<Head />
			<Look />
			<LockBar />
			<Values />
			<Faults />
			<section class="drive-state" aria-label={T.drive.state}>
				<Reason />
				<AllModes />
			</section>
			<Favourites />
		</div>
	);
}

/** Name of the active map, with the one before beside it, or the mode. */
function Head() {
	const mode = useShownMode();
	const snapshot = useStore(status);
	const ruling = useStore(modeState)?.conditionMap;
	const map = ruling ? nameOfPath(ruling) : snapshot && mapNameText(snapshot);
	return (
		<div class="drive-head">
			<h2 data-test="shown">{(mode === "MAP" && map) || modeLabel(mode)}</h2>
			<Swap />
		</div>
	);
}

function SetupHint() {
	const snapshot = useStore(status);
	if (snapshot === undefined || (snapshot.setupDone && snapshot.couplingGeneration !== 0)) return null;
	return (
		<p class="fault warn">
			<Icon name="warn" />
			<span>
				{snapshot.couplingGeneration === 0 ? T.drive.setupHint : T.drive.setupRest} <a href="#start">{T.drive.setup}</a>
			</span>
		</p>
	);
}

function Values() {
	const now = useStore(telemetry);
	const old = useStore(stale);
	const rows: [string, string, string, boolean, number | undefined][] = [
		["speed", T.drive.speed, speedUnit, now?.speedValid ?? false, now && shownSpeed(now.speed)],
		["pedal", T.drive.pedal, T.units.percent, now?.throttleValid ?? false, now?.throttle],
		["rpm", T.drive.rpm, T.units.rpm, now?.rpmValid ?? false, now?.rpm],
	];
	return (
		<dl class={`values${old ? " stale" : ""}`}>
			{rows.map(([name, label, unit, valid, value]) => (
				<div key={name} class={valid ? "" : "invalid"}>
					<dt>{label}</dt>
					<dd data-value={name}>
						<span>{valid && value !== undefined ? Math.round(value) : "–"}</span>
						<small>{unit}</small>
					</dd>
				</div>
			))}
		</dl>
	);
}

function Reason() {
	const state = useStore(modeState);
	const old = useStore(stale);
	const words = useReason();
	if (state === undefined) return null;
	const { controlActive, mode, effectiveMode } = state;
	const cause = old ? "link" : causeOf(state);
	const waiting = mode === "STOCK" ? T.drive.notActive : T.drive.waits(modeLabel(mode));
	const active = controlActive ? T.drive.active(modeLabel(effectiveMode)) : waiting;
	return (
		<div class={`reason ${old ? "stale" : controlActive ? "good" : "idle"}`} role="status" data-test="reason" data-cause={cause}>
			<Icon name={cause} />
			<div>
				<b>{old ? T.drive.lastKnown(active) : active}</b>
				<span>{words}</span>
			</div>
		</div>
	);
}

/** Faults make the picture smaller: the line of state and the modes below never move. */
function Faults() {
	const all = useStore(faults);
	const live = useStore(modeState);
	const names = shownFaults(all, live);
	const snapshot = useStore(status);
	const stored = snapshot?.storageProblems ?? [];
	const risks = [
		...(snapshot?.respectInterventions === false ? [T.drive.interventionsIgnored] : []),
		...(snapshot?.controlWithoutFeedback ? [T.drive.withoutFeedback] : []),
	];
	return (
		<div class="drive-faults" aria-live="polite" role="group" aria-label={T.drive.faults} tabIndex={0}>
			<SetupHint />
			{risks.map((words) => (
				<p key={words} class="fault warn">
					<Icon name="warn" />
					<span>{words}</span>
				</p>
			))}
			{stored.map(({ path, problem }) => (
				<p key={path} class="fault warn">
					<Icon name="warn" />
					<span>{inOurWords(problem)}</span>
				</p>
			))}
			{live?.canviewCaptureMode && (
				<p class="fault warn">
					<Icon name="warn" />
					<span>
						{T.drive.captureOn} <a href="#can">{T.drive.toCan}</a>
					</span>
				</p>
			)}
			{names.length > 0 && (
				<ul>
					{names.map((name) => (
						<li key={name} class="fault">
							<Icon name="warn" />
							<span>{lookUp(T.faults, name) ?? name}</span>
						</li>
					))}
				</ul>
			)}
		</div>
	);
}

/** The dashboard's signals: names from the snapshot, values as they are told. */
function Dashboard() {
	const snapshot = useStore(status);
	const values = useStore(signals);
	const old = useStore(stale);
	const mapped = snapshot?.dashboardSignals.filter((signal) => signal.mapped) ?? [];
	if (mapped.length === 0) return null;
	return (
		<section class="card drive-signals">
			<h2>{T.drive.dashboard}</h2>
			<dl class={`signals${old ? " stale" : ""}`}>
				{mapped.map(({ slot, label, display }) => (
					<div key={slot}>
						<dt>{label.replaceAll("_", " ")}</dt>
						<dd data-signal={slot}>{values.find((value) => value.slot === slot)?.display ?? display}</dd>
					</div>
				))}
			</dl>
		</section>
	);
}

const held = (percent: number): number => Math.min(100, Math.max(0, Math.round(percent)));
const text = (percent: number | undefined): string => (percent === undefined ? "–" : `${percent}`);

/** A bar as high as the reported engagement, a mark at the requested lock, and both as numbers. */
function LockBar() {
	const now = useStore(telemetry);
	const old = useStore(stale);
	const asked = now && held(now.spec);
	const engaged = now?.engagementValid ? held(now.act) : undefined;
	return (
		<div class={`lock${old ? " stale" : ""}`} role="img" aria-label={T.drive.gauge(text(asked), text(engaged))}>
			<p class="lock-requested">
				<small>{T.drive.requested}</small>
				<b>{text(asked)}</b>
			</p>
			<div class="lock-scale">
				<span class="lock-bar" style={{ height: `${engaged ?? 0}%` }} />
				<span class="lock-mark" style={{ bottom: `${asked ?? 0}%` }} />
			</div>
			<p class="lock-engaged">
				<b>{text(engaged)}</b>
				<small>{T.drive.engaged}</small>
			</p>
		</div>
	);
}
