/**
 * Live data: server-sent events, or polling where they do not come through. Nothing is asked for while the
 * page is hidden.
 */

import { keepSample } from "../state/samples";
import { followChange, loadStatus, status } from "../state/status";
import { Store } from "../state/store";
import { get } from "./request";
import type { ModeEvent, ModeState, Revisions, SignalValue, Telemetry, UpdateProgress } from "./types";

/** Rate of telemetry in the stream. */
const RATE_HZ = 10;
/** Numbers older than this are stale: below the second that is promised, looked at five times a second. */
const STALE_MS = 700;
/** Shorter interruptions of Wi-Fi are "reconnecting". */
const OFFLINE_MS = 5000;
const LOOK_MS = 200;
/** After this silence the page polls beside the stream: it may be dead without an error, or only slow. */
const SILENT_MS = 2500;
/** Where no events come through: between two polls, and until the stream is tried again. */
const POLL_MS = 500;
const STREAM_AGAIN_MS = 5000;
/** Silence after which nothing is sent that must not arrive late: a mode. */
const NO_ANSWER_MS = 2000;

/** "reconnecting": silent for longer than STALE_MS; "offline": for longer than OFFLINE_MS. */
type Link = "connecting" | "live" | "reconnecting" | "offline";

/** How the connection is now. */
export const link = new Store<Link>("connecting");
/** True while numbers on the page are older than they should be. */
export const stale = new Store(true);
/** The newest telemetry, however old: see `stale`. Undefined before the first. */
export const telemetry = new Store<Telemetry | undefined>(undefined);
/** The newest state of the modes. Undefined before the first. */
export const modeState = new Store<ModeState | undefined>(undefined);
/** Names of the present faults. */
export const faults = new Store<readonly string[]>([]);
/** The dashboard's signals, with their newest values. */
export const signals = new Store<readonly SignalValue[]>([]);
/** The newest revisions; undefined where no events come through. */
export const revisions = new Store<Revisions | undefined>(undefined);
/** The newest progress of an update. Undefined before the first. */
export const update = new Store<UpdateProgress | undefined>(undefined);

/** Uptime of the stream's newest mode, NaN before one: no older answer replaces that mode. */
let modeAtMs = Number.NaN;
let stream: EventSource | undefined;
let heardAtMs = 0;
let startedAtMs = 0;
let polling = false;
let lastPollAtMs = 0;
let lastStreamAtMs = 0;
let timer: ReturnType<typeof setInterval> | undefined;

function heard(): void {
	heardAtMs = performance.now();
	const was = link.value;
	stale.set(false);
	link.set("live");
	// what was set meanwhile is unknown
	if (was === "reconnecting" || was === "offline") void followChange();
}

/** True while the controller was heard just now. */
export function answers(): boolean {
	return heardAtMs > 0 && performance.now() - heardAtMs < NO_ANSWER_MS;
}

function take(now: Telemetry): void {
	keepSample(now, performance.now());
	telemetry.set(now);
	heard();
}

function openStream(): void {
	stream?.close();
	modeAtMs = Number.NaN;
	lastStreamAtMs = performance.now();
	const mine = new EventSource(`/api/events?hz=${RATE_HZ}`);
	stream = mine;
	const on = <T>(name: string, act: (data: T) => void): void => {
		mine.addEventListener(name, (event) => {
			if (stream !== mine) return;
			try {
				act(JSON.parse((event as MessageEvent<string>).data) as T);
			} catch {
				// half an event at the end of a broken connection
			}
		});
	};
	// rejected: not to be asked for again at once
	mine.onerror = () => {
		if (stream === mine && mine.readyState === EventSource.CLOSED) polling = true;
	};
	// faults that are there are told again on each connection
	mine.onopen = () => faults.set([]);
	on<ModeEvent>("mode", (state) => {
		const known = modeState.value ?? state;
		modeAtMs = state.uptimeMs;
		modeState.set(state);
		heard();
		if (known.mode !== state.mode || known.canviewCaptureMode !== state.canviewCaptureMode) void followChange();
	});
	on<{ fault: string; active: boolean }>("fault", ({ fault, active }) => {
		const others = faults.value.filter((name) => name !== fault);
		faults.set(active ? [...others, fault] : others);
	});
	on<Revisions>("revisions", (told) => {
		// gates, what is drawn of map and curves, what a swap would bring, and what could not be stored are
		// told from the snapshot
		const known = revisions.value ?? status.value?.revisions ?? told;
		revisions.set(told);
		if ((Object.keys(told) as (keyof Revisions)[]).some((name) => told[name] !== known[name])) void followChange();
	});
	on<UpdateProgress>("update", (progress) => update.set(progress));
	on<{ signals: SignalValue[] }>("dashboard", (told) => signals.set(told.signals));
	on<Telemetry>("telemetry", (now) => {
		polling = false;
		take(now);
	});
}

