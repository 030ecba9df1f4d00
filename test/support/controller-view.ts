// A controller for tests of the interface: plain values, and it remembers what was asked of it.
import { Sweep } from "../../src/calibration/sweep.js";
import { ERROR_ACTIVE } from "../../src/can/bus.js";
import { modeDoubt } from "../../src/controller/arbiter.js";
import type { ControllerView } from "../../src/controller/controller-view.js";
import type { InputSupervisor } from "../../src/controller/input-supervisor.js";
import { HeldBy, Reason } from "../../src/controller/reason.js";
import type { Generation } from "../../src/coupling/couplings/couplings.js";
import { MODES } from "../../src/lock/modes.js";
import { NEW_CONDITION } from "../../src/settings/condition-list.js";
import { type ConditionSettings, DEFAULT_SETTINGS, isVerboseLogging, type Settings } from "../../src/settings/settings.js";
import type { SampleHeader } from "../../src/vehicle/sample.js";
import { VehicleState } from "../../src/vehicle/vehicle-state.js";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Selection = Mutable<Pick<InputSupervisor, "selectedMode" | "disabled" | "captureActive" | "conditionSelects">>;
type Header = Mutable<Omit<SampleHeader, "isPlanActive" | "nowMs" | "words">>;
type Values = Mutable<Omit<ControllerView, "vehicle" | "supervisor" | "sample" | "calibration">> & {
	/** Why a calibration may not begin. */
	calibrationRejection: string | undefined;
};
/** Its parts have the members that the interface looks at. */
export type FakeController = ControllerView &
	Values & {
		readonly supervisor: Selection;
		readonly sample: Header;
		readonly vehicle: VehicleState;
		readonly calibration: { readonly sweep: Sweep };
	};
/** Single values of a controller, of what is selected, of its sample and vehicle, or its generation. */
export type ControllerChanges = Partial<Values & Selection & Header & VehicleState> & {
	generation?: Generation;
};

/** Changes single values, each where it lies. */
export function change(controller: FakeController, { generation, ...changes }: ControllerChanges): void {
	const { sample, vehicle, supervisor } = controller;
	for (const [name, value] of Object.entries(changes))
		Object.assign([sample, vehicle, supervisor].find((part) => name in part) ?? controller, { [name]: value });
	if (generation !== undefined) controller.settings = { ...controller.settings, generation };
}

/** A driving car of generation 5 in mode MAP; `changes` override single values. */
export function aController(changes: ControllerChanges = {}): FakeController {
	const vehicle = Object.assign(new VehicleState(), {
		speedKmh: 51.4,
		rpm: 2100.25,
		pedalPercent: 12.4,
		boostMbar: 210,
		engagementPercent: 31.7,
		engagementRaw: 79,
		couplingState: 0b100_1011,
		speedValid: true,
		rpmValid: true,
		pedalValid: true,
	});
	// one source of the speed
	Object.defineProperty(vehicle, "motion", {
		get: () => (vehicle.speedValid ? (vehicle.speedKmh > 0 ? "moves" : "stands") : "unknown"),
	});
	const sample: Header = {
		chassisState: ERROR_ACTIVE,
		couplingBusState: ERROR_ACTIVE,
		chassisAgeMs: 7,
		couplingAgeMs: 65535,
		invalidFrame: "",
	};
	const parts = {
		sample,
		vehicle,
		supervisor: { selectedMode: 9, disabled: false, captureActive: false, conditionSelects: false },
		effectiveMode: 9,
		reason: Reason.ACTIVE,
		reasonDetail: "",
		conditionMap: "",
		heldBy: HeldBy.NOTHING,
		controlActive: true,
		broadcastOverCan: true,
		effectiveBroadcastOverCan: true,
		conditionAt: () => undefined,
		steering: { valid: false, angleDeg: Number.NaN, gainPercent: 100 },
		calibration: { sweep: new Sweep() },
		factors: { table: null, differs: "" },
		calibrationRejection: undefined,
		standaloneGenerating: false,
		standaloneDoubt: undefined,
		statusFrameElsewhere: false,
		standaloneHeard: "",
		revision: 0,
		activeRevision: 0,
		nowMs: 123456,
		lockPercent: 33.333333333,
		loop: { ticks: 1, periodUs: 20000, periodMaxUs: 20100, jitterMaxUs: 100, overruns: 0, lateMaxUs: 5 },
		settings: { ...DEFAULT_SETTINGS, mode: 9, generation: 5 },
		setCapture(active: boolean) {
			controller.supervisor.captureActive = active;
		},
		applySettings(settings: Settings) {
			controller.settings = settings;
		},
		selectMode(mode: number) {
			const { settings, supervisor } = controller;
			const doubt = modeDoubt({ capture: supervisor.captureActive, verboseLogging: isVerboseLogging(settings.logging) }, mode);
			if (doubt !== undefined) return doubt;
			supervisor.selectedMode = mode;
			supervisor.disabled = MODES[mode] === "STOCK";
			return undefined;
		},
	};
	const controller = parts as unknown as FakeController;
	change(controller, changes);
	return controller;
}

export const condition = (changes: Partial<ConditionSettings>): ConditionSettings => ({
	...NEW_CONDITION,
	enabled: true,
	...changes,
});
