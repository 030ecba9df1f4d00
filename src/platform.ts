/**
 * What the platform's modules give, in the form in which the application takes it. Functions of a module lie
 * in ROM; one that `start` makes costs a board's heap about 100 bytes, an arrow 130.
 */

import PWM from "embedded:io/pwm";
import config from "mc/config";
import Timer from "timer";
import { Instrumentation, Time } from "../hal/io/machine.js";
import { TCP } from "../hal/io/sockets.js";
import type { PwmPort } from "../hal/ports.js";
import { HttpFetch } from "./runtime/http-fetch.js";

/**
 * Moddable's default: a step is 0.1 %, and the highest frequency that can be set, 20 kHz, takes 20.5 MHz of
 * the 40 that a timer has at least.
 */
const PWM_RESOLUTION_BITS = 10;
/** Duty of an output that is always on. */
export const PWM_FULL = (1 << PWM_RESOLUTION_BITS) - 1;

/**
 * Opens the pin that drives the coupling, at PWM_RESOLUTION_BITS.
 * @param frequencyHz 1 and more
 * @throws {Error} the pin is in use
 */
export function openPwm(frequencyHz: number): PwmPort {
	return new PWM({ pin: config.pwmPin, hz: frequencyHz, resolution: PWM_RESOLUTION_BITS });
}

/** Calls back once, after everything that is due before. @param delayMs 0 and more */
export function later(callback: () => void, delayMs: number): void {
	Timer.set(callback, delayMs);
}

/** @returns true if the heap has this much free, if need be after a collection */
export function hasHeap(slots: number, chunkBytes: number): boolean {
	return Instrumentation.hasHeap(slots, chunkBytes);
}

/** As `Instrumentation.get`. */
export function heapFigure(name: string): number | undefined {
	return Instrumentation.get(name);
}

/** A client, for one download at a time. */
export function newFetch(): HttpFetch {
	return new HttpFetch(TCP, Time, later);
}
