/**
 * A drive of the hostile car with the controller in lock-step: lets time go on, and hands each frame to the
 * controller and to the judge, which it is.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { HAZARD } from "./car-reader.js";
import type { Wishes } from "./demands.js";
import type { WireFrame } from "./frame-judge.js";
import { HostileCar } from "./hostile-car.js";
import { Judge } from "./judge.js";
import { type Answer, type Bus, Lockstep, type Output, PORT } from "./lockstep.js";
import { type FrameChoice, type Generation, type Profile, tableOf } from "./tables.js";

const PIECE_MS = 50;
/** After the answer a change is active; ticks and frames that are under way have left. */
const TAKES_EFFECT_MS = 60;
const CRASHED = 105;
/** From a request until its change is on flash. */
const STORED_MS = 500;

/** What a drive begins with: what is on the controller's flash, and what the car does. */
export interface Setting {
	readonly generation: Generation;
	readonly profile: Profile;
	/** What settings.json says and the judge judges by. Default: the driver's limits as a controller starts with them. */
	readonly wishes: Partial<Omit<Wishes, "generation">> & Pick<Wishes, "mode">;
	readonly settings?: Readonly<Record<string, unknown>> | undefined;
	readonly frames?: FrameChoice | undefined;
	/** Further files on flash, content by path. */
	readonly files?: Readonly<Record<string, string>> | undefined;
	readonly prepare?: ((car: HostileCar) => void) | undefined;
	/** Arguments of the program at each start. */
	readonly args?: readonly string[] | undefined;
	/** The server has a port, and its clients have addresses. */
	readonly onPort?: boolean;
}

/** Content of settings.json. */
export function settingsOf({ generation, profile, settings, wishes, frames }: Setting): object {
	const { mode, isAlone = false, disableSpeedKmh, releaseRate, condition, steering } = wishes;
	const own = tableOf(generation, profile, isAlone, "FWD").rows.map(({ id }) => id);
	const off = (frames?.off ?? []).filter((id) => own.includes(id)).sort((a, b) => a - b);
	const { key } = generation === 5 ? HAZARD.mqb : HAZARD.pq;
	const { effect, holdMs, limitPercent } = condition ?? {};
	const stored = condition && `true ${effect} gte 1 ${holdMs} ${limitPercent} MAP true false - ${key}`;
	return {
		format: 1,
		generation,
		frameProfile: profile,
		standalone: isAlone,
		mode,
		disableSpeed: disableSpeedKmh,
		releaseRate,
		...(steering && { steeringGain: { enabled: true, ...steering } }),
		...(frames?.ceilingNm !== undefined && { torqueModel: "proportional", torqueCeilingNm: frames.ceilingNm }),
		logging: { serial: true },
		...(stored && { conditions: [stored] }),
		framesOff: off.map((id) => `0x${id.toString(16).toUpperCase().padStart(3, "0")}`).join(" "),
		...settings,
	};
}

/** Makes the flash folder with settings and files. */
function prepareFlash(folder: string, setting: Setting): void {
	const files = { ...setting.files, "settings.json": JSON.stringify(settingsOf(setting)) };
	for (const [path, content] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), content);
	}
}

/** Settings of `stored` that are others in `shown`, which may have more. */
export function ignored(stored: unknown, shown: unknown, name = "settings.json"): string[] {
	if (typeof stored !== "object" || stored === null || Array.isArray(stored))
		return JSON.stringify(stored) === JSON.stringify(shown)
			? []
			: [`${name}: ${JSON.stringify(stored)} is ${JSON.stringify(shown)}`];
	const members = (shown ?? {}) as Readonly<Record<string, unknown>>;
	return Object.entries(stored).flatMap(([key, value]) => ignored(value, members[key], `${name}: ${key}`));
}

/** One drive: runs the car, the controller and the clients in lock-step, and judges what the controller sends. */
export class Drive extends Judge {
	readonly car: HostileCar;
	/** After each piece of time: clients beside. */
	between: (() => Promise<void>) | undefined;
	pieceMs = PIECE_MS;
	keepAlive: (() => void) | undefined;
	lockstep!: Lockstep;
	readonly #setting: Setting;
	readonly #program: string;
	readonly #folder = mkdtempSync(join(tmpdir(), "oc-campaign-"));
	#arrivals: { readonly ms: number; readonly bus: Bus; readonly frame: WireFrame }[] = [];
	#processes = 0;
	readonly #earlierLog: string[] = [];

	private constructor(program: string, setting: Setting) {
		const { generation, profile, wishes, frames, settings = {} } = setting;
		const { pwm } = settings as { readonly pwm?: { readonly inverted: boolean } };
		super(profile, { generation, disableSpeedKmh: 0, releaseRate: 120, ...wishes }, frames, pwm?.inverted);
		this.#program = program;
		this.#setting = setting;
		this.car = new HostileCar(generation, wishes.isAlone);
		setting.prepare?.(this.car);
		prepareFlash(this.flash, setting);
	}

	/** Prepares the flash and starts the controller. */
	static async start(program: string, setting: Setting): Promise<Drive> {
		const drive = new Drive(program, setting);
		try {
			await drive.#checkSettings();
			await drive.boot();
			return drive;
		} catch (error) {
			await drive.end();
			throw error;
		}
	}

