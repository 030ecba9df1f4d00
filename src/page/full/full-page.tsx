/** In a holder, at arm's length: lock as large as it goes, and the driver's modes. */

import { useEffect, useState } from "preact/hooks";
import { State } from "../drive/drive-page";
import { MODES, SWAP } from "../drive/mode-names";
import { Modes } from "../drive/modes";
import { stale, telemetry } from "../net/live";
import { chooseFavourites, FAVOURITES_MAX, FAVOURITES_MIN, useFavourites } from "../state/favourites";
import { useStore } from "../state/store";
import { T } from "../texts";
import { ModesField } from "../ui/fields";
import { Icon } from "../ui/icon";
import { LinkState } from "../ui/notice";
import { useAwake } from "./awake";
import { leaveFullScreen } from "./full-screen";

/** Lock, reason and the favourite modes, with the screen kept awake; *choose* shows which modes are favourites instead. */
export function FullPage(_: { part: string }) {
	const awake = useAwake();
	const [choosing, setChoosing] = useState(false);
	const modes = useFavourites(SWAP);
	useEffect(() => leaveFullScreen, []);
	return (
		<div class="full">
			<h1 class="visually-hidden">{T.pages.full}</h1>
			<div class="full-bar">
				<LinkState />
				<small class="muted" data-awake={awake}>
					{T.full.awake[awake]}
				</small>
				<button type="button" aria-pressed={choosing} onClick={() => setChoosing(!choosing)}>
					{T.full.choose}
				</button>
				<a class="button" href="#drive" aria-label={T.full.leave}>
					<Icon name="close" />
				</a>
			</div>
			{choosing ? (
				<ModesField
					label={T.full.chooseHint(FAVOURITES_MIN, FAVOURITES_MAX)}
					modes={[...MODES, SWAP]}
					chosen={modes}
					least={modes.includes(SWAP) ? FAVOURITES_MIN + 1 : FAVOURITES_MIN}
					most={FAVOURITES_MAX}
					onChange={(chosen) => void chooseFavourites(chosen, SWAP)}
				/>
			) : (
				<>
					<Lock />
					<State />
					<Modes shown={modes} />
				</>
			)}
		</div>
	);
}

function Lock() {
	const now = useStore(telemetry);
	const old = useStore(stale);
	const asked = now === undefined ? undefined : Math.round(now.spec);
	const engaged = now?.engagementValid ? Math.round(now.act) : undefined;
	const text = (value: number | undefined): string => (value === undefined ? "–" : String(value));
	return (
		<div class={`full-lock${old ? " stale" : ""}`} role="img" aria-label={T.drive.gauge(text(asked), text(engaged))}>
			<p class="full-asked">
				{text(asked)}
				<small>{T.units.percent}</small>
			</p>
			<div class="full-scale">
				<span class="full-engaged" style={{ width: `${engaged ?? 0}%` }} />
				<span class="full-mark" style={{ left: `${asked ?? 0}%` }} />
			</div>
			<p class="full-second">{`${T.drive.engaged} ${text(engaged)} ${T.units.percent}`}</p>
		</div>
	);
}
