/** The coupling's report, for control and in words. Source: docs/control-and-can.md 2.2. */

import { flagField } from "../can/bits.js";
import { COUPLING } from "../can/bus.js";
import type { RawRow } from "../can/signal-layout.js";
import type { Car, StatusFrame } from "../coupling/coupling.js";
import { couplingOf } from "../coupling/couplings/couplings.js";
import { CollectedFlags, rawInput, SignalInput, sourceOfRows } from "./signal-input.js";
import { SLOW_INPUT_MAX_AGE_MS, type VehicleState } from "./vehicle-state.js";
import type { WatchList } from "./watch-list.js";

/** Reads the status frame. */
export class CouplingReport {
	readonly #engagement: SignalInput;
	readonly #status: StatusFrame;
	readonly #isStandalone: boolean;
	readonly #state: SignalInput;
	readonly #fullyOpen: number;
	readonly #temperature: SignalInput | undefined;
	readonly #flags: CollectedFlags | undefined;
	readonly #hot: number;
	readonly #faulty: number;
	readonly #emergency: number;

	/** @param isStandalone emergency mode, without a car, is no fault */
	constructor(status: StatusFrame, car: Car, isStandalone: boolean, watch: WatchList) {
		const { engagement, flags, state, temperature } = status;
		this.#status = status;
		this.#isStandalone = isStandalone;
		this.#state = rawInput("haldex", state, watch, SLOW_INPUT_MAX_AGE_MS, car);
		this.#engagement = rawInput("haldex", engagement, watch, SLOW_INPUT_MAX_AGE_MS, car);
		this.#fullyOpen = flags === undefined ? 0 : bitOf(flags.fullyOpen, state);
		this.#temperature = temperature && new SignalInput(sourceOfRows("haldex", [temperature]), watch, SLOW_INPUT_MAX_AGE_MS);
		const hot = flags === undefined ? [] : [flags.temperatureProtection];
		const faulty = flags?.faults ?? [];
		const emergency = flags === undefined ? [] : [flags.emergencyMode];
		this.#flags = flags && new CollectedFlags(COUPLING, [...hot, ...faulty, ...emergency], watch);
		this.#hot = maskOf(hot);
		this.#faulty = maskOf(faulty);
		this.#emergency = maskOf(emergency);
	}

	/** See `Telemetry.update`. */
	read(sample: Uint8Array, words: Uint16Array, nowMs: number, state: VehicleState): void {
		if (this.#state.poll(sample, words, nowMs)) state.couplingState = this.#state.value;
		if (this.#flags?.poll(sample, words)) {
			const { bits } = this.#flags;
			state.temperatureProtection = (bits & this.#hot) !== 0;
			state.emergencyMode = (bits & this.#emergency) !== 0;
			const isFaulty = (bits & this.#faulty) !== 0;
			state.faultIsEmergency = state.emergencyMode && !this.#isStandalone && !isFaulty;
			state.couplingFault = isFaulty || state.faultIsEmergency;
		}
		if (this.#engagement.poll(sample, words, nowMs)) this.#takeEngagement(state);
	}

	/** See `Telemetry.update`. */
	readTemperature(sample: Uint8Array, words: Uint16Array, nowMs: number, state: VehicleState): void {
		const temperature = this.#temperature;
		if (temperature === undefined) return;
		temperature.poll(sample, words, nowMs);
		state.clutchTemperatureC = temperature.isLive(nowMs) ? temperature.value : Number.NaN;
	}

	#takeEngagement(state: VehicleState): void {
		const { fullRaw, saturates, zeroRaw } = this.#status;
		const raw = this.#engagement.value;
		const isOpen = (state.couplingState & this.#fullyOpen) !== 0;
		const percent = isOpen ? 0 : (((raw - zeroRaw) * 100) / (fullRaw - zeroRaw)) | 0;
		state.engagementAtMs = this.#engagement.atMs;
		state.engagementValid = true;
		state.engagementRaw = raw;
		state.engagementPercent = percent < 0 ? 0 : percent > 100 ? 100 : percent;
		state.engagementSaturated = saturates && !isOpen && raw >= fullRaw;
	}
}

function maskOf(rows: readonly RawRow[]): number {
	return rows.length === 0 ? 0 : flagField(rows).mask;
}

/** A row's bit in the state. */
function bitOf(row: RawRow, state: RawRow): number {
	return 1 << (row.start - state.start);
}

/** Torque that the coupling reports, Nm; NaN while it reports none. @param generation 0 = unknown */
export function engagementNm(
	{ couplingState, engagementRaw, engagementValid }: Readonly<VehicleState>,
	generation: number,
): number {
	const status = couplingOf(generation)?.status;
	if (!engagementValid || status?.noTorque === undefined) return Number.NaN;
	const { engagement, noTorque, state } = status;
	return (couplingState & bitOf(noTorque, state)) === 0 ? engagementRaw * engagement.factor + engagement.offset : Number.NaN;
}

/** 0 where the state's bits are no flags. */
export function couplingFlags(state: number, generation: number): number {
	return couplingOf(generation)?.status.flags === undefined ? 0 : state;
}

/** `8 (Coupling open)`, `0 (None)`. @param state raw @param generation 0 = unknown */
export function couplingStateText(state: number, generation: number): string {
	const status = couplingOf(generation)?.status;
	if (status?.flags === undefined) return `${state} (None)`;
	const first = status.state.start;
	const names = status.flags.names.filter(([{ start }]) => ((state >> (start - first)) & 1) !== 0).map(([, name]) => name);
	return `${state} (${names.length > 0 ? names.join(", ") : "None"})`;
}