	/**
	 * A controller ignores settings that it does not know. Lets one store what it has read of them.
	 * @throws {Error} that is not what was stored
	 */
	async #checkSettings(): Promise<void> {
		const copy = join(this.#folder, "copy");
		cpSync(this.flash, copy, { recursive: true });
		const args = (this.#setting.args ?? []).filter((arg, at, all) => arg !== "--fault" && all[at - 1] !== "--fault");
		this.lockstep = await Lockstep.start(this.#program, join(this.#folder, "http"), ["--flash", copy, ...args]);
		const run = async (ms: number): Promise<void> => void (await this.lockstep.run(ms));
		await this.lockstep.ask("POST", "/api/settings", '{"setupDone":true}', run);
		await run(STORED_MS);
		await this.lockstep.kill();
		const [stored, shown] = [this.flash, copy].map((folder) => JSON.parse(readFileSync(join(folder, "settings.json"), "utf8")));
		// a request selects STOCK where logging is verbose; a mode shows itself in what is commanded
		const wrong = ignored({ ...stored, mode: shown.mode, setupDone: true }, shown);
		if (wrong.length > 0) throw new Error(`the controller ignores settings: ${wrong.join("; ")}`);
	}

	get flash(): string {
		return join(this.#folder, "flash");
	}

	/**
	 * Starts the controller, again if it has ended or is switched off for it. Time does not go on meanwhile.
	 */
	async boot(args: readonly string[] = []): Promise<void> {
		if (this.#processes > 0) {
			await this.lockstep.kill();
			this.#earlierLog.push(...this.lockstep.log);
		}
		this.#processes++;
		const all = ["--flash", this.flash, ...(this.#setting.args ?? []), ...args];
		this.lockstep = await Lockstep.start(this.#program, this.#setting.onPort ? PORT : join(this.#folder, "http"), all);
		this.begin();
	}

	/** The mode of the state that is tried. */
	get mode(): string {
		return this.#setting.wishes.mode;
	}

	/** Lets time go on. The controller may end meanwhile: `lockstep.hasEnded`. */
	async run(ms: number): Promise<void> {
		for (let left = ms; left > 0 || ms === 0; left -= this.pieceMs) {
			const piece = Math.min(left, this.pieceMs);
			const starts = this.lockstep.starts;
			for (let i = 0; i < piece; i++) this.#drive(this.nowMs + i);
			const output = await this.lockstep.run(piece);
			this.#tell(output);
			this.expire();
			this.nowMs += piece;
			await this.between?.();
			if (this.lockstep.hasEnded || ms === 0) return;
			if (this.lockstep.starts !== starts) this.begin();
			else this.goesOn();
		}
	}

	/** Tells the judge in the order of time: what came at the same time first. */
	#tell(output: readonly Output[]): void {
		const arrivals = this.#arrivals.splice(0);
		let next = 0;
		const arriveUntil = (until: number): void => {
			for (; next < arrivals.length && arrivals[next].ms <= until; next++) {
				const { ms, bus, frame } = arrivals[next];
				this.arrives(ms, bus, frame);
			}
		};
		for (const item of output) {
			const ms = item.ms + this.bootMs;
			arriveUntil(ms);
			if (item.kind === "pwm") this.duty(ms, item.duty);
			else if (item.bus === 0) this.toChassis(ms, item.frame);
			else {
				this.toCoupling(ms, item.frame);
				this.car.hears(ms, item.frame);
			}
		}
		arriveUntil(Number.POSITIVE_INFINITY);
	}

	#drive(ms: number): void {
		this.car.step(ms, (bus, frame) => {
			if (bus === 0 || !this.answers.has(frame.id)) this.#arrivals.push({ ms, bus, frame });
			this.lockstep.arrive(ms - this.bootMs, bus, frame);
		});
	}

	/** Asks the interface, and lets time go on meanwhile; who has other clients beside asks more than once. */
	ask = (method: string, path: string, body = ""): Promise<Answer | undefined> =>
		this.lockstep.ask(method, path, body, (ms) => this.run(ms));

	/**
	 * Changes what is wished for: until it is answered and takes effect, either may be so.
	 * @returns the answer: 200 if it was taken
	 */
	async change(path: string, value: unknown, wishes: Wishes): Promise<Answer | undefined> {
		this.demands.wishing = wishes;
		const answer = await this.ask("POST", path, JSON.stringify(value));
		if (answer?.code === 200) this.demands.wishes = wishes;
		await this.run(TAKES_EFFECT_MS);
		this.demands.wishing = undefined;
		return answer;
	}

	/** Asks, and complains of each answer but 200. */
	async must(method: string, path: string, body: string): Promise<void> {
		const answer = await this.ask(method, path, body);
		if (answer?.code !== 200) this.complain(`${method} ${path} answers ${answer?.code ?? "nothing"} ${answer?.text ?? ""}`);
	}

	/** All lines of the log, since the first start. */
	get log(): readonly string[] {
		return [...this.#earlierLog, ...this.lockstep.log];
	}

	/** It has ended as it would restart on a board. */
	get crashed(): boolean {
		return this.lockstep.exitCode === CRASHED;
	}

	/** Ends the controller and removes its flash. */
	async end(): Promise<void> {
		await this.lockstep?.kill();
		rmSync(this.#folder, { recursive: true, force: true });
	}
}
