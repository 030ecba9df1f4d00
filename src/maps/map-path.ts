/**
 * Names and paths of stored maps. A path is `/maps/` and one file name without slash, backslash and control
 * characters, so no path leads out of the folder. Source: docs/api.md, "Stored maps".
 */

import { MAP_FOLDER, MAP_NAME_BYTES_MAX } from "../settings/settings-table.js";
import { encodeUtf8 } from "../text/bytes.js";
import { consistsOf } from "../text/characters.js";

const JSON_ENDING = ".json";
const TEXT_ENDING = ".txt";

const SPACE = 0x20;
const KEPT_CHARACTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ _-.";

/** Path of a map of that name: bytes outside of KEPT_CHARACTERS become `_`. Undefined = empty or too long. */
export function pathForName(name: string): string | undefined {
	const bytes = encodeUtf8(name);
	let start = 0;
	let end = bytes.length;
	while (start < end && bytes[start] === SPACE) start++;
	while (end > start && bytes[end - 1] === SPACE) end--;
	if (end === start || end - start > MAP_NAME_BYTES_MAX) return undefined;
	let safe = "";
	for (let i = start; i < end; i++) {
		const character = String.fromCharCode(bytes[i]);
		safe += KEPT_CHARACTERS.includes(character) ? character : "_";
	}
	if (!safe.endsWith(JSON_ENDING)) safe += JSON_ENDING;
	return safe.length === JSON_ENDING.length || safe.length > MAP_NAME_BYTES_MAX ? undefined : MAP_FOLDER + safe;
}

/** The paths that a client may mean by a path or a name, best first. */
export function pathsFor(text: string): string[] {
	const value = text.startsWith(MAP_FOLDER.slice(1)) ? `/${text}` : text;
	const slash = value.lastIndexOf("/");
	let names = [value];
	if (slash >= 0) {
		const name = value.slice(slash + 1);
		// a TXT file at the root of an old installation
		if (value.slice(0, slash + 1) !== MAP_FOLDER && !(slash === 0 && name.endsWith(TEXT_ENDING))) return [];
		names = [name];
	} else if (!isMapFile(value)) names = [value + JSON_ENDING, value + TEXT_ENDING];
	if (!isName(names[0])) return [];
	return names.filter((name) => isMapFile(name) && isShort(name)).map((name) => MAP_FOLDER + name);
}

/** The map is JSON. */
export function isWritable(path: string): boolean {
	return path.endsWith(JSON_ENDING);
}

/** Such files are listed. */
export function isMapFile(name: string): boolean {
	const ending = name.endsWith(JSON_ENDING) ? JSON_ENDING : name.endsWith(TEXT_ENDING) ? TEXT_ENDING : name;
	return name.length > ending.length;
}

/** The name stays as it is in a path. */
export function isPlainName(name: string): boolean {
	return consistsOf(name, KEPT_CHARACTERS);
}

/** Shown for a path: the file name without its ending. */
export function nameOf(path: string): string {
	return path.slice(path.lastIndexOf("/") + 1, path.lastIndexOf("."));
}

function isShort(name: string): boolean {
	return name.length <= MAP_NAME_BYTES_MAX && encodeUtf8(name).length <= MAP_NAME_BYTES_MAX;
}

/** True for a short text without control characters and backslashes. */
function isName(name: string): boolean {
	// quick: JSON escapes control characters, backslashes and quotation marks
	return name.length <= MAP_NAME_BYTES_MAX && !JSON.stringify(name.split('"').join("")).includes("\\");
}
