/** `dashMappings` and `dashboardSignals` of the status, a section for each slot; the event that tells the values. Source: docs/http-api.md 3.1. */

import { type JsonWriter, jsonKeys } from "../../http/json-writer.js";
import type { JsonSection } from "../../http/producer.js";
import type { ApiContext } from "../context.js";

const SLOTS = Object.freeze(["dash_1", "dash_2", "dash_3", "dash_4", "dash_5", "dash_6", "dash_7", "dash_8"] as const);
const BUSES = Object.freeze(["chassis", "haldex"] as const);

const K = jsonKeys([
	...SLOTS,
	"dashMappings",
	"dashboardSignals",
	"signals",
	"slot",
	"signalId",
	"mapped",
	"found",
	"label",
	"bus",
	"dir",
	"unit",
	"generated",
	"ageMs",
	"numeric",
	"value",
	"display",
] as const);

function writeMapping(json: JsonWriter, { controller }: ApiContext, index: number): void {
	if (index === 0) json.key(K.dashMappings).beginObject();
	json.key(K[SLOTS[index]]).string(controller.settings.dashboard[index]);
	if (index === SLOTS.length - 1) json.endObject();
}

function writeSlot(json: JsonWriter, { controller, dashboard }: ApiContext, index: number): void {
	const slot = dashboard.slot(index, controller.settings.dashboard[index], controller.generation);
	const { found } = slot;
	if (index === 0) json.key(K.dashboardSignals).beginArray();
	json.beginObject();
	json
		.key(K.slot)
		.string(SLOTS[index])
		.key(K.signalId)
		.string(slot.key)
		.key(K.mapped)
		.boolean(slot.key !== "");
	json.key(K.found).boolean(found).key(K.label).string(slot.label);
	json
		.key(K.bus)
		.string(found ? BUSES[slot.bus] : "")
		.key(K.dir)
		.string(found ? (slot.sent ? "TX" : "RX") : "");
	json
		.key(K.unit)
		.string(found ? slot.unit : "")
		.key(K.generated)
		.boolean(found && slot.generated);
	json
		.key(K.ageMs)
		.number(found ? slot.ageMs : 0)
		.key(K.numeric)
		.boolean(found && slot.numeric);
	if (found && slot.numeric) json.key(K.value).number(slot.value);
	json.key(K.display).string(slot.display);
	json.endObject();
	if (index === SLOTS.length - 1) json.endArray();
}

/** True if a slot shows a signal. */
export function hasDashboard({ controller }: ApiContext): boolean {
	for (const key of controller.settings.dashboard) if (key !== "") return true;
	return false;
}

/** The slots with a signal, as short as an event must be. */
export function writeSignals(json: JsonWriter, { controller, dashboard }: ApiContext): void {
	const keys = controller.settings.dashboard;
	json.key(K.signals).beginArray();
	for (let index = 0; index < SLOTS.length; index++) {
		if (keys[index] === "") continue;
		const slot = dashboard.slot(index, keys[index], controller.generation);
		json.beginObject().key(K.slot).string(SLOTS[index]).key(K.found).boolean(slot.found);
		json.key(K.display).string(slot.display).endObject();
	}
	json.endArray();
}

export const DASHBOARD_SECTIONS: readonly JsonSection<ApiContext>[] = Object.freeze([
	...SLOTS.map((_, index) => (json: JsonWriter, context: ApiContext) => writeMapping(json, context, index)),
	...SLOTS.map((_, index) => (json: JsonWriter, context: ApiContext) => writeSlot(json, context, index)),
]);
