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

// All of these are assumed: a common compact car with an automatic gearbox.

/** Feet and hands of a brisk driver, and how fast they move. */
const PEDAL_PERCENT_PER_S = 300;
const BRAKE_PERCENT_PER_S = 400;
const STEERING_DEG_PER_S = 250;
/** A selector lever leaves or enters reverse and park only (almost) at rest. */
const SELECTOR_LIMIT_KMH = 2;
export const MAX_TORQUE_NM = 320;
export const IDLE_RPM = 800;
const CRANK_RPM = 250;
const CRANK_RPM_PER_MS = 2;
/** How fast the engine speed follows. */
const ENGINE_RPM_PER_MS = 6;
/** The starting clutch slips below the engine speed that the pedal asks for. */
const CLUTCH_RPM_PER_PERCENT = 17;
/** In neutral. */
const FREE_RPM_PER_PERCENT = 50;
/** Above this the torque falls; it is 0 at FADE_FROM_RPM + FADE_RANGE_RPM. */
const FADE_FROM_RPM = 5000;
const FADE_RANGE_RPM = 3500;
/** Drag of the engine: none near idle speed, then this, and more up to the highest engine speed. */
const DRAG_FROM_IDLE = 1.3;
const DRAG_NM = 15;
const DRAG_AT_MAX_RPM_NM = 25;
/** An automatic car creeps without pedal. */
const CREEP_NM = 12;
const CREEP_BELOW_KMH = 7;
const CREEP_BELOW_PERCENT = 5;
/** Part of the torque that reaches the wheels. */
const GEARBOX_EFFICIENCY = 0.92;
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
const TOP_GEAR = 6;
const REVERSE_RATIO = 14;
/** Entering D, or beginning at speed: the first gear that stays below a calm engine speed. */
const CALM_RPM = 2400;
/** Shifting up and down: later with more pedal. */
const UP_RPM = 2000;
const UP_RPM_PER_PERCENT = 38;
const DOWN_RPM = 1150;
const DOWN_RPM_PER_PERCENT = 12;
const SHIFT_MS = 200;
const GRAVITY_MPS2 = 9.81;
const KMH_PER_MPS = 3.6;
const RAD_PER_DEG = Math.PI / 180;
/** Full braking on dry road. */
const BRAKE_MPS2 = 9.5;
/** The park lock, or an engine that is off. */
const LOCKED_MPS2 = 3;
/** Rolling resistance, and that of the air by the square of the speed. */
const ROLLING_N = 180;
const AIR_N_PER_MPS2 = 0.42;
/** Part by which the sensor's filter follows in a step of 1 ms: the real one is filtered, too. */
const ACCELERATION_FILTER = 0.02;
/** Brake and speed above which ABS intervenes. */
const ABS_FROM_PERCENT = 85;
const ABS_FROM_KMH = 8;
/** Slower than this the car does not skid. */
const SKID_FROM_MPS = 1;
/** Part of the drive force that a closed coupling takes from the front axle. */
const REAR_SHARE = 0.5;
/** Force at which the front axle is at its limit on dry road. */
const FRONT_LIMIT_N = 9000;
/** Slip at that limit: at rest, and what each km/h adds; a closed coupling takes its part away. */
const LIMIT_SLIP_KMH = 0.8;
const LIMIT_SLIP_PER_KMH = 0.05;
const SLIP_SHARE_OF_COUPLING = 0.8;
const SLIP_FROM_PEDAL_PERCENT = 1;
const SLIP_TIME_S = 0.08;
/** At rest the slip counts as if the car moved this fast. */
const SLIP_SPEED_MIN_KMH = 5;
/** Tyres differ a little and roads are rough: no two wheels share it. */
const ROUGH_KMH = 0.012;
const ROUGH_FROM_KMH = 1;
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

