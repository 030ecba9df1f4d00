/** The passwords and names of both networks. A password that is typed here is never kept by the browser; what else was begun is. */

import { useState } from "preact/hooks";
import { recall, remember } from "../state/cache";
import { T } from "../texts";
import { CheckField } from "../ui/fields";

export interface Wifi {
	readonly ssid: string;
	readonly staEnabled: boolean;
	readonly apPasswordSet: boolean;
	/** The owner has said that the access point may stay without one. */
	readonly apOpen: boolean;
}
interface Props {
	readonly wifi: Wifi;
	readonly save: (body: object) => Promise<boolean>;
}

/** What was changed and not saved. */
interface Begun {
	readonly ssid?: string;
	readonly staEnabled?: boolean;
}
const DRAFT = "draft:station";

export function AccessPointForm({ wifi, save }: Props) {
	const [password, setPassword] = useState("");
	const N = T.network;
	return (
		<form
			class="card section"
			onSubmit={(event) => {
				event.preventDefault();
				void save({ apPassword: password }).then((done) => done && setPassword(""));
			}}
		>
			<h2>{N.accessPoint}</h2>
			<p class={wifi.apPasswordSet ? "muted" : "warn"}>
				{wifi.apPasswordSet ? N.apClosed : wifi.apOpen ? N.apOpen : N.apUndecided}
			</p>
			<label class="field">
				<span>{N.apPassword}</span>
				<input
					type="password"
					autocomplete="new-password"
					minLength={8}
					maxLength={63}
					required
					value={password}
					onInput={(event) => setPassword(event.currentTarget.value)}
				/>
			</label>
			<div class="tools">
				<button type="submit" class="primary" disabled={password === ""}>
					{N.setPassword}
				</button>
				{(wifi.apPasswordSet || !wifi.apOpen) && (
					<button type="button" class="danger" onClick={() => confirm(N.openSure) && void save({ apPassword: "", apOpen: true })}>
						{wifi.apPasswordSet ? N.openNetwork : N.leaveOpen}
					</button>
				)}
			</div>
		</form>
	);
}

export function StationForm({ wifi, save }: Props) {
	const [begun, setBegun] = useState<Begun>(() => recall<Begun>(DRAFT) ?? {});
	const [password, setPassword] = useState("");
	const N = T.network;
	const name = begun.ssid ?? wifi.ssid;
	const on = begun.staEnabled ?? wifi.staEnabled;
	const changed = name !== wifi.ssid || on !== wifi.staEnabled;
	const change = (next: Begun): void => {
		remember(DRAFT, Object.keys(next).length === 0 ? undefined : next);
		setBegun(next);
	};
	const forget = (): void => {
		change({});
		setPassword("");
	};
	return (
		<form
			class="card section"
			onSubmit={(event) => {
				event.preventDefault();
				const body = { staEnabled: on, ssid: name, ...(password !== "" || name !== wifi.ssid ? { password } : {}) };
				void save(body).then((done) => done && forget());
			}}
		>
			<h2>{N.station}</h2>
			<p class="muted">{N.stationHint}</p>
			<CheckField label={N.stationOn} value={on} onChange={(staEnabled) => change({ ...begun, staEnabled })} />
			<label class="field">
				<span>{N.ssid}</span>
				<input
					type="text"
					maxLength={32}
					autocomplete="off"
					value={name}
					onInput={(event) => change({ ...begun, ssid: event.currentTarget.value })}
				/>
			</label>
			<label class="field">
				<span>{N.password}</span>
				<input
					type="password"
					autocomplete="off"
					maxLength={64}
					value={password}
					onInput={(event) => setPassword(event.currentTarget.value)}
				/>
			</label>
			{changed && <p class="muted">{T.draft.unsaved}</p>}
			<div class="tools">
				<button type="submit" class="primary" disabled={!changed && password === ""}>
					{T.draft.save}
				</button>
				<button type="button" disabled={!changed && password === ""} onClick={forget}>
					{T.draft.discard}
				</button>
			</div>
		</form>
	);
}
