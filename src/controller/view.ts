/**
 * What the interface may see of the controller and ask of it. Plain values only; implemented by `controller.ts`.
 * Units are in the names; percent is 0..100.
 */

import type { ModeNumber } from "../lock/modes.js";
import type { Settings } from "../settings/settings.js";

/** 0 = not configured. */
export type Generation = 0 | 1 | 2 | 4 | 5;

export interface ControllerView {
	/** The mode that the driver selected. */
	readonly selectedMode: ModeNumber;
	/** The mode in force: the selected one, the trigger's, or STOCK for any doubt. */
	readonly effectiveMode: ModeNumber;
	/** Why the mode in force is what it is, in words a driver understands. */
	readonly reason: string;
	/** True while frames may be rewritten. */
	readonly controlActive: boolean;
	readonly disableController: boolean;
	readonly broadcastOverCan: boolean;
	readonly captureActive: boolean;
	readonly generation: Generation;
	readonly frameProfile: "reference" | "corrected";
	readonly disableThrottlePercent: number;
	readonly disableSpeedKmh: number;
	readonly releaseRatePercentPerS: number;
	readonly engageRatePercentPerS: number;
	readonly disengageUnderSpeedKmh: Readonly<{ map: number; speed: number; throttle: number; rpm: number }>;
	readonly inputMappings: Readonly<{ speed: string; throttle: string; rpm: string }>;
	readonly uptimeMs: number;

	/** Lock asked of the coupling now, 0..100. */
	readonly lockPercent: number;
	readonly speedKmh: number;
	readonly rpm: number;
	readonly pedalPercent: number;
	/** mbar above 1000 mbar, generation 5 only, else 0. */
	readonly boostMbar: number;
	/** Engagement that the coupling reports, 0..100, and its raw byte. */
	readonly engagementPercent: number;
	readonly engagementRaw: number;
	/** Raw status byte of the coupling. */
	readonly couplingState: number;
	/** False once the value is too old or carried an error code. */
	readonly speedValid: boolean;
	readonly rpmValid: boolean;
	readonly pedalValid: boolean;
	readonly engagementValid: boolean;

	/** Bus states: 0 stopped, 1 error-active, 2 error-warning, 3 error-passive, 4 bus-off. */
	readonly chassisState: number;
	readonly couplingBusState: number;
	/** ms since the last frame; 65535 = never or longer ago. */
	readonly chassisAgeMs: number;
	readonly couplingAgeMs: number;

	/** Control-loop figures. */
	readonly loop: Readonly<{
		ticks: number;
		periodUs: number;
		periodMaxUs: number;
		jitterMaxUs: number;
		overruns: number;
		lateMaxUs: number;
	}>;
	/** Gateway counters by name. */
	gatewayCounters(): Record<string, number>;

	/** All that the driver sets; replaced, never changed in place. */
	readonly settings: Settings;
	/** Takes new settings over, whole, between two control ticks, and has them stored. */
	applySettings(settings: Settings): void;
	/** Selects a mode and remembers it. STOCK disables the controller, any other mode enables it. */
	selectMode(mode: ModeNumber): void;
}
