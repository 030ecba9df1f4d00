/** Calibration: begun by who stands beside the car, for as long as this page is looked at; what came of it, asked against reached. */

import { choiceLabel } from "../settings/settings-words";
import { T } from "../texts";
import { Section } from "../ui/fields";
import { FollowingChart } from "./following-chart";
import { useCalibration } from "./use-calibration";

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
					{!learned.inForce && <p class="bad">{C.isOther}</p>}
					<FollowingChart learned={learned} before={before} />
					<button type="button" class="danger" disabled={running} onClick={() => void forget()}>
						{C.forget}
					</button>
				</Section>
			)}
		</div>
	);
}
