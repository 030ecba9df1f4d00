/**
 * A short message: what was done, what was rejected. It stands over the navigation, or in the free part of a
 * wide header, so that it covers neither what one reads nor what one does. It goes after a few seconds, with
 * its page, and when the link is back that it tells of.
 */

import { useEffect, useState } from "preact/hooks";
import { link } from "../net/live";
import { inWords } from "../net/request";
import { Store, useStore } from "../state/store";
import { T } from "../texts";
import { Icon } from "./icon";

interface Notice {
	readonly kind: "good" | "bad";
	readonly text: string;
	/** A bad one that came while the controller was not heard. */
	readonly lost: boolean;
	/** The address then: the notice belongs to that page, also while it is being opened. */
	readonly hash: string | undefined;
}

/** How long one stays: a good one is read at a glance, a bad one has a reason in it. */
const GOOD_MS = 4000;
const BAD_MS = 10_000;

const notice = new Store<Notice | undefined>(undefined);
let timer: ReturnType<typeof setTimeout> | undefined;

/** The address now; undefined outside of a browser. */
const addressed = (): string | undefined => globalThis.location?.hash;
const close = (): void => notice.set(undefined);
link.follow(() => link.value === "live" && notice.value?.lost && close());

/** Says it instead of the one before: only the newest is true. */
export function notify(kind: Notice["kind"], text: string): void {
	clearTimeout(timer);
	timer = setTimeout(close, kind === "good" ? GOOD_MS : BAD_MS);
	notice.set({ kind, text, lost: kind === "bad" && link.value !== "live", hash: addressed() });
}

/** Does something; what goes wrong is said. @returns whether it was done */
export async function attempt(act: () => Promise<unknown>): Promise<boolean> {
	try {
		await act();
		return true;
	} catch (error) {
		notify("bad", inWords(error));
		return false;
	}
}

/** What a component does on request, and how that goes. */
interface Action {
	/** True until it has ended. */
	readonly busy: boolean;
	/** Why it was not done, in the driver's words; "" from the start of the next one on. */
	readonly problem: string;
	/** Does it. Never throws. @returns whether it was done */
	readonly run: (act: () => Promise<unknown>) => Promise<boolean>;
}

/** For a component that shows itself what it does and what went wrong. */
export function useAction(): Action {
	const [busy, setBusy] = useState(false);
	const [problem, setProblem] = useState("");
	const run = async (act: () => Promise<unknown>): Promise<boolean> => {
		setBusy(true);
		setProblem("");
		try {
			await act();
			return true;
		} catch (error) {
			setProblem(inWords(error));
			return false;
		} finally {
			setBusy(false);
		}
	};
	return { busy, problem, run };
}

/** Shows the notice with a button that closes it. @param props page: another one closes it */
export function Notices({ page }: { page: string }) {
	const shown = useStore(notice);
	useEffect(() => {
		if (notice.value?.hash !== addressed()) close();
	}, [page]);
	return (
		<div class="notices" role="status" aria-live="polite">
			{shown && (
				<div class={`notice ${shown.kind}`}>
					<Icon name={shown.kind === "good" ? "check" : "warn"} />
					{/* a long one is scrolled */}
					<span tabIndex={0}>{shown.text}</span>
					<button type="button" class="quiet" aria-label={T.shell.dismiss} onClick={close}>
						<Icon name="close" />
					</button>
				</div>
			)}
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
