/**
 * What the controller knows of the vehicle: speed, pedal, engine speed, boost, what the coupling reports, and whether
 * each is recent enough to act on. Fed with the gateway's samples; takes frames apart by the tables in `can/layouts`.
 *
 * `update` is part of the control tick: it allocates nothing and decodes only frames that are new, inline and in whole
 * bytes where the layout allows, since each call and each property costs bytecodes of a budget.
 * Source: control-and-can.md 1.7, 2.1, 2.2, 2.5, 3.12 item 4; decisions.md 5, 9.
 */

import type { Bus } from "../../hal/ports.js";
import { networkOf } from "../can/catalogue.js";
import { compileField, type Field, maskOfBits, readField } from "../can/field.js";
import { MQB_SIGNALS } from "../can/layouts/mqb.js";
import { PQ_SIGNALS } from "../can/layouts/pq.js";
import type { SignalRow } from "../can/signal-layout.js";
import { couplingStatusOf } from "./coupling-status.js";
import { MAPPED_RECENT_MS, type MappedKeys } from "./mapped-inputs.js";
import { createSignalInput, type SignalInput } from "./signal-input.js";
import { ENTRY_DATA, ENTRY_DLC, ENTRY_SEQUENCE, WatchList } from "./watch-list.js";

/** Speed and pedal count this long, ms. Source: decisions.md 5. */
export const DRIVER_INPUT_MAX_AGE_MS = 300;
/** Engine speed and engagement count this long, ms. Source: decisions.md 5. */
export const SLOW_INPUT_MAX_AGE_MS = 500;
/** A fallback speed is taken once the better source is older than this, ms. Source: 2.1. */
export const FALLBACK_AFTER_MS = 500;

const CHASSIS: Bus = 0;
const COUPLING: Bus = 1;
const MAX_U16 = 65535;
const ENGINE_MIN_DLC = 6; // Motor_1: pedal in byte 5
const BRAKE_MIN_DLC = 4; // Bremse_1: speed in bytes 2, 3
const FALLBACK_MIN_DLC = 4; // Motor_2: byte 3
const FULL_DLC = 8;
const BOOST_MIN_DLC = 6; // Motor_04: bits 39..47
const PEDAL_MIN_DLC = 3; // Motor_20: bits 12..20
// Copied out of the tables: a module's constant costs half of a table's property.
const PEDAL_ERROR_FROM = PQ_SIGNALS.pedal.errorFrom; // the same on MQB
const PQ_RPM_ERROR_FROM = PQ_SIGNALS.rpm.errorFrom;
const PQ_SPEED_ERROR_FROM = PQ_SIGNALS.speed.errorFrom;
const MQB_SPEED_ERROR_FROM = MQB_SIGNALS.speed.errorFrom;
const WHEEL_ERROR_FROM = MQB_SIGNALS.wheelRearLeft.errorFrom;
const PEDAL_FACTOR = Math.fround(0.4); // percent per step; the float32 of the reference
const SWEEP_MASK = 0xff; // every 256 updates
const AMBIENT_MBAR = 1000; // boost is shown above this

/** A layout that is known to have the compiled form. */
function fieldOf(row: SignalRow): Field {
	const field = compileField(row);
	if (field === undefined) throw new RangeError(`${row.dbc} has no compiled form`);
	return field;
}

/** The vehicle's state. Fields are for reading; only `update` writes them. */
export class Telemetry {
	/** km/h, whole. The last accepted value; whether it may be acted on says `speedValid`. Same for the others. */
	speedKmh = 0;
	/** Time of the last accepted sample, ms on the gateway's clock modulo 2^32. */
	speedAtMs = 0;
	speedValid = false;
	/** Percent, float32, 0..102; a mapped one may exceed that. */
	pedalPercent = 0;
	pedalAtMs = 0;
	pedalValid = false;
	/** 1/min, whole, 0..65535. */
	rpm = 0;
	rpmAtMs = 0;
	rpmValid = false;
	/** mbar above 1000 mbar, generation 5 only. For display: it does not expire. */
	boostMbar = 0;
	/** Raw engagement, 0..255, and percent, 0..100. */
	engagementRaw = 0;
	engagementPercent = 0;
	engagementAtMs = 0;
	engagementValid = false;
	/** Status byte of the coupling; on generation 5 it holds the drive profile. */
	couplingState = 0;
	/** ABS, ESP, EDS or MSR intervenes. Stays when its frame stops: in doubt there is no lock. */
	interventionActive = false;
	/** PQ only: over-temperature protection active. */
	temperatureProtection = false;
	/** PQ only: clutch error, stiffness status faulty or emergency mode. */
	couplingFault = false;