function followDriver(car: Car, driver: Driver): void {
	car.hazardLights = driver.hazardLights ?? false;
	car.handbrake = driver.handbrake ?? driver.selector === "P";
	car.pedalPercent = toward(car.pedalPercent, driver.pedalPercent, PEDAL_PERCENT_PER_S * STEP_S);
	car.brakePercent = toward(car.brakePercent, driver.brakePercent, BRAKE_PERCENT_PER_S * STEP_S);
	const steeringDeg = toward(car.steeringDeg, driver.steeringDeg, STEERING_DEG_PER_S * STEP_S);
	car.steeringRateDegps = (steeringDeg - car.steeringDeg) / STEP_S;
	car.steeringDeg = steeringDeg;
	if (driver.ignitionOn !== car.ignitionOn) {
		car.ignitionOn = driver.ignitionOn;
		car.ignitionMs = 0;
	}
	car.ignitionMs += 1;
	if (driver.selector !== car.selector && Math.abs(car.velocityKmh) < SELECTOR_LIMIT_KMH) car.selector = driver.selector;
}

function ratio(car: Car): number {
	if (car.gear < 0) return REVERSE_RATIO;
	return RATIOS[car.gear];
}

function rpmAtWheels(car: Car): number {
	return (Math.abs(car.velocityKmh) / KMH_PER_MPS / WHEEL_RADIUS_M) * ratio(car) * (60 / (2 * Math.PI));
}

function wantedGear(car: Car): number {
	if (car.selector === "R") return -1;
	if (car.selector !== "D") return 0;
	if (car.gear < 1) {
		car.gear = 1;
		while (car.gear < TOP_GEAR && rpmAtWheels(car) > CALM_RPM) car.gear += 1;
		return car.gear;
	}
	const rpm = rpmAtWheels(car);
	if (car.gear < TOP_GEAR && rpm > UP_RPM + UP_RPM_PER_PERCENT * car.pedalPercent) return car.gear + 1;
	if (car.gear > 1 && rpm < DOWN_RPM + DOWN_RPM_PER_PERCENT * car.pedalPercent) return car.gear - 1;
	return car.gear;
}

function driveForce(car: Car): number {
	if (!car.ignitionOn || car.ignitionMs < CRANK_MS) {
		car.rpm = toward(car.rpm, car.ignitionOn ? CRANK_RPM : 0, CRANK_RPM_PER_MS);
		car.torqueNm = 0;
		return 0;
	}
	if (car.shiftLeftMs > 0) car.shiftLeftMs -= 1;
	else {
		const gear = wantedGear(car);
		if (gear !== car.gear) car.shiftLeftMs = SHIFT_MS;
		car.gear = gear;
	}
	const clutchRpm = IDLE_RPM + CLUTCH_RPM_PER_PERCENT * car.pedalPercent;
	const targetRpm =
		car.gear === 0
			? IDLE_RPM + FREE_RPM_PER_PERCENT * car.pedalPercent
			: Math.max(clutchRpm, rpmAtWheels(car) * (1 + slipRatio(car)));
	car.rpm = toward(car.rpm, clamp(targetRpm, IDLE_RPM, MAX_RPM), ENGINE_RPM_PER_MS);
	const fade = car.rpm > FADE_FROM_RPM ? 1 - (car.rpm - FADE_FROM_RPM) / FADE_RANGE_RPM : 1;
	const dragNm = car.rpm > IDLE_RPM * DRAG_FROM_IDLE ? DRAG_NM + (DRAG_AT_MAX_RPM_NM * car.rpm) / MAX_RPM : 0;
	car.torqueNm = (car.pedalPercent / 100) * MAX_TORQUE_NM * fade - dragNm * (1 - car.pedalPercent / 100);
	if (car.gear === 0) return 0;
	const creeps = Math.abs(car.velocityKmh) < CREEP_BELOW_KMH && car.pedalPercent < CREEP_BELOW_PERCENT;
	const outNm = car.torqueNm + (creeps ? CREEP_NM : 0);
	return (outNm * ratio(car) * GEARBOX_EFFICIENCY * Math.sign(car.gear)) / WHEEL_RADIUS_M;
}

function slipRatio(car: Car): number {
	return car.slipKmh / Math.max(SLIP_SPEED_MIN_KMH, Math.abs(car.velocityKmh));
}

