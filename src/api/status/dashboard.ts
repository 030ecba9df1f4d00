/** `dashboardSignals` of the status; the event that tells the values. Source: docs/http-api.md 3.1. */

import { figure } from "../../http/producer.js";
import { type DashboardSlot, MISSING } from "../../vehicle/dashboard.js";
import type { ApiContext } from "../context.js";

const SLOTS = Object.freeze(["dash_1", "dash_2", "dash_3", "dash_4", "dash_5", "dash_6", "dash_7", "dash_8"] as const);
const BUSES = Object.freeze(["chassis", "haldex"] as const);

/** One object for each of the eight slots, in their order, found or not. */
export function dashboardSignals({ controller, dashboard }: ApiContext): object[] {
	const { settings } = controller;
	const signals: object[] = [];
	for (let index = 0; index < SLOTS.length; index++) {
		const key = settings.dashboard[index];
		const slot = key === "" ? undefined : dashboard.slot(index, key, settings.generation);
		signals.push(slot?.found ? foundSignal(SLOTS[index], slot) : missingSignal(SLOTS[index], key, slot?.label ?? ""));
	}
	return signals;
}

function foundSignal(slot: string, signal: DashboardSlot): object {
	const { key, numeric } = signal;
	return {
		slot,
		signalId: key,
		mapped: true,
		found: true,
		label: signal.label,
		bus: BUSES[signal.bus],
		dir: signal.sent ? "TX" : "RX",
		unit: signal.unit,
		generated: signal.generated,
		ageMs: signal.ageMs,
		numeric,
		value: numeric ? figure(signal.value) : undefined,
		display: signal.display,
	};
}

function missingSignal(slot: string, signalId: string, label: string): object {
	return {
		slot,
		signalId,
		mapped: signalId !== "",
		found: false,
		label,
		bus: "",
		dir: "",
		unit: "",
		generated: false,
		ageMs: 0,
		numeric: false,
		display: MISSING,
	};
}

/** True if at least one of the eight slots has a signal, whether that is seen or not. */
export function hasDashboard({ controller }: ApiContext): boolean {
	for (const key of controller.settings.dashboard) if (key !== "") return true;
	return false;
}

/**
 * The slots with a signal, 0 to 8 of them in their order, as short as an event must be. Values are texts as they are to be shown; that of a signal
 * which was not found is MISSING, with `found` false.
 */
export function shownSignals({ controller, dashboard }: ApiContext): object[] {
	const { settings } = controller;
	const signals: object[] = [];
	for (let index = 0; index < SLOTS.length; index++) {
		const key = settings.dashboard[index];
		if (key === "") continue;
		const { found, display } = dashboard.slot(index, key, settings.generation);
		signals.push({ slot: SLOTS[index], found, display });
	}
	return signals;
}
