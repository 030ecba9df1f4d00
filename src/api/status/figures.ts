/** What the status has beyond the reference: the arbiter's reason, our own settings, figures of control loop, gateway and heap. */

import { type JsonWriter, jsonKeys } from "../../http/json-writer.js";
import type { JsonSection } from "../../http/producer.js";
import { STORAGE_PROBLEMS_MAX } from "../../storage/storage-problems.js";
import type { ApiContext } from "../context.js";

/** Revision of this interface; grows when something that exists changes its meaning. */
export const API_VERSION = 1;

/** Figures of the script engine's heap: slots and property names are counts, all others bytes; peaks include garbage. `free`: of a board's internal memory. */
export const HEAP_FIGURES = Object.freeze([
	"slots",
	"slotsPeak",
	"slotsLimit",
	"chunks",
	"chunksPeak",
	"chunksLimit",
	"stackPeak",
	"stackLimit",
	"keys",
	"keysLimit",
	"collections",
	"free",
	"freeLeast",
] as const);

export type HeapFigure = (typeof HEAP_FIGURES)[number];

const K = jsonKeys([
	...HEAP_FIGURES,
	"reason",
	"bootReason",
	"bootLoop",
	"storageProblems",
	"path",
	"problem",
	"controlActive",
	"frameProfile",
	"respectInterventions",
	"controlWithoutFeedback",
	"lockEngageRatePctPerSec",
	"pwm",
	"setupDone",
	"frequencyHz",
	"inverted",
	"loop",
	"ticks",
	"periodUs",
	"periodMaxUs",
	"jitterMaxUs",
	"overruns",
	"lateMaxUs",
	"gateway",
	"heap",
	"apiVersion",
] as const);

export function writeControl(json: JsonWriter, { controller }: ApiContext): void {
	const { frameProfile, respectInterventions, controlWithoutFeedback, tuning, pwm, setupDone } = controller.settings;
	json.key(K.reason).string(controller.reason);
	json.key(K.controlActive).boolean(controller.controlActive);
	json.key(K.frameProfile).string(frameProfile).key(K.respectInterventions).boolean(respectInterventions);
	json.key(K.controlWithoutFeedback).boolean(controlWithoutFeedback);
	json.key(K.lockEngageRatePctPerSec).number(tuning.engageRatePercentPerS);
	json.key(K.pwm).beginObject().key(K.frequencyHz).number(pwm.frequencyHz).key(K.inverted).boolean(pwm.inverted).endObject();
	json.key(K.setupDone).boolean(setupDone);
}

function writeBoot(json: JsonWriter, { bootReason, bootLoop }: ApiContext): void {
	json.key(K.bootReason).string(bootReason).key(K.bootLoop).boolean(bootLoop);
	json.key(K.storageProblems).beginArray();
}

function writeProblem(json: JsonWriter, { storageProblems }: ApiContext, index: number): void {
	const entry = storageProblems[index];
	if (entry !== undefined) json.beginObject().key(K.path).string(entry.path).key(K.problem).string(entry.problem).endObject();
	if (index === STORAGE_PROBLEMS_MAX - 1) json.endArray();
}

/** `bootReason`, `bootLoop` and `storageProblems`, a section for each problem. */
export const BOOT_SECTIONS: readonly JsonSection<ApiContext>[] = Object.freeze([
	writeBoot,
	...Array.from(
		{ length: STORAGE_PROBLEMS_MAX },
		(_, index) => (json: JsonWriter, context: ApiContext) => writeProblem(json, context, index),
	),
]);

export function writeLoop(json: JsonWriter, { controller }: ApiContext): void {
	const { loop } = controller;
	json.key(K.loop).beginObject();
	json.key(K.ticks).number(loop.ticks).key(K.periodUs).number(loop.periodUs).key(K.periodMaxUs).number(loop.periodMaxUs);
	json.key(K.jitterMaxUs).number(loop.jitterMaxUs).key(K.overruns).number(loop.overruns).key(K.lateMaxUs).number(loop.lateMaxUs);
	json.endObject();
}

export function writeGateway(json: JsonWriter, { controller }: ApiContext): void {
	const counters = controller.gatewayCounters();
	json.key(K.gateway).beginObject();
	for (const name in counters) json.key(name).number(counters[name]);
	json.endObject();
}

/** A figure that this build does not have is left out. */
export function writeHeap(json: JsonWriter, { heapFigure }: ApiContext): void {
	json.key(K.heap).beginObject();
	for (const name of HEAP_FIGURES) {
		const figure = heapFigure(name);
		if (figure !== undefined) json.key(K[name]).number(figure);
	}
	json.endObject();
	json.key(K.apiVersion).number(API_VERSION);
}