async function poll(): Promise<void> {
	lastPollAtMs = performance.now();
	try {
		const snapshot = await loadStatus();
		// one that was asked for before a mode was chosen may be answered after it
		if (!polling || snapshot !== status.value) return;
		signals.set(snapshot.dashboardSignals);
		faults.set(faultsOf(snapshot.telemetry, snapshot.can));
		take(snapshot.telemetry);
		update.set(await get<UpdateProgress>("/api/update"));
	} catch {
		// the link's state tells it
	}
}

/** The faults that the stream would tell. */
function faultsOf(now: Telemetry, can: { chassis: boolean; haldex: boolean }): string[] {
	const rows: [boolean, string][] = [
		[!can.chassis, "chassisSilent"],
		[!can.haldex, "engagementInvalid"],
		[!now.speedValid, "speedInvalid"],
		[!now.throttleValid, "throttleInvalid"],
		[!now.rpmValid, "rpmInvalid"],
		[now.tempProtection, "couplingOverheated"],
	];
	return rows.filter(([there]) => there).map(([, name]) => name);
}

function look(): void {
	const nowMs = performance.now();
	const ageMs = nowMs - Math.max(heardAtMs, startedAtMs);
	if (nowMs - heardAtMs > STALE_MS) stale.set(true);
	if (ageMs > OFFLINE_MS) link.set("offline");
	else if (ageMs > STALE_MS && link.value === "live") link.set("reconnecting");
	if (nowMs - Math.max(heardAtMs, lastStreamAtMs) > SILENT_MS) polling = true;
	if (!polling) return;
	if (nowMs - lastPollAtMs > POLL_MS) void poll();
	if (nowMs - lastStreamAtMs > STREAM_AGAIN_MS && !status.value?.bootLoop) openStream();
}

function start(): void {
	if (timer !== undefined) return;
	startedAtMs = performance.now();
	polling = false;
	openStream();
	timer = setInterval(look, LOOK_MS);
}

function stop(): void {
	clearInterval(timer);
	timer = undefined;
	stream?.close();
	stream = undefined;
	polling = false;
	stale.set(true);
	if (link.value === "live") link.set("reconnecting");
}

/** Follows the controller for as long as the page can be seen. Call once. */
export function followController(): void {
	const visible = (): void => (document.hidden ? stop() : start());
	document.addEventListener("visibilitychange", visible);
	addEventListener("pagehide", stop);
	addEventListener("pageshow", visible);
	visible();
	status.follow(() => {
		const snapshot = status.value;
		if (snapshot !== undefined && !(snapshot.uptimeMs <= modeAtMs)) modeState.set(snapshot);
	});
	void loadStatus().catch(() => {});
}

/** Runs `act` once as soon as the link is live. */
export function whenLive(act: () => void): void {
	if (link.value === "live") {
		act();
		return;
	}
	const end = link.follow(() => {
		if (link.value !== "live") return;
		end();
		act();
	});
}

/** Repeats `act` while the page is seen, `periodMs` after it has ended. @returns ends that */
export function repeatWhileSeen(act: () => Promise<unknown>, periodMs: number): () => void {
	let ended = false;
	let waiting: ReturnType<typeof setTimeout> | undefined;
	const round = async (): Promise<void> => {
		waiting = undefined;
		if (!document.hidden) await act().catch(() => {});
		if (!ended) waiting = setTimeout(round, document.hidden ? LOOK_MS : periodMs);
	};
	void round();
	return () => {
		ended = true;
		clearTimeout(waiting);
	};
}