function moveAlong(car: Car, driver: Driver, forceN: number): void {
	const before = car.velocityKmh;
	if (driver.pinnedSpeedKmh !== undefined) {
		car.velocityKmh = car.selector === "R" ? -driver.pinnedSpeedKmh : driver.pinnedSpeedKmh;
	} else {
		const speed = before / KMH_PER_MPS;
		const resistance = speed === 0 ? 0 : Math.sign(speed) * (ROLLING_N + AIR_N_PER_MPS2 * speed * speed);
		const grip = GRIP_G * GRAVITY_MPS2 * MASS_KG;
		const free = speed + (clamp(forceN, -grip, grip) - resistance) * (STEP_S / MASS_KG);
		// Brakes and the park lock only ever stop the car, they do not push it backwards.
		const holding = (car.brakePercent / 100) * BRAKE_MPS2 + (car.selector === "P" || !car.ignitionOn ? LOCKED_MPS2 : 0);
		car.velocityKmh = toward(free, 0, holding * STEP_S) * KMH_PER_MPS;
	}
	const accelerationMps2 = (car.velocityKmh - before) / KMH_PER_MPS / STEP_S;
	car.accelerationMps2 += (accelerationMps2 - car.accelerationMps2) * ACCELERATION_FILTER;
	car.absActive = car.brakePercent > ABS_FROM_PERCENT && Math.abs(car.velocityKmh) > ABS_FROM_KMH;
}

function turn(car: Car): void {
	const speed = car.velocityKmh / KMH_PER_MPS;
	const wheelAngle = (car.steeringDeg / STEERING_RATIO) * RAD_PER_DEG;
	const yaw = (speed * Math.tan(wheelAngle)) / (WHEELBASE_M * (1 + (speed / CHARACTERISTIC_MPS) ** 2));
	const limit = Math.abs(speed) > SKID_FROM_MPS ? (GRIP_G * GRAVITY_MPS2) / Math.abs(speed) : Number.POSITIVE_INFINITY;
	const bounded = clamp(yaw, -limit, limit);
	car.espActive = car.ignitionOn && Math.abs(yaw) > limit;
	car.yawDegps = bounded * (180 / Math.PI);
	car.lateralG = (bounded * speed) / GRAVITY_MPS2;
}

// Drive force loads the front tyres; the share that the coupling takes to the rear no longer slips there.
function slipAxle(car: Car, forceN: number, engagementPercent: number): void {
	const closed = engagementPercent / 100;
	const load = (Math.abs(forceN) * (1 - REAR_SHARE * closed)) / FRONT_LIMIT_N;
	const limitSlipKmh = LIMIT_SLIP_KMH + LIMIT_SLIP_PER_KMH * Math.abs(car.velocityKmh);
	const targetKmh =
		car.pedalPercent > SLIP_FROM_PEDAL_PERCENT ? limitSlipKmh * load ** 2 * (1 - SLIP_SHARE_OF_COUPLING * closed) : 0;
	car.slipKmh += (targetKmh - car.slipKmh) * (STEP_S / SLIP_TIME_S);
}

function turnWheels(car: Car): void {
	const speed = Math.abs(car.velocityKmh);
	const sideKmh = Math.sign(car.velocityKmh) * (car.yawDegps * RAD_PER_DEG) * HALF_TRACK_M * KMH_PER_MPS;
	const frontKmh = speed / Math.cos((car.steeringDeg / STEERING_RATIO) * RAD_PER_DEG) + car.slipKmh;
	const roughKmh = speed > ROUGH_FROM_KMH ? ROUGH_KMH : 0;
	const noise = (wheel: number) =>
		roughKmh * (Math.sin(car.timeMs / (37 + 11 * wheel)) + Math.sin(car.timeMs / (101 + 7 * wheel)));
	car.wheelFrontLeftKmh = Math.max(0, frontKmh - sideKmh + noise(0));
	car.wheelFrontRightKmh = Math.max(0, frontKmh + sideKmh + noise(1));
	car.wheelRearLeftKmh = Math.max(0, speed - sideKmh + noise(2));
	car.wheelRearRightKmh = Math.max(0, speed + sideKmh + noise(3));
}
