/**
 * Leads whoever opens the page itself to the update in a boot loop, or through the first start, until
 * somebody has finished it.
 */

import { status } from "../state/status";

/** Call once. */
export function leadToStart(): void {
	if (location.hash !== "") return;
	const end = status.follow(() => {
		end();
		const { bootLoop, setupDone } = status.value ?? {};
		const lead = bootLoop ? "#update" : setupDone === false ? "#start" : "";
		if (lead !== "" && location.hash === "") location.replace(lead);
	});
}
