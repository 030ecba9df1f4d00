/** How the coupling follows what is asked of it, as a drawing: asked across, reached upwards. */

import type { LearnTable } from "../net/types";
import { choiceLabel } from "../settings/settings-words";
import { T } from "../texts";
import { Section } from "../ui/fields";
import { following } from "./following";
import { useCalibration } from "./use-calibration";

const SIZE = 480;
const LEFT = 64;
const BOTTOM = 64;
const TOP = 24;
const RIGHT = 24;
const MARKS = [0, 25, 50, 75, 100];
const x = (percent: number): number => LEFT + (percent / 100) * (SIZE - LEFT - RIGHT);
const y = (percent: number): number => TOP + (1 - percent / 100) * (SIZE - TOP - BOTTOM);
const line = (points: readonly (readonly [number, number])[]): string =>
	points.map(([asked, reached], i) => `${i === 0 ? "M" : "L"}${x(asked).toFixed(1)} ${y(reached).toFixed(1)}`).join("");

/** @param before the table before this one, undefined = the guess; drawn as a broken line */
function FollowingChart({ learned: { table }, before }: { learned: LearnTable; before: readonly number[] | undefined }) {
	const C = T.calibration;
	return (
		<figure class="following">
			<svg class="chart" viewBox={`0 0 ${SIZE} ${SIZE}`} role="img" aria-label={C.chart(table[100] ?? 0)}>
				{MARKS.map((percent) => (
					<g key={percent}>
						<path class="chart-line" d={`M${LEFT} ${y(percent)}H${SIZE - RIGHT}M${x(percent)} ${TOP}V${SIZE - BOTTOM}`} />
						<text x={LEFT - 10} y={y(percent) + 5} text-anchor="end">
							{percent}
						</text>
						<text x={x(percent)} y={SIZE - BOTTOM + 24} text-anchor="middle">
							{percent}
						</text>
					</g>
				))}
				<text x={(LEFT + SIZE - RIGHT) / 2} y={SIZE - 8} text-anchor="middle">
					{C.asked}
				</text>
				<text transform={`translate(16 ${(TOP + SIZE - BOTTOM) / 2}) rotate(-90)`} text-anchor="middle">
					{C.reached}
				</text>
				<path class="chart-stored" d={line(following(table, before))} />
				<path class="chart-curve" d={line(following(table, table))} />
			</svg>
			<figcaption class="muted">{before === undefined ? C.beforeGuess : C.beforeTable}</figcaption>
		</figure>
	);
}

/** Begins a calibration and shows its progress; below that what was learned, which can be forgotten. */
export function CalibrationPage(_: { part: string }) {
	const { learned, before, state, running, problem, start, cancel, forget } = useCalibration();
	const C = T.calibration;
	if (learned === undefined) return <p class={problem === "" ? "loading" : "bad"}>{problem || T.shell.loading}</p>;
	return (
		<div class="stack">
			<Section title={C.title} hint={C.hint}>
				{running ? (
					<>
						<progress aria-label={C.progress} value={state?.progress ?? 0} max={100} />
						<p role="status">{C.step(state?.progress ?? 0, state?.currentEng ?? 0)}</p>
						<p class="muted">{C.stay}</p>
						<button type="button" onClick={() => void cancel()}>
							{C.cancel}
						</button>
					</>
				) : (
					<button type="button" class="primary" onClick={() => void start()}>
						{C.begin}
					</button>
				)}
				<p class="bad" role="alert">
					{problem}
				</p>
			</Section>
			{learned.generation === 0 ? (
				<p class="muted">{C.none}</p>
			) : (
				<Section title={C.learned} hint={C.learnedHint}>
					<p>{C.belongs(learned.generation, choiceLabel(learned.frameProfile), learned.date || C.noDate)}</p>
					{!learned.inForce && <p class="bad">{C.isOther(C.differs[learned.differs ?? ""])}</p>}
					<FollowingChart learned={learned} before={before} />
					<button type="button" class="danger" disabled={running} onClick={() => void forget()}>
						{C.forget}
					</button>
				</Section>
			)}
		</div>
	);
}