	/** All watched frames; others may add theirs before `watchList` is handed to the gateway. */
	readonly watch: WatchList;

	readonly #isMqb: boolean;
	readonly #speedInput: SignalInput | undefined;
	readonly #pedalInput: SignalInput | undefined;
	readonly #rpmInput: SignalInput | undefined;

	// Offsets of the frames' entries in a sample; 0 = not watched.
	readonly #motor1: number;
	readonly #bremse1: number;
	readonly #motor2: number;
	readonly #esp19: number = 0;
	readonly #esp21: number = 0;
	readonly #motor20: number = 0;
	readonly #motor04: number = 0;
	readonly #coupling: number = 0;
	readonly #couplingMinDlc: number = 0;
	// The gateway counts frames from 0: an entry whose count never changed has no frame yet.
	#motor1Sequence = 0;
	#bremse1Sequence = 0;
	#motor2Sequence = 0;
	#esp19Sequence = 0;
	#esp21Sequence = 0;
	#motor20Sequence = 0;
	#motor04Sequence = 0;
	#couplingSequence = 0;

	// Last frame with a valid speed from Bremse_1 or ESP_19, and from ESP_21: each holds off the sources below it.
	#primaryAtMs = 0;
	#primarySeen = false;
	#secondaryAtMs = 0;
	#secondarySeen = false;
	#updates = 0;

	readonly #pqSpeed = fieldOf(PQ_SIGNALS.speed);
	readonly #pqRpm = fieldOf(PQ_SIGNALS.rpm);
	readonly #pqPedal = fieldOf(PQ_SIGNALS.pedal);
	readonly #pqFallback = fieldOf(PQ_SIGNALS.fallbackSpeed);
	readonly #mqbSpeed = fieldOf(MQB_SIGNALS.speed);
	readonly #mqbPedal = fieldOf(MQB_SIGNALS.pedal);
	readonly #mqbBoost = fieldOf(MQB_SIGNALS.boost);
	readonly #wheelRearLeft = fieldOf(MQB_SIGNALS.wheelRearLeft);
	readonly #wheelRearRight = fieldOf(MQB_SIGNALS.wheelRearRight);
	readonly #wheelFrontLeft = fieldOf(MQB_SIGNALS.wheelFrontLeft);
	readonly #wheelFrontRight = fieldOf(MQB_SIGNALS.wheelFrontRight);
	readonly #interventionAt: number;
	readonly #interventionMask: number;
	readonly #speedQualityAt: number;
	readonly #speedQualityMask: number;
	readonly #pedalQualityAt: number;
	readonly #pedalQualityMask: number;
	readonly #stateAt: number;
	readonly #temperatureMask: number;
	readonly #faultMask: number;
	readonly #engagementAt: number;
	readonly #rearEngagementAt: number;
	readonly #engagementZero: number = 0;
	readonly #engagementSpan: number = 1;

