/** What the connections of a server share: limits, memory, routes, and whom they tell. Types only. */

import type { BodySlots } from "./body-collector.js";
import type { InputBuffers } from "./input-buffer.js";
import type { HttpLimits } from "./limits.js";
import type { Router } from "./router.js";

/** Made once by a server, and handed to each of its connections. */
export interface ConnectionContext {
	readonly limits: HttpLimits;
	readonly router: Router;
	readonly buffers: InputBuffers;
	readonly slots: BodySlots;
	/** True while clients wait for a connection: answers then end theirs. */
	crowded: boolean;
	/**
	 * Whether the heap has room for the worst that a request may need: to be asked before one is taken up or handled, or gets memory for its body.
	 * @param bodyBytes of it that lie there already, 0..`bodyBytes` of the limits: to ask for them again could take a second collection of
	 *   garbage in one turn; negative = so many that are to be taken beside it
	 */
	readonly hasRoom: (bodyBytes: number) => boolean;
	/** The same of a request that is urgent. */
	readonly hasUrgentRoom: () => boolean;
	/** Has somebody give way for a connection for which there is no room. @returns false: nobody does, and nobody is about to */
	readonly makeWay: (connection: object) => boolean;
	/** Told of every error that a handler, sink or producer threw. */
	readonly onFault: (error: unknown) => void;
	/** Told when an answer that comes later is there for `pull`. */
	readonly onLate?: () => void;
}
