/** The coupling's generation. */

import { T } from "../texts";

/** One choice for each generation, with cars that have it. @param value 0 = none is chosen yet */
export function GenerationField({ value, onChange }: { value: number; onChange: (generation: number) => void }) {
	const { names, generations } = T.settings;
	return (
		<div class="generations" role="radiogroup" aria-label={names.couplingGeneration}>
			{Object.entries(generations).map(([name, cars]) => {
				const generation = Number(name);
				return (
					<label key={name} class={`generation${generation === value ? " chosen" : ""}`}>
						<input type="radio" name="generation" checked={generation === value} onChange={() => onChange(generation)} />
						<b>{name}</b>
						<small>{cars}</small>
					</label>
				);
			})}
		</div>
	);
}
