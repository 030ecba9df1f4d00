/** Leads whoever opens the page itself through the first start, until somebody has finished it. */

import { status } from "../state/status";

/** Call once. */
export function leadToStart(): void {
	if (location.hash !== "") return;
	const end = status.follow(() => {
		end();
		if (status.value?.setupDone === false && location.hash === "") location.replace("#start");
	});
}
