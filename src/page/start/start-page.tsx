/** The first start: generation, password of the own network, and whether the inputs are right. */

import { useEffect, useState } from "preact/hooks";
import { get, inWords, post } from "../net/request";
import { AccessPointForm, type Wifi } from "../network/wifi-forms";
import { GenerationField } from "../settings/generation-field";
import { settingsDraft } from "../settings/settings-draft";
import { Inputs } from "../settings/settings-page";
import { useLoaded } from "../state/draft";
import { go } from "../state/route";
import { useStore } from "../state/store";
import { T } from "../texts";
import { notify } from "../ui/notice";

const STEPS = 3;

export function StartPage({ part }: { part: string }) {
	useLoaded(settingsDraft);
	const step = Math.min(STEPS, Math.max(1, Number(part) || 1));
	const { shown, dirty, saving, problem } = useStore(settingsDraft.state);
	const S = T.start;
	const next = (): void => go(step === STEPS ? "drive" : `start/${step + 1}`);
	if (shown === undefined) return <p class="loading">{problem || T.shell.loading}</p>;
	const saveAndNext = async (): Promise<void> => {
		if (!dirty || (await settingsDraft.save())) next();
	};
	return (
		<div class="stack start">
			<p class="muted">{S.step(step, STEPS)}</p>
			{step === 1 && (
				<section class="card section">
					<h2>{S.generation}</h2>
					<p>{S.generationHint}</p>
					<GenerationField
						value={shown.couplingGeneration}
						onChange={(couplingGeneration) => settingsDraft.edit({ ...shown, couplingGeneration })}
					/>
				</section>
			)}
			{step === 2 && <Password />}
			{step === 3 && (
				<section class="card section">
					<h2>{S.inputs}</h2>
					<p>{S.inputsHint}</p>
					<Inputs shown={shown} set={(change) => settingsDraft.edit({ ...shown, ...change })} />
				</section>
			)}
			{problem !== "" && <p class="bad">{problem}</p>}
			<div class="tools">
				{step > 1 && (
					<a class="button" href={`#start/${step - 1}`}>
						{S.back}
					</a>
				)}
				<button
					type="button"
					class="primary"
					disabled={saving || (step === 1 && shown.couplingGeneration === 0)}
					onClick={() => void saveAndNext()}
				>
					{step === STEPS ? S.done : step === 2 ? S.nextOrSkip : S.next}
				</button>
			</div>
		</div>
	);
}

function Password() {
	const [wifi, setWifi] = useState<Wifi>();
	const read = async (): Promise<void> => setWifi(await get<Wifi>("/api/wifi"));
	useEffect(() => void read().catch((error) => notify("bad", inWords(error))), []);
	if (wifi === undefined) return <p class="loading">{T.shell.loading}</p>;
	const save = async (body: object): Promise<boolean> => {
		try {
			await post("/api/wifi", body);
			await read();
			notify("good", T.draft.saved);
			return true;
		} catch (error) {
			notify("bad", inWords(error));
			return false;
		}
	};
	return <AccessPointForm wifi={wifi} save={save} />;
}
