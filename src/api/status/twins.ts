/** Fields that have two names, the reference's and the neutral one: both are sent, with equal values. Source: docs/http-api.md 8. */

import type { ControllerView } from "../../controller/view.js";
import { type JsonWriter, jsonKeys } from "../../http/json-writer.js";

const K = jsonKeys([
	"broadcastOpenHaldexOverCAN",
	"broadcastControllerOverCAN",
	"effectiveBroadcastOpenHaldexOverCAN",
	"effectiveBroadcastControllerOverCAN",
	"haldexGeneration",
	"couplingGeneration",
] as const);

export function writeBroadcast(json: JsonWriter, value: boolean): void {
	json.key(K.broadcastOpenHaldexOverCAN).boolean(value).key(K.broadcastControllerOverCAN).boolean(value);
}

export function writeEffectiveBroadcast(json: JsonWriter, { effectiveBroadcastOverCan }: ControllerView): void {
	json.key(K.effectiveBroadcastOpenHaldexOverCAN).boolean(effectiveBroadcastOverCan);
	json.key(K.effectiveBroadcastControllerOverCAN).boolean(effectiveBroadcastOverCan);
}

export function writeGeneration(json: JsonWriter, { generation }: ControllerView): void {
	json.key(K.haldexGeneration).number(generation).key(K.couplingGeneration).number(generation);
}