	/**
	 * @param generation 1, 2, 4, 5; any other: vehicle frames are read as on PQ, nothing of the coupling
	 * @param keys mapped inputs; "" or an unusable key: built-in decoding only
	 * @param watch gets the frames that are needed
	 */
	constructor(generation: number, keys: MappedKeys, watch: WatchList = new WatchList()) {
		const network = networkOf(generation);
		const status = couplingStatusOf(generation);
		this.watch = watch;
		this.#isMqb = network === "mqb";
		// The reference reads these on every generation, and its vectors want them on 5 as well.
		this.#motor1 = watch.add(CHASSIS, PQ_SIGNALS.pedal.id, false, ENGINE_MIN_DLC);
		this.#bremse1 = watch.add(CHASSIS, PQ_SIGNALS.speed.id, false, BRAKE_MIN_DLC);
		this.#motor2 = watch.add(CHASSIS, PQ_SIGNALS.fallbackSpeed.id, false, FALLBACK_MIN_DLC);
		if (this.#isMqb) {
			this.#esp19 = watch.add(CHASSIS, MQB_SIGNALS.wheelRearLeft.id, false, FULL_DLC);
			this.#esp21 = watch.add(CHASSIS, MQB_SIGNALS.speed.id, false, FULL_DLC);
			this.#motor20 = watch.add(CHASSIS, MQB_SIGNALS.pedal.id, false, PEDAL_MIN_DLC);
			this.#motor04 = watch.add(CHASSIS, MQB_SIGNALS.boost.id, false, BOOST_MIN_DLC);
		}
		if (status !== undefined) {
			this.#coupling = watch.add(COUPLING, status.frameId, false, status.minDlc);
			this.#couplingMinDlc = status.minDlc;
			this.#engagementZero = status.zeroRaw;
			this.#engagementSpan = status.spanRaw;
		}
		this.#speedInput = createSignalInput(keys.speed, network, watch, MAPPED_RECENT_MS);
		this.#pedalInput = createSignalInput(keys.throttle, network, watch, MAPPED_RECENT_MS);
		this.#rpmInput = createSignalInput(keys.rpm, network, watch, MAPPED_RECENT_MS);

		const rows = this.#isMqb ? MQB_SIGNALS : PQ_SIGNALS;
		const intervention = maskOfBits([rows.absBrake, rows.espActive, rows.edsActive, rows.msrRequest]);
		this.#interventionAt = ENTRY_DATA + intervention.byte;
		this.#interventionMask = intervention.mask;
		this.#speedQualityAt = ENTRY_DATA + (MQB_SIGNALS.speed.qualityBit >> 3);
		this.#speedQualityMask = 1 << (MQB_SIGNALS.speed.qualityBit & 7);
		this.#pedalQualityAt = ENTRY_DATA + (MQB_SIGNALS.pedal.qualityBit >> 3);
		this.#pedalQualityMask = 1 << (MQB_SIGNALS.pedal.qualityBit & 7);
		this.#stateAt = ENTRY_DATA + (rows.couplingState.start >> 3);
		const faults = maskOfBits([PQ_SIGNALS.clutchError, PQ_SIGNALS.stiffnessError, PQ_SIGNALS.emergencyMode]);
		this.#faultMask = this.#isMqb ? 0 : faults.mask;
		this.#temperatureMask = this.#isMqb ? 0 : maskOfBits([PQ_SIGNALS.temperatureProtection]).mask;
		const engagement = this.#isMqb ? MQB_SIGNALS.engagement : PQ_SIGNALS.centreEngagement;
		this.#engagementAt = ENTRY_DATA + (engagement.start >> 3);
		this.#rearEngagementAt = status?.addsRear ? ENTRY_DATA + (PQ_SIGNALS.rearEngagement.start >> 3) : 0;
	}

	/** The frames to watch, for `GatewayPort.watch`; samples must be `watch.sampleSize` bytes. Allocates. */
	watchList(): Uint8Array {
		return this.watch.bytes();
	}

