/** Sends an image of the firmware to the controller. */

import { useEffect, useState } from "preact/hooks";
import { link, update } from "../net/live";
import { askForKey, get, keepKey, LinkError, post, withKey } from "../net/request";
import type { Update as Answer, UpdateProgress } from "../net/types";
import { useStore } from "../state/store";
import { inOurWords, T } from "../texts";
import { isSure } from "../ui/dialogs";
import { Facts, FileButton } from "../ui/fields";
import { Icon } from "../ui/icon";
import { notify, useAction } from "../ui/notice";

/**
 * Installs the image. Asks for the owner's password if one is needed.
 * @param onSent told the share that has been sent, 0..1; undefined at the end
 * @throws {LinkError} {Error} why it was rejected, in the controller's words
 */
async function upload(file: File, onSent: (share: number | undefined) => void): Promise<void> {
	const { status, responseText } = await send(file, onSent);
	if (status === 200) return;
	if (status === 0) throw new LinkError();
	if (status !== 401) throw new Error(responseText.replace(/^FAIL: /, ""));
	keepKey(undefined);
	if (!(await askForKey())) throw new Error("password required");
	await upload(file, onSent);
}

function send(file: File, onSent: (share: number | undefined) => void): Promise<XMLHttpRequest> {
	return new Promise((resolve) => {
		onSent(0);
		// fetch does not tell how much has been sent
		const request = new XMLHttpRequest();
		request.upload.onprogress = ({ loaded, total }) => onSent(total > 0 ? loaded / total : 0);
		request.onloadend = () => {
			onSent(undefined);
			resolve(request);
		};
		request.open("POST", "/ota/update");
		for (const [name, value] of Object.entries(withKey({ "Content-Type": "application/octet-stream" })))
			request.setRequestHeader(name, value);
		request.send(file);
	});
}

type Fixed = Pick<Answer, "current" | "updateKey" | "newestKept">;

/** Versions, progress and rejection of an update, with buttons to look for one, install it, and send a file. */
export function UpdatePage(_: { part: string }) {
	const state = useStore(update);
	const connection = useStore(link);
	const [fixed, setFixed] = useState<Fixed>();
	const [sent, setSent] = useState<number>();
	const { problem: rejected, run } = useAction();
	const read = async (): Promise<void> => {
		const { current, updateKey, newestKept, ...progress } = await get<Answer>("/api/update");
		setFixed({ current, updateKey, newestKept });
		update.set(progress);
	};
	// after a restart another version may run
	useEffect(() => {
		if (connection === "live") void read().catch(() => {});
	}, [connection]);
	const install = async (file: File): Promise<void> => {
		if (!(await isSure(T.update.uploadSure(file.name), T.update.install))) return;
		if (await run(() => upload(file, setSent))) notify("good", T.update.uploaded);
	};
	const U = T.update;
	if (state === undefined) return <section class="card loading">{T.shell.loading}</section>;
	const busy = state.installing || state.uploading || state.checking || state.restarting || sent !== undefined;
	const barred = busy || state.refusal !== "" || connection !== "live";
	return (
		<section class="card section">
			<h2>{U.title}</h2>
			<Versions state={state} fixed={fixed} />
			<Course state={state} sent={sent} rejected={rejected} />
			{!busy && <Permission rejection={state.refusal} />}
			<div class="tools">
				<button type="button" disabled={busy} onClick={() => void run(() => post("/api/update/check"))}>
					{U.check}
				</button>
				<button
					type="button"
					class="primary"
					disabled={barred || !state.available}
					onClick={() => void run(() => post("/api/update/install"))}
				>
					{U.install}
				</button>
				<FileButton label={U.fromFile} accept=".bin" disabled={barred} onFile={(file) => void install(file)} />
			</div>
			<p class="muted">{U.safety}</p>
			{fixed && fixed.newestKept !== "" && (
				<p class={state.olderAllowed ? "warn" : "muted"} role="status">
					{state.olderAllowed ? U.olderAllowed : U.notBefore(fixed.newestKept)}
				</p>
			)}
		</section>
	);
}

/** Running and available version, and whose images are accepted. @param fixed undefined before it was read */
function Versions({ state, fixed }: { state: UpdateProgress; fixed: Fixed | undefined }) {
	const U = T.update;
	const takes = fixed && (fixed.updateKey === "" ? U.takesAny : U.takesSigned(shortKey(fixed.updateKey)));
	return (
		<Facts
			facts={[
				[U.running, fixed?.current],
				[U.latest, state.latest || U.unknown],
				[U.takes, <span data-test="takes">{takes}</span>],
			]}
		/>
	);
}

/** How far an update has come, and what has stopped it. @param props sent: share of a file, 0..1 */
function Course({ state, sent, rejected }: { state: UpdateProgress; sent: number | undefined; rejected: string }) {
	const share = sent ?? (state.installing && state.bytesTotal > 0 ? state.bytesDone / state.bytesTotal : undefined);
	return (
		<>
			<p role="status">{words(state, sent !== undefined)}</p>
			{state.installError !== "" && <p class="bad">{`${inOurWords(state.installError)}: ${inOurWords(state.installDetail)}`}</p>}
			{rejected !== "" && <p class="bad" role="alert">{`${T.update.rejected}: ${inOurWords(rejected)}`}</p>}
			{share !== undefined && (
				<div class="share">
					<progress aria-label={T.update.progress} value={share} max={1} />
					<b>{`${Math.floor(share * 100)} %`}</b>
				</div>
			)}
		</>
	);
}

/** @param rejection why none may begin now, "" = one may */
function Permission({ rejection }: { rejection: string }) {
	return (
		<p class={`safe ${rejection === "" ? "good" : "warn"}`} role="status" data-test="safe">
			<Icon name={rejection === "" ? "check" : "warn"} />
			<span>{rejection === "" ? T.update.safe : T.update.notNow(inOurWords(rejection))}</span>
		</p>
	);
}

/** The key as `npm run release` shows it: enough to compare. */
function shortKey(key: string): string {
	return (key.slice(0, 16).match(/..../g) ?? []).join(" ");
}

function words(state: UpdateProgress, sending: boolean): string {
	const U = T.update;
	if (state.restarting) return U.restarting;
	if (state.uploading || state.installing || sending) return U.installing;
	if (state.checking) return U.checking;
	if (state.rolledBack) return U.rolledBack;
	if (!state.confirmed) return U.testing;
	if (state.available) return U.available(state.latest);
	if (state.error !== "") return U.checkFailed(inOurWords(state.error));
	return state.lastCheckMs === 0 ? U.notChecked : U.upToDate;
}
