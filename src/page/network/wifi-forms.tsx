/** The passwords and names of both networks. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { modeState } from "../net/live";
import { post } from "../net/request";
import type { Network, NetworksInReach, Wifi } from "../net/types";
import { recall, remember } from "../state/cache";
import { useStore } from "../state/store";
import { lookUp, T } from "../texts";
import { isSure, PasswordField } from "../ui/dialogs";
import { CheckField, Facts } from "../ui/fields";
import { Icon } from "../ui/icon";
import { useAction } from "../ui/notice";
import { prepareQrCode, QrCode } from "../ui/qr-code";

interface Props {
	readonly wifi: Wifi;
	readonly save: (body: object) => Promise<boolean>;
	/** The main thing on the page is another one. */
	readonly quiet?: boolean;
}

/** Changes that are not saved. */
interface Begun {
	readonly ssid?: string;
	readonly staEnabled?: boolean;
}
const DRAFT = "draft:station";

/** Whether the own network has a password or may stay open: until then that comes first. */
export const isDecided = ({ apPasswordSet, apOpen }: Wifi): boolean => apPasswordSet || apOpen;

/** Who may enter the own network, in words. @param holds the car stays stock until that is decided */
function accessTo({ apPasswordSet, apOpen }: Wifi, holds: boolean): string {
	if (apPasswordSet) return T.network.apClosed;
	if (apOpen) return T.network.apOpen;
	return holds ? T.network.apHolds : T.network.apUndecided;
}

/**
 * The password can be read while it is typed: it is typed once, and then the network ends.
 * @param props after: stands below the card that says how to return
 */
export function AccessPointForm(props: Props & { apSsid: string; after?: ComponentChildren }) {
	const { wifi, apSsid, save, quiet = false, after } = props;
	const [password, setPassword] = useState("");
	const [given, setGiven] = useState<string>();
	useEffect(prepareQrCode, []);
	// on a computer nothing waits for it
	const holds = useStore(modeState)?.reasonCode === "openNetwork";
	const N = T.network;
	if (given !== undefined) return <WayBack apSsid={apSsid} password={given} after={after} />;
	return (
		<form
			class="card section"
			onSubmit={(event) => {
				event.preventDefault();
				void save({ apPassword: password }).then((done) => done && setGiven(password));
			}}
		>
			<h2>{N.accessPoint}</h2>
			<p class={wifi.apPasswordSet ? "muted" : "warn"}>{accessTo(wifi, holds)}</p>
			<PasswordField
				label={N.apPassword}
				value={password}
				onInput={setPassword}
				autocomplete="new-password"
				max={63}
				pattern="[ -~]+"
				shown
			/>
			<p class="muted">{N.forgotten}</p>
			<div class="tools">
				<button type="submit" class={quiet || isDecided(wifi) ? "" : "primary"} disabled={password === ""}>
					{N.setPassword}
				</button>
				{(wifi.apPasswordSet || !wifi.apOpen) && (
					<button
						type="button"
						class="danger"
						onClick={async () => (await isSure(N.openSure, N.leaveOpen)) && void save({ apPassword: "", apOpen: true })}
					>
						{wifi.apPasswordSet ? N.openNetwork : N.leaveOpen}
					</button>
				)}
			</div>
		</form>
	);
}

/** How to return: the network starts again with its password, and this device is off it. */
function WayBack({ apSsid, password, after }: { apSsid: string; password: string; after?: ComponentChildren }) {
	const N = T.network;
	return (
		<section class="card section" data-test="way-back">
			<h2>{N.wayBack}</h2>
			<p>{N.wayBackHint}</p>
			<Facts
				facts={[
					[N.ownNetwork, apSsid],
					[N.passwordIs, password],
				]}
			/>
			<QrCode text={joinText(apSsid, password)} label={N.join(apSsid)} />
			<p class="muted">{N.forgotten}</p>
			{after}
		</section>
	);
}

