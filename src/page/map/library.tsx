/** Stored maps: kept under a name, taken in from a file, loaded, compared, taken along. */

import { useEffect, useRef, useState } from "preact/hooks";
import { get, post, postText } from "../net/request";
import type { LockMap, MapList, StoredMap } from "../net/types";
import { codeOf, SHARED_KMH_MAX } from "../share/share-code";
import { useDraft } from "../state/draft";
import { appliedText, mapAddress, mapNameText, nameOfPath, storedName, useRuledText } from "../state/map-name";
import { go } from "../state/route";
import { speedText } from "../state/speed";
import { status } from "../state/status";
import { useStore } from "../state/store";
import { lookUp, T } from "../texts";
import { isSure, Sheet } from "../ui/dialogs";
import { FileButton, textOf } from "../ui/fields";
import { attempt, notify, useAction } from "../ui/notice";
import { Comparison, StoredPicture } from "./comparison";
import { mapDraft } from "./map-draft";

/** Does something with stored maps and reads the list again; `action` gives the notice. Never throws. */
type Act = (action: () => Promise<string>) => Promise<unknown>;

/** @returns list: undefined before it was read; read: counts up when the maps may have changed */
function useStoredMaps(): { list: MapList | undefined; read: number; busy: boolean; act: Act } {
	const [list, setList] = useState<MapList>();
	const [read, setRead] = useState(0);
	const { busy, run } = useAction();
	const reload = async (): Promise<void> => {
		setList(await get<MapList>("/api/maps"));
		setRead((count) => count + 1);
	};
	useEffect(() => void attempt(reload), []);
	const act: Act = (action) =>
		run(async () => {
			await attempt(async () => notify("good", await action()));
			await Promise.all([reload().catch(() => {}), mapDraft.load()]);
		});
	return { list, read, busy, act };
}

/** The name in the answer to a save or an import: the controller may have changed it. */
const nameOf = ({ path }: { path: string }): string => nameOfPath(path);

/** Stores the map as it is shown. @returns the notice @throws {Error} why not, in words */
async function keep(name: string): Promise<string> {
	if (mapDraft.state.value.dirty && !(await mapDraft.save())) throw new Error(mapDraft.state.value.problem || T.draft.movedTitle);
	// what was looked at is what is kept
	const revision = status.value?.revisions.map;
	return T.map.saved(nameOf(await post<{ path: string }>("/api/maps/save", { name: name.trim(), revision })));
}

interface KeepProps {
	readonly list: MapList;
	/** The name of the active map, "" = it has none. */
	readonly mapName: string | undefined;
	readonly busy: boolean;
	readonly act: Act;
	/** Told once it is being stored: nothing else is offered then. */
	readonly onStored?: () => void;
}

/** It asks before it overwrites, rejects the name of a preset, and suggests one until the field is used. */
function KeepForm({ list, mapName, busy, act, onStored }: KeepProps) {
	const mapFrom = useStore(status)?.mapFrom ?? "";
	const [typed, setTyped] = useState<string>();
	// a preset keeps its name
	const suggested = list.maps.some(({ name: one, readOnly }) => one === mapFrom && !readOnly) ? mapFrom : "";
	const name = typed ?? suggested;
	const field = useRef<HTMLInputElement>(null);
	// in a sheet of its own there is nothing else to begin with
	useEffect(() => {
		if (onStored !== undefined) field.current?.focus();
	}, []);
	/** @param current name of the map that is stored again without a question */
	const mayStore = async (wanted: string, current = ""): Promise<boolean> => {
		const target = storedName(wanted);
		const taken = list.maps.find((map) => map.name === target && (map.readOnly || target !== current));
		// else two maps of one name would stand in the list
		if (taken?.readOnly) notify("bad", T.map.presetName(target));
		return taken === undefined || (!taken.readOnly && (await isSure(T.map.overwrite(target), T.map.replace)));
	};
	const take = async (file: File): Promise<void> => {
		const target = file.name.replace(/\.(json|txt)$/i, "");
		if (!(await mayStore(target))) return;
		void act(async () =>
			T.map.imported(
				nameOf(await postText<{ path: string }>(`/api/maps/import?name=${encodeURIComponent(target)}`, await textOf(file))),
			),
		);
	};
	return (
		<form
			class="bar"
			onSubmit={async (event) => {
				event.preventDefault();
				if (!(await mayStore(name, mapName))) return;
				void act(() => keep(name));
				onStored?.();
			}}
		>
			<label class="field grow">
				<span>{T.map.name}</span>
				<input
					ref={field}
					type="text"
					maxLength={58}
					required
					pattern="[A-Za-z0-9 _.\-]+"
					title={T.map.nameRule}
					value={name}
					onFocus={(event) => setTyped(event.currentTarget.value)}
					onInput={(event) => setTyped(event.currentTarget.value)}
				/>
			</label>
			<button type="submit" disabled={busy || name.trim() === ""}>
				{T.map.keepAs}
			</button>
			{onStored === undefined && (
				<>
					<FileButton label={T.map.import} accept=".json,.txt" onFile={(file) => void take(file)} />
					<a class="button" href="/api/maps/export?format=txt" download="">
						{T.map.export}
					</a>
				</>
			)}
		</form>
	);
}

