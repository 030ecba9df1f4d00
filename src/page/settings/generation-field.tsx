/** The coupling's generation. */

import { T } from "../texts";

const GENERATIONS = [1, 2, 4, 5];

export function GenerationField({ value, onChange }: { value: number; onChange: (generation: number) => void }) {
	return (
		<div class="generations" role="radiogroup" aria-label={T.settings.generation}>
			{GENERATIONS.map((generation) => (
				<label key={generation} class={`generation${generation === value ? " chosen" : ""}`}>
					<input type="radio" name="generation" checked={generation === value} onChange={() => onChange(generation)} />
					<b>{generation}</b>
					<small>{T.settings.generations[generation]}</small>
				</label>
			))}
		</div>
	);
}
