/** All couplings: who needs something of one finds it here, by its generation. */

import type { Network } from "../../can/catalogue.js";
import type { FrameCheck } from "../../can/signal-layout.js";
import type { Car, Coupling } from "../coupling.js";
import { GENERATION_1 } from "./gen1/coupling.js";
import { GENERATION_2 } from "./gen2/coupling.js";
import { GENERATION_4 } from "./gen4/coupling.js";
import { GENERATION_5 } from "./gen5/coupling.js";

/** In the order in which the interface lists them. */
export const COUPLINGS = Object.freeze([GENERATION_1, GENERATION_2, GENERATION_4, GENERATION_5] as const);

/** @returns undefined for 0, not configured, and for any other that is none. Never throws. */
export function couplingOf(generation: number): Coupling | undefined {
	return COUPLINGS.find((coupling) => coupling.generation === generation);
}

/** The car around a coupling; before one is chosen, that of generation 4. Never throws. Source: docs/control-and-can.md 2.3. */
export function carOf(generation: number): Car {
	return (couplingOf(generation) ?? GENERATION_4).car;
}

/** Counter and checksum of a frame of a car; undefined if it has none, or nobody knows. @param id of 11 bits. Never throws. */
export function checkOfCar(car: Car, id: number): FrameCheck | undefined {
	return car.checks.find((check) => check.id === id);
}

/** The same of the cars of a network. Never throws. */
export function checkOf(network: Network, id: number): FrameCheck | undefined {
	const coupling = COUPLINGS.find(({ car }) => car.network === network);
	return coupling && checkOfCar(coupling.car, id);
}

/** The network whose catalogue a coupling's car uses. Never throws. */
export function networkOf(generation: number): Network {
	return carOf(generation).network;
}
