/**
 * All that the arbiter decides by. The input supervisor writes it: settings when the driver changes them, states
 * and held buttons when a caller reports them, inputs in each tick that asks the arbiter.
 */

import type { Generation } from "../coupling/couplings/couplings.js";
import { type ModeNumber, NO_MODE, STOCK } from "../lock/modes.js";
import { InputHealth } from "./input-health.js";
import type { Reason } from "./reason.js";

/** At first nothing is known or set. */
export class Sources {
	/** The driver's mode; STOCK leaves the car stock. From the settings. */
	selectedMode: ModeNumber = STOCK;
	/** The driver has switched the controller off, as selecting STOCK does. From the settings. */
	disabled = false;
	/** The coupling; 0 = the driver has not said which. From the settings. */
	generation: Generation = 0;
	/** The controller restarted too often. Set by `setDoubts` until the next start. */
	bootLoop = false;
	/** Any client in reach could use the interface, and the owner does not want that. Set by `setDoubts`. */
	openNetwork = false;
	/** An update is in progress. Set by `setDoubts`. */
	updating = false;
	/** A CAN capture runs. Set by `setCapture`; it ends by itself, too. */
	capture = false;
	/** The driver has switched a verbose log on. From the settings. */
	verboseLogging = false;
	/** The driver has switched all frames off that could be rewritten. From the settings. */
	noFrames = false;
	/** A map that the driver's modes or a condition may need can't be used. From settings and stored maps. */
	mapUnreadable = false;
	/** A condition that holds selects a mode. From the conditions. */
	conditionSelects = false;
	/** That mode; it counts only while `conditionSelects`. From the conditions. */
	conditionMode: ModeNumber = STOCK;
	/** Mode of a button that is held, which replaces the selected one; NO_MODE = none. Set by `holdMode`. */
	heldMode: ModeNumber = NO_MODE;
	/** OPENED_BY_CONDITION or LIMITED_BY_CONDITION; undefined: no condition does. From the conditions. */
	restraint: Reason | undefined = undefined;
	/** STEERING or STEERING_LOST; undefined: the mode's whole lock remains. From the steering angle. */
	steering: Reason | undefined = undefined;
	/** The chassis bus is connected and not off, and was so without a break since the last tick. */
	chassisRunning = false;
	/** The same of the coupling's bus. */
	couplingRunning = false;
	/** There is no car, only the coupling: the controller sends the frames of a car. From the settings. */
	standalone = false;
	/**
	 * There is a car, but it has none of the frames that this coupling needs: the controller sends those. From
	 * the settings.
	 */
	carLacksFrames = false;
	/**
	 * The gateway is to generate frames: in standalone operation always, in a car that lacks them while the
	 * coupling reports.
	 */
	wantsGenerator = false;
	/** The gateway's plan is active: if it is to generate frames, it does. */
	generatorRuns = false;
	/** Chassis frames arrive, and their bus runs; in standalone operation the bus runs. */
	readonly chassis = new InputHealth();
	/** The coupling's bus runs. */
	readonly couplingBus = new InputHealth();
	/** No frame says that the ignition is off. */
	readonly ignition = new InputHealth();
	/** The sources of the speed do not contradict each other, and agreed when control began. */
	readonly speedAgreement = new InputHealth();
	/** The speed is recent. */
	readonly speed = new InputHealth();
	/** The pedal position is recent. */
	readonly pedal = new InputHealth();
	/** The engine speed is recent. */
	readonly rpm = new InputHealth();
	/** The frame with the flags of ABS and ESP is recent. */
	readonly interventions = new InputHealth();
	/** False: the driver does not want them respected, or there is no car. From the settings. */
	needsInterventions = true;
	/** The coupling's report is recent. */
	readonly feedback = new InputHealth();
	/** False: the driver controls without a report. From the settings. */
	needsFeedback = true;
	/** Conditions that open the coupling or select a mode have their signals (`Conditions.known`). */
	readonly conditions = new InputHealth();
	/** The driver has enabled a condition. From the settings. */
	needsConditions = false;
	/** The conditions only wait for a signal that had no time to come yet (`Conditions.awaited`). */
	conditionAwaited = false;
}
