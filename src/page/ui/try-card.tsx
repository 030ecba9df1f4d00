/** "What would the lock be?": the controller answers. */

import { useEffect, useState } from "preact/hooks";
import { CURVE_X_MAX } from "../../lock/tuning.js";
import { get, inWords } from "../net/request";
import type { CurveName, Preview } from "../net/types";
import { speedText } from "../state/speed";
import { T } from "../texts";
import { Section } from "./fields";

/** Wait after the last move of a slider. */
const WAIT_MS = 150;

/** @param changed asked again when it changes: what the controller has */
export function TryCard({ mode, inputs, changed }: { mode: string; inputs: readonly CurveName[]; changed: unknown }) {
	const [values, setValues] = useState<Readonly<Record<CurveName, number>>>({ speed: 40, throttle: 40, rpm: 3000 });
	const [answer, setAnswer] = useState<Preview>();
	const [problem, setProblem] = useState("");
	useEffect(() => {
		let over = false;
		const query = inputs.map((name) => `${name}=${values[name]}`).join("&");
		const timer = setTimeout(async () => {
			try {
				const preview = await get<Preview>(`/api/preview?mode=${mode}&${query}`);
				if (over) return;
				setAnswer(preview);
				setProblem("");
			} catch (error) {
				if (!over) setProblem(inWords(error));
			}
		}, WAIT_MS);
		return () => {
			over = true;
			clearTimeout(timer);
		};
	}, [mode, values, changed]);
	const inUnits: Readonly<Record<CurveName, (value: number) => string>> = {
		speed: speedText,
		throttle: (value) => `${value} ${T.units.percent}`,
		rpm: (value) => `${value} ${T.units.rpm}`,
	};
	return (
		<Section title={T.preview.title} hint={T.preview.hint}>
			{inputs.map((name) => (
				<label key={name} class="field">
					<span>{`${T.curves.names[name]}: ${inUnits[name](values[name])}`}</span>
					<input
						type="range"
						min={0}
						max={CURVE_X_MAX[name]}
						step={name === "rpm" ? 50 : 1}
						value={values[name]}
						onInput={(event) => setValues({ ...values, [name]: Number(event.currentTarget.value) })}
					/>
				</label>
			))}
			<p role="status" class={problem === "" ? "" : "bad"} data-test="preview">
				{problem !== ""
					? problem
					: answer === undefined
						? ""
						: T.preview.answer(Math.round(answer.lock), Math.round(answer.ungated))}
			</p>
		</Section>
	);
}
