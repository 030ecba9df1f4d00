/** The calibration: begun here, kept going while the page is there, and what came of it. */

import { useEffect, useState } from "preact/hooks";
import { repeatWhileSeen } from "../net/live";
import { inWords, post } from "../net/request";
import type { Learn, LearnTable } from "../net/types";
import { choiceLabel } from "../settings/settings-draft";
import { loadStatus } from "../state/status";
import { T } from "../texts";
import { isSure } from "../ui/dialogs";
import { Section } from "../ui/fields";
import { notify } from "../ui/notice";
import { CurveChart, Progress } from "./curve-chart";
import { ALIVE_MS, begin, DONE, following, learnedTable, stayed, whyEnded } from "./learned";
import { LongCalibration } from "./long-calibration";

/** How the coupling follows. @param props before: the last table, undefined = the guess; a broken line */
function FollowingChart({ learned: { table }, before }: { learned: LearnTable; before: readonly number[] | undefined }) {
	const C = T.calibration;
	return (
		<CurveChart
			label={C.chart(table[100] ?? 0)}
			across={C.asked}
			points={following(table, table)}
			behind={following(table, before)}
		>
			{before === undefined ? C.beforeGuess : C.beforeTable}
		</CurveChart>
	);
}

/** Begins a calibration and shows its progress; below that what was learned, which can be forgotten. */
export function CalibrationPage(_: { part: string }) {
	const { learned, before, state, running, problem, start, cancel, forget, reload } = useCalibration();
	const [isLong, setLong] = useState(false);
	const C = T.calibration;
	if (learned === undefined) return <p class={problem === "" ? "loading" : "bad"}>{problem || T.shell.loading}</p>;
	return (
		<div class="stack">
			{!isLong && (
				<Section title={C.title} hint={C.hint}>
					{running ? (
						<Progress state={state} onCancel={() => void cancel()} />
					) : (
						<button type="button" class="primary" onClick={() => void start()}>
							{C.begin}
						</button>
					)}
					<p class="bad" role="alert">
						{problem}
					</p>
				</Section>
			)}
			{!running && <LongCalibration onBusy={setLong} onApplied={reload} />}
			{!isLong &&
				(learned.generation === 0 ? (
					<p class="muted">{C.none}</p>
				) : (
					<Section title={C.learned} hint={C.learnedHint}>
						<p>{C.belongs(learned.generation, choiceLabel(learned.frameProfile), learned.date || C.noDate)}</p>
						{learned.oilC.length > 0 && <p class="muted">{C.oil(learned.oilC.join(" °C, "))}</p>}
						{!learned.inForce && <p class="bad">{C.isOther(C.differs[learned.differs ?? ""])}</p>}
						<FollowingChart learned={learned} before={before} />
						<button type="button" class="danger" disabled={running} onClick={() => void forget()}>
							{C.forget}
						</button>
					</Section>
				))}
		</div>
	);
}

/**
 * The calibration, for one component: while one runs that was begun here, it is kept alive. None of its
 * functions throws: what goes wrong is in `problem`.
 */
function useCalibration() {
	const [learned, setLearned] = useState<LearnTable>();
	/** The table that was active before the last calibration that was begun here. */
	const [before, setBefore] = useState<readonly number[]>();
	const [state, setState] = useState<Learn>();
	const [running, setRunning] = useState(false);
	const [problem, setProblem] = useState("");
	const load = async (): Promise<void> => setLearned(await learnedTable());
	useEffect(() => void load().catch((error) => setProblem(inWords(error))), []);
	const look = async (): Promise<void> => {
		const now = await stayed();
		setState(now);
		if (now.active) return;
		setRunning(false);
		await load();
		if (now.progress === DONE) notify("good", T.calibration.done);
		else setProblem(whyEnded(now));
	};
	useEffect(() => (running ? repeatWhileSeen(look, ALIVE_MS) : undefined), [running]);
	const act = async (action: () => Promise<void>): Promise<void> => {
		setProblem("");
		try {
			await action();
		} catch (error) {
			setProblem(inWords(error));
		}
	};
	const start = (): Promise<void> =>
		act(async () => {
			if (!(await isSure(T.calibration.sure, T.calibration.begin))) return;
			const old = await learnedTable();
			const error = await begin();
			if (error !== "") {
				setProblem(error);
				return;
			}
			setBefore(old.inForce ? old.table : undefined);
			setState(undefined);
			setRunning(true);
		});
	const cancel = (): Promise<void> => act(async () => void (await post("/api/learn/cancel")));
	const forget = (): Promise<void> =>
		act(async () => {
			if (!(await isSure(T.calibration.forgetSure, T.calibration.forget))) return;
			await post("/api/learn/clear");
			await load();
			await loadStatus();
		});
	const reload = (): Promise<void> =>
		act(async () => {
			setBefore(learned?.inForce ? learned.table : undefined);
			await load();
			await loadStatus();
		});
	return { learned, before, state, running, problem, start, cancel, forget, reload };
}
