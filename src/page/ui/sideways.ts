/** Drags that are not the page's own scrolling. */

import { useRef } from "preact/hooks";

/**
 * For what is dragged sideways and scrolls with the page. Chromium takes a quick drag for a flick, although
 * nothing scrolls, and the next tap for its end: that tap is lost.
 */
export function useSideways() {
	const from = useRef<Touch | undefined>(undefined);
	return {
		onTouchStart: ({ touches: [first] }: TouchEvent): void => {
			from.current = first;
		},
		onTouchMove: (event: TouchEvent): void => {
			const [now] = event.touches;
			if (now === undefined || from.current === undefined || !event.cancelable) return;
			const { clientX, clientY } = from.current;
			if (Math.abs(now.clientX - clientX) > Math.abs(now.clientY - clientY)) event.preventDefault();
		},
	};
}
