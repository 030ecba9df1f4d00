/**
 * The coupling's ECU: follows the demand with the lag of pump and plates, and reports its engagement.
 * Status frames: Allrad_1 0x2C0 every 10 ms (generations 1, 2, 4), Allrad_03 0x118 every 20 ms (generation 5), coded as
 * docs/control-and-can.md 2.2 reads them; beside them two frames without modelled content. It answers diagnosis: UDS on generation 5,
 * KWP2000 on 2 and 4. Silent while the ignition is off.
 */
import type { Generation } from "./chassis.js";
import { type ControlUnitFaults, noFaults } from "./control-unit/faults.js";
import { IsoTpServer } from "./control-unit/iso-tp-server.js";
import { ControlUnit, type ControlUnitState } from "./control-unit/knowledge.js";
import { Tp20Server } from "./control-unit/tp20-server.js";
import { CharacterfulClutch, type CouplingCharacter } from "./coupling-character.js";
import { CouplingDemand } from "./coupling-demand.js";
import type { CanFrame, SendFrame } from "./frame.js";

/** Time constant of the clutch, ms. */
const LAG_MS = 120;
/** Where generation 5 is asked by UDS. */
const UDS_IDS = { request: 0x70f, response: 0x779, extended: false };
const SUPPLY_V = 13.8;
/** Of the module at rest, and how much warmer the closed coupling makes it. */
const RESTING_C = 40;
const WARMING_C = 15;

export class CouplingEcu {
	/** How far the coupling is closed, 0..100. */
	engagementPercent = 0;
	/** True while the frames ask for a lock; false while the car speaks for itself. */
	commanded = false;
	/** Who is asked, and what it does wrong when it is told to. */
	readonly controlUnit = new ControlUnit();
	readonly diagnosisFaults: ControlUnitFaults = noFaults();
	readonly #generation: Generation;
	readonly #demand: CouplingDemand;
	readonly #clutch: CharacterfulClutch | undefined;
	readonly #diagnosis: IsoTpServer | Tp20Server | undefined;
	#ignitionOn = false;
	#count = 0;

	/** @param character absent: it closes as the reference takes it to, at once */
	constructor(generation: Generation, character?: CouplingCharacter) {
		this.#generation = generation;
		this.#clutch = character && new CharacterfulClutch(character);
		this.#demand = new CouplingDemand(generation);
		this.#diagnosis = this.#diagnosisServer();
	}

	/** Takes a frame from the coupling bus. @param timeMs the car's time */
	receive(frame: CanFrame, timeMs: number): void {
		this.#demand.receive(frame, timeMs);
		if (this.#ignitionOn) this.#diagnosis?.receive(frame, timeMs);
	}

	/** Advances by 1 ms and sends what is due. */
	step(timeMs: number, ignitionOn: boolean, send: SendFrame): void {
		const { percent, share } = ignitionOn ? this.#demand.at(timeMs) : { percent: 0, share: undefined };
		this.commanded = share !== undefined;
		const drawn = this.#clutch?.step(share);
		this.engagementPercent += ((share === undefined ? percent : (drawn ?? percent)) - this.engagementPercent) / LAG_MS;
		this.#ignitionOn = ignitionOn;
		if (!ignitionOn) return;
		this.#report(timeMs, send);
		this.#diagnosis?.step(timeMs, send);
	}

	/** Generation 1 answers nobody: what it would say is not known. */
	#diagnosisServer(): IsoTpServer | Tp20Server | undefined {
		const { controlUnit, diagnosisFaults } = this;
		const uds = (request: Uint8Array) => controlUnit.uds(request, this.#state());
		const kwp = (request: Uint8Array) => controlUnit.kwp(request, this.#state());
		if (this.#generation === 5) return new IsoTpServer(UDS_IDS, diagnosisFaults, uds);
		return this.#generation === 1 ? undefined : new Tp20Server(diagnosisFaults, kwp, () => controlUnit.connect());
	}

	#state(): ControlUnitState {
		const { engagementPercent } = this;
		return { engagementPercent, supplyV: SUPPLY_V, temperatureC: RESTING_C + (WARMING_C * engagementPercent) / 100 };
	}

	#report(timeMs: number, send: SendFrame): void {
		const mqb = this.#generation === 5;
		if (timeMs % (mqb ? 20 : 10) === 0) {
			send(mqb ? 0x118 : 0x2c0, false, statusPayload(this.#generation, this.engagementPercent, this.#count));
			this.#count += 1;
		}
		// Temperatures and the like, which nobody reads here; identifiers assumed.
		if (timeMs % 100 === 33) send(mqb ? 0x3c6 : 0x2c1, false, Uint8Array.of(0x00, this.#count & 0x0f, 0x4b, 0x52, 0x00, 0x7f));
		// Network management.
		if (timeMs % 200 === 77) send(mqb ? 0x1b00000f : 0x40f, mqb, Uint8Array.of(0x0f, 0x00, 0x10, 0x00, 0x01, 0x00, 0x00, 0x00));
	}
}

/** The status frame's payload. @param engagementPercent 0..100 @param count status frames sent before */
export function statusPayload(generation: Generation, engagementPercent: number, count: number): Uint8Array {
	const data = new Uint8Array(8);
	const percent = Math.round(engagementPercent);
	if (generation === 5) {
		data[1] = count & 0x0f;
		data[2] = Math.round(percent * 2.5);
		data[3] = 0x22; // drive profile, no fault flags (2.2)
		return data;
	}
	data[0] = percent < 1 ? 0x08 : 0x00; // bit 3: clutch fully open
	// Rounded up, so that the truncating division of 2.2 gives the percentage back.
	const fullScale = Math.ceil(percent * 1.27);
	data[1] = generation === 1 ? 128 + Math.ceil(percent * 0.7) : 128 + fullScale;
	data[4] = fullScale; // rear clutch, 127 = 100 %
	// Gen 2 is read as b1 + b4: the centre clutch stays at its zero point.
	if (generation === 2) data[1] = 128;
	data[7] = count & 0x0f;
	return data;
}
