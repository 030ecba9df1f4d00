/**
 * The first start: generation, whether the inputs are right, the frame profile, and the password of the own
 * network.
 */

import { useEffect, useState } from "preact/hooks";
import { faults, telemetry } from "../net/live";
import { get, inWords, post } from "../net/request";
import type { Network, Wifi } from "../net/types";
import { AccessPointForm, isDecided } from "../network/wifi-forms";
import { GenerationField, SettingField } from "../settings/setting-field";
import { SECTIONS } from "../settings/settings";
import { setSetting, settingsDraft } from "../settings/settings-draft";
import { Inputs, isPicked } from "../settings/settings-page";
import { useDraft } from "../state/draft";
import { go } from "../state/route";
import { loadStatus } from "../state/status";
import { useStore } from "../state/store";
import { T } from "../texts";
import { LanguageField, Section, SpeedUnitField } from "../ui/fields";
import { Icon } from "../ui/icon";
import { attempt } from "../ui/notice";
import { HeardBuses, useHeard } from "./heard";

const STEPS = 4;

/** One of four steps, with the way on, back and out. @param part 1..4; any other text shows the first */
export function StartPage({ part }: { part: string }) {
	const step = Math.min(STEPS, Math.max(1, Number(part) || 1));
	const { shown, dirty, saving, problem } = useDraft(settingsDraft);
	const S = T.start;
	if (shown === undefined) return <p class="loading">{problem || T.shell.loading}</p>;
	const next = async (): Promise<void> => {
		if (dirty && !(await settingsDraft.save())) return;
		go(`start/${step + 1}`);
	};
	return (
		<div class="stack start">
			{step === 1 && (
				<div class="start-display">
					<LanguageField />
					<SpeedUnitField />
				</div>
			)}
			<Progress step={step} />
			{step === 1 && <Coupling chosen={shown.couplingGeneration} />}
			{step === 2 && <Check />}
			{step === 3 && (
				<Section title={S.frames}>
					<SettingField name="frameProfile" />
				</Section>
			)}
			{/* last: the network ends when it gets a password */}
			{step === STEPS && <Password />}
			{problem !== "" && <p class="bad">{problem}</p>}
			{step !== STEPS && (
				<Steps
					step={step}
					disabled={saving || (step === 1 && shown.couplingGeneration === 0)}
					word={S.next}
					onNext={() => void next()}
				/>
			)}
		</div>
	);
}

/** The way on, back and out. @param word undefined: the way on is elsewhere */
function Steps(props: { step: number; disabled?: boolean; word?: string; onNext: () => void }) {
	const { step, disabled = false, word, onNext } = props;
	return (
		<div class="tools">
			{step > 1 && (
				<a class="button" href={`#start/${step - 1}`}>
					{T.start.back}
				</a>
			)}
			{word !== undefined && (
				<button type="button" class="primary" disabled={disabled} onClick={onNext}>
					{word}
				</button>
			)}
			<a class="later" href="#drive">
				{T.start.later}
			</a>
		</div>
	);
}

function Progress({ step }: { step: number }) {
	return (
		<ol class="progress" aria-label={T.start.step(step, STEPS)}>
			{T.start.steps.map((name, i) => (
				<li key={name} class={i + 1 < step ? "over" : ""} aria-current={i + 1 === step ? "step" : undefined}>
					<span>{i + 1 < step ? <Icon name="check" /> : i + 1}</span>
					{name}
				</li>
			))}
		</ol>
	);
}

function Coupling({ chosen }: { chosen: number }) {
	const heard = useHeard();
	const S = T.start;
	return (
		<Section title={S.generation}>
			<HeardBuses heard={heard} chosen={chosen} />
			{heard?.fits.length !== 1 && <p class="muted">{S.generationHint}</p>}
			<GenerationField
				value={chosen}
				fits={heard?.fits ?? []}
				onChange={(generation) => setSetting("couplingGeneration", generation)}
			/>
		</Section>
	);
}

/** What is to be done about the inputs. */
function useInputsMessage(): [kind: "muted" | "good" | "warn", words: string] {
	const now = useStore(telemetry);
	const silent = useStore(faults).includes("chassisSilent");
	const draft = useStore(settingsDraft.state);
	if (SECTIONS.inputs.some((name) => isPicked(name, draft))) return ["muted", T.draft.unsaved];
	if (now?.speedValid && now.throttleValid && now.rpmValid) return ["good", T.start.allThere];
	return ["warn", silent ? T.settings.silent : T.start.notAllThere];
}

function Check() {
	const [kind, words] = useInputsMessage();
	return (
		<Section title={T.start.inputs} hint={T.start.inputsHint}>
			<Inputs />
			<p class={`inputs-state ${kind}`} role="status">
				{words}
			</p>
		</Section>
	);
}

function Password() {
	const [state, setState] = useState<{ wifi: Wifi; apSsid: string }>();
	const [problem, setProblem] = useState("");
	const read = async (): Promise<void> => {
		const [wifi, { apSsid }] = await Promise.all([get<Wifi>("/api/wifi"), get<Network>("/api/network")]);
		setState({ wifi, apSsid });
	};
	useEffect(() => void read().catch((error) => setProblem(inWords(error))), []);
	if (state === undefined) return <p class="loading">{problem || T.shell.loading}</p>;
	/** The password last: behind it there may be no connection any more. */
	const finish = (body?: object): Promise<boolean> =>
		attempt(async () => {
			await post("/api/settings", { setupDone: true });
			await loadStatus();
			if (body !== undefined) await post("/api/wifi", body);
		});
	const drive = async (body?: object): Promise<void> => {
		if (await finish(body)) go("drive");
	};
	/** @returns true if there is a new password to be told */
	const save = async (body: { apPassword?: string }): Promise<boolean> => {
		if (body.apPassword) return finish(body);
		await drive(body);
		return false;
	};
	const { wifi, apSsid } = state;
	const done = (
		<a class="button primary" href="#drive">
			{T.start.done}
		</a>
	);
	return (
		<>
			<AccessPointForm wifi={wifi} apSsid={apSsid} save={save} after={done} />
			<Steps step={STEPS} {...(isDecided(wifi) ? { word: T.start.done } : {})} onNext={() => void drive()} />
		</>
	);
}
