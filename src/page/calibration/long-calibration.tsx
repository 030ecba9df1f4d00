/** The long calibration: finds torque model, ceiling and the frames that are needed, and proposes them. */

import { useEffect, useRef, useState } from "preact/hooks";
import { planFrames } from "../coupling/frames";
import { repeatWhileSeen } from "../net/live";
import { get, inWords, post } from "../net/request";
import type { Learn, Status } from "../net/types";
import { settingsOf } from "../settings/settings";
import { choiceLabel } from "../settings/settings-draft";
import { T } from "../texts";
import { isSure } from "../ui/dialogs";
import { CheckField, downloadText, Section } from "../ui/fields";
import { notify } from "../ui/notice";
import { CurveChart, Progress } from "./curve-chart";
import { ALIVE_MS, apply, begin, DONE, stayed, whyEnded } from "./learned";
import { flawsOf, reportOf, type Start, type Step, type Sweep, search } from "./search";

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

/** @param props onBusy: told whether it goes on; onApplied: the controller has another table */
export function LongCalibration(props: { onBusy: (isBusy: boolean) => void; onApplied: () => Promise<void> }) {
	const { onBusy, onApplied } = props;
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

/** How it stands. `paused`: a sweep has ended early. */
interface Long {
	readonly phase: "none" | "running" | "paused" | "done";
	readonly step: Step | undefined;
	readonly sweeps: readonly Sweep[];
	readonly found: Sweep | undefined;
	readonly report: string;
	readonly learn: Learn | undefined;
	readonly problem: string;
}

interface Running {
	readonly start: Start;
	readonly software: string;
	readonly sequence: ReturnType<typeof search>;
}

const NONE: Long = {
	phase: "none",
	step: undefined,
	sweeps: [],
	found: undefined,
	report: "",
	learn: undefined,
	problem: "",
};
/** Said of a coupling that did not close, which is an answer. */
const HARDLY_MOVED = "hardlyMoved";

/** The present settings, as a start. */
async function startOf(withFrames: boolean): Promise<readonly [Start, software: string]> {
	const status = await get<Status>("/api/status");
	const settings = settingsOf(status);
	const { couplingGeneration: generation, frameProfile: profile, torqueModel, torqueCeilingNm, framesOff } = settings;
	const frames = planFrames({ ...settings, framesOff: "" });
	const start = {
		generation,
		profile,
		hasModels: frames.some(({ name }) => name === "Motor_11"),
		trial: { torqueModel: torqueModel === "proportional" ? torqueModel : "pinned", torqueCeilingNm, framesOff },
		frames: withFrames ? frames.map(({ id }) => id) : [],
	} as const;
	return [start, `${status.version} ${status.commit}`.trim()];
}

/** The long calibration, for one component. None of its functions throws. */
function useLong() {
	const [now, setNow] = useState(NONE);
	const running = useRef<Running | undefined>(undefined);
	const set = (change: Partial<Long>): void => setNow((old) => ({ ...old, ...change }));
	const pause = (problem: string): void => set({ phase: "paused", problem });
	const guarded = async (action: () => Promise<void>): Promise<void> => {
		set({ problem: "" });
		try {
			await action();
		} catch (error) {
			set({ problem: inWords(error) });
		}
	};
	const sweep = async (step: Step): Promise<void> => {
		set({ step, learn: undefined, problem: "" });
		try {
			const problem = await begin(step.trial);
			if (problem === "") set({ phase: "running" });
			else pause(problem);
		} catch (error) {
			pause(inWords(error));
		}
	};
	const goOn = (sweeps: readonly Sweep[], { done, value }: IteratorResult<Step, Sweep | undefined>): Promise<void> | void => {
		if (!done) return sweep(value);
		const { start, software } = running.current as Running;
		set({ phase: "done", found: value, report: reportOf(start, sweeps, value, software) });
	};
	const look = async (): Promise<void> => {
		const { step, sweeps } = now;
		const learn = await stayed();
		set({ learn });
		if (learn.active || step === undefined || running.current === undefined) return;
		if (learn.progress !== DONE && learn.problemCode !== HARDLY_MOVED) {
			pause(whyEnded(learn));
			return;
		}
		const ended = { step, measured: learn.measured, unsteady: learn.unsteady };
		const all = [...sweeps, ended];
		// no look at the next one before it has begun
		set({ phase: "none", sweeps: all });
		await goOn(all, running.current.sequence.next(ended));
	};
	const { phase, step } = now;
	useEffect(() => (phase === "running" ? repeatWhileSeen(look, ALIVE_MS) : undefined), [phase, step]);
	return {
		...now,
		start: (withFrames: boolean): Promise<void> =>
			guarded(async () => {
				if (!(await isSure(T.calibration.sure, T.calibration.begin))) return;
				const [start, software] = await startOf(withFrames);
				running.current = { start, software, sequence: search(start) };
				setNow(NONE);
				await goOn([], running.current.sequence.next());
			}),
		repeat: (): Promise<void> =>
			guarded(async () => {
				const [start] = await startOf(false);
				const old = running.current?.start;
				if (start.generation !== old?.generation || start.profile !== old.profile) throw new Error(T.calibration.otherCar);
				if (now.step !== undefined) await sweep(now.step);
			}),
		cancel: (): Promise<void> => guarded(async () => void (await post("/api/learn/cancel"))),
		discard: (): void => setNow(NONE),
		/** @returns whether it is in effect */
		apply: async (): Promise<boolean> => {
			const { start } = running.current as Running;
			let applied = false;
			await guarded(async () => {
				if (now.found === undefined) return;
				await apply(start.generation, start.profile, now.found.step.trial, now.found.measured);
				notify("good", T.calibration.applied);
				setNow(NONE);
				applied = true;
			});
			return applied;
		},
	};
}
