/**
 * Keeps the screen on. Browsers have an interface for that, but not for plain http: there a small moving
 * picture is played, which most phones keep the screen on for, and none has promised to.
 */

import { useEffect, useState } from "preact/hooks";

/** "kept": the browser has said so. "tried": the picture plays. "no": neither. */
type Awake = "kept" | "tried" | "no";

/** Between two pictures. */
const PICTURE_MS = 1000;

/** While the component is there. */
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
