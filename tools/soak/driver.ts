/**
 * Who drives: changes what is asked of the coupling, one thing after the other, and tells the judge.
 * Everybody else's requests do not.
 */
import { wrongAnswer } from "../../test/support/openapi.js";
import type { Random } from "../../test/support/random.js";
import { learnOf, leaveCalibration, sayAlive, startCalibration } from "../campaign/calibrating.js";
import { TOLERANCE_PERCENT, type Wishes } from "../campaign/demands.js";
import type { Drive } from "../campaign/drive.js";
import { meddleWithTrigger } from "../campaign/faults.js";
import type { Answer } from "../campaign/lockstep.js";
import { DEFAULT_TABLES, type Tables } from "../campaign/restraints.js";
import { aMap, type Counts } from "./client.js";

/** After the answer a change is active; ticks and frames that are under way have left. */
const TAKES_EFFECT_MS = 60;
/** A condition that acted holds on, and control is back where others are looked at. */
const RESTS_MS = 1500;
/** How often the page of a calibration says that it is there, at most; and when it has been gone for too long. */
const [ALIVE_MS, ALONE_MS] = [3000, 6000];
const AGAIN_MS = 100;
/** Each frame that tells something of the car comes within that. */
const ARRIVED_MS = 50;
/** How often a request is sent again that was answered 503. */
const TRIES = 40;
/**
 * A car that does not stand takes no update, which would keep it stock; beside a gate's threshold what it
 * asks for depends on before.
 */
const SPEEDS_KMH = [15, 25, 35, 45, 55, 75, 85, 95, 115, 135] as const;
const MODES = ["STOCK", "FWD", "5050", "6040", "7030", "8020", "9010", "MAP", "SPEED", "THROTTLE", "RPM"] as const;
const CURVE_POINTS = 5;
/** With the owner's password this many further changes are made. */
const OWNED_CHANGES = 3;
/** How often it is asked whether diagnosis has ended, for whose answers nobody waits any more. */
const DIAGNOSIS_STEP_MS = 2000;
/** A condition acts for this long: longer than each release of a lock takes. */
const ACTS_MS = 2500;
const CURVES = { SPEED: "speed", THROTTLE: "throttle", RPM: "rpm" } as const;

interface MapAnswer {
	readonly speedBins: readonly number[];
	readonly throttleBins: readonly number[];
	readonly lockTable: readonly (readonly number[])[];
}

const rowsOfMap = ({ speedBins, throttleBins, lockTable }: MapAnswer): Tables["MAP"] =>
	throttleBins.map((pedal, i) => [pedal, speedBins.map((kmh, k) => [kmh, lockTable[i][k]] as const)] as const);

export class Driver {
	/** What was changed last. */
	last = "nothing";
	/** Of the owner's password, while there is one. */
	#key = "";
	readonly #drive: Drive;
	readonly #random: Random;
	readonly #counts: Counts;

	constructor(drive: Drive, random: Random, counts: Counts) {
		this.#drive = drive;
		this.#random = random;
		this.#counts = counts;
	}

	/** Asks until there is an answer other than 503, and judges it by the description. */
	async ask(method: string, path: string, body = "", key = this.#key): Promise<Answer> {
		const drive = this.#drive;
		for (let tries = 1; tries <= TRIES; tries++) {
			const { starts } = drive.lockstep;
			const answer = await drive.lockstep.ask(method, path, body, (ms) => drive.run(ms), key);
			const problem =
				answer === undefined || answer.code === 500 ? "" : wrongAnswer(method, path, answer.code, answer.type, answer.text);
			if (problem !== "") drive.complain(problem);
			if (answer !== undefined && answer.code !== 503) return answer;
			if (drive.lockstep.hasEnded) break;
			// the driver is alone at his address: nobody turns him away
			if (answer === undefined && drive.lockstep.starts === starts)
				drive.complain(`${method} ${path} of the driver has no answer`);
			await drive.run(AGAIN_MS);
		}
		drive.complain(`${method} ${path} of the driver has no answer after ${TRIES} tries`);
		return { code: 0, text: "{}", type: "" };
	}

