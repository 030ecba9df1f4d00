/**
 * The car itself: a longitudinal and a single-track lateral model in steps of 1 ms, made to be plausible, not
 * exact. Pedal -> engine torque -> gear -> acceleration, automatic gear choice, brake, steering -> yaw and
 * wheel speeds, and slip of the driven front axle that shrinks as the coupling closes. No randomness, no
 * clock: the same inputs give the same drive.
 */

/** The driver's hands and feet. Percent is 0..100; steering is the wheel's angle, positive to the left. */
export interface Driver {
	readonly pedalPercent: number;
	readonly brakePercent: number;
	readonly steeringDeg: number;
	readonly selector: Selector;
	readonly ignitionOn: boolean;
	readonly hazardLights?: boolean | undefined;
	/** Absent: with the lever in P. */
	readonly handbrake?: boolean | undefined;
	/** Holds exactly this speed, whatever the pedals say; undefined = drive freely. */
	readonly pinnedSpeedKmh?: number | undefined;
}

export type Selector = "P" | "R" | "N" | "D";

/** The car's state. Speeds of wheels are magnitudes in km/h; slip and yaw carry signs. */
export interface Car {
	timeMs: number;
	/** Negative = rolling backwards. */
	velocityKmh: number;
	accelerationMps2: number;
	pedalPercent: number;
	brakePercent: number;
	steeringDeg: number;
	steeringRateDegps: number;
	selector: Selector;
	/** 1..6, -1 reverse, 0 none. */
	gear: number;
	shiftLeftMs: number;
	ignitionOn: boolean;
	ignitionMs: number;
	rpm: number;
	torqueNm: number;
	/** Front axle faster than the road, km/h. */
	slipKmh: number;
	yawDegps: number;
	lateralG: number;
	wheelFrontLeftKmh: number;
	wheelFrontRightKmh: number;
	wheelRearLeftKmh: number;
	wheelRearRightKmh: number;
	absActive: boolean;
	espActive: boolean;
	hazardLights: boolean;
	handbrake: boolean;
}

export const MAX_TORQUE_NM = 320;
export const IDLE_RPM = 800;
const CRANK_RPM = 250;
/** The starter turns this long after the ignition comes on. */
export const CRANK_MS = 700;
/** Speeds and angle are unknown for this long after the ignition: maker's codes, assumed time. */
export const INITIALISING_MS = 400;
const MAX_RPM = 6500;
const MASS_KG = 1550;
const WHEEL_RADIUS_M = 0.317;
const WHEELBASE_M = 2.63;
const HALF_TRACK_M = 0.77;
const STEERING_RATIO = 15.5;
/** Speed at which the car understeers to half its neutral yaw rate: a common compact car. */
const CHARACTERISTIC_MPS = 23;
const GRIP_G = 0.9;
/** Gear ratios with the final drive, index 1..6. */
const RATIOS = [0, 13.4, 8.1, 5.4, 4.1, 3.3, 2.7];
const REVERSE_RATIO = 14;
const BRAKE_MPS2 = 9.5; // full braking on dry road
const SHIFT_MS = 200;
const STEP_S = 0.001;

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));
const toward = (value: number, target: number, step: number) => value + clamp(target - value, -step, step);

/** A car that stands (or rolls at `speedKmh`) with the engine running. */
export function newCar(speedKmh = 0, selector: Selector = "D"): Car {
	const velocityKmh = selector === "R" ? -speedKmh : speedKmh;
	const car: Car = {
		timeMs: 0,
		velocityKmh,
		accelerationMps2: 0,
		pedalPercent: 0,
		brakePercent: 0,
		steeringDeg: 0,
		steeringRateDegps: 0,
		selector,
		gear: 0,
		shiftLeftMs: 0,
		ignitionOn: true,
		ignitionMs: 60_000,
		rpm: IDLE_RPM,
		torqueNm: 0,
		slipKmh: 0,
		yawDegps: 0,
		lateralG: 0,
		wheelFrontLeftKmh: speedKmh,
		wheelFrontRightKmh: speedKmh,
		wheelRearLeftKmh: speedKmh,
		wheelRearRightKmh: speedKmh,
		absActive: false,
		espActive: false,
		hazardLights: false,
		handbrake: false,
	};
	car.gear = wantedGear(car);
	return car;
}

