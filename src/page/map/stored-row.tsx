/** A stored map in the list, with what can be done with it. */

import { lookUp } from "../look-up";
import { get, inWords, post } from "../net/request";
import type { LockMap, StoredMap } from "../net/types";
import { give } from "../share/give";
import { useStore } from "../state/store";
import { T } from "../texts";
import { notify } from "../ui/notice";
import { Comparison } from "./comparison";
import { mapDraft } from "./map-draft";
import type { Act } from "./stored-maps";
import { StoredPicture } from "./stored-picture";

interface Props {
	readonly map: StoredMap;
	/** It is the one in force. */
	readonly current: boolean;
	/** Counts up when the maps may have changed. */
	readonly read: number;
	readonly busy: boolean;
	readonly act: Act;
	/** What is in it, where the map that is edited is compared with it. */
	readonly compared: LockMap | undefined;
	readonly onCompare: (content: LockMap | undefined) => void;
}

/**
 * Picture, name and origin of a map, with buttons to load, compare, download, share and delete it. A preset cannot be deleted, nor the
 * map in force.
 */
export function StoredRow({ map: { name, path, readOnly }, current, read, busy, act, compared, onCompare }: Props) {
	const { dirty, shown } = useStore(mapDraft.state);
	const address = `/api/maps/export?path=${encodeURIComponent(path)}&format=json`;
	const load = (): void => {
		if (dirty && !confirm(T.map.loseDraft)) return;
		if (dirty) mapDraft.discard();
		void act(async () => {
			await post("/api/maps/load", { path });
			return T.map.loaded(name);
		});
	};
	const remove = (): void => {
		if (!confirm(T.map.deleteSure(name))) return;
		void act(async () => {
			await post("/api/maps/delete", { path });
			return T.map.deleted(name);
		});
	};
	const withContent = (use: (content: LockMap) => void): void =>
		void get<LockMap>(address).then(use, (error) => notify("bad", inWords(error)));
	return (
		<li>
			<StoredPicture name={name} address={address} read={read} />
			<div class="row-name">
				<b>{name}</b>
				<span class="muted">{current ? T.map.isCurrent : readOnly ? T.map.preset : T.map.own}</span>
				{readOnly && <span>{lookUp(T.map.presets, name)}</span>}
			</div>
			<div class="tools">
				<button type="button" disabled={busy} onClick={load}>
					{T.map.load}
				</button>
				<button
					type="button"
					aria-pressed={compared !== undefined}
					onClick={() => (compared === undefined ? withContent(onCompare) : onCompare(undefined))}
				>
					{T.map.compareWith}
				</button>
				<a class="button" href={address} download={`${name}.json`}>
					{T.map.download}
				</a>
				<button type="button" onClick={() => withContent(give)}>
					{T.map.share}
				</button>
				{!readOnly && (
					<button type="button" class="danger" disabled={busy || current} onClick={remove}>
						{T.map.delete}
					</button>
				)}
			</div>
			{compared !== undefined && shown !== undefined && <Comparison map={shown} other={compared} name={name} />}
		</li>
	);
}