	/** A change of what is asked for. @returns whether it was taken */
	async #change(path: string, value: unknown, wishes: Wishes): Promise<boolean> {
		const { demands } = this.#drive;
		this.last = `${path} ${JSON.stringify(value)}`;
		demands.wishing = wishes;
		const { code, text } = await this.ask("POST", path, JSON.stringify(value));
		// a full or failing flash rejects what must be stored before the answer
		if (code !== 200 && code !== 500 && !/flash|space|failed/.test(text))
			this.#drive.complain(`the driver's ${path} ${JSON.stringify(value)} is answered ${code} ${text}`);
		if (code === 200) demands.wishes = wishes;
		await this.#drive.run(TAKES_EFFECT_MS);
		demands.wishing = undefined;
		this.#counts.add("changes");
		return code === 200;
	}

	get #wishes(): Wishes {
		return this.#drive.demands.wishes;
	}

	/**
	 * Somewhere else, at another pace: one quantity after the other, and all that tells of it has arrived. In
	 * between the mode would ask for what belongs to neither, by the order in which frames are read; and no
	 * car is twice as fast in the moment in which its speed is lost.
	 */
	async driveOn(): Promise<void> {
		const { car } = this.#drive;
		car.speedKmh = this.#random.of(SPEEDS_KMH);
		await this.#drive.run(ARRIVED_MS);
		car.pedalPercent = this.#random.below(101);
		await this.#drive.run(ARRIVED_MS);
		car.rpm = 700 + this.#random.below(6000);
		await this.#drive.run(ARRIVED_MS);
	}

	/** One change. */
	async change(): Promise<void> {
		const random = this.#random;
		const makers: readonly (() => Promise<unknown>)[] = [
			() => this.mode(random.of(MODES)),
			() => this.mode(random.of(MODES)),
			() => this.mode(random.of(["MAP", "5050", "SPEED", "THROTTLE", "RPM"])),
			() => this.#settings(),
			() => this.#map(),
			() => this.#curve(random.of(["SPEED", "THROTTLE", "RPM"])),
			() => this.#load(random.of(["aggressive", "conservative", "danger", "fwd", "m0", "m1", "m2"])),
			() => this.ask("POST", "/api/maps/save", JSON.stringify({ name: `m${random.below(3)}` })),
			() => this.#swap(),
			() => this.#capture(),
			() => this.#logFrames(),
			() => this.#disable(),
			() => this.#own(),
			() => this.#conditions(),
			() => this.#calibrate(),
			() => this.ask("POST", "/api/analyzer", '{"enabled":false}'),
		];
		await random.of(makers)();
	}

	/** A condition whose signal, ESP switched off, comes and goes. */
	async #conditions(): Promise<void> {
		const drive = this.#drive;
		const random = this.#random;
		const effect = random.of(["open", "limit", "mode"]);
		const limitPercent = 1 + random.below(100);
		const mode = random.of(["FWD", "5050", "7030"]);
		const { triggerMode: _, ...before } = this.#wishes;
		const during = effect === "mode" ? { ...before, triggerMode: mode } : before;
		const condition = { enabled: true, effect, limitPercent, mode };
		if (!(await this.#change("/api/settings", { conditions: [condition] }, during))) return;
		await drive.run(RESTS_MS);
		meddleWithTrigger(drive, () => true);
		await drive.run(ACTS_MS);
		const most = effect === "open" ? 0 : effect === "limit" ? limitPercent : 100;
		if (drive.isCommanding && drive.lastLock.least > most + TOLERANCE_PERCENT)
			drive.complain(`a condition lets ${most} % be asked for, and ${drive.lastLock.least.toFixed(1)} % are commanded`);
		meddleWithTrigger(drive, () => false);
		await drive.run(RESTS_MS);
		await this.#change("/api/settings", { conditions: [] }, before);
		this.#counts.add("conditions");
	}

	/**
	 * Calibrates the car, which stands for it. It never ends well: this coupling reports the same whatever it is
	 * asked.
	 */
	async #calibrate(): Promise<void> {
		this.last = "a calibration";
		const [drive, random] = [this.#drive, this.#random];
		const { car, demands } = drive;
		car.speedKmh = car.pedalPercent = 0;
		car.selector = "P";
		await drive.run(RESTS_MS);
		await startCalibration(drive);
		if ((await learnOf(drive)).active) this.#counts.add("calibrations");
		for (let i = random.below(5); i > 0; i--) {
			await drive.run(random.below(ALIVE_MS));
			await sayAlive(drive);
		}
		let isGivenUp = false;
		const givesUp = (path: string) => async (): Promise<void> => {
			await drive.must("POST", path, "");
			demands.calibration?.end(drive.nowMs, "it was given up");
			isGivenUp = true;
		};
		const choosesMode = async (): Promise<void> => {
			await this.mode(this.#wishes.mode);
			demands.calibration?.end(drive.nowMs, "a mode was chosen");
		};
		const drivesOn = () => this.driveOn();
		const ways = [givesUp("/api/learn/cancel"), givesUp("/api/learn/clear"), choosesMode, drivesOn, () => drive.run(ALONE_MS)];
		await random.of(ways)();
		await drive.run(TAKES_EFFECT_MS);
		if (!isGivenUp) await leaveCalibration(drive, "");
		else if ((await learnOf(drive)).active) drive.complain("a calibration goes on that was given up");
		car.selector = "D";
	}

	/**
	 * The owner's password for a while: whoever has no key changes nothing, and who has it goes on as before.
	 */
	async #own(): Promise<void> {
		if (this.#key !== "") return;
		const drive = this.#drive;
		const password = JSON.stringify({ password: `password ${this.#random.below(1e6)}` });
		const keyIn = ({ text }: Answer): string => (JSON.parse(text) as { key?: string }).key ?? "";
		const answer = await this.ask("POST", "/api/owner", password);
		// an answer that was too late for us has set it all the same
		this.#key = answer.code === 401 ? keyIn(await this.ask("POST", "/api/session", password)) : keyIn(answer);
		if (this.#key === "") {
			if (answer.code !== 500) drive.complain(`the owner's password is answered ${answer.code} ${answer.text}`);
			return;
		}
		this.#counts.add("passwords");
		await this.#ownAnew(keyIn);
		const { code } = await this.ask("POST", "/api/mode", '{"mode":"FWD"}', "");
		if (code !== 401) drive.complain(`a mode without the owner's key is answered ${code}`);
		for (let i = 0; i < OWNED_CHANGES; i++) {
			await this.driveOn();
			await this.change();
			await drive.run(this.#random.below(1000));
		}
		for (let tries = 0; this.#key !== "" && tries < TRIES; tries++)
			if ((await this.ask("POST", "/api/owner", '{"password":""}')).code === 200) this.#key = "";
		if (this.#key !== "") drive.complain("the owner's password can't be removed");
		this.#key = "";
	}

	/**
	 * Another password: the key of the one before opens nothing any more, and the new one has one key,
	 * whoever asks.
	 */
	async #ownAnew(keyIn: (answer: Answer) => string): Promise<void> {
		const before = this.#key;
		const password = JSON.stringify({ password: `another ${this.#random.below(1e6)}` });
		const answer = await this.ask("POST", "/api/owner", password);
		if (answer.code !== 200 && answer.code !== 401) return;
		const session = await this.ask("POST", "/api/session", password);
		this.#key = keyIn(session);
		if (answer.code === 200 && keyIn(answer) !== this.#key)
			this.#drive.complain(`the key of a new password is ${answer.text}, and then ${session.text}`);
		const { code } = await this.ask("POST", "/api/mode", '{"mode":"FWD"}', before);
		if (code !== 401) this.#drive.complain(`a mode with the key of the password before is answered ${code}`);
	}

	async mode(mode: string): Promise<void> {
		await this.#change("/api/mode", { mode }, { ...this.#wishes, mode });
	}

	async #settings(): Promise<void> {
		const disableSpeedKmh = this.#random.of([0, 60, 100]);
		const releaseRate = this.#random.of([0, 50, 120, 500]);
		const value = { disableSpeed: disableSpeedKmh, lockReleaseRatePctPerSec: releaseRate };
		await this.#change("/api/settings", value, { ...this.#wishes, disableSpeedKmh, releaseRate });
	}

	#with(tables: Partial<Tables>): Wishes {
		return { ...this.#wishes, tables: { ...(this.#wishes.tables ?? DEFAULT_TABLES), ...tables } };
	}

	async #map(): Promise<void> {
		const map = aMap(this.#random);
		const value = this.#random.below(2) === 0 ? map : { ...map, try: true };
		await this.#change("/api/map", value, this.#with({ MAP: rowsOfMap(map) }));
	}

	async #curve(mode: keyof typeof CURVES): Promise<void> {
		const step = mode === "RPM" ? 1500 : mode === "SPEED" ? 40 : 18;
		const points: [number, number][] = [];
		for (let x = 1; points.length < CURVE_POINTS; x += 1 + this.#random.below(step)) points.push([x, this.#random.below(101)]);
		const value = { points: points.map(([at, lock]) => ({ x: at, lock })) };
		await this.#change(`/api/curve/${CURVES[mode]}`, value, this.#with({ [mode]: points }));
	}

	/** Which map is active then, the answer to a read says. */
	async #load(name: string): Promise<void> {
		const { demands } = this.#drive;
		demands.wishing = demands.wishes;
		this.last = `load ${name}`;
		await this.ask("POST", "/api/maps/load", JSON.stringify({ name }));
		await this.readMap();
	}

	async #swap(): Promise<void> {
		const { demands } = this.#drive;
		demands.wishing = demands.wishes;
		this.last = "swap";
		await this.ask("POST", "/api/map/swap", "{}");
		await this.readMap();
	}

	async readMap(): Promise<void> {
		const { demands } = this.#drive;
		const { code, text } = await this.ask("GET", "/api/map");
		if (code === 200) demands.wishes = this.#with({ MAP: rowsOfMap(JSON.parse(text) as MapAnswer) });
		await this.#drive.run(TAKES_EFFECT_MS);
		demands.wishing = undefined;
	}

	/** Stock from one answer to the next. @returns whether it was */
	async #standing(
		name: "capture" | "verboseLogging",
		path: string,
		on: unknown,
		off: unknown,
		ms: number,
		mode?: string,
	): Promise<void> {
		const { demands } = this.#drive;
		const before = this.#wishes;
		const during = { ...before, mode: mode ?? before.mode };
		if (!(await this.#change(path, on, during))) return;
		demands.standing.add(name);
		await this.#drive.run(ms);
		demands.wishing = during;
		demands.standing.delete(name);
		await this.#change(path, off, during);
	}

	async #capture(): Promise<void> {
		await this.#standing("capture", "/api/canview/capture", { active: true }, { active: false }, 1500);
	}

	/** CAN frames of two full buses go to the log, which is rotated. */
	async #logFrames(): Promise<void> {
		const both = (on: boolean): unknown => ({ logCanToFileEnabled: on, logDebugCanEnabled: on });
		await this.#standing("verboseLogging", "/api/settings", both(true), both(false), 2500, "STOCK");
	}

	async #disable(): Promise<void> {
		await this.#change("/api/settings", { disableController: true }, { ...this.#wishes, mode: "STOCK" });
		await this.#drive.run(500);
		await this.#change("/api/settings", { disableController: false }, { ...this.#wishes, mode: "MAP" });
	}

	/** The newest version that it says it has kept. */
	async newestKept(): Promise<string> {
		const { newestKept } = JSON.parse((await this.ask("GET", "/api/update")).text) as { newestKept?: string };
		return newestKept ?? "";
	}

	/** Lets diagnosis come to its end: nobody begins another job meanwhile. */
	async untilDiagnosed(): Promise<void> {
		for (let tries = 0; tries < TRIES; tries++) {
			const { text } = await this.ask("GET", "/api/uds/status");
			if (!(JSON.parse(text) as { active?: boolean }).active) return;
			await this.#drive.run(DIAGNOSIS_STEP_MS);
		}
		this.#drive.complain(`diagnosis does not end: ${(await this.ask("GET", "/api/uds/status")).text}`);
	}

	/** Of the analyzer, which it switches on if it is off; 0 = that failed. */
	async analyzerPort(): Promise<number> {
		const portIn = ({ text }: Answer): number => (JSON.parse(text) as { port?: number }).port ?? 0;
		return portIn(await this.ask("GET", "/api/analyzer")) || portIn(await this.ask("POST", "/api/analyzer", '{"enabled":true}'));
	}

	/** An image into a car that stands. @returns "" if it was taken, or the answer */
	async update(image: Buffer): Promise<string> {
		const { car, lockstep } = this.#drive;
		await this.mode("STOCK");
		car.speedKmh = car.pedalPercent = 0;
		await this.#drive.run(1500);
		const socket = lockstep.dial();
		let text = "";
		socket.on("data", (chunk) => (text += chunk));
		const head = `POST /ota/update HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/octet-stream\r\nContent-Length: ${image.length}\r\n\r\n`;
		socket.write(head);
		for (let at = 0; at < image.length && !/\r\n\r\n/.test(text); at += 700) {
			socket.write(image.subarray(at, at + 700));
			await this.#drive.run(20);
		}
		const starts = lockstep.starts;
		for (let i = 0; i < 100 && !/\r\n\r\n\w/.test(text) && lockstep.starts === starts; i++) await this.#drive.run(20);
		socket.destroy();
		await this.#drive.run(500);
		return /^HTTP\/1\.1 200 /.test(text) ? "" : text || "no answer";
	}

	/** The controller has started anew: what it says of itself must be what was last wished for. */
	async resume(isCertain: boolean): Promise<void> {
		const { demands } = this.#drive;
		demands.wishing = demands.wishes;
		const { text } = await this.ask("GET", "/api/status");
		const status = JSON.parse(text) as { mode: string; disableSpeed: number; lockReleaseRatePctPerSec: number };
		const { mode, disableSpeed, lockReleaseRatePctPerSec } = status;
		if (isCertain && mode !== demands.wishes.mode)
			this.#drive.complain(`after a restart the mode is ${mode}, not ${demands.wishes.mode}`);
		const tables = this.#wishes.tables ?? DEFAULT_TABLES;
		const curves = { SPEED: tables.SPEED, THROTTLE: tables.THROTTLE, RPM: tables.RPM };
		for (const name of Object.keys(curves) as (keyof typeof CURVES)[]) {
			const answer = await this.ask("GET", `/api/curve/${CURVES[name]}`);
			const { points } = JSON.parse(answer.text) as { points?: { x: number; lock: number }[] };
			if (points !== undefined) curves[name] = points.map(({ x, lock }) => [x, lock] as const);
		}
		demands.wishes = {
			...demands.wishes,
			mode,
			disableSpeedKmh: disableSpeed,
			releaseRate: lockReleaseRatePctPerSec,
			tables: { ...tables, ...curves },
		};
		await this.readMap();
	}
}