/** Phones understand it as "join this network". */
function joinText(ssid: string, password: string): string {
	const escaped = (text: string): string => text.replace(/[\\;,:"]/g, "\\$&");
	return `WIFI:T:WPA;S:${escaped(ssid)};P:${escaped(password)};;`;
}

/** How the home network is: the controller's address in it, or why there is none. */
export function stationText({ staConnected, staIp, staProblem }: Network): string {
	if (staConnected) return staIp;
	return staProblem === "" ? T.network.notConnected : (lookUp(T.network.problems, staProblem) ?? staProblem);
}

/** The browser keeps what is not saved, but for the password. */
export function StationForm({ wifi, save, quiet = false, state }: Props & { state: Network | undefined }) {
	const [begun, setBegun] = useState<Begun>(() => recall<Begun>(DRAFT) ?? {});
	const [password, setPassword] = useState("");
	const form = useRef<HTMLFormElement>(null);
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
			ref={form}
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
			<NetworkPicker
				chosen={name}
				onPick={({ ssid, open }) => {
					change({ ssid, staEnabled: true });
					if (ssid !== name || open) setPassword(""); // it was typed for another network
					if (!open) form.current?.querySelector<HTMLInputElement>("input[minlength]")?.focus();
				}}
			/>
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
			<PasswordField label={N.password} value={password} onInput={setPassword} autocomplete="off" min={0} />
			{changed ? (
				<p class="muted">{T.draft.unsaved}</p>
			) : (
				state !== undefined &&
				wifi.staEnabled &&
				wifi.ssid !== "" && (
					<p class={state.staConnected ? "good" : state.staProblem === "" ? "muted" : "bad"} role="status" data-test="station">
						{`${wifi.ssid}: ${stationText(state)}`}
					</p>
				)
			)}
			<div class="tools">
				<button type="submit" class={!quiet && isDecided(wifi) ? "primary" : ""} disabled={!changed && password === ""}>
					{T.draft.save}
				</button>
				<button type="button" disabled={!changed && password === ""} onClick={forget}>
					{T.draft.discard}
				</button>
			</div>
		</form>
	);
}

/** The controller answers within 8 s. */
const TIMEOUT_MS = 12_000;
/** Networks that are listed before "more". */
const SHOWN = 6;
/** dBm, from which on there is one bar more. */
const BARS: readonly number[] = [-75, -66, -56];

type InReach = NetworksInReach["networks"][number];

/** Looks when asked, since the radio leaves its clients for moments meanwhile. */
function NetworkPicker({ chosen, onPick }: { chosen: string; onPick: (network: InReach) => void }) {
	const [found, setFound] = useState<readonly InReach[]>();
	const { busy: looking, problem, run } = useAction();
	const [all, setAll] = useState(false);
	const N = T.network;
	const scan = async (): Promise<void> => setFound((await post<NetworksInReach>("/api/wifi/scan", {}, TIMEOUT_MS)).networks);
	const look = async (): Promise<void> => {
		if (!(await run(scan))) setFound(undefined);
		setAll(false);
	};
	const shown = all ? found : found?.slice(0, SHOWN);
	const more = (found?.length ?? 0) - (shown?.length ?? 0);
	return (
		<div class="networks">
			<button type="button" aria-disabled={looking} aria-busy={looking} onClick={() => !looking && void look()}>
				{looking ? N.looking : N.look}
			</button>
			<p class={problem === "" ? "muted" : "bad"} role="status">
				{problem !== ""
					? problem
					: looking
						? N.lookingHint
						: found && (found.length === 0 ? N.noneInReach : N.inReach(found.length))}
			</p>
			{shown !== undefined && shown.length > 0 && (
				<ul aria-label={N.look}>
					{shown.map((network) => (
						<li key={network.ssid}>
							<button type="button" aria-pressed={network.ssid === chosen} onClick={() => onPick(network)}>
								<Bars count={1 + BARS.filter((least) => network.rssi >= least).length} />
								<bdi>{network.ssid.trim() === network.ssid ? network.ssid : `"${network.ssid}"`}</bdi>
								{network.open ? <small class="warn">{N.isOpen}</small> : <Icon name="lock" />}
								{!network.open && <span class="visually-hidden">{N.isSecured}</span>}
							</button>
						</li>
					))}
				</ul>
			)}
			{more > 0 && (
				<button type="button" class="quiet" onClick={() => setAll(true)}>
					{N.moreInReach(more)}
				</button>
			)}
		</div>
	);
}

/** @param count 1 to 4 */
function Bars({ count }: { count: number }) {
	return (
		<>
			<svg class="bars" viewBox="0 0 22 20" aria-hidden="true">
				{[1, 2, 3, 4].map((bar) => (
					<path key={bar} class={bar > count ? "off" : ""} d={`M${bar * 5 - 2} 20V${18 - bar * 4}`} />
				))}
			</svg>
			<small>{T.network.strengths[count - 1]}</small>
		</>
	);
}
