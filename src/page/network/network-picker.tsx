/** The networks that the board's radio finds, to choose from instead of typing. */

import { useState } from "preact/hooks";
import { inWords, post } from "../net/request";
import type { NetworksInReach } from "../net/types";
import { T } from "../texts";
import { Icon } from "../ui/icon";

/** The controller answers within 8 s. */
const TIMEOUT_MS = 12_000;
/** Before "more". */
const SHOWN = 6;
/** dBm, from which on there is one bar more. */
const BARS: readonly number[] = [-75, -66, -56];

type InReach = NetworksInReach["networks"][number];

interface Props {
	/** Name that the form has. */
	readonly chosen: string;
	readonly onPick: (network: InReach) => void;
}

/**
 * Looks when asked, since the radio leaves its clients for moments meanwhile. A name is shown as it is, and
 * set apart from the words around it.
 */
export function NetworkPicker({ chosen, onPick }: Props) {
	const [found, setFound] = useState<readonly InReach[]>();
	const [looking, setLooking] = useState(false);
	const [problem, setProblem] = useState("");
	const [all, setAll] = useState(false);
	const N = T.network;
	const look = async (): Promise<void> => {
		setLooking(true);
		setProblem("");
		try {
			setFound((await post<NetworksInReach>("/api/wifi/scan", {}, TIMEOUT_MS)).networks);
		} catch (error) {
			setFound(undefined);
			setProblem(inWords(error));
		}
		setAll(false);
		setLooking(false);
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
