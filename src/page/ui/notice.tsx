/**
 * Short messages: what was done, what was rejected. They stand in the header's place, the newest in front, so that none covers what one
 * is doing. Bad ones stay until they are closed.
 */

import { link } from "../net/live";
import { Store, useStore } from "../state/store";
import { T } from "../texts";
import { Icon } from "./icon";

interface Notice {
	readonly id: number;
	readonly kind: "good" | "bad";
	readonly text: string;
}

/** How long a good one stays, and how many stand there. */
const GOOD_MS = 4000;
const MOST = 3;

const notices = new Store<readonly Notice[]>([]);
let last = 0;

function close(id: number): void {
	notices.set(notices.value.filter((notice) => notice.id !== id));
}

/** A text that stands there already is not said twice. A good one goes by itself after GOOD_MS. */
export function notify(kind: Notice["kind"], text: string): void {
	const id = ++last;
	const others = notices.value.filter((notice) => notice.text !== text);
	notices.set([...others, { id, kind, text }].slice(-MOST));
	if (kind === "good") setTimeout(() => close(id), GOOD_MS);
}

/** Shows the last three notices, each with a button that closes it, and has screen readers say them. */
export function Notices() {
	const all = useStore(notices);
	return (
		<div class="notices" role="status" aria-live="polite">
			{all.map(({ id, kind, text }) => (
				<div key={id} class={`notice ${kind}`}>
					<Icon name={kind === "good" ? "check" : "warn"} />
					{/* a long one is scrolled */}
					<span tabIndex={0}>{text}</span>
					<button type="button" class="quiet" aria-label={T.shell.dismiss} onClick={() => close(id)}>
						<Icon name="close" />
					</button>
				</div>
			))}
		</div>
	);
}

/** Says in a word how the connection is: connecting, live, reconnecting or offline. */
export function LinkState() {
	const state = useStore(link);
	return (
		<span class={`link ${state}`} role="status" data-test="link">
			{T.link[state]}
		</span>
	);
}
