/** Stored maps: load, keep, take along. */

import { useEffect, useState } from "preact/hooks";
import { lookUp } from "../look-up";
import { get, inWords, post, postFile } from "../net/request";
import type { LockMap, MapList, StoredMap } from "../net/types";
import { give } from "../share/give";
import { status } from "../state/status";
import { useStore } from "../state/store";
import { T } from "../texts";
import { notify } from "../ui/notice";
import { Comparison } from "./comparison";
import { mapDraft } from "./map-draft";
import { storedName } from "./stored-name";
import { StoredPicture } from "./stored-picture";

/** Where the controller keeps a map that has no name yet. */
const UNNAMED = "/maps/current.json";

/** The answer to a save or an import: the controller may have changed the name. */
interface Stored {
	readonly path: string;
}
const nameOf = ({ path }: Stored): string => path.replace(/^.*\//, "").replace(/\.\w+$/, "");

const exported = (path: string, format: string): string => `/api/maps/export?path=${encodeURIComponent(path)}&format=${format}`;

export function Library() {
	const [stored, setStored] = useState<MapList>();
	const [name, setName] = useState("");
	const [read, setRead] = useState(0);
	const [busy, setBusy] = useState(false);
	const [compared, setCompared] = useState<{ path: string; map: LockMap }>();
	const { dirty, shown } = useStore(mapDraft.state);
	const mapName = useStore(status)?.mapName;
	const reload = async (): Promise<void> => {
		const maps = await get<MapList>("/api/maps");
		setStored(maps);
		setRead((count) => count + 1);
		setName((given) => given || (maps.current === UNNAMED ? "" : maps.currentName));
	};
	useEffect(() => void reload().catch((error) => notify("bad", inWords(error))), []);
	/** Does something that gives a message, then shows what the controller has now, whatever came of it. */
	const act = async (action: () => Promise<string>): Promise<void> => {
		setBusy(true);
		try {
			notify("good", await action());
		} catch (error) {
			notify("bad", inWords(error));
		}
		await Promise.all([reload().catch(() => {}), mapDraft.load()]);
		setBusy(false);
	};
	const load = (map: StoredMap): void => {
		if (dirty && !confirm(T.map.loseDraft)) return;
		if (dirty) mapDraft.discard();
		void act(async () => {
			await post("/api/maps/load", { path: map.path });
			return T.map.loaded(map.name);
		});
	};
	/** @param current name of the map that is stored again without a question @returns false if nothing is to be stored under that name */
	const mayStore = (wanted: string, current = ""): boolean => {
		const target = storedName(wanted);
		const taken = stored?.maps.find((map) => map.name === target && (map.readOnly || target !== current));
		// else two maps of one name would stand in the list
		if (taken?.readOnly) notify("bad", T.map.presetName(target));
		return taken === undefined || (!taken.readOnly && confirm(T.map.overwrite(target)));
	};
	const saveAs = (event: Event): void => {
		event.preventDefault();
		if (!mayStore(name, mapName)) return;
		void act(async () => {
			if (mapDraft.state.value.dirty && !(await mapDraft.save()))
				throw new Error(mapDraft.state.value.problem || T.draft.movedTitle);
			// what was looked at is what is kept
			const revision = status.value?.revisions.map;
			return T.map.saved(nameOf(await post<Stored>("/api/maps/save", { name: name.trim(), revision })));
		});
	};
	const remove = (map: StoredMap): void => {
		if (!confirm(T.map.deleteSure(map.name))) return;
		void act(async () => {
			await post("/api/maps/delete", { path: map.path });
			return T.map.deleted(map.name);
		});
	};
	const take = (file: File | undefined): void => {
		if (file === undefined) return;
		const target = file.name.replace(/\.(json|txt)$/i, "");
		if (!mayStore(target)) return;
		void act(async () => {
			const stored = await postFile<Stored>(`/api/maps/import?name=${encodeURIComponent(target)}`, file);
			return T.map.imported(nameOf(stored));
		});
	};
	const compare = async (map: StoredMap): Promise<void> => {
		if (compared?.path === map.path) {
			setCompared(undefined);
			return;
		}
		try {
			setCompared({ path: map.path, map: await get<LockMap>(exported(map.path, "json")) });
		} catch (error) {
			notify("bad", inWords(error));
		}
	};
	const share = async (map: StoredMap): Promise<void> => {
		try {
			give(await get<LockMap>(exported(map.path, "json")));
		} catch (error) {
			notify("bad", inWords(error));
		}
	};
	return (
		<section class="card library">
			<h2>{T.map.library}</h2>
			<form class="bar" onSubmit={saveAs}>
				<label class="field grow">
					<span>{T.map.name}</span>
					<input
						type="text"
						maxLength={58}
						required
						pattern="[A-Za-z0-9 _.\-]+"
						title={T.map.nameRule}
						value={name}
						onInput={(event) => setName(event.currentTarget.value)}
					/>
				</label>
				<button type="submit" disabled={busy || name.trim() === ""}>
					{T.map.keepAs}
				</button>
				<label class="button file">
					{T.map.import}
					<input
						class="visually-hidden"
						type="file"
						accept=".json,.txt"
						onChange={(event) => {
							take(event.currentTarget.files?.[0]);
							event.currentTarget.value = "";
						}}
					/>
				</label>
				<a class="button" href="/api/maps/export?format=txt" download="">
					{T.map.export}
				</a>
				<a class="button" href="#share">
					{T.map.byCode}
				</a>
			</form>
			{mapName === "" && <p class="muted">{T.map.notKept}</p>}
			<ul class="rows">
				{stored?.maps.map((map) => {
					const current = !map.readOnly && map.name === mapName;
					return (
						<li key={map.path}>
							<StoredPicture name={map.name} address={exported(map.path, "json")} read={read} />
							<div class="row-name">
								<b>{map.name}</b>
								<span class="muted">{current ? T.map.isCurrent : map.readOnly ? T.map.preset : T.map.own}</span>
								{map.readOnly && <span>{lookUp(T.map.presets, map.name)}</span>}
							</div>
							<div class="tools">
								<button type="button" disabled={busy} onClick={() => load(map)}>
									{T.map.load}
								</button>
								<button type="button" aria-pressed={compared?.path === map.path} onClick={() => void compare(map)}>
									{T.map.compareWith}
								</button>
								<a class="button" href={exported(map.path, "json")} download={`${map.name}.json`}>
									{T.map.download}
								</a>
								<button type="button" onClick={() => void share(map)}>
									{T.map.share}
								</button>
								{!map.readOnly && (
									<button type="button" class="danger" disabled={busy || current} onClick={() => remove(map)}>
										{T.map.delete}
									</button>
								)}
							</div>
							{compared?.path === map.path && shown !== undefined && (
								<Comparison map={shown} other={compared.map} name={map.name} />
							)}
						</li>
					);
				})}
			</ul>
		</section>
	);
}
