/** Shows a map so that it can be given away. */

import type { LockMap } from "../net/types";
import { go } from "../state/route";
import { speedText } from "../state/speed";
import { T } from "../texts";
import { notify } from "../ui/notice";
import { codeOf, SHARED_KMH_MAX } from "./share-code";

/** Leads to the page that shows it; says why where a speed has no room in a code. Never throws. */
export function give(map: LockMap): void {
	const code = codeOf(map);
	if (code === undefined) notify("bad", T.share.noRoom(speedText(SHARED_KMH_MAX)));
	else go(`share/${code}`);
}
