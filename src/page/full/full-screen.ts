/**
 * The whole screen, where the browser gives it away: a phone from Apple does not. Both need a finger on the
 * page.
 */

/** Never throws: without a full screen nothing happens. */
export function enterFullScreen(): void {
	void document.documentElement.requestFullscreen?.()?.catch(() => {});
}

/** Never throws; does nothing if there is none. */
export function leaveFullScreen(): void {
	if (document.fullscreenElement) void document.exitFullscreen()?.catch(() => {});
}
