/**
 * The board's LED: its colour is a mode, its rhythm says whether that is active. Table for people:
 * hal/esp32/BRING-UP.md "LED". The first colours are those of OpenHaldex-C6, a quarter as bright:
 * docs/control-and-can.md 6.2.
 */

import { isRunning } from "../can/bus.js";
import type { ControllerView } from "../controller/controller-view.js";
import { Reason } from "../controller/reason.js";
import { STOCK } from "../lock/modes.js";

/** By mode number: 0xRRGGBB. */
export const MODE_COLOURS = Object.freeze([
	0x400000, // STOCK: red
	0x004000, // FWD: green
	0x000040, // 5050: blue
	0x40043c, // 6040: pink
	0x004040, // 7030: cyan
	0x403000, // 8020: yellow
	0x204000, // 9010: lime
	0x401400, // SPEED: orange
	0x200040, // THROTTLE: violet
	0x404040, // MAP: white
	0x004018, // RPM: mint
]);
/** It blinks. */
export const TROUBLE_COLOUR = MODE_COLOURS[STOCK];
const DARK = 0;

const TROUBLE: readonly Reason[] = Object.freeze([
	Reason.FAULT,
	Reason.BOOT_LOOP,
	Reason.OVERHEATED,
	Reason.COUPLING_FAULT,
	Reason.EMERGENCY_MODE,
]);
const HELD_BACK: readonly Reason[] = Object.freeze([
	Reason.INTERVENTION,
	Reason.OPENED_BY_CONDITION,
	Reason.LIMITED_BY_CONDITION,
]);

/** 0 = dark. To be asked ten times a second. @param nowMs 0..2^32 - 1 */
export function ledColour(view: ControllerView, nowMs: number): number {
	const { effectiveMode, reason } = view;
	const areBusesUp = isRunning(view.sample.chassisState) && isRunning(view.sample.couplingBusState);
	if (areBusesUp && reason === Reason.ACTIVE) return MODE_COLOURS[effectiveMode];
	const phase = ((nowMs >>> 0) / 100) | 0;
	if (!areBusesUp || TROUBLE.includes(reason)) return phase % 2 === 0 ? TROUBLE_COLOUR : DARK;
	const { selectedMode } = view.supervisor;
	if (selectedMode !== STOCK && !view.controlActive) return phase % 20 < 10 ? MODE_COLOURS[selectedMode] : DARK;
	return HELD_BACK.includes(reason) && phase % 10 === 0 ? DARK : MODE_COLOURS[effectiveMode];
}