	/**
	 * Takes over what is new in a sample and lets old values expire.
	 * @param sample as the gateway filled it for `watchList` @param nowMs the gateway's clock of the sample, modulo 2^32
	 * Never throws.
	 */
	update(sample: Uint8Array, nowMs: number): void {
		// Mapped inputs first: while one is live the built-in decoding of its channel is off.
		const speedInput = this.#speedInput;
		if (speedInput?.poll(sample, nowMs)) {
			const value = speedInput.value;
			this.speedKmh = value > MAX_U16 ? MAX_U16 : value > 0 ? (value + 0.5) | 0 : 0;
			this.speedAtMs = speedInput.atMs;
			this.speedValid = true;
		}
		const pedalInput = this.#pedalInput;
		if (pedalInput?.poll(sample, nowMs)) {
			this.pedalPercent = pedalInput.value > 0 ? pedalInput.value : 0;
			this.pedalAtMs = pedalInput.atMs;
			this.pedalValid = true;
		}
		const rpmInput = this.#rpmInput;
		if (rpmInput?.poll(sample, nowMs)) {
			const value = rpmInput.value;
			this.rpm = value > MAX_U16 ? MAX_U16 : value > 0 ? (value + 0.5) | 0 : 0;
			this.rpmAtMs = rpmInput.atMs;
			this.rpmValid = true;
		}

		if (sample[this.#motor1 + ENTRY_SEQUENCE] !== this.#motor1Sequence) this.#readMotor1(sample, nowMs);
		if (sample[this.#bremse1 + ENTRY_SEQUENCE] !== this.#bremse1Sequence) this.#readBremse1(sample, nowMs);
		if (this.#isMqb) {
			if (sample[this.#esp19 + ENTRY_SEQUENCE] !== this.#esp19Sequence) this.#readEsp19(sample, nowMs);
			if (sample[this.#esp21 + ENTRY_SEQUENCE] !== this.#esp21Sequence) this.#readEsp21(sample, nowMs);
			if (sample[this.#motor20 + ENTRY_SEQUENCE] !== this.#motor20Sequence) this.#readMotor20(sample, nowMs);
			if (sample[this.#motor04 + ENTRY_SEQUENCE] !== this.#motor04Sequence) this.#readMotor04(sample);
		}
		// After the better sources, so that in one sample they win.
		if (sample[this.#motor2 + ENTRY_SEQUENCE] !== this.#motor2Sequence) this.#readMotor2(sample, nowMs);
		if (this.#coupling !== 0 && sample[this.#coupling + ENTRY_SEQUENCE] !== this.#couplingSequence)
			this.#readCoupling(sample, nowMs);

		// Ages are differences modulo 2^32; what has expired stays so, or it would look new after 25 days.
		if (this.speedValid && ((nowMs - this.speedAtMs) | 0) > DRIVER_INPUT_MAX_AGE_MS) this.speedValid = false;
		if (this.pedalValid && ((nowMs - this.pedalAtMs) | 0) > DRIVER_INPUT_MAX_AGE_MS) this.pedalValid = false;
		if (this.rpmValid && ((nowMs - this.rpmAtMs) | 0) > SLOW_INPUT_MAX_AGE_MS) this.rpmValid = false;
		if (this.engagementValid && ((nowMs - this.engagementAtMs) | 0) > SLOW_INPUT_MAX_AGE_MS) this.engagementValid = false;
		this.#updates = (this.#updates + 1) & SWEEP_MASK;
		if (this.#updates === 0) this.#sweep(nowMs);
	}

	/** Retires time stamps that are only looked at when a frame comes, long before they could look new again. */
	#sweep(nowMs: number): void {
		this.#speedInput?.isLive(nowMs);
		this.#pedalInput?.isLive(nowMs);
		this.#rpmInput?.isLive(nowMs);
		if (((nowMs - this.#primaryAtMs) | 0) > FALLBACK_AFTER_MS) this.#primarySeen = false;
		if (((nowMs - this.#secondaryAtMs) | 0) > FALLBACK_AFTER_MS) this.#secondarySeen = false;
	}

	/** Motor_1: pedal and engine speed of PQ. */
	#readMotor1(sample: Uint8Array, nowMs: number): void {
		const at = this.#motor1;
		this.#motor1Sequence = sample[at + ENTRY_SEQUENCE];
		if (sample[at + ENTRY_DLC] < ENGINE_MIN_DLC) return;
		if (!this.#pedalInput?.isLive(nowMs)) {
			const raw = readField(sample, at + ENTRY_DATA, this.#pqPedal);
			if (raw < PEDAL_ERROR_FROM) {
				this.pedalPercent = Math.fround(raw * PEDAL_FACTOR);
				this.pedalAtMs = timeOf(sample, at, nowMs);
				this.pedalValid = true;
			}
		}
		if (!this.#rpmInput?.isLive(nowMs)) {
			const raw = readField(sample, at + ENTRY_DATA, this.#pqRpm);
			if (raw < PQ_RPM_ERROR_FROM) {
				this.rpm = raw >> 2;
				this.rpmAtMs = timeOf(sample, at, nowMs);
				this.rpmValid = true;
			}
		}
	}

	/** Bremse_1: the primary speed of PQ, and interventions. */
	#readBremse1(sample: Uint8Array, nowMs: number): void {
		const at = this.#bremse1;
		this.#bremse1Sequence = sample[at + ENTRY_SEQUENCE];
		if (sample[at + ENTRY_DLC] < BRAKE_MIN_DLC) return;
		if (!this.#isMqb) this.interventionActive = (sample[at + this.#interventionAt] & this.#interventionMask) !== 0;
		if (this.#speedInput?.isLive(nowMs)) return;
		const raw = readField(sample, at + ENTRY_DATA, this.#pqSpeed);
		if (raw < PQ_SPEED_ERROR_FROM) this.#takePrimarySpeed(((raw + 50) / 100) | 0, timeOf(sample, at, nowMs));
	}

	/** Speed from Bremse_1 or ESP_19; it holds off the fallbacks. */
	#takePrimarySpeed(speedKmh: number, atMs: number): void {
		this.speedKmh = speedKmh;
		this.speedAtMs = atMs;
		this.speedValid = true;
		this.#primaryAtMs = atMs;
		this.#primarySeen = true;
	}

	/** Motor_2: a guess at the speed, for display when nothing better comes. It makes no speed valid: the byte's meaning is not certain. */
	#readMotor2(sample: Uint8Array, nowMs: number): void {
		const at = this.#motor2;
		this.#motor2Sequence = sample[at + ENTRY_SEQUENCE];
		if (sample[at + ENTRY_DLC] < FALLBACK_MIN_DLC) return;
		const atMs = timeOf(sample, at, nowMs);
		if (this.#primarySeen && ((atMs - this.#primaryAtMs) | 0) <= FALLBACK_AFTER_MS) return;
		if (this.#secondarySeen && ((atMs - this.#secondaryAtMs) | 0) <= FALLBACK_AFTER_MS) return;
		if (this.#speedInput?.isLive(nowMs)) return;
		this.speedKmh = ((readField(sample, at + ENTRY_DATA, this.#pqFallback) * 128) / 100) | 0;
		this.speedValid = false;
	}

	/** ESP_19: four wheel speeds, the primary speed of MQB. */
	#readEsp19(sample: Uint8Array, nowMs: number): void {
		const at = this.#esp19;
		this.#esp19Sequence = sample[at + ENTRY_SEQUENCE];
		if (sample[at + ENTRY_DLC] < FULL_DLC || this.#speedInput?.isLive(nowMs)) return;
		const data = at + ENTRY_DATA;
		const rearLeft = readField(sample, data, this.#wheelRearLeft);
		const rearRight = readField(sample, data, this.#wheelRearRight);
		const frontLeft = readField(sample, data, this.#wheelFrontLeft);
		const frontRight = readField(sample, data, this.#wheelFrontRight);
		if (rearLeft >= WHEEL_ERROR_FROM || rearRight >= WHEEL_ERROR_FROM) return;
		if (frontLeft >= WHEEL_ERROR_FROM || frontRight >= WHEEL_ERROR_FROM) return;
		// Mean of four at 0.0075 km/h, rounded half up: sum * 3 / 1600 in integers. (The reference's float32 falls a step
		// lower in some exact ties; no vector has one.)
		const sum = rearLeft + rearRight + frontLeft + frontRight;
		this.#takePrimarySpeed(((3 * sum + 800) / 1600) | 0, timeOf(sample, at, nowMs));
	}

	/** ESP_21: interventions, and the speed when ESP_19 fails. */
	#readEsp21(sample: Uint8Array, nowMs: number): void {
		const at = this.#esp21;
		this.#esp21Sequence = sample[at + ENTRY_SEQUENCE];
		if (sample[at + ENTRY_DLC] < FULL_DLC) return;
		this.interventionActive = (sample[at + this.#interventionAt] & this.#interventionMask) !== 0;
		if (this.#speedInput?.isLive(nowMs)) return;
		if ((sample[at + this.#speedQualityAt] & this.#speedQualityMask) !== 0) return;
		const atMs = timeOf(sample, at, nowMs);
		if (this.#primarySeen && ((atMs - this.#primaryAtMs) | 0) <= FALLBACK_AFTER_MS) return;
		const raw = readField(sample, at + ENTRY_DATA, this.#mqbSpeed);
		if (raw >= MQB_SPEED_ERROR_FROM) return;
		this.#secondaryAtMs = atMs;
		this.#secondarySeen = true;
		this.speedKmh = ((raw + 50) / 100) | 0;
		this.speedAtMs = atMs;
		this.speedValid = true;
	}

	/** Motor_20: pedal of MQB. */
	#readMotor20(sample: Uint8Array, nowMs: number): void {
		const at = this.#motor20;
		this.#motor20Sequence = sample[at + ENTRY_SEQUENCE];
		if (sample[at + ENTRY_DLC] < PEDAL_MIN_DLC || this.#pedalInput?.isLive(nowMs)) return;
		if ((sample[at + this.#pedalQualityAt] & this.#pedalQualityMask) !== 0) return;
		const raw = readField(sample, at + ENTRY_DATA, this.#mqbPedal);
		if (raw >= PEDAL_ERROR_FROM) return;
		this.pedalPercent = Math.fround(raw * PEDAL_FACTOR);
		this.pedalAtMs = timeOf(sample, at, nowMs);
		this.pedalValid = true;
	}

	/** Motor_04: boost of MQB, 10 mbar absolute per step. */
	#readMotor04(sample: Uint8Array): void {
		const at = this.#motor04;
		this.#motor04Sequence = sample[at + ENTRY_SEQUENCE];
		if (sample[at + ENTRY_DLC] < BOOST_MIN_DLC) return;
		const boost = readField(sample, at + ENTRY_DATA, this.#mqbBoost) * 10 - AMBIENT_MBAR;
		this.boostMbar = boost > 0 ? boost : 0;
	}

	/** Allrad_1 or Allrad_03: what the coupling reports. */
	#readCoupling(sample: Uint8Array, nowMs: number): void {
		const at = this.#coupling;
		this.#couplingSequence = sample[at + ENTRY_SEQUENCE];
		if (sample[at + ENTRY_DLC] < this.#couplingMinDlc) return;
		let raw = sample[at + this.#engagementAt];
		if (this.#rearEngagementAt !== 0) {
			raw += sample[at + this.#rearEngagementAt];
			if (raw > 255) raw = 255; // the reference lets it wrap: fully engaged read as open
		}
		this.engagementAtMs = timeOf(sample, at, nowMs);
		this.engagementValid = true;
		if (raw !== this.engagementRaw) {
			const percent = (((raw - this.#engagementZero) * 100) / this.#engagementSpan) | 0;
			this.engagementRaw = raw;
			this.engagementPercent = percent < 0 ? 0 : percent > 100 ? 100 : percent;
		}
		const state = sample[at + this.#stateAt];
		if (state === this.couplingState) return;
		this.couplingState = state;
		this.temperatureProtection = (state & this.#temperatureMask) !== 0;
		this.couplingFault = (state & this.#faultMask) !== 0;
	}
}

/** When the entry's frame was received. */
function timeOf(sample: Uint8Array, at: number, nowMs: number): number {
	return (nowMs - (sample[at] | (sample[at + 1] << 8))) >>> 0;
}
