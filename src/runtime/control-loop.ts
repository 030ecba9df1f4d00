/**
 * The control loop: each tick takes a sample from the gateway, steps the controller, and hands plan, lease
 * and PWM back. Glue only: every decision is the controller's. A tick allocates nothing.
 *
 * An exception in a tick is a fault of ours that may have left anything half done: control ends at once and
 * for good, the car is stock. It is caught because the alternative, a restart of the whole controller,
 * would interrupt the forwarding, too.
 */

import type { ClockPort, DiagnosisPort, GatewayPort, PwmOutput, PwmPort } from "../../hal/ports.js";
import { CHASSIS } from "../can/bus.js";
import { STATUS_FRAME } from "../can/layouts/status.js";
import type { Controller } from "../controller/controller.js";
import type { LoopFigures } from "../controller/loop-figures.js";
import { STATUS_UPDATE_MS } from "../controller/status-broadcast.js";
import type { PwmSettings } from "../settings/settings.js";

/** The period of the car's fastest frames. Source: docs/control-and-can.md 1.5. */
export const TICK_MS = 10;
/** Stalled, it forwards unmodified within 250 ms: this and one tick. Source: docs/decisions.md 29. */
const LEASE_MS = 240;
const STATUS_RENEW_TICKS = STATUS_UPDATE_MS / TICK_MS;
/** Above its period of 200 ms; a stall may go unnoticed for this long. Source: docs/decisions.md 29. */
const STATUS_LEASE_MS = 250;
const STATUS_SLOT = 0;

type LoopGateway = GatewayPort & Pick<DiagnosisPort, "receivedAgeMs">;

const TICK_US = TICK_MS * 1000;

/** Call `tick` every TICK_MS. It never throws. */
export class ControlLoop {
	readonly #controller: Controller;
	readonly #gateway: LoopGateway;
	readonly #output: PwmOutput;
	readonly #dutyMax: number;
	readonly #clock: ClockPort;
	readonly #onFault: (error: unknown) => void;
	#sample = new Uint8Array(0);
	#watchRevision = 0;
	#pwm: PwmPort;
	#pwmSettings: PwmSettings;
	/** The output was last driven with it; NaN = unknown. */
	#lockPercent = Number.NaN;
	#lastUs = -1;
	#failed = false;

	/** @param onFault told once, when a tick has failed and control has ended */
	constructor(
		controller: Controller,
		gateway: LoopGateway,
		output: PwmOutput,
		clock: ClockPort,
		onFault: (error: unknown) => void,
	) {
		this.#controller = controller;
		this.#gateway = gateway;
		this.#output = output;
		this.#dutyMax = output.dutyMax;
		this.#clock = clock;
		this.#onFault = onFault;
		this.#pwmSettings = controller.settings.pwm;
		this.#pwm = output.open(this.#pwmSettings.frequencyHz);
		this.#guardPwm();
		// an output that has just been opened is low: with inverted polarity that is fully on
		this.#drivePwm(0);
	}

	/** One tick; call every `TICK_MS`. Never throws. */
	tick(): void {
		if (this.#failed) {
			this.#look();
			return;
		}
		const controller = this.#controller;
		const gateway = this.#gateway;
		try {
			const loop = controller.loop;
			this.#measure(loop);
			if (this.#watchRevision !== controller.watchRevision) this.#watch();
			gateway.sample(this.#sample);
			controller.step(this.#sample);
			if (controller.planActive) {
				if (controller.planStale) {
					const plan = controller.takePlan();
					if (plan !== undefined) gateway.loadPlan(plan);
				}
				gateway.commit(controller.factor, controller.groups, LEASE_MS);
			} else gateway.release();
			this.#drivePwm(controller.lockPercent);
			if (loop.ticks % STATUS_RENEW_TICKS === 0) this.#broadcast();
		} catch (error) {
			this.#fail(error);
		}
	}

	/** After a fault the update that mends it and the BOOT key still ask whether the car is silent. */
	#look(): void {
		try {
			this.#gateway.sample(this.#sample);
			this.#controller.look(this.#sample);
		} catch {
			// it stays as it was last known
		}
	}

	/** ms until the lease of the plan runs out unless a tick renews it; Infinity while none does. */
	get leaseLeftMs(): number {
		if (this.#failed || !this.#controller.planActive) return Number.POSITIVE_INFINITY;
		return LEASE_MS - (this.#clock.microseconds - this.#lastUs) / 1000;
	}

	#fail(error: unknown): void {
		this.#failed = true;
		this.#controller.fail();
		try {
			this.#gateway.release();
		} catch {
			// then the lease runs out
		}
		try {
			this.#drivePwm(0);
		} catch {
			// nothing is left that could be done
		}
		try {
			this.#watch(); // buffer and watch list fit again, for `look`
		} catch {
			// then it sees nothing new
		}
		this.#onFault(error);
	}

	#watch(): void {
		const { telemetry, watchRevision } = this.#controller;
		this.#gateway.watch(telemetry.watch.bytes());
		this.#sample = new Uint8Array(telemetry.watch.sampleSize);
		this.#watchRevision = watchRevision;
	}

	/** Duty = lock percentage; in stock 0, as without us. */
	#drivePwm(lockPercent: number): void {
		const settings = this.#controller.settings.pwm;
		if (settings !== this.#pwmSettings) this.#reopenPwm(settings);
		if (lockPercent === this.#lockPercent) return;
		const on = (lockPercent * this.#dutyMax * 0.01 + 0.5) | 0;
		this.#pwm.write(settings.inverted ? this.#dutyMax - on : on);
		this.#lockPercent = lockPercent;
	}

	#reopenPwm(settings: PwmSettings): void {
		const { frequencyHz } = this.#pwmSettings;
		this.#pwmSettings = settings;
		this.#guardPwm();
		this.#lockPercent = Number.NaN;
		if (settings.frequencyHz === frequencyHz) return;
		this.#pwm.close();
		this.#pwm = this.#output.open(settings.frequencyHz);
	}

	#guardPwm(): void {
		this.#gateway.guardPwm(this.#output.pin, this.#pwmSettings.inverted ? this.#dutyMax : 0);
	}

	#broadcast(): void {
		const { statusBroadcast } = this.#controller;
		const gateway = this.#gateway;
		if (!statusBroadcast.update(this.#controller, gateway)) gateway.clearCyclic(STATUS_SLOT);
		else
			gateway.setCyclic(STATUS_SLOT, CHASSIS, STATUS_FRAME.id, STATUS_FRAME.periodMs, STATUS_LEASE_MS, statusBroadcast.payload);
	}

	#measure(loop: LoopFigures): void {
		const nowUs = this.#clock.microseconds;
		loop.ticks++;
		const lastUs = this.#lastUs;
		this.#lastUs = nowUs;
		if (lastUs < 0) return;
		// a clock that stepped back says nothing of the time between
		const periodUs = nowUs > lastUs ? nowUs - lastUs : 0;
		const lateUs = periodUs - TICK_US;
		const jitterUs = lateUs < 0 ? -lateUs : lateUs;
		loop.periodUs = periodUs;
		if (jitterUs > loop.jitterMaxUs) loop.jitterMaxUs = jitterUs;
		if (periodUs > loop.periodMaxUs) {
			loop.periodMaxUs = periodUs;
			if (lateUs > 0) loop.lateMaxUs = lateUs;
		}
		if (lateUs < TICK_US) return;
		loop.overruns += (lateUs / TICK_US) | 0;
		// the lease may have run out, and the gateway have idled the output
		this.#lockPercent = Number.NaN;
	}
}
