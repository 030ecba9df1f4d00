/** Both buses: decoded and raw, filtered, paused, dumped to a file; and SavvyCAN by Wi-Fi. */

import { useEffect, useRef, useState } from "preact/hooks";
import { modeState, repeatWhileSeen } from "../net/live";
import { get, getText, post } from "../net/request";
import type { Analyzer as Answer, DecodedSignal, RawFrame } from "../net/types";
import { fits } from "../settings/synonyms";
import { loadStatus } from "../state/status";
import { useStore } from "../state/store";
import { inOurWords, lookUp, T } from "../texts";
import { CheckField, downloadText, Facts, Section, SelectField } from "../ui/fields";
import { attempt } from "../ui/notice";
import { Filter, ListState, Pause, useWatched } from "../ui/watched-list";
import { withoutIdentity } from "./identity";
import { unitText } from "./units";

/** Time between an answer and the next request: 300 rows take a C6 about 11 ms. */
const PERIOD_MS = 700;
/** Rows at first, and how many more each time. */
const SHOWN = 300;
/** Raw frames that the controller keeps. */
const RAW_ROWS = 128;

/** A row of either view: members of the other view are absent. */
type Row = Omit<DecodedSignal & RawFrame, "ts">;
type View = "decoded" | "raw";
/** Columns of numbers. */
const NUMBERS: Readonly<Record<View, readonly number[]>> = { decoded: [1, 4, 5], raw: [3] };

/** Signals or raw frames as a table, by bus and filter, 300 rows at first; dump, capture and SavvyCAN. */
export function CanPage(_: { part: string }) {
	const [view, setView] = useState<View>("decoded");
	const [bus, setBus] = useState("all");
	const [filter, setFilter] = useState("");
	const [rows, setRows] = useState<readonly Row[]>();
	const [most, setMost] = useState(SHOWN);
	const load = async (): Promise<void> => {
		const query = view === "decoded" ? `decoded=${filter === "" ? most + 1 : 2000}&raw=0` : `decoded=0&raw=${RAW_ROWS}`;
		const answer = await get<Record<View, Row[]>>(`/api/canview?${query}&bus=${bus}`);
		setRows(view === "raw" ? newestOfEach(answer.raw) : answer.decoded);
	};
	const { paused, setPaused, problem } = useWatched(load, PERIOD_MS, [view, bus, filter === "", most]);
	const words = filter.toLowerCase().split(/\s+/);
	const fitting = rows?.filter((row) =>
		fits(
			`${row.bus} ${row.dir} 0x${row.id.toString(16)} ${(row.name ?? "").replaceAll("_", " ")} ${row.data ?? ""}`.toLowerCase(),
			words,
		),
	);
	return (
		<div class="stack">
			<section class="card">
				<div class="bar">
					<div class="choice" role="group" aria-label={T.can.view}>
						{(["decoded", "raw"] as const).map((name) => (
							<button
								key={name}
								type="button"
								aria-pressed={view === name}
								onClick={() => {
									setRows(undefined);
									setView(name);
								}}
							>
								{T.can[name]}
							</button>
						))}
					</div>
					<Pause paused={paused} onPause={setPaused} />
					<SelectField class="field" label={T.can.bus} value={bus} options={Object.entries(T.can.buses)} onChange={setBus} />
					<Filter filter={filter} onFilter={setFilter} />
				</div>
				<ListState problem={problem} text={fitting && T.can.rows(Math.min(most, fitting.length), fitting.length > most)} />
				<section class="scroll" aria-label={T.can[view]} tabIndex={0}>
					<Table view={view} rows={fitting?.slice(0, most) ?? []} />
					{fitting !== undefined && fitting.length > most && (
						<button type="button" onClick={() => setMost(most + SHOWN)}>
							{T.can.more}
						</button>
					)}
				</section>
			</section>
			<div class="columns">
				<Capture />
				<Dump bus={bus} />
				<Analyzer />
			</div>
		</div>
	);
}

