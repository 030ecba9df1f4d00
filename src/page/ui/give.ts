/** Gives the driver a text as a file, and a map as a code that can be shown and sent. */

import type { LockMap } from "../net/types";
import { codeOf, SHARED_KMH_MAX } from "../share/share-code";
import { go } from "../state/route";
import { speedText } from "../state/speed";
import { T } from "../texts";
import { notify } from "./notice";

/** @param name of the file, with its ending */
export function downloadText(name: string, text: string): void {
	const link = document.createElement("a");
	link.href = URL.createObjectURL(new Blob([text]));
	link.download = name;
	link.click();
	// the browser has begun to read it by then
	setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Leads to the page that shows it; says why where a speed does not fit in a code. Never throws. */
export function give(map: LockMap): void {
	const code = codeOf(map);
	if (code === undefined) notify("bad", T.share.noRoom(speedText(SHARED_KMH_MAX)));
	else go(`share/${code}`);
}
