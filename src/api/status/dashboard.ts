/** `dashboardSignals` of the status; the event that tells the values. Source: docs/http-api.md 3.1. */

import { figure } from "../../http/producer.js";
import type { ApiContext } from "../context.js";

const SLOTS = Object.freeze(["dash_1", "dash_2", "dash_3", "dash_4", "dash_5", "dash_6", "dash_7", "dash_8"] as const);
const BUSES = Object.freeze(["chassis", "haldex"] as const);

export function dashboardSignals({ controller, dashboard }: ApiContext): object[] {
	const { generation, settings } = controller;
	const signals: object[] = [];
	for (let index = 0; index < SLOTS.length; index++) {
		const slot = dashboard.slot(index, settings.dashboard[index], generation);
		const { key, found, numeric } = slot;
		signals.push({
			slot: SLOTS[index],
			signalId: key,
			mapped: key !== "",
			found,
			label: slot.label,
			bus: found ? BUSES[slot.bus] : "",
			dir: found ? (slot.sent ? "TX" : "RX") : "",
			unit: found ? slot.unit : "",
			generated: found && slot.generated,
			ageMs: found ? slot.ageMs : 0,
			numeric: found && numeric,
			// stringify leaves out what is undefined
			value: found && numeric ? figure(slot.value) : undefined,
			display: slot.display,
		});
	}
	return signals;
}

/** True if a slot shows a signal. */
export function hasDashboard({ controller }: ApiContext): boolean {
	for (const key of controller.settings.dashboard) if (key !== "") return true;
	return false;
}

/** The slots with a signal, as short as an event must be. */
export function shownSignals({ controller, dashboard }: ApiContext): object[] {
	const { generation, settings } = controller;
	const signals: object[] = [];
	for (let index = 0; index < SLOTS.length; index++) {
		const key = settings.dashboard[index];
		if (key === "") continue;
		const { found, display } = dashboard.slot(index, key, generation);
		signals.push({ slot: SLOTS[index], found, display });
	}
	return signals;
}
