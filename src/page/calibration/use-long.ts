/**
 * A long calibration: one sweep after the other, for as long as the component is there. The controller stores
 * nothing of it before it is applied; a sweep that ends early can be repeated.
 */

import { useEffect, useRef, useState } from "preact/hooks";
import { planFrames } from "../coupling/frames";
import { repeatWhileSeen } from "../net/live";
import { get, inWords, post } from "../net/request";
import type { Learn, Status } from "../net/types";
import { settingsOf } from "../settings/settings";
import { T } from "../texts";
import { notify } from "../ui/notice";
import { isSure } from "../ui/sheet";
import { ALIVE_MS, apply, begin, DONE, stayed, whyEnded } from "./learned";
import { reportOf, type Start, type Step, type Sweep, search } from "./search";

/** How it stands. `paused`: a sweep has ended early. */
export interface Long {
	readonly phase: "none" | "running" | "paused" | "done";
	readonly step: Step | undefined;
	readonly sweeps: readonly Sweep[];
	readonly found: Sweep | undefined;
	readonly report: string;
	/** Of the sweep that runs. */
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

/** What stands in the settings now. */
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
export function useLong() {
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
		/** The sweep that ended early, again. */
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
