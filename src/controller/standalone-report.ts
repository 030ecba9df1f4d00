/**
 * Why the gateway generates no frames although it should, by its sample: it listens first, and is silent
 * while another node sends one of these frames. Byte layout: `modules/can-gateway/README.md`, "Watched
 * frames".
 */

import { isRunning } from "../can/bus.js";
import { upperCase } from "../text/characters.js";
import { HEARD_ON_COUPLING, NOTHING_HEARD, type SampleHeader, WORD_HEARD } from "../vehicle/sample.js";
import { type Doubt, Reason } from "./reason.js";

/** undefined while frames are generated. @param sample of a gateway that is to generate */
export function standaloneDoubt(sample: SampleHeader): Doubt {
	if (sample.isPlanActive) return undefined;
	if (!isRunning(sample.chassisState)) return Reason.CHASSIS_BUS_DOWN;
	if (!isRunning(sample.couplingBusState)) return Reason.COUPLING_BUS_DOWN;
	const low = sample.words[WORD_HEARD];
	const high = sample.words[WORD_HEARD + 1];
	if (high === NOTHING_HEARD || (low === 0 && high === 0)) return Reason.STANDALONE_WAITS;
	return (high & HEARD_ON_COUPLING) === 0 ? Reason.STANDALONE_HEARD_CAR : Reason.STANDALONE_HEARD_COUPLING;
}

/** `0x280`: what another node sends, with the doubts that say so; "" with any other. */
export function heardIdentifier(doubt: Doubt, sample: SampleHeader): string {
	if (doubt !== Reason.STANDALONE_HEARD_CAR && doubt !== Reason.STANDALONE_HEARD_COUPLING) return "";
	return `0x${upperCase(sample.words[WORD_HEARD].toString(16))}`;
}
