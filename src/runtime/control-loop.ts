/**
 * The control loop: each tick takes a sample from the gateway, steps the controller, and hands plan, lease and PWM back.
 * Glue only: every decision is the controller's. A tick allocates nothing; if it throws, the lease runs out and the car is stock.
 */

import type { ClockPort, GatewayPort, PwmPort } from "../../hal/ports.js";
import type { Controller } from "../controller/controller.js";
import { STATUS_DLC, STATUS_ID, STATUS_PERIOD_MS } from "../coupling/status-broadcast.js";

export const TICK_MS = 10;
/** A stalled script means unmodified forwarding within 250 ms: the lease and one tick. Source: architecture 2. */
const LEASE_MS = 240;
/** The status frame's content is renewed this often, and it stops when the loop does. */
const STATUS_RENEW_TICKS = 5;
const STATUS_LEASE_MS = 1000;
const STATUS_SLOT = 0;
const CHASSIS = 0;

const TICK_US = TICK_MS * 1000;

export class ControlLoop {
	readonly #controller: Controller;
	readonly #gateway: GatewayPort;
	readonly #pwm: PwmPort;
	readonly #pwmMax: number;
	readonly #clock: ClockPort;
	readonly #status = new Uint8Array(STATUS_DLC);
	#sample = new Uint8Array(0);
	#watchRevision = 0;
	#duty = -1;
	#lastUs = -1;

	/** @param pwmMax duty that is fully on: 2^resolution - 1 */
	constructor(controller: Controller, gateway: GatewayPort, pwm: PwmPort, pwmMax: number, clock: ClockPort) {
		this.#controller = controller;
		this.#gateway = gateway;
		this.#pwm = pwm;
		this.#pwmMax = pwmMax;
		this.#clock = clock;
	}

	/** One tick; call every `TICK_MS`. */
	tick(): void {
		this.#measure();
		const controller = this.#controller;
		const gateway = this.#gateway;
		if (this.#watchRevision !== controller.watchRevision) this.#watch();
		gateway.sample(this.#sample);
		controller.step(this.#sample);
		if (controller.controlActive) {
			if (controller.planStale) {
				const plan = controller.takePlan();
				if (plan !== undefined) gateway.loadPlan(plan);
			}
			gateway.commit(controller.factor, controller.groups, LEASE_MS);
		} else gateway.release();
		this.#drivePwm(controller.lockPercent);
		if (controller.loop.ticks % STATUS_RENEW_TICKS === 0) this.#broadcast();
	}

	#watch(): void {
		const { telemetry, watchRevision } = this.#controller;
		this.#gateway.watch(telemetry.watchList());
		this.#sample = new Uint8Array(telemetry.watch.sampleSize);
		this.#watchRevision = watchRevision;
	}

	/** Duty = lock percentage; in stock 0, as without us. */
	#drivePwm(lockPercent: number): void {
		const on = (lockPercent * this.#pwmMax * 0.01 + 0.5) | 0;
		const duty = this.#controller.settings.pwm.inverted ? this.#pwmMax - on : on;
		if (duty === this.#duty) return;
		this.#pwm.write(duty);
		this.#duty = duty;
	}

	#broadcast(): void {
		const controller = this.#controller;
		if (controller.broadcastOverCan) {
			controller.writeStatus(this.#status);
			this.#gateway.setCyclic(STATUS_SLOT, CHASSIS, STATUS_ID, STATUS_PERIOD_MS, STATUS_LEASE_MS, this.#status);
		} else this.#gateway.clearCyclic(STATUS_SLOT);
	}

	#measure(): void {
		const nowUs = this.#clock.microseconds;
		const loop = this.#controller.loop;
		loop.ticks++;
		const lastUs = this.#lastUs;
		this.#lastUs = nowUs;
		if (lastUs < 0) return;
		const periodUs = nowUs - lastUs;
		const lateUs = periodUs - TICK_US;
		const jitterUs = lateUs < 0 ? -lateUs : lateUs;
		loop.periodUs = periodUs;
		if (periodUs > loop.periodMaxUs) loop.periodMaxUs = periodUs;
		if (jitterUs > loop.jitterMaxUs) loop.jitterMaxUs = jitterUs;
		if (lateUs > loop.lateMaxUs) loop.lateMaxUs = lateUs;
		if (lateUs >= TICK_US) loop.overruns += (lateUs / TICK_US) | 0;
	}
}
