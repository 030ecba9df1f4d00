/**
 * Frames of analyser clients go to the car only while the owner allows it and all conditions hold.
 * Source: docs/api.md, "The GVRET protocol".
 */

import { BUS_COUNT, identifierOf } from "../can/bus.js";
import type { ClientFrame } from "./gvret.js";

const STANDARD_ID_MAX = 0x7ff;

/** As they are now. */
interface SendConditions {
	/** Every network that reaches the controller has a password. */
	readonly isProtected: boolean;
	/** Another number after each change of a password: permission was given to clients of the one before. */
	readonly protection: number;
	/** No frame of the car tells what it does. */
	readonly isStandalone: boolean;
	/** The driver has selected STOCK, and nothing is asked of the coupling. */
	readonly isStock: boolean;
	readonly stands: boolean;
	/** The controller rewrites or sends frames of this 11-bit identifier; undefined without a plan. */
	isOurs(id: number): boolean | undefined;
	/** @param id see `identifierOf`. @returns false if the queue is full */
	send(bus: 0 | 1, id: number, data: Uint8Array): boolean;
}

/** For what only a standing car may be asked or sent. */
export const MUST_STAND = "the car must stand: its speed must be known, and 0";

/** Never stored: each start begins without. */
export class SendPermission {
	isGiven = false;
	readonly #conditions: SendConditions;
	/** `SendConditions.protection` when the permission was given. */
	#protection = 0;

	constructor(conditions: SendConditions) {
		this.#conditions = conditions;
	}

	/** Why it can't be given now, in words; "" = it can. */
	get rejection(): string {
		const { isProtected, isStandalone, isStock, stands } = this.#conditions;
		if (!isProtected) return "a network of the controller has no password";
		if (isStandalone) return "in standalone operation clients may send nothing";
		if (!isStock) return "select mode STOCK first";
		return stands ? "" : MUST_STAND;
	}

	/** The owner allows it. @returns why not, "" = it holds from now on */
	give(): string {
		const rejection = this.rejection;
		this.isGiven = rejection === "";
		this.#protection = this.#conditions.protection;
		return rejection;
	}

	/** Idempotent. */
	withdraw(): void {
		this.isGiven = false;
	}

	/** Ends it for good with the first condition that fails. Call a few times per second. */
	observe(): void {
		if (this.rejection !== "" || this.#conditions.protection !== this.#protection) this.isGiven = false;
	}

	/** Sends a client's frame. @returns why not, in words; "" = it is on its way */
	send({ bus, id, extended, data }: ClientFrame): string {
		this.observe();
		if (!this.isGiven) return "sending is not allowed: the owner allows it on the page";
		if (bus >= BUS_COUNT) return `there is no bus ${bus}: 0 is the chassis, 1 the coupling`;
		if (!extended && id > STANDARD_ID_MAX) return `0x${id.toString(16)} has more than 11 bits`;
		const isOurs = extended ? false : this.#conditions.isOurs(id);
		if (isOurs === undefined) return "the coupling's generation is not set";
		if (isOurs) return `0x${id.toString(16)} is an identifier of the controller's own`;
		const isQueued = this.#conditions.send(bus as 0 | 1, identifierOf(id, extended), data);
		return isQueued ? "" : "the bus takes no more frames now";
	}
}
