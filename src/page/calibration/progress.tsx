/** A sweep that runs: how far it is, and its curve as it grows. */

import { useAwake } from "../full/awake";
import type { Learn } from "../net/types";
import { T } from "../texts";
import { CurveChart } from "./curve-chart";

/** @param props state undefined: nothing was told yet */
export function Progress({ state, onCancel }: { state: Learn | undefined; onCancel: () => void }) {
	useAwake();
	const C = T.calibration;
	const { progress = 0, currentEng = 0, measured = [] } = state ?? {};
	return (
		<>
			<progress aria-label={C.progress} value={progress} max={100} />
			<p role="status">{C.step(progress, currentEng)}</p>
			<button type="button" onClick={onCancel}>
				{C.cancel}
			</button>
			<CurveChart
				label={C.growing(measured.length)}
				across={C.sent}
				points={measured.map((percent, factor) => [factor, percent] as const)}
			/>
			<p class="muted">{C.stay}</p>
		</>
	);
}