/** A button; its sheet asks for the name. */
export function SaveMap() {
	const [open, setOpen] = useState(false);
	const close = (): void => setOpen(false);
	return (
		<>
			<button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
				{T.map.save}
			</button>
			{open && (
				<Sheet title={T.map.keepAs} onClose={close}>
					<SaveForm onStored={close} />
				</Sheet>
			)}
		</>
	);
}

function SaveForm({ onStored }: { onStored: () => void }) {
	const { list, busy, act } = useStoredMaps();
	const mapName = useStore(status)?.mapName;
	if (list === undefined) return <p class="loading">{T.shell.loading}</p>;
	return <KeepForm list={list} mapName={mapName} busy={busy} act={act} onStored={onStored} />;
}

/** Leads to the page that shows the map as a code; says why where a speed does not fit in one. */
function give(map: LockMap): void {
	const code = codeOf(map);
	if (code === undefined) notify("bad", T.share.noRoom(speedText(SHARED_KMH_MAX)));
	else go(`share/${code}`);
}

interface RowProps {
	readonly map: StoredMap;
	/** It is the active one; the active one was made from it. */
	readonly current: boolean;
	readonly changed: boolean;
	readonly read: number;
	readonly busy: boolean;
	readonly act: Act;
	/** Its content, if the edited map is compared with it. */
	readonly compared: LockMap | undefined;
	readonly onCompare: (content: LockMap | undefined) => void;
}

/** What a stored map is to the driver. */
function kindOf({ map: { readOnly }, current, changed }: RowProps): string {
	if (current) return T.map.isCurrent;
	if (changed) return T.map.isChanged;
	return readOnly ? T.map.preset : T.map.own;
}

/** A preset cannot be deleted, nor the active map. */
function StoredRow(props: RowProps) {
	const { map, current, read, busy, act, compared, onCompare } = props;
	const { name, path, readOnly } = map;
	const { shown } = useStore(mapDraft.state);
	const address = mapAddress(path);
	const withContent = (use: (content: LockMap) => void): void => void attempt(async () => use(await get<LockMap>(address)));
	const load = (): void =>
		withContent(({ speedBins, throttleBins, lockTable }) => {
			mapDraft.edit({ speedBins, throttleBins, lockTable, from: name });
			go("map");
			notify("good", mapDraft.state.value.dirty ? T.map.loaded(name) : appliedText(name));
		});
	const remove = async (): Promise<void> => {
		if (current) {
			notify("bad", T.map.deleteActive);
			return;
		}
		if (!(await isSure(T.map.deleteSure(name), T.map.delete))) return;
		void act(async () => {
			await post("/api/maps/delete", { path });
			return T.map.deleted(name);
		});
	};
	return (
		<li>
			<StoredPicture name={name} address={address} read={read} />
			<div class="row-name">
				<b>{name}</b>
				<span class="muted">{kindOf(props)}</span>
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
					<button type="button" class="danger" disabled={busy} aria-disabled={current} onClick={() => void remove()}>
						{T.map.delete}
					</button>
				)}
			</div>
			{compared !== undefined && shown !== undefined && <Comparison map={shown} other={compared} name={name} />}
		</li>
	);
}

/** The form that stores a map, and the stored ones, one of which is compared with the edited map. */
export function LibraryPage(_: { part: string }) {
	useDraft(mapDraft);
	const { list, read, busy, act } = useStoredMaps();
	const [compared, setCompared] = useState<{ path: string; map: LockMap }>();
	const snapshot = useStore(status);
	const ruled = useRuledText();
	const mapName = snapshot?.mapName;
	return (
		<section class="card library">
			<h2>{T.map.library}</h2>
			{list && <KeepForm list={list} mapName={mapName} busy={busy} act={act} />}
			{snapshot !== undefined && (
				<p class="muted" data-test="active-map">
					{ruled || T.map.activeIs(mapNameText(snapshot))}
				</p>
			)}
			<ul class="rows">
				{list?.maps.map((map) => (
					<StoredRow
						key={map.path}
						map={map}
						current={map.name === mapName}
						changed={mapName === "" && map.name === snapshot?.mapFrom}
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
