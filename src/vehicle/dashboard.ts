/**
 * The dashboard's slots: signals of the catalogue, decoded from the gateway's latest frames on request and
 * written for people. Source: docs/api.md, "State and modes", "Names of other firmware",
 * docs/control-and-can.md 2.3, 4.8.
 */

import { CHASSIS, COUPLING, identifierOf } from "../can/bus.js";
import { type CatalogueSignal, findSelector, hasValue, knownRow, parseSignalKey, resolveSignalKey } from "../can/catalogue.js";
import type { RawRow } from "../can/signal-layout.js";
import { couplingOf, networkOf } from "../coupling/couplings/couplings.js";
import { lowerCase } from "../text/characters.js";
import { couplingStateText } from "./coupling-status.js";
import type { LatestFrame, LatestFrames } from "./latest-frames.js";

/** Older frames show nothing. Source: docs/api.md, "Settings". */
const STALE_MS = 1500;
/** Shown instead of a missing value. */
export const MISSING = "--";
/** Signals beside the catalogue. */
const STATE_NAME = "haldex state";
const ENGAGEMENT_NAME = "engagement";

/** One slot, as last read. */
export class DashboardSlot {
	readonly key: string;
	/** A recent frame carries the signal. */
	found = false;
	sent = false;
	/** The controller changed the frame or made it. */
	generated = false;
	ageMs = 0;
	value = 0;
	/** 0 chassis, 1 coupling. */
	readonly bus: number;
	/** False: only `display` has a value. */
	readonly numeric: boolean;
	readonly unit: string;
	readonly #keyName: string;
	readonly #name: string;
	/** undefined: no such signal. */
	readonly #text: SignalText | undefined;
	readonly #generation: number;
	readonly #signal: CatalogueSignal | undefined;
	/** Row of the status frame, instead of `#signal`. */
	readonly #raw: RawRow | undefined;
	readonly #known: RawRow | undefined;
	readonly #selector: CatalogueSignal | undefined;
	readonly #mux: number;
	/** -1 = none. */
	readonly #frameId: number = -1;
	/** Sent frames count, too. */
	readonly #isSent: boolean = false;

	/**
	 * @param key of a signal; any text, "" = none
	 * @param generation decides the network
	 */
	constructor(key: string, generation: number) {
		const network = networkOf(generation);
		const { bus, name } = parseSignalKey(key);
		this.key = key;
		this.bus = bus === "haldex" ? COUPLING : CHASSIS;
		this.#generation = generation;
		this.#keyName = name.replaceAll("_", " ");
		this.numeric = !(bus === "haldex" && name === STATE_NAME);
		this.#mux = -1;
		this.#name = this.#keyName;
		this.unit = "";
		if (bus !== "chassis" && bus !== "haldex") return;
		const status = couplingOf(generation)?.status;
		if (bus === "haldex" && status !== undefined && (name === STATE_NAME || name === ENGAGEMENT_NAME)) {
			this.#name = name === STATE_NAME ? "Haldex state" : "Engagement";
			this.#text = new SignalText(this.#name, "");
			this.#raw = name === STATE_NAME ? status.state : status.engagement;
			this.#known = this.#raw;
			this.#frameId = status.state.id;
			return;
		}
		const signal = resolveSignalKey(network, key)?.signal;
		if (signal === undefined) return;
		this.#name = signal.name;
		this.unit = signal.unit;
		this.#text = new SignalText(signal.name, signal.unit);
		this.#signal = signal;
		this.#known = knownRow(network, signal);
		this.#mux = signal.mux;
		this.#selector = signal.mux >= 0 ? findSelector(network, signal.frameId) : undefined;
		this.#frameId = identifierOf(signal.frameId, signal.extended);
		this.#isSent = true;
	}

	/** The catalogue's name, or the key's while there is no value. */
	get label(): string {
		return this.found ? this.#name : this.#keyName;
	}

