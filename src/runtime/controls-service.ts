/** The board's own controls and the steering wheel's button. */

import type { BoardControlsPort, ClockPort } from "../../hal/ports.js";
import { MODE_WORDS } from "../api/words.js";
import { Buttons, type ButtonsController } from "../controls/buttons.js";
import { WheelButton } from "../controls/press.js";
import type { ControlsSettings } from "../settings/settings.js";
import type { LatestFrames } from "../vehicle/latest-frames.js";

/**
 * Period of reading the buttons. Assumed: three readings in the 60 ms of a press (docs/decisions.md 42) are
 * enough.
 */
export const CONTROLS_TICK_MS = 20;

/* Bits of the outputs, as `BoardControlsPort` numbers them. */
const BRAKE = 4;
const HANDBRAKE = 8;
const UNKNOWN = -1;

/** Glue between port and controller. */
export class ControlsService {
	readonly #controller: ButtonsController;
	readonly #port: BoardControlsPort;
	readonly #clock: ClockPort;
	readonly #buttons: Buttons;
	readonly #wheel: WheelButton;
	#settings: ControlsSettings | undefined;
	#hasWheel = false;

	constructor(
		controller: ButtonsController,
		port: BoardControlsPort,
		frames: LatestFrames,
		clock: ClockPort,
		log: (message: string) => void,
	) {
		this.#controller = controller;
		this.#port = port;
		this.#clock = clock;
		this.#buttons = new Buttons(controller, (message, doubt) =>
			log(doubt === undefined ? message : `${message}: ${MODE_WORDS[doubt]}`),
		);
		this.#wheel = new WheelButton(frames);
		this.applySettings(controller.settings.controls);
	}

	/** Call every `CONTROLS_TICK_MS`. */
	tick(): void {
		const wheel = this.#hasWheel ? this.#wheel.read(this.#controller.settings) : UNKNOWN;
		this.#buttons.tick(this.#port.read(), wheel, this.#clock.ticks);
	}

	/** They may be the same as before. */
	applySettings(settings: ControlsSettings): void {
		if (settings === this.#settings) return;
		this.#settings = settings;
		this.#hasWheel = settings.buttonSignal !== "";
		const { followBrake, followHandbrake, invertBrake, invertHandbrake } = settings;
		const bits = (brake: boolean, handbrake: boolean): number => (brake ? BRAKE : 0) + (handbrake ? HANDBRAKE : 0);
		this.#port.follow(bits(followBrake, followHandbrake), bits(invertBrake, invertHandbrake));
	}
}
