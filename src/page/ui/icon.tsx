/** Line icons, 24 x 24. They only accompany words. */

const PATHS: Readonly<Record<string, string>> = {
	drive: "M4.5 17.5a9 9 0 1 1 15 0M12 13l4-5",
	map: "M4 4h16v16H4zM4 9.3h16M4 14.6h16M9.3 4v16M14.6 4v16",
	full: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
	record: "M3 12h4l3-8 4 16 3-8h4",
	tune: "M4 7h9M17 7h3M4 17h3M11 17h9M13 4.5v5M7 14.5v5",
	car: "M3 16v-4l2-5h14l2 5v4zM3 12h18M6 16v2.5M18 16v2.5M7 14h.1M17 14h.1",
	system:
		"M12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6M12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1M5.6 18.4l2.1-2.1M16.3 7.7l2.1-2.1",
	signal: "M2 12h4l2-6 4 12 2-6h3M19 12h.1M22 12h.1",
	to: "M4 12h15M14 7l5 5-5 5",
	open: "M8 4v16M16 4v16M8 12H3M21 12h-5",
	limit: "M4 5h16M12 20V9M8 13l4-4 4 4",
	mode: "M4 4h16v16H4zM4 9.3h16M4 14.6h16M9.3 4v16M14.6 4v16",
	search: "M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14M16 16l5 5",
	conditions: "M12 3v6M12 15v6M12 9l6 3-6 3-6-3z",
	more: "M5 12h.1M12 12h.1M19 12h.1",
	check: "M4 12.5l5.5 5.5L20 7",
	warn: "M12 3 2 20.5h20zM12 10v5M12 17.6v.1",
	sun: "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M19 5l-1.4 1.4M6.4 17.6 5 19",
	moon: "M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5",
	undo: "M8 5 4 9l4 4M4 9h10a6 6 0 0 1 0 12h-3",
	redo: "M16 5l4 4-4 4M20 9H10a6 6 0 0 0 0 12h3",
	again: "M20 12a8 8 0 1 1-2.5-5.8M20 3v5h-5",
	close: "M6 6l12 12M18 6 6 18",
	hand: "M8 13V6a1.5 1.5 0 0 1 3 0v5V4.5a1.5 1.5 0 0 1 3 0V11V6a1.5 1.5 0 0 1 3 0v8a7 7 0 0 1-12 5l-3-5a1.6 1.6 0 0 1 3-1.5z",
	abs: "M12 5a7 7 0 1 1 0 14 7 7 0 0 1 0-14M3.5 6a11 11 0 0 0 0 12M20.5 6a11 11 0 0 1 0 12M12 8.5v4.5M12 15.5v.1",
	ignition: "M12 3v8M7 6a8 8 0 1 0 10 0",
	gate: "M4 20V8M20 20V8M4 11h16M4 16h16M8 11v5M12 11v5M16 11v5",
	heat: "M10 14V5a2 2 0 0 1 4 0v9a4 4 0 1 1-4 0M12 9v8",
	lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
	link: "M10 8l2-2a4 4 0 0 1 6 6l-2 2M14 16l-2 2a4 4 0 0 1-6-6l2-2M3 3l18 18",
	clock: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18M12 7v5l3.5 2",
	wheel: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18M3 11h18M12 13v8",
};

/** An icon in the colour of the text around it; nothing for an unknown name. Hidden from screen readers. */
export function Icon({ name }: { name: string }) {
	return (
		<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
			<path d={PATHS[name]} />
		</svg>
	);
}
