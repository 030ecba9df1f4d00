/** What the status has beyond the reference: the arbiter's reason, our own settings, figures of control loop, gateway and heap. */

import type { ControllerView } from "../../controller/view.js";
import { figure } from "../../http/producer.js";
import type { ApiContext } from "../context.js";
import { inWords } from "../words.js";
import { ourSettings } from "./driver.js";

/** Revision of this interface; grows when something that exists changes its meaning. */
export const API_VERSION = 1;

/** Why the mode in force is what it is, whether frames may be rewritten, and the settings that are ours. */
export function control(context: ApiContext) {
	const { controlActive, invalidFrame, statusFrameElsewhere } = context.controller;
	return { ...reasonOf(context.controller), controlActive, invalidFrame, statusFrameElsewhere, ...ourSettings(context) };
}

/** Why the mode in force is what it is, in words and as a value, and what holds its lock at 0 %. */
export function reasonOf({ reason, reasonDetail, heldBy }: ControllerView) {
	return { reason: inWords(reason, reasonDetail), reasonCode: reason, reasonDetail, heldBy };
}

/** How this start came about, and what is wrong with the flash: `bootReason` in words of the platform. */
export function boot({ boardControls, bootReason, bootLoop, writes, storageProblems }: ApiContext) {
	return {
		boardControls,
		bootReason,
		bootLoop,
		storageWaiting: writes.waiting,
		storageProblems: storageProblems,
	};
}

/** The control loop's counts, times in microseconds. */
export function loopFigures({ controller }: ApiContext) {
	const { ticks, periodUs, periodMaxUs, jitterMaxUs, overruns, lateMaxUs } = controller.loop;
	return {
		ticks,
		periodUs: figure(periodUs),
		periodMaxUs: figure(periodMaxUs),
		jitterMaxUs: figure(jitterMaxUs),
		overruns,
		lateMaxUs: figure(lateMaxUs),
	};
}

/** Of the heap: chunks and what is free are bytes, everything else is a count. A figure that this build does not have is left out. */
export function heapFigures({ heapFigure }: ApiContext) {
	return {
		slots: heapFigure("slots"),
		slotsPeak: heapFigure("slotsPeak"),
		slotsLimit: heapFigure("slotsLimit"),
		chunks: heapFigure("chunks"),
		chunksPeak: heapFigure("chunksPeak"),
		chunksLimit: heapFigure("chunksLimit"),
		stackPeak: heapFigure("stackPeak"),
		stackLimit: heapFigure("stackLimit"),
		keys: heapFigure("keys"),
		keysLimit: heapFigure("keysLimit"),
		collections: heapFigure("collections"),
		free: heapFigure("free"),
		freeLeast: heapFigure("freeLeast"),
	};
}
