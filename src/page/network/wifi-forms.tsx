/** The passwords and names of both networks. What is typed here is never kept by the browser. */

import { useState } from "preact/hooks";
import { T } from "../texts";
import { CheckField } from "../ui/fields";

export interface Wifi {
	readonly ssid: string;
	readonly staEnabled: boolean;
	readonly apPasswordSet: boolean;
}
interface Props {
	readonly wifi: Wifi;
	readonly save: (body: object) => Promise<boolean>;
}

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
			<p class={wifi.apPasswordSet ? "muted" : "warn"}>{wifi.apPasswordSet ? N.apClosed : N.apOpen}</p>
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
				{wifi.apPasswordSet && (
					<button type="button" class="danger" onClick={() => confirm(N.openSure) && void save({ apPassword: "" })}>
						{N.openNetwork}
					</button>
				)}
			</div>
		</form>
	);
}

export function StationForm({ wifi, save }: Props) {
	const [ssid, setSsid] = useState<string>();
	const [password, setPassword] = useState("");
	const [enabled, setEnabled] = useState<boolean>();
	const N = T.network;
	const name = ssid ?? wifi.ssid;
	const on = enabled ?? wifi.staEnabled;
	return (
		<form
			class="card section"
			onSubmit={(event) => {
				event.preventDefault();
				const body = { staEnabled: on, ssid: name, ...(password !== "" || name !== wifi.ssid ? { password } : {}) };
				void save(body).then((done) => {
					if (!done) return;
					setSsid(undefined);
					setEnabled(undefined);
					setPassword("");
				});
			}}
		>
			<h2>{N.station}</h2>
			<p class="muted">{N.stationHint}</p>
			<CheckField label={N.stationOn} value={on} onChange={setEnabled} />
			<label class="field">
				<span>{N.ssid}</span>
				<input
					type="text"
					maxLength={32}
					autocomplete="off"
					value={name}
					onInput={(event) => setSsid(event.currentTarget.value)}
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
			<button type="submit" class="primary">
				{T.draft.save}
			</button>
		</form>
	);
}
