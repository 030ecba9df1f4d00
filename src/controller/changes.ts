/**
 * Revisions for clients that watch, and the log: of everything about the active mode, and of each fault its
 * state and since when. Levels, not a queue: a late reader reads the latest state.
 */

import { CHASSIS_SILENT_MS, isRunning } from "../can/bus.js";
import type { ControllerView } from "./controller-view.js";

/** Faults of the car and its buses, as the interface names them. */
export const FAULTS = Object.freeze([
	"chassisBusDown",
	"couplingBusDown",
	"chassisSilent",
	"speedInvalid",
	"throttleInvalid",
	"rpmInvalid",
	"engagementInvalid",
	"couplingOverheated",
] as const);

function bitOf(fault: (typeof FAULTS)[number]): number {
	return 1 << FAULTS.indexOf(fault);
}

/** All about the active mode. */
type ActiveMode = Pick<
	ControllerView,
	"controlActive" | "effectiveMode" | "reason" | "reasonDetail" | "conditionMap" | "heldBy"
> &
	Pick<ControllerView["supervisor"], "captureActive" | "disabled" | "selectedMode">;

/** Revisions only rise. */
export class Changes {
	modeRevision = 0;
	faultRevision = 0;
	/** A bit for each of `FAULTS`. */
	activeFaults = 0;
	readonly #revisions = new Uint32Array(FAULTS.length);
	readonly #changedMs = new Uint32Array(FAULTS.length);
	/** The active mode at the last look. */
	#mode: ActiveMode | undefined;

	/** Compares with the last look: what comes and goes between two looks is not seen. */
	observe(view: ControllerView): void {
		this.#observeMode(view);
		const active = this.#faultsOf(view);
		if (active === this.activeFaults) return;
		for (let i = 0; i < FAULTS.length; i++) {
			if (((active ^ this.activeFaults) & (1 << i)) === 0) continue;
			this.#revisions[i] = ++this.faultRevision;
			this.#changedMs[i] = view.nowMs;
		}
		this.activeFaults = active;
	}

	/** Revision of its last change, 0 = none. @param fault its index in `FAULTS` */
	revisionOf(fault: number): number {
		return this.#revisions[fault];
	}

	/** Uptime of its last change, ms; 0 = none. @param fault its index in `FAULTS` */
	changedMsOf(fault: number): number {
		return this.#changedMs[fault];
	}

	#observeMode(view: ControllerView): void {
		const { controlActive, effectiveMode, reason, reasonDetail, conditionMap, heldBy } = view;
		const { captureActive, disabled, selectedMode } = view.supervisor;
		const last = this.#mode;
		if (
			last !== undefined &&
			last.controlActive === controlActive &&
			last.disabled === disabled &&
			last.captureActive === captureActive &&
			last.selectedMode === selectedMode &&
			last.effectiveMode === effectiveMode &&
			last.reason === reason &&
			last.heldBy === heldBy &&
			last.conditionMap === conditionMap &&
			last.reasonDetail === reasonDetail
		)
			return;
		this.#mode = {
			controlActive,
			disabled,
			captureActive,
			selectedMode,
			effectiveMode,
			reason,
			heldBy,
			conditionMap,
			reasonDetail,
		};
		this.modeRevision++;
	}

	#faultsOf(view: ControllerView): number {
		const { sample, vehicle } = view;
		let mask = 0;
		if (!isRunning(sample.chassisState)) mask |= bitOf("chassisBusDown");
		else if (sample.chassisAgeMs > CHASSIS_SILENT_MS) mask |= bitOf("chassisSilent");
		if (!isRunning(sample.couplingBusState)) mask |= bitOf("couplingBusDown");
		if (!vehicle.speedValid) mask |= bitOf("speedInvalid");
		if (!vehicle.pedalValid) mask |= bitOf("throttleInvalid");
		if (!vehicle.rpmValid) mask |= bitOf("rpmInvalid");
		if (!vehicle.engagementValid) mask |= bitOf("engagementInvalid");
		if (vehicle.temperatureProtection) mask |= bitOf("couplingOverheated");
		return mask;
	}
}
