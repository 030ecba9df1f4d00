/** What of the heap must be free before a request is taken up, and whose requests do with little. */

import type { ConnectionContext } from "./connection-context.js";
import { REQUEST_CHUNK_BYTES, REQUEST_SLOTS, URGENT_BODY_BYTES, URGENT_CHUNK_BYTES, URGENT_SLOTS } from "./limits.js";
import type { HttpRequest } from "./request.js";

/** Both questions of a connection's context. @param makeRoom true if the heap has so much free, if need be after a collection */
export function roomOf(
	makeRoom: (slots: number, chunkBytes: number) => boolean,
): Pick<ConnectionContext, "hasRoom" | "hasUrgentRoom"> {
	return {
		hasRoom: (bodyBytes) => makeRoom(REQUEST_SLOTS, REQUEST_CHUNK_BYTES - bodyBytes),
		hasUrgentRoom: () => makeRoom(URGENT_SLOTS, URGENT_CHUNK_BYTES),
	};
}

/** Whether a request, of which the head is there, is one that others must not keep out, and there is the room that it needs. */
export function isUrgent({ router, hasUrgentRoom }: ConnectionContext, request: HttpRequest): boolean {
	const { contentLength } = request.head;
	if (contentLength < 0 || contentLength > URGENT_BODY_BYTES || !hasUrgentRoom()) return false;
	return request.readTarget() && router.isUrgent?.(request) === true;
}
