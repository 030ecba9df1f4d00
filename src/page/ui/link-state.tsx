/** Whether what one sees is live. */

import { link } from "../net/live";
import { useStore } from "../state/store";
import { T } from "../texts";

/** Says in a word how the connection is: connecting, live, reconnecting or offline. */
export function LinkState() {
	const state = useStore(link);
	return (
		<span class={`link ${state}`} role="status" data-test="link">
			{T.link[state]}
		</span>
	);
}
