/**
 * Frames of analyser clients go to the car only while the owner allows it and all conditions hold.
 * Source: docs/api.md, "The GVRET protocol".
 */

import type { SendPort } from "../../hal/ports.js";
import { BUS_COUNT, identifierOf } from "../can/bus.js";
import type { ControllerView } from "../controller/controller-view.js";
import { isOwnId } from "../coupling/frame-plan.js";
import { STOCK } from "../lock/modes.js";
import type { Network } from "../network/network.js";
import { isProtected } from "../network/wifi-settings.js";
import type { Owner } from "../owner/owner.js";
import type { ClientFrame } from "./gvret.js";

const STANDARD_ID_MAX = 0x7ff;

/** For what only a standing car may be asked or sent. */
export const MUST_STAND = "the car must stand: its speed must be known, and 0";

/** Never stored: each start begins without. */
export class SendPermission {
	isGiven = false;
	readonly #controller: ControllerView;
	readonly #network: Pick<Network, "wifi" | "changes">;
	readonly #owner: Pick<Owner, "changes">;
	readonly #port: SendPort;
	/** `#passwordChanges` when the permission was given. */
	#givenAt = 0;

	/** @param port takes what clients send */
	constructor(
		controller: ControllerView,
		network: Pick<Network, "wifi" | "changes">,
		owner: Pick<Owner, "changes">,
		port: SendPort,
	) {
		this.#controller = controller;
		this.#network = network;
		this.#owner = owner;
		this.#port = port;
	}

	/** Why it can't be given now, in words; "" = it can. */
	get rejection(): string {
		const { controlActive, settings, supervisor, vehicle } = this.#controller;
		if (!isProtected(this.#network.wifi)) return "a network of the controller has no password";
		// then no frame of the car tells what it does
		if (settings.standalone) return "in standalone operation clients may send nothing";
		if (supervisor.selectedMode !== STOCK || controlActive) return "select mode STOCK first";
		return vehicle.motion === "stands" ? "" : MUST_STAND;
	}

	/** Permission is given to clients that knew the passwords of that moment. */
	get #passwordChanges(): number {
		return this.#owner.changes + this.#network.changes;
	}

	/** The owner allows it. @returns why not, "" = it holds from now on */
	give(): string {
		const rejection = this.rejection;
		this.isGiven = rejection === "";
		this.#givenAt = this.#passwordChanges;
		return rejection;
	}

	/** Idempotent. */
	withdraw(): void {
		this.isGiven = false;
	}

	/** Ends it for good with the first condition that fails. Call a few times per second. */
	observe(): void {
		if (this.rejection !== "" || this.#passwordChanges !== this.#givenAt) this.isGiven = false;
	}

	/** Sends a client's frame. @returns why not, in words; "" = it is on its way */
	send({ bus, id, extended, data }: ClientFrame): string {
		this.observe();
		if (!this.isGiven) return "sending is not allowed: the owner allows it on the page";
		if (bus >= BUS_COUNT) return `there is no bus ${bus}: 0 is the chassis, 1 the coupling`;
		const rejection = extended ? "" : this.#rejectionOf(id);
		if (rejection !== "") return rejection;
		const isQueued = this.#port.send(bus as 0 | 1, identifierOf(id, extended), data);
		return isQueued ? "" : "the bus takes no more frames now";
	}

	/** Why clients may not send this identifier, which has no more than 11 bits; "" = they may. */
	#rejectionOf(id: number): string {
		const { generation, standalone } = this.#controller.settings;
		if (id > STANDARD_ID_MAX) return `0x${id.toString(16)} has more than 11 bits`;
		if (generation === 0) return "the coupling's generation is not set";
		return isOwnId(generation, standalone, id) ? `0x${id.toString(16)} is an identifier of the controller's own` : "";
	}
}
