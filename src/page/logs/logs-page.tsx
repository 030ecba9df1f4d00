/** The controller's log: newest lines last, as the files have them. */

import { useEffect, useRef, useState } from "preact/hooks";
import { AnonymousDownload } from "../can/can-page";
import { get, getText, post } from "../net/request";
import type { LogFile, LogList } from "../net/types";
import { SettingsOf } from "../settings/settings-page";
import { loadStatus, sinceStatusMs, status } from "../state/status";
import { T } from "../texts";
import { isSure } from "../ui/dialogs";
import { SelectField } from "../ui/fields";
import { attempt, notify } from "../ui/notice";
import { Filter, ListState, matcher, Pause, useWatched } from "../ui/watched-list";

/** Time between an answer and the next request. */
const PERIOD_MS = 2000;
const TAIL_BYTES = 65_536;
/** Lines that are shown. */
const SHOWN = 500;
/** Each start is told in it: its last lines are of the last one. */
const ALL = "/logs/all.txt";

const sizedName = ({ path, size }: LogFile): string => `${path.slice("/logs/".length)} (${Math.ceil(size / 1024)} KB)`;

/** The last lines of a log file that fit the filter; files can be saved, deleted and cleared. */
export function LogsPage(_: { part: string }) {
	const [files, setFiles] = useState<readonly LogFile[]>();
	const [path, setPath] = useState(ALL);
	const [text, setText] = useState("");
	const [filter, setFilter] = useState("");
	const [round, setRound] = useState(0);
	useEffect(() => void loadStatus().catch(() => {}), []);
	const load = async (): Promise<void> => {
		const listed = (await get<LogList>("/api/logs")).files;
		setFiles(listed);
		const there = listed.some((file) => file.path === path);
		setText(there ? await getText(`/api/logs/read?path=${encodeURIComponent(path)}&max=${TAIL_BYTES}`) : "");
	};
	const { paused, setPaused, problem } = useWatched(load, PERIOD_MS, [path, round]);
	const act = async (sure: string, verb: string, route: string, body: object): Promise<void> => {
		if (!(await isSure(sure, verb))) return;
		await attempt(async () => {
			await post(route, body);
			notify("good", T.logs.done);
		});
		setRound(round + 1);
	};
	const matches = matcher(filter);
	const lines = text.split("\n").filter((line) => line !== "" && matches(line));
	return (
		<div class="stack">
			<section class="card">
				<div class="bar">
					<SelectField
						class="field grow file-choice"
						label={T.logs.file}
						value={path}
						options={(files ?? []).map((file) => [file.path, sizedName(file)])}
						onChange={setPath}
					/>
					<Filter filter={filter} onFilter={setFilter} />
					<Pause paused={paused} onPause={setPaused} />
				</div>
				<ListState problem={problem} text={files && T.logs.lines(lines.length)} />
				<Lines lines={lines.slice(-SHOWN)} clock={path === ALL} />
			</section>
			<div class="tools">
				<a class="button" href={`/api/logs/read?path=${encodeURIComponent(path)}&max=262144`} download={path.split("/").pop()}>
					{T.logs.download}
				</a>
				<AnonymousDownload
					path={`/api/logs/read?path=${encodeURIComponent(path)}&max=262144`}
					name={`shared-${path.split("/").pop()}`}
				/>
				<button
					type="button"
					class="danger"
					onClick={() => void act(T.logs.deleteSure(path), T.logs.delete, "/api/logs/delete", { path })}
				>
					{T.logs.delete}
				</button>
				<button
					type="button"
					class="danger"
					onClick={() => void act(T.logs.clearSure, T.logs.clear, "/api/logs/clear", { scope: "everything" })}
				>
					{T.logs.clear}
				</button>
			</div>
			<SettingsOf page="logs" />
		</div>
	);
}

/**
 * When a line was written. The controller knows no clock: lines since its last start get the browser's, as
 * far as both have gone since; others the seconds since their start.
 */
function when(uptimeMs: string, sinceBoot: boolean): string {
	if (!/^\d+$/.test(uptimeMs)) return uptimeMs;
	const nowMs = status.value?.uptimeMs;
	if (!sinceBoot || nowMs === undefined) return `${(Number(uptimeMs) / 1000).toFixed(1)} s`;
	return new Date(Date.now() - sinceStatusMs() - nowMs + Number(uptimeMs)).toLocaleTimeString(T.locale);
}

/** Index of the line from which on all are of the last start: time goes back there. */
function lastBoot(lines: readonly string[]): number {
	for (let i = lines.length - 1; i > 0; i--) if (Number.parseInt(lines[i]!, 10) < Number.parseInt(lines[i - 1]!, 10)) return i;
	return 0;
}

/** Stays at the end for as long as one is at the end. */
function Lines({ lines, clock }: { lines: readonly string[]; clock: boolean }) {
	const list = useRef<HTMLElement>(null);
	const atEnd = useRef(true);
	const boot = clock ? lastBoot(lines) : lines.length;
	useEffect(() => {
		if (atEnd.current && list.current !== null) list.current.scrollTop = list.current.scrollHeight;
	}, [lines[lines.length - 1], lines.length]);
	return (
		<section
			ref={list}
			class="scroll log"
			// as the controller has written it
			lang="en"
			tabIndex={0}
			aria-label={T.pages.logs}
			onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
				atEnd.current = scrollHeight - scrollTop - clientHeight < 30;
			}}
		>
			{lines.map((line, i) => {
				const [uptimeMs = "", level = "", tag = "", ...rest] = line.split("\t");
				return (
					<p key={i} class={level.toLowerCase()}>
						<span class="muted">{when(uptimeMs, i >= boot)}</span> <b>{level}</b> <span class="tag">{tag}</span> {rest.join(" ")}
					</p>
				);
			})}
		</section>
	);
}
