/** The whole screen, where the browser gives it away: a phone from Apple does not. Both need a finger on the page. */

export function enterFullScreen(): void {
	void document.documentElement.requestFullscreen?.()?.catch(() => {});
}

export function leaveFullScreen(): void {
	if (document.fullscreenElement) void document.exitFullscreen()?.catch(() => {});
}
