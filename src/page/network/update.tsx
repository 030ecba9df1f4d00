/** New firmware: from the network, or a file. The controller decides whether it is safe, and says why not. */

import { useEffect, useState } from "preact/hooks";
import { repeatWhileSeen } from "../net/live";
import { get, inWords, post } from "../net/request";
import { T } from "../texts";
import { notify } from "../ui/notice";

const PERIOD_MS = 1000;

interface UpdateState {
	readonly current: string;
	readonly latest: string;
	readonly available: boolean;
	readonly lastCheckMs: number;
	readonly error: string;
	readonly installing: boolean;
	readonly stage: string;
	readonly bytesTotal: number;
	readonly bytesDone: number;
	readonly installError: string;
	readonly installDetail: string;
	readonly checking: boolean;
	readonly uploading: boolean;
	readonly restarting: boolean;
	readonly confirmed: boolean;
	readonly rolledBack: boolean;
}

export function Update() {
	const [state, setState] = useState<UpdateState>();
	const [sent, setSent] = useState<number>();
	const [refused, setRefused] = useState("");
	const read = async (): Promise<void> => setState(await get<UpdateState>("/api/update"));
	useEffect(() => repeatWhileSeen(read, PERIOD_MS), []);
	const act = async (path: string): Promise<void> => {
		setRefused("");
		try {
			await post(path);
		} catch (error) {
			setRefused(inWords(error));
		}
		await read().catch(() => {});
	};
	const upload = (file: File | undefined): void => {
		if (file === undefined || !confirm(U.uploadSure(file.name))) return;
		setRefused("");
		setSent(0);
		// fetch does not tell how much has been sent
		const request = new XMLHttpRequest();
		request.upload.onprogress = ({ loaded, total }) => setSent(total > 0 ? loaded / total : 0);
		request.onloadend = () => {
			setSent(undefined);
			if (request.status === 200) notify("good", U.uploaded);
			else setRefused(request.status === 0 ? T.link.noAnswer : request.responseText);
			void read().catch(() => {});
		};
		request.open("POST", "/ota/update");
		request.setRequestHeader("Content-Type", "application/octet-stream");
		request.send(file);
	};
	const U = T.update;
	if (state === undefined) return <section class="card loading">{T.shell.loading}</section>;
	const busy = state.installing || state.uploading || state.checking || state.restarting || sent !== undefined;
	const share = sent ?? (state.installing && state.bytesTotal > 0 ? state.bytesDone / state.bytesTotal : undefined);
	return (
		<section class="card section">
			<h2>{U.title}</h2>
			<dl class="facts">
				<dt>{U.running}</dt>
				<dd>{state.current}</dd>
				<dt>{U.latest}</dt>
				<dd>{state.latest || U.unknown}</dd>
			</dl>
			<p role="status">{words(state)}</p>
			{state.installError !== "" && <p class="bad">{`${state.installError}: ${state.installDetail}`}</p>}
			{refused !== "" && <p class="bad" role="alert">{`${U.refused}: ${refused}`}</p>}
			{share !== undefined && <progress aria-label={U.progress} value={share} max={1} />}
			<div class="tools">
				<button type="button" disabled={busy} onClick={() => void act("/api/update/check")}>
					{U.check}
				</button>
				<button type="button" class="primary" disabled={busy || !state.available} onClick={() => void act("/api/update/install")}>
					{U.install}
				</button>
				<label class="button file">
					{U.fromFile}
					<input
						class="visually-hidden"
						type="file"
						accept=".bin"
						disabled={busy}
						onChange={(event) => {
							upload(event.currentTarget.files?.[0]);
							event.currentTarget.value = "";
						}}
					/>
				</label>
			</div>
			<p class="muted">{U.safety}</p>
		</section>
	);
}

function words(state: UpdateState): string {
	const U = T.update;
	if (state.restarting) return U.restarting;
	if (state.uploading || state.installing) return U.installing;
	if (state.checking) return U.checking;
	if (state.rolledBack) return U.rolledBack;
	if (!state.confirmed) return U.testing;
	if (state.available) return U.available(state.latest);
	if (state.error !== "") return U.checkFailed(state.error);
	return state.lastCheckMs === 0 ? U.notChecked : U.upToDate;
}
