/** In a holder, at arm's length: *Drive* on the whole screen, which stays on. */

import { useEffect } from "preact/hooks";
import { DriveView } from "../drive/drive-page";
import { T } from "../texts";
import { Icon } from "../ui/icon";
import { LinkState } from "../ui/notice";
import { useAwake } from "./awake";

function leaveFullScreen(): void {
	if (document.fullscreenElement) void document.exitFullscreen()?.catch(() => {});
}

/** *Drive* without the header, with the screen kept awake. */
export function FullPage(_: { part: string }) {
	const awake = useAwake();
	useEffect(() => leaveFullScreen, []);
	return (
		<div class="full">
			<h1 class="visually-hidden">{T.pages.full}</h1>
			<div class="full-bar">
				<LinkState />
				<small class="muted" data-awake={awake}>
					{T.full.awake[awake]}
				</small>
				<a class="button" href="#drive" aria-label={T.full.leave}>
					<Icon name="close" />
				</a>
			</div>
			<DriveView />
		</div>
	);
}
