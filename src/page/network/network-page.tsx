/** Wi-Fi, and the owner's password. */

import { useEffect, useState } from "preact/hooks";
import { get, hasKey, keepKey, post, setOwnerPassword } from "../net/request";
import type { Network, Wifi } from "../net/types";
import { settingsDraft } from "../settings/settings-draft";
import { SettingsBar, SettingsSection } from "../settings/settings-page";
import { useDraft } from "../state/draft";
import { status } from "../state/status";
import { useStore } from "../state/store";
import { T } from "../texts";
import { isSure, PasswordField } from "../ui/dialogs";
import { Facts } from "../ui/fields";
import { attempt, notify, useAction } from "../ui/notice";
import { useWatched } from "../ui/watched-list";
import { AccessPointForm, StationForm, stationText } from "./wifi-forms";

/** Time between an answer and the next request. */
const PERIOD_MS = 3000;

/** The board answers to its name in each network where it has an address, a computer to none. */
function addressOf({ apIp, staIp }: Network): string {
	return [apIp, staIp].includes(location.hostname) ? "http://opencoupling.local" : location.origin;
}

/** How the controller is connected; the forms of both networks and the owner's password, but in a boot loop. */
export function NetworkPage(_: { part: string }) {
	const [network, setNetwork] = useState<Network>();
	const [wifi, setWifi] = useState<Wifi>();
	const loadWifi = async (): Promise<void> => setWifi(await get<Wifi>("/api/wifi"));
	const load = async (): Promise<void> => {
		setNetwork(await get<Network>("/api/network"));
		await loadWifi();
	};
	const { problem } = useWatched(load, PERIOD_MS);
	/** @returns true if it is on flash */
	const save = (body: object): Promise<boolean> =>
		attempt(async () => {
			await post("/api/wifi", body);
			// with a new password the network ends under this page, and nothing answers any more
			void loadWifi().catch(() => undefined);
			notify("good", T.draft.saved);
		});
	const N = T.network;
	// its Wi-Fi can't be changed in a boot loop
	const may = !useStore(status)?.bootLoop;
	const { dirty } = useDraft(settingsDraft);
	return (
		<>
			<div class="columns">
				<section class="card section">
					<h2>{N.now}</h2>
					{problem !== "" && <p class="bad">{problem}</p>}
					{network !== undefined && (
						<Facts
							facts={[
								[N.ownNetwork, network.ap ? network.apIp : N.off],
								[N.home, <span class={network.staProblem === "" ? "" : "warn"}>{stationText(network)}</span>],
								[N.address, addressOf(network)],
								[N.internet, network.internet ? N.yes : N.no],
							]}
						/>
					)}
				</section>
				{may && wifi !== undefined && network !== undefined && (
					<AccessPointForm wifi={wifi} apSsid={network.apSsid} save={save} quiet={dirty} />
				)}
				{may && wifi !== undefined && <StationForm wifi={wifi} state={network} save={save} quiet={dirty} />}
				{may && <OwnerForm />}
				{may && <SettingsSection name="apps" />}
			</div>
			{/* the forms above have buttons of their own */}
			{may && dirty && <SettingsBar />}
		</>
	);
}

/** Sets, changes and removes the owner's password, and signs this device out. */
function OwnerForm() {
	const [isSet, setIsSet] = useState<boolean>();
	const [password, setPassword] = useState("");
	const { busy, run } = useAction();
	const read = async (): Promise<void> => setIsSet((await get<{ passwordSet: boolean }>("/api/owner")).passwordSet);
	useEffect(() => void read().catch(() => {}), []);
	const change = (next: string): Promise<unknown> =>
		run(async () => {
			await attempt(async () => {
				await setOwnerPassword(next);
				setPassword("");
				notify("good", T.draft.saved);
			});
			await read().catch(() => {});
		});
	const O = T.owner;
	if (isSet === undefined) return null;
	return (
		<form
			class="card section"
			data-test="owner"
			onSubmit={(event) => {
				event.preventDefault();
				void change(password);
			}}
		>
			<h2>{O.title}</h2>
			<p class={isSet ? "muted" : "warn"}>{isSet ? O.isSet : O.isNotSet}</p>
			<PasswordField label={O.newPassword} value={password} onInput={setPassword} autocomplete="new-password" />
			<div class="tools">
				<button type="submit" disabled={busy || password === ""}>
					{O.set}
				</button>
				{isSet && (
					<button
						type="button"
						class="danger"
						disabled={busy}
						onClick={async () => (await isSure(O.removeSure, O.remove)) && void change("")}
					>
						{O.remove}
					</button>
				)}
				{isSet && hasKey() && (
					<button
						type="button"
						disabled={busy}
						onClick={() => {
							keepKey(undefined);
							void read().catch(() => {});
							notify("good", O.signedOut);
						}}
					>
						{O.signOut}
					</button>
				)}
			</div>
		</form>
	);
}
