/** The long calibration: finds torque model, ceiling and the frames that are needed, and proposes them. */

import { useEffect, useState } from "preact/hooks";
import { choiceLabel } from "../settings/settings-words";
import { T } from "../texts";
import { CheckField, Section } from "../ui/fields";
import { downloadText } from "../ui/give";
import { CurveChart } from "./curve-chart";
import { Progress } from "./progress";
import { flawsOf, type Step, type Sweep } from "./search";
import { useLong } from "./use-long";

const nameOf = ({ trial: { torqueModel, torqueCeilingNm, framesOff } }: Step): string =>
	[
		torqueModel === "pinned" ? choiceLabel(torqueModel) : `${choiceLabel(torqueModel)}, ${torqueCeilingNm} Nm`,
		...(framesOff === "" ? [] : [T.calibration.without(framesOff)]),
	].join(", ");

function Sweeps({ sweeps }: { sweeps: readonly Sweep[] }) {
	const C = T.calibration;
	return (
		<ol>
			{sweeps.map((sweep, index) => (
				<li key={index}>
					{nameOf(sweep.step)}:{" "}
					{flawsOf(sweep)
						.map((flaw) => C.flaws[flaw])
						.join(", ") || C.good}
				</li>
			))}
		</ol>
	);
}

interface LongProps {
	/** Told whether it goes on. */
	readonly onBusy: (isBusy: boolean) => void;
	/** The controller has another table. */
	readonly onApplied: () => Promise<void>;
}

/** @param props see there */
export function LongCalibration({ onBusy, onApplied }: LongProps) {
	const { phase, step, sweeps, found, report, learn, problem, start, repeat, cancel, discard, apply } = useLong();
	const [withFrames, setWithFrames] = useState(false);
	const isBusy = phase !== "none" || step !== undefined;
	useEffect(() => onBusy(isBusy), [isBusy]);
	const C = T.calibration;
	return (
		<Section title={C.long} {...(!isBusy && { hint: C.longHint })}>
			{!isBusy && (
				<>
					<CheckField label={C.withFrames} hint={C.withFramesHint} value={withFrames} onChange={setWithFrames} />
					<button type="button" onClick={() => void start(withFrames)}>
						{C.beginLong}
					</button>
				</>
			)}
			{isBusy && phase !== "done" && step !== undefined && (
				<>
					{sweeps.length > 0 && <Sweeps sweeps={sweeps} />}
					<p>{C.sweep(sweeps.length + 1, nameOf(step))}</p>
					<p class="muted">{step.left === 0 ? C.last : C.next(step.left)}</p>
				</>
			)}
			{isBusy && (phase === "running" || phase === "none") && <Progress state={learn} onCancel={() => void cancel()} />}
			<p class="bad" role="alert">
				{problem}
			</p>
			{phase === "paused" && (
				<>
					<button type="button" class="primary" onClick={() => void repeat()}>
						{C.repeat}
					</button>
					<button type="button" onClick={discard}>
						{C.end}
					</button>
				</>
			)}
			{phase === "done" && (
				<>
					<p role="status">{found === undefined ? C.nothing : C.proposed(nameOf(found.step))}</p>
					{found !== undefined && (
						<>
							<CurveChart
								label={C.growing(found.measured.length)}
								across={C.sent}
								points={found.measured.map((percent, factor) => [factor, percent] as const)}
							/>
							{found.step.trial.framesOff !== "" && <p class="warn">{C.standingOnly}</p>}
							<button type="button" class="primary" onClick={async () => void ((await apply()) && (await onApplied()))}>
								{C.apply}
							</button>
						</>
					)}
					<button type="button" onClick={discard}>
						{C.discard}
					</button>
					<Sweeps sweeps={sweeps} />
					<textarea readOnly rows={8} aria-label={C.report} value={report} />
					<button type="button" onClick={() => downloadText("long-calibration.txt", report)}>
						{C.download}
					</button>
				</>
			)}
		</Section>
	);
}
