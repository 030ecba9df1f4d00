/** Lock asked for and engagement, as a thick bar with both numbers. */

import { stale, telemetry } from "../net/live";
import { useStore } from "../state/store";
import { T } from "../texts";

const held = (percent: number): number => Math.min(100, Math.max(0, Math.round(percent)));
const text = (percent: number | undefined): string => (percent === undefined ? "–" : `${percent}`);

/**
 * A bar as high as the engagement that the coupling reports, and a mark at what is asked for; both as
 * numbers.
 */
export function LockBar() {
	const now = useStore(telemetry);
	const old = useStore(stale);
	const asked = now && held(now.spec);
	const engaged = now?.engagementValid ? held(now.act) : undefined;
	return (
		<div class={`lock${old ? " stale" : ""}`} role="img" aria-label={T.drive.gauge(text(asked), text(engaged))}>
			<p class="lock-requested">
				<small>{T.drive.requested}</small>
				<b>{text(asked)}</b>
			</p>
			<div class="lock-scale">
				<span class="lock-bar" style={{ height: `${engaged ?? 0}%` }} />
				<span class="lock-mark" style={{ bottom: `${asked ?? 0}%` }} />
			</div>
			<p class="lock-engaged">
				<b>{text(engaged)}</b>
				<small>{T.drive.engaged}</small>
			</p>
		</div>
	);
}