/** The newest frame of each identifier, bus and direction, in their order: rows stay where they are. */
function newestOfEach(rows: readonly Row[]): readonly Row[] {
	const newest = new Map<string, Row>();
	for (const row of rows) {
		const key = `${row.bus} ${row.dir} ${row.id.toString().padStart(10)}`;
		const other = newest.get(key);
		if (other === undefined || row.ageMs < other.ageMs) newest.set(key, row);
	}
	return [...newest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

function Table({ view, rows }: { view: View; rows: readonly Row[] }) {
	const heads = view === "decoded" ? T.can.decodedHeads : T.can.rawHeads;
	return (
		<table class="table">
			<thead>
				<tr>
					{heads.map((head, i) => (
						<th key={head} scope="col" class={NUMBERS[view].includes(i) ? "number" : ""}>
							{head}
						</th>
					))}
				</tr>
			</thead>
			<tbody>
				{rows.map((row) => (
					<tr key={`${row.bus}${row.dir}${row.id}${row.name ?? ""}`} class={row.generated ? "generated" : ""}>
						{view === "decoded" && <th scope="row">{row.name.replaceAll("_", " ")}</th>}
						{view === "decoded" && <td class="number value">{`${row.value} ${unitText(row.unit)}`}</td>}
						<td class="code">{`0x${row.id.toString(16)}`}</td>
						{view === "raw" && <td class="code">{row.data}</td>}
						<td class="bus">{`${lookUp(T.can.buses, row.bus) ?? row.bus} ${row.dir}${row.generated ? ` ${T.can.generated}` : ""}`}</td>
						<td class="number">{row.ageMs}</td>
						{view === "decoded" && <td class="number">{row.hz || ""}</td>}
					</tr>
				))}
			</tbody>
		</table>
	);
}

function Capture() {
	const state = useStore(modeState);
	const active = state?.canviewCaptureMode ?? false;
	const toggle = () =>
		attempt(async () => {
			await post("/api/canview/capture", { active: !active });
			await loadStatus();
		});
	return (
		<Section title={T.can.capture} hint={T.can.captureHint}>
			<button type="button" aria-pressed={active} onClick={() => void toggle()}>
				{active ? T.can.endCapture : T.can.startCapture}
			</button>
		</Section>
	);
}

/** The ending of a file by its format. */
const ENDINGS: Readonly<Record<string, string>> = { candump: "log", savvycan: "csv" };

function Dump({ bus }: { bus: string }) {
	const [seconds, setSeconds] = useState("30");
	const [format, setFormat] = useState("candump");
	const [dir, setDir] = useState("");
	const query = `seconds=${seconds}&bus=${bus}&format=${format}${dir === "" ? "" : `&dir=${dir}`}`;
	return (
		<Section title={T.can.dump}>
			<SelectField
				label={T.can.seconds}
				value={seconds}
				options={["10", "30", "60", "120"].map((value) => [value, T.can.lastSeconds(value)])}
				onChange={setSeconds}
			/>
			<SelectField label={T.can.format} value={format} options={Object.entries(T.can.formats)} onChange={setFormat} />
			<SelectField label={T.can.direction} value={dir} options={Object.entries(T.can.directions)} onChange={setDir} />
			<a class="button primary" href={`/api/canview/dump?${query}`} download="">
				{T.can.download}
			</a>
			<AnonymousDownload path={`/api/canview/dump?${query}`} name={`can-dump.${ENDINGS[format] ?? "txt"}`} />
			<p class="muted">{T.can.anonymousHint}</p>
		</Section>
	);
}

/** Time between an answer and the next request. */
const ANALYZER_PERIOD_MS = 1000;

/** The card of SavvyCAN: switches for listening and sending, clients, and what was rejected. */
function Analyzer() {
	const [state, setState] = useState<Answer>();
	const writes = useRef(0);
	const read = async (): Promise<void> => {
		const before = writes.current;
		const now = await get<Answer>("/api/analyzer");
		// what was asked before a change does not show it
		if (before === writes.current) setState(now);
	};
	useEffect(() => repeatWhileSeen(read, ANALYZER_PERIOD_MS), []);
	const change = async (wanted: Partial<Pick<Answer, "enabled" | "maySend">>): Promise<void> => {
		writes.current++;
		// the box shows what is, not what was wanted
		if (!(await attempt(async () => setState(await post<Answer>("/api/analyzer", wanted))))) setState((now) => now && { ...now });
		writes.current++;
	};
	const A = T.analyzer;
	return (
		<Section title="SavvyCAN" hint={A.hint}>
			<CheckField label={A.listen} value={state?.enabled ?? false} onChange={(enabled) => void change({ enabled })} />
			{state?.enabled && <Listening state={state} onMaySend={(maySend) => void change({ maySend })} />}
			<a class="button" href="/api/canview/dbc" download="">
				{A.dbc}
			</a>
		</Section>
	);
}

function Listening({ state, onMaySend }: { state: Answer; onMaySend: (maySend: boolean) => void }) {
	const { port, clients, maySend, sendRefusal, sentFrames, refusedFrames, lastRefusal } = state;
	const A = T.analyzer;
	return (
		<>
			<Facts
				test="analyzer"
				facts={[
					[A.address, port === 0 ? T.network.off : `${location.hostname}:${port}`],
					[A.clients, clients.length],
					[A.lost, clients.map(({ lostFrames }) => lostFrames).join(", ") || "–"],
					[A.sent, sentFrames],
					[A.rejected, refusedFrames],
				]}
			/>
			{lastRefusal !== "" && <p class="warn">{`${A.lastRejection}: ${inOurWords(lastRefusal)}`}</p>}
			<CheckField label={A.maySend} hint={A.conditions} value={maySend} onChange={onMaySend} />
			<p class={sendRefusal === "" ? "muted" : "warn"} role="status">
				{sendRefusal === "" ? A.maySendNow : T.update.notNow(inOurWords(sendRefusal))}
			</p>
		</>
	);
}

/** Two full buses for two minutes, over Wi-Fi. */
const TIMEOUT_MS = 120_000;

/** A button that downloads what `path` answers, without what tells whose car it is. */
export function AnonymousDownload({ path, name }: { path: string; name: string }) {
	const download = () => attempt(async () => downloadText(name, withoutIdentity(await getText(path, TIMEOUT_MS))));
	return (
		<button type="button" title={T.can.anonymousHint} onClick={() => void download()}>
			{T.can.anonymous}
		</button>
	);
}
