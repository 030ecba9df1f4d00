/** Whether what one sees is live. */

import { useErrorBoundary } from "preact/hooks";
import { DrivePage } from "../drive/drive-page";
import { enterFullScreen } from "../full/full-screen";
import { link } from "../net/live";
import type { PageName } from "../state/page-names";
import { go, route } from "../state/route";
import { status } from "../state/status";
import { useStore } from "../state/store";
import { theme, toggleTheme } from "../state/theme";
import { T } from "../texts";
import { Icon } from "./icon";
import { Lazy } from "./lazy";
import { LinkState, Notices } from "./notice";
import { OwnerDialog } from "./owner-dialog";
import { Questions } from "./sheet";

const BEYOND: readonly PageName[] = [
	"record",
	"can",
	"diagnosis",
	"calibration",
	"logs",
	"conditions",
	"backup",
	"network",
	"about",
	"start",
];

/** A list of links to these pages. */
function MorePage() {
	return (
		<ul class="more-list">
			{BEYOND.map((name) => (
				<li key={name}>
					<a class="card" href={`#${name}`}>
						<Icon name={name === "start" ? "check" : name} />
						<span>{T.pages[name]}</span>
					</a>
				</li>
			))}
		</ul>
	);
}

const PAGES: readonly PageName[] = [
	"drive",
	"map",
	"curves",
	"record",
	"can",
	"diagnosis",
	"calibration",
	"logs",
	"settings",
	"conditions",
	"backup",
	"network",
	"about",
];
/** What a phone's bar has room for; the others are behind "more". */
const AT_HAND: readonly PageName[] = ["drive", "map", "curves", "settings"];

/** The whole page: what the address names, with notices and the owner's dialog; around it header and navigation, except on *full*. */
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
	enterFullScreen();
	go("full");
}

/** Header and navigation. */
function Frame({ page }: { page: PageName }) {
	return (
		<>
			<header class="top">
				<h1 class="top-title">{T.pages[page]}</h1>
				<LinkState />
				{page === "drive" && (
					<button type="button" class="quiet" aria-label={T.pages.full} title={T.pages.full} onClick={openFull}>
						<Icon name="full" />
					</button>
				)}
				<ThemeButton />
			</header>
			<nav class="pages" aria-label={T.shell.pages}>
				{PAGES.map((name) => (
					<a
						key={name}
						href={`#${name}`}
						class={AT_HAND.includes(name) ? "" : "beyond"}
						aria-current={page === name ? "page" : undefined}
					>
						<Icon name={name} />
						<span>{T.pages[name]}</span>
					</a>
				))}
				<a class="more" href="#more" aria-current={page === "more" || !AT_HAND.includes(page) ? "page" : undefined}>
					<Icon name="more" />
					<span>{T.pages.more}</span>
				</a>
			</nav>
		</>
	);
}

function Page({ page, part }: { page: PageName; part: string }) {
	switch (page) {
		case "drive":
			return <DrivePage />;
		case "more":
			return <MorePage />;
		default:
			return <Lazy key={page} name={page} load={async () => (await import("../pages")).PAGES[page]} part={part} />;
	}
}

/**
 * Loads the other pages while nothing else goes on, so that they can be opened without a connection.
 * Not in a boot loop: who is there needs the update and nothing else. Call once, when the first view is live.
 */
export async function loadPages(): Promise<void> {
	if (status.value?.bootLoop !== false || document.hidden) return;
	// what can't be loaded now is tried again when it is opened
	await import("../pages").catch(() => {});
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
			{page !== "network" && (
				<a class="button primary" href="#network">
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
