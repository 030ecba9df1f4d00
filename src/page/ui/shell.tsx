/** The frame around every page, which loads the page that the address names. */

import { useEffect, useErrorBoundary, useRef, useState } from "preact/hooks";
import { DrivePage } from "../drive/drive-page";
import { link } from "../net/live";
import type { OtherPages } from "../pages";
import { go, type PageName, PLACES, type PlaceName, placeOf, route } from "../state/route";
import { status } from "../state/status";
import { useStore } from "../state/store";
import { theme, toggleTheme } from "../state/theme";
import { T } from "../texts";
import { OwnerDialog, Questions } from "./dialogs";
import { Icon } from "./icon";
import { LinkState, Notices } from "./notice";

/** Where each place was left. */
const left = new Map<PlaceName, PageName>();

/** The page in sight, with dialogs and notices; around it header and navigation, except on *full*. */
export function Shell() {
	const { page, part } = useStore(route);
	return (
		<>
			<button type="button" class="skip" onClick={() => document.getElementById("content")?.focus()}>
				{T.shell.skip}
			</button>
			{page !== "full" && <Frame page={page} />}
			<main id="content" class={page === "full" ? "whole" : ""} tabIndex={-1}>
				<OfflineHint />
				<BootLoopHint page={page} />
				<Guarded key={page}>
					<Page page={page} part={part} />
				</Guarded>
			</main>
			<OwnerDialog />
			<Questions />
			<Notices page={page} />
		</>
	);
}

function openFull(): void {
	// where the browser gives the whole screen away: a phone from Apple does not
	void document.documentElement.requestFullscreen?.()?.catch(() => {});
	go("full");
}

/** Header with the contents of the place, and navigation between places. */
function Frame({ page }: { page: PageName }) {
	const here = placeOf(page);
	left.set(here, page);
	return (
		<>
			<header class="top" data-place={here}>
				<div class="top-title">
					<Title page={page} contents={PLACES[here]} />
				</div>
				<LinkState />
				{page === "drive" ? (
					<>
						<button type="button" class="quiet" aria-label={T.pages.full} title={T.pages.full} onClick={openFull}>
							<Icon name="full" />
						</button>
						<ThemeButton />
					</>
				) : (
					<a class="button quiet" href="#settings" aria-label={T.pages.settings} title={T.pages.settings}>
						<Icon name="search" />
					</a>
				)}
			</header>
			<nav class="pages" aria-label={T.shell.pages}>
				{(Object.keys(PLACES) as PlaceName[]).map((name) => (
					<a key={name} href={`#${left.get(name) ?? PLACES[name][0]}`} aria-current={here === name ? "page" : undefined}>
						<Icon name={name} />
						<span>{T.places[name]}</span>
					</a>
				))}
			</nav>
		</>
	);
}

/** The page's title: where its place has several pages, as one of the links to them. */
function Title({ page, contents }: { page: PageName; contents: readonly PageName[] }) {
	const current = useRef<HTMLAnchorElement>(null);
	useEffect(() => current.current?.scrollIntoView({ block: "nearest", inline: "center" }), [page]);
	const listed = contents.length > 1 && contents.includes(page);
	return (
		<>
			<h1 class={listed ? "visually-hidden" : ""}>{T.pages[page]}</h1>
			{listed && (
				<nav class="contents" aria-label={T.shell.contents}>
					{contents.map((name) => (
						<a key={name} href={`./#${name}`} {...(name === page ? { ref: current, "aria-current": "page" } : {})}>
							{T.pages[name]}
						</a>
					))}
				</nav>
			)}
		</>
	);
}

function Page({ page, part }: { page: PageName; part: string }) {
	return page === "drive" ? <DrivePage /> : <OtherPage key={page} page={page} part={part} />;
}

let others: OtherPages | undefined;

async function loadOthers(): Promise<void> {
	others = (await import("../pages")).PAGES;
}

/** Loads the other pages, so that they open without a connection. Call once, when the link is live. */
export async function loadPages(): Promise<void> {
	if (status.value?.bootLoop !== false || document.hidden) return;
	// what can't be loaded now is tried again when it is opened
	await loadOthers().catch(() => {});
}

/** If the pages can't be loaded, it offers to load the whole page anew. */
function OtherPage({ page, part }: { page: keyof OtherPages; part: string }) {
	const [failed, setFailed] = useState<boolean>();
	useEffect(() => {
		if (others !== undefined) {
			setFailed(false); // they may have come since it was drawn
			return;
		}
		loadOthers().then(
			() => setFailed(false),
			() => setFailed(true),
		);
	}, []);
	const Here = others?.[page];
	if (Here !== undefined) return <Here part={part} />;
	if (!failed) return <p class="loading">{T.shell.loading}</p>;
	return (
		<div class="card callout">
			<p>{T.shell.partMissing}</p>
			{/* the whole page anew: after an update of the firmware its parts have other names */}
			<button type="button" onClick={() => location.reload()}>
				{T.shell.tryAgain}
			</button>
		</div>
	);
}

function Guarded({ children }: { children: preact.ComponentChildren }) {
	const [error, reset] = useErrorBoundary();
	if (error === undefined || error === null) return <>{children}</>;
	return (
		<div class="card callout" role="alert">
			<p>{T.shell.broken}</p>
			<p class="muted">{String(error)}</p>
			<button type="button" onClick={reset}>
				{T.shell.tryAgain}
			</button>
		</div>
	);
}

/** Above the page, which is as much lower then: `--room`. */
function OfflineHint() {
	return <div role="status">{useStore(link) === "offline" && <p class="old-numbers">{T.link.offlineHint}</p>}</div>;
}

/** Says so on every page; on that of the update without the way there. */
function BootLoopHint({ page }: { page: PageName }) {
	return useStore(status)?.bootLoop ? (
		<section class="card callout boot-loop" role="alert">
			<p class="bad">{T.shell.bootLoop}</p>
			{page !== "update" && (
				<a class="button primary" href="#update">
					{T.shell.toUpdate}
				</a>
			)}
		</section>
	) : null;
}

function ThemeButton() {
	const now = useStore(theme);
	return (
		<button type="button" class="quiet" aria-label={now === "dark" ? T.shell.toLight : T.shell.toDark} onClick={toggleTheme}>
			<Icon name={now === "dark" ? "sun" : "moon"} />
		</button>
	);
}