	get display(): string {
		if (!this.found || this.#text === undefined) return MISSING;
		return this.numeric ? this.#text.of(this.value) : couplingStateText(this.value, this.#generation);
	}

	/** The newer of received and sent counts, the sent one if both have the same age. */
	read(frames: LatestFrames): void {
		this.found = false;
		const id = this.#frameId;
		if (id < 0) return;
		if (this.#isSent && frames.read(this.bus ^ 1, id)) this.#take(frames.sent, true);
		if (frames.read(this.bus, id) && (!this.found || frames.received.ageMs < this.ageMs)) this.#take(frames.received, false);
	}

	/** Received only: a frame that we sent is not the driver's hand. */
	readReceived(frames: LatestFrames): void {
		this.found = false;
		if (this.#frameId >= 0 && frames.read(this.bus, this.#frameId)) this.#take(frames.received, false);
	}

	#take(frame: LatestFrame, sent: boolean): void {
		const ageMs = frame.ageMs;
		if (ageMs > STALE_MS) return;
		if (this.#selector !== undefined && frame.raw(this.#selector) !== this.#mux) return;
		const place = this.#raw ?? this.#signal;
		if (place === undefined || !hasValue(place, this.#known, (one) => frame.raw(one))) return;
		const value = this.#signal === undefined ? frame.raw(place) : frame.physical(this.#signal);
		if (!Number.isFinite(value)) return;
		this.found = true;
		this.value = value;
		this.sent = sent;
		this.generated = frame.generated;
		this.ageMs = ageMs;
	}
}

/** All slots. */
export class Dashboard {
	readonly #frames: LatestFrames;
	readonly #slots: (DashboardSlot | undefined)[] = [];
	#generation = -1;

	constructor(frames: LatestFrames) {
		this.#frames = frames;
	}

	/** @param key of its signal @param generation decides the network */
	slot(index: number, key: string, generation: number): DashboardSlot {
		if (generation !== this.#generation) this.#slots.length = 0;
		this.#generation = generation;
		// without gaps: engines before Moddable 8.2 take what lies behind one for values
		while (this.#slots.length <= index) this.#slots.push(undefined);
		const last = this.#slots[index];
		const slot = last?.key === key ? last : new DashboardSlot(key, generation);
		this.#slots[index] = slot;
		slot.read(this.#frames);
		return slot;
	}
}

/** Units of the catalogue and their spelling. As members each would become a name of the engine. */
const UNITS = Object.freeze([
	"Unit_KiloMeterPerHour km/h",
	"Unit_PerCent %",
	"Unit_MinutInver rpm",
	"Unit_DegreCelsi °C",
	"Unit_DegreOfArc °",
	"Unit_DegreOfArcPerSecon °/s",
	"Unit_NewtoMeter Nm",
	"Unit_Bar bar",
	"Unit_MilliBar mbar",
	"Unit_Volt V",
	"Unit_Amper A",
	"Unit_Watt W",
	"Unit_KiloWatt kW",
	"Unit_Secon s",
	"Unit_MilliSecon ms",
	"Unit_Minut min",
	"Unit_Hours h",
	"Unit_Meter m",
	"Unit_KiloMeter km",
	"Unit_MilliMeter mm",
	"Unit_MeterPerSeconSquar m/s²",
	"Unit_ForceOfGravi g",
	"Unit_Hertz Hz",
	"Unit_Liter l",
	"Unit_KiloGram kg",
	"degC °C",
]);

/** Engine speeds that a catalogue has in hundreds are shown in full. */
const RPM_RESCUE = Object.freeze({ below: 20, least: 100, most: 12_000, factor: 100 });
/** From these values on: no decimals, none for engine speeds, one decimal. Assumed: a glance reads no more. */
const WHOLE_FROM = 1000;
const WHOLE_RPM_FROM = 20;
const ONE_DECIMAL_FROM = 100;

/** How a signal is written. Made once: looking its unit up is slow. */
export class SignalText {
	readonly #unit: string;
	/** Not by the converted unit: MQB has engine speeds in full. */
	readonly #isRpm: boolean;
	readonly #isShownInRpm: boolean;

	constructor(name: string, unit: string) {
		const begin = `${unit} `;
		const row = unit === "" ? undefined : UNITS.find((one) => one.startsWith(begin));
		const friendly = row?.slice(begin.length) ?? unit;
		this.#unit = friendly === "" ? "" : ` ${friendly}`;
		this.#isRpm = lowerCase(unit) === "rpm" || lowerCase(name).includes("rpm");
		this.#isShownInRpm = lowerCase(friendly) === "rpm";
	}

	/** `12.5 %`, `3000 rpm`. @param value a finite number */
	of(value: number): string {
		const shown = this.#isRpm && isInHundreds(value) ? value * RPM_RESCUE.factor : value;
		const size = Math.abs(shown);
		const whole = size >= WHOLE_FROM || (this.#isShownInRpm && size >= WHOLE_RPM_FROM);
		// as a number again it has no zeros at its end, and none with a sign
		return Number(shown.toFixed(whole ? 0 : size >= ONE_DECIMAL_FROM ? 1 : 2)) + this.#unit;
	}
}

function isInHundreds(value: number): boolean {
	const size = Math.abs(value);
	const hundredfold = size * RPM_RESCUE.factor;
	return size > 0 && size < RPM_RESCUE.below && hundredfold >= RPM_RESCUE.least && hundredfold <= RPM_RESCUE.most;
}
