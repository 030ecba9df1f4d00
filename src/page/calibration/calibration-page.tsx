/** How the coupling follows what is asked of it, as a drawing: asked across, reached upwards. */

import { useState } from "preact/hooks";
import type { LearnTable } from "../net/types";
import { choiceLabel } from "../settings/settings-words";
import { T } from "../texts";
import { Section } from "../ui/fields";
import { CurveChart } from "./curve-chart";
import { following } from "./following";
import { LongCalibration } from "./long-calibration";
import { Progress } from "./progress";
import { useCalibration } from "./use-calibration";

/** @param before the table before this one, undefined = the guess; drawn as a broken line */
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
