/** For what changes with time alone: draws a component again and again. */

import { useEffect, useState } from "preact/hooks";

/** @param wanted false = it stands still */
export function useBeat(periodMs: number, wanted = true): void {
	const [, redraw] = useState(0);
	useEffect(() => {
		if (!wanted) return;
		const timer = setInterval(() => redraw((count) => count + 1), periodMs);
		return () => clearInterval(timer);
	}, [wanted]);
}
