/** Stored maps: kept, loaded, taken along. */

import { useState } from "preact/hooks";
import type { LockMap } from "../net/types";
import { status } from "../state/status";
import { useStore } from "../state/store";
import { T } from "../texts";
import { KeepForm } from "./keep-form";
import { useStoredMaps } from "./stored-maps";
import { StoredRow } from "./stored-row";

/** The form that keeps a map, and a row for each stored one; at most one of them is compared with the map that is edited. */
export function Library() {
	const { list, read, busy, act } = useStoredMaps();
	const [compared, setCompared] = useState<{ path: string; map: LockMap }>();
	const mapName = useStore(status)?.mapName;
	return (
		<section class="card library">
			<h2>{T.map.library}</h2>
			<KeepForm list={list} mapName={mapName} busy={busy} act={act} />
			{mapName === "" && <p class="muted">{T.map.notKept}</p>}
			<ul class="rows">
				{list?.maps.map((map) => (
					<StoredRow
						key={map.path}
						map={map}
						current={!map.readOnly && map.name === mapName}
						read={read}
						busy={busy}
						act={act}
						compared={compared?.path === map.path ? compared.map : undefined}
						onCompare={(content) => setCompared(content && { path: map.path, map: content })}
					/>
				))}
			</ul>
		</section>
	);
}
