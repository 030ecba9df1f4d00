/** Keeps the map in force under a name, and takes a map in from a file. */

import { useEffect, useState } from "preact/hooks";
import { post, postFile } from "../net/request";
import type { MapList } from "../net/types";
import { status } from "../state/status";
import { T } from "../texts";
import { FileButton } from "../ui/file-button";
import { notify } from "../ui/notice";
import { mapDraft } from "./map-draft";
import type { Act } from "./stored-maps";
import { storedName } from "./stored-name";

/** Where the controller keeps a map that has no name yet. */
const UNNAMED = "/maps/current.json";

/** The answer to a save or an import: the controller may have changed the name. */
interface Stored {
	readonly path: string;
}
const nameOf = ({ path }: Stored): string => path.replace(/^.*\//, "").replace(/\.\w+$/, "");

/** The map as it is shown, stored. @returns what to say of it @throws {Error} why not, in words */
async function keep(name: string): Promise<string> {
	if (mapDraft.state.value.dirty && !(await mapDraft.save())) throw new Error(mapDraft.state.value.problem || T.draft.movedTitle);
	// what was looked at is what is kept
	const revision = status.value?.revisions.map;
	return T.map.saved(nameOf(await post<Stored>("/api/maps/save", { name: name.trim(), revision })));
}

interface Props {
	/** Undefined before it was read. */
	readonly list: MapList | undefined;
	/** The name of the map in force, "" = it has none. */
	readonly mapName: string | undefined;
	readonly busy: boolean;
	readonly act: Act;
}

/** A field for the name and two buttons. It asks before a map of that name is overwritten, and refuses the name of a preset. */
export function KeepForm({ list, mapName, busy, act }: Props) {
	const [name, setName] = useState("");
	useEffect(() => {
		if (list !== undefined) setName((given) => given || (list.current === UNNAMED ? "" : list.currentName));
	}, [list]);
	/** @param current name of the map that is stored again without a question @returns false if nothing is to be stored under that name */
	const mayStore = (wanted: string, current = ""): boolean => {
		const target = storedName(wanted);
		const taken = list?.maps.find((map) => map.name === target && (map.readOnly || target !== current));
		// else two maps of one name would stand in the list
		if (taken?.readOnly) notify("bad", T.map.presetName(target));
		return taken === undefined || (!taken.readOnly && confirm(T.map.overwrite(target)));
	};
	const take = (file: File): void => {
		const target = file.name.replace(/\.(json|txt)$/i, "");
		if (!mayStore(target)) return;
		void act(async () =>
			T.map.imported(nameOf(await postFile<Stored>(`/api/maps/import?name=${encodeURIComponent(target)}`, file))),
		);
	};
	return (
		<form
			class="bar"
			onSubmit={(event) => {
				event.preventDefault();
				if (mayStore(name, mapName)) void act(() => keep(name));
			}}
		>
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
			<FileButton label={T.map.import} accept=".json,.txt" onFile={take} />
			<a class="button" href="/api/maps/export?format=txt" download="">
				{T.map.export}
			</a>
			<a class="button" href="#share">
				{T.map.byCode}
			</a>
		</form>
	);
}
