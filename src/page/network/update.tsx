/** New firmware: from the network, or a file. The controller decides whether it is safe, and says why not before one tries. */

import { useEffect, useState } from "preact/hooks";
import { link, update } from "../net/live";
import { askForKey, keepKey, withKey } from "../net/owner";
import { get, inWords, post } from "../net/request";
import type { Update as Answer, UpdateProgress } from "../net/types";
import { inOurWords } from "../said";
import { useStore } from "../state/store";
import { T } from "../texts";
import { Icon } from "../ui/icon";
import { notify } from "../ui/notice";

type Fixed = Pick<Answer, "current" | "updateKey" | "newestKept">;

export function Update() {
	const state = useStore(update);
	const connection = useStore(link);
	const [fixed, setFixed] = useState<Fixed>();
	const [sent, setSent] = useState<number>();
	const [refused, setRefused] = useState("");
	const read = async (): Promise<void> => {
		const { current, updateKey, newestKept, ...progress } = await get<Answer>("/api/update");
		setFixed({ current, updateKey, newestKept });
		update.set(progress);
	};
	// after a restart another version may run
	useEffect(() => {
		if (connection === "live") void read().catch(() => {});
	}, [connection]);
	const act = async (path: string): Promise<void> => {
		setRefused("");
		try {
			await post(path);
		} catch (error) {
			setRefused(inWords(error));
		}
	};
	const upload = (file: File): void => {
		setRefused("");
		setSent(0);
		// fetch does not tell how much has been sent
		const request = new XMLHttpRequest();
		request.upload.onprogress = ({ loaded, total }) => setSent(total > 0 ? loaded / total : 0);
		request.onloadend = () => {
			setSent(undefined);
			if (request.status === 401) {
				keepKey(undefined);
				void askForKey().then((hasKey) => (hasKey ? upload(file) : setRefused(T.said["password required"])));
			} else if (request.status === 200) notify("good", U.uploaded);
			else setRefused(request.status === 0 ? T.link.noAnswer : request.responseText.replace(/^FAIL: /, ""));
		};
		request.open("POST", "/ota/update");
		for (const [name, value] of Object.entries(withKey({ "Content-Type": "application/octet-stream" })))
			request.setRequestHeader(name, value);
		request.send(file);
	};
	const U = T.update;
	if (state === undefined) return <section class="card loading">{T.shell.loading}</section>;
	const busy = state.installing || state.uploading || state.checking || state.restarting || sent !== undefined;
	const barred = busy || state.refusal !== "" || connection !== "live";
	const share = sent ?? (state.installing && state.bytesTotal > 0 ? state.bytesDone / state.bytesTotal : undefined);
	return (
		<section class="card section">
			<h2>{U.title}</h2>
			<dl class="facts">
				<dt>{U.running}</dt>
				<dd>{fixed?.current}</dd>
				<dt>{U.latest}</dt>
				<dd>{state.latest || U.unknown}</dd>
				<dt>{U.takes}</dt>
				<dd data-test="takes">{fixed && (fixed.updateKey === "" ? U.takesAny : U.takesSigned(shortKey(fixed.updateKey)))}</dd>
			</dl>
			<p role="status">{words(state, sent !== undefined)}</p>
			{state.installError !== "" && <p class="bad">{`${inOurWords(state.installError)}: ${inOurWords(state.installDetail)}`}</p>}
			{refused !== "" && <p class="bad" role="alert">{`${U.refused}: ${inOurWords(refused)}`}</p>}
			{share !== undefined && (
				<div class="share">
					<progress aria-label={U.progress} value={share} max={1} />
					<b>{`${Math.floor(share * 100)} %`}</b>
				</div>
			)}
			{!busy && (
				<p class={`safe ${state.refusal === "" ? "good" : "warn"}`} role="status" data-test="safe">
					<Icon name={state.refusal === "" ? "check" : "warn"} />
					<span>{state.refusal === "" ? U.safe : U.notNow(inOurWords(state.refusal))}</span>
				</p>
			)}
			<div class="tools">
				<button type="button" disabled={busy} onClick={() => void act("/api/update/check")}>
					{U.check}
				</button>
				<button
					type="button"
					class="primary"
					disabled={barred || !state.available}
					onClick={() => void act("/api/update/install")}
				>
					{U.install}
				</button>
				<label class={`button file${barred ? " disabled" : ""}`}>
					{U.fromFile}
					<input
						class="visually-hidden"
						type="file"
						accept=".bin"
						disabled={barred}
						onChange={(event) => {
							const file = event.currentTarget.files?.[0];
							if (file !== undefined && confirm(U.uploadSure(file.name))) upload(file);
							event.currentTarget.value = "";
						}}
					/>
				</label>
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

/** As `npm run release` shows it: enough to compare. */
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