/** Advances the car by 1 ms. @param engagementPercent how far the coupling is closed, 0..100 */
export function stepCar(car: Car, driver: Driver, engagementPercent: number): void {
	car.timeMs += 1;
	followDriver(car, driver);
	const forceN = driveForce(car);
	moveAlong(car, driver, forceN);
	turn(car);
	slipAxle(car, forceN, engagementPercent);
	turnWheels(car);
}

// Feet and hands are not instantaneous; the limits are those of a brisk driver.
function followDriver(car: Car, driver: Driver): void {
	car.hazardLights = driver.hazardLights ?? false;
	car.handbrake = driver.handbrake ?? driver.selector === "P";
	car.pedalPercent = toward(car.pedalPercent, driver.pedalPercent, 300 * STEP_S);
	car.brakePercent = toward(car.brakePercent, driver.brakePercent, 400 * STEP_S);
	const steeringDeg = toward(car.steeringDeg, driver.steeringDeg, 250 * STEP_S);
	car.steeringRateDegps = (steeringDeg - car.steeringDeg) / STEP_S;
	car.steeringDeg = steeringDeg;
	if (driver.ignitionOn !== car.ignitionOn) {
		car.ignitionOn = driver.ignitionOn;
		car.ignitionMs = 0;
	}
	car.ignitionMs += 1;
	// A selector lever leaves or enters reverse and park only (almost) at rest.
	if (driver.selector !== car.selector && Math.abs(car.velocityKmh) < 2) car.selector = driver.selector;
}

function ratio(car: Car): number {
	if (car.gear < 0) return REVERSE_RATIO;
	return RATIOS[car.gear];
}

function rpmAtWheels(car: Car): number {
	return (Math.abs(car.velocityKmh) / 3.6 / WHEEL_RADIUS_M) * ratio(car) * (60 / (2 * Math.PI));
}

function wantedGear(car: Car): number {
	if (car.selector === "R") return -1;
	if (car.selector !== "D") return 0;
	if (car.gear < 1) {
		// Entering D, or a car that begins at speed: the first gear that stays below a calm engine speed.
		car.gear = 1;
		while (car.gear < 6 && rpmAtWheels(car) > 2400) car.gear += 1;
		return car.gear;
	}
	const rpm = rpmAtWheels(car);
	if (car.gear < 6 && rpm > 2000 + 38 * car.pedalPercent) return car.gear + 1;
	if (car.gear > 1 && rpm < 1150 + 12 * car.pedalPercent) return car.gear - 1;
	return car.gear;
}

function driveForce(car: Car): number {
	if (!car.ignitionOn || car.ignitionMs < CRANK_MS) {
		car.rpm = toward(car.rpm, car.ignitionOn ? CRANK_RPM : 0, 2);
		car.torqueNm = 0;
		return 0;
	}
	if (car.shiftLeftMs > 0) car.shiftLeftMs -= 1;
	else {
		const gear = wantedGear(car);
		if (gear !== car.gear) car.shiftLeftMs = SHIFT_MS;
		car.gear = gear;
	}
	// Below the engine speed that the pedal asks for, the starting clutch slips; in neutral the engine simply
	// revs.
	const free = IDLE_RPM + 17 * car.pedalPercent;
	const target = car.gear === 0 ? IDLE_RPM + 50 * car.pedalPercent : Math.max(free, rpmAtWheels(car) * (1 + slipRatio(car)));
	car.rpm = toward(car.rpm, clamp(target, IDLE_RPM, MAX_RPM), 6);
	const fade = car.rpm > 5000 ? 1 - (car.rpm - 5000) / 3500 : 1;
	const drag = car.rpm > IDLE_RPM * 1.3 ? 15 + (25 * car.rpm) / MAX_RPM : 0;
	car.torqueNm = (car.pedalPercent / 100) * MAX_TORQUE_NM * fade - drag * (1 - car.pedalPercent / 100);
	if (car.gear === 0) return 0;
	const creepNm = Math.abs(car.velocityKmh) < 7 && car.pedalPercent < 5 ? 12 : 0;
	return ((car.torqueNm + creepNm) * ratio(car) * 0.92 * Math.sign(car.gear)) / WHEEL_RADIUS_M;
}

