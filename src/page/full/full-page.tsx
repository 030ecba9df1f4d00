/**
 * In a holder, at arm's length: *Drive* on the whole screen, which stays on. Browsers have an interface for
 * that, but not for plain http: there a small moving picture is played. Most phones keep the screen on for it;
 * none promises to.
 */

import { useEffect, useState } from "preact/hooks";
import { DriveView } from "../drive/drive-page";
import { T } from "../texts";
import { Icon } from "../ui/icon";
import { LinkState } from "../ui/notice";

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

/** "kept": the browser has said so. "tried": the picture plays. "no": neither. */
type Awake = "kept" | "tried" | "no";

/** Time between two pictures. */
const PICTURE_MS = 1000;

/** Keeps the screen on while the component is there. */
export function useAwake(): Awake {
	const [awake, setAwake] = useState<Awake>("no");
	useEffect(() => {
		let end: (() => void) | undefined;
		let over = false;
		const begin = async (): Promise<void> => {
			// the browser lets go of the screen whenever the page is hidden
			if (document.hidden) return;
			end?.();
			end = undefined;
			const [kept, release] = "wakeLock" in navigator ? await lock() : await play();
			if (over) release();
			else {
				end = release;
				setAwake(kept);
			}
		};
		void begin();
		document.addEventListener("visibilitychange", begin);
		return () => {
			over = true;
			document.removeEventListener("visibilitychange", begin);
			end?.();
		};
	}, []);
	return awake;
}

type Kept = readonly [Awake, release: () => void];
const NOT_KEPT: Kept = ["no", () => {}];

async function lock(): Promise<Kept> {
	try {
		const held = await navigator.wakeLock.request("screen");
		return ["kept", () => void held.release()];
	} catch {
		// the battery is low, for example
		return NOT_KEPT;
	}
}

async function play(): Promise<Kept> {
	const canvas = document.createElement("canvas");
	const pen = canvas.getContext("2d");
	const video = document.createElement("video");
	video.className = "awake-picture";
	video.muted = video.playsInline = true;
	video.setAttribute("aria-hidden", "true");
	const move = (): void => pen?.fillRect(0, 0, 1, 1);
	const timer = setInterval(move, PICTURE_MS);
	const release = (): void => {
		clearInterval(timer);
		video.remove();
		video.srcObject = null;
	};
	try {
		video.srcObject = canvas.captureStream();
		document.body.append(video);
		move();
		await video.play();
		return ["tried", release];
	} catch {
		release();
		return NOT_KEPT;
	}
}