function slipRatio(car: Car): number {
	return car.slipKmh / Math.max(5, Math.abs(car.velocityKmh));
}

function moveAlong(car: Car, driver: Driver, forceN: number): void {
	const before = car.velocityKmh;
	if (driver.pinnedSpeedKmh !== undefined) {
		car.velocityKmh = car.selector === "R" ? -driver.pinnedSpeedKmh : driver.pinnedSpeedKmh;
	} else {
		const speed = before / 3.6;
		const resistance = speed === 0 ? 0 : Math.sign(speed) * (180 + 0.42 * speed * speed);
		const grip = GRIP_G * 9.81 * MASS_KG;
		const free = speed + (clamp(forceN, -grip, grip) - resistance) * (STEP_S / MASS_KG);
		// Brakes and the park lock only ever stop the car, they do not push it backwards.
		const holding = (car.brakePercent / 100) * BRAKE_MPS2 + (car.selector === "P" || !car.ignitionOn ? 3 : 0);
		car.velocityKmh = toward(free, 0, holding * STEP_S) * 3.6;
	}
	// The sensor is filtered, as the real one is.
	const acceleration = (car.velocityKmh - before) / 3.6 / STEP_S;
	car.accelerationMps2 += (acceleration - car.accelerationMps2) * 0.02;
	car.absActive = car.brakePercent > 85 && Math.abs(car.velocityKmh) > 8;
}

function turn(car: Car): void {
	const speed = car.velocityKmh / 3.6;
	const wheelAngle = (car.steeringDeg / STEERING_RATIO) * (Math.PI / 180);
	const yaw = (speed * Math.tan(wheelAngle)) / (WHEELBASE_M * (1 + (speed / CHARACTERISTIC_MPS) ** 2));
	const limit = Math.abs(speed) > 1 ? (GRIP_G * 9.81) / Math.abs(speed) : Number.POSITIVE_INFINITY;
	const bounded = clamp(yaw, -limit, limit);
	car.espActive = car.ignitionOn && Math.abs(yaw) > limit;
	car.yawDegps = bounded * (180 / Math.PI);
	car.lateralG = (bounded * speed) / 9.81;
}

// Drive force loads the front tyres; the share that the coupling takes to the rear no longer slips there.
function slipAxle(car: Car, forceN: number, engagementPercent: number): void {
	const front = Math.abs(forceN) * (1 - 0.5 * (engagementPercent / 100));
	const load = front / 9000; // 1 = the front axle at its limit on dry road
	const target =
		car.pedalPercent > 1 ? (0.8 + 0.05 * Math.abs(car.velocityKmh)) * load ** 2 * (1 - 0.8 * (engagementPercent / 100)) : 0;
	car.slipKmh += (target - car.slipKmh) * (STEP_S / 0.08);
}

function turnWheels(car: Car): void {
	const speed = Math.abs(car.velocityKmh);
	const sideKmh = Math.sign(car.velocityKmh) * (car.yawDegps * (Math.PI / 180)) * HALF_TRACK_M * 3.6;
	const frontKmh = speed / Math.cos((car.steeringDeg / STEERING_RATIO) * (Math.PI / 180)) + car.slipKmh;
	// Tyres differ a little and roads are rough: a few hundredths of a km/h that no two wheels share.
	const rough = speed > 1 ? 0.012 : 0;
	const noise = (wheel: number) => rough * (Math.sin(car.timeMs / (37 + 11 * wheel)) + Math.sin(car.timeMs / (101 + 7 * wheel)));
	car.wheelFrontLeftKmh = Math.max(0, frontKmh - sideKmh + noise(0));
	car.wheelFrontRightKmh = Math.max(0, frontKmh + sideKmh + noise(1));
	car.wheelRearLeftKmh = Math.max(0, speed - sideKmh + noise(2));
	car.wheelRearRightKmh = Math.max(0, speed + sideKmh + noise(3));
}
