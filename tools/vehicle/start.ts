/**
 * `npm start`: the controller and a simulated vehicle, until Ctrl-C. Set-up has been done by
 * `tools/start.mjs`. Exit codes: 0 ended on request, 2 usage, 4 flash not writable, else the controller's
 * own.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isGeneration } from "../../src/coupling/couplings/couplings.js";
import { couplingSends, missingIn } from "../replay/advice.js";
import { convertRecording, type Read } from "../replay/recording.js";
import type { Generation } from "./chassis.js";
import { ControllerProcess, readStatus } from "./controller-process.js";
import { BENT } from "./coupling-ecu.js";
import { CYCLES } from "./cycles.js";
import { provisionFlash } from "./flash.js";
import { invitation, lanAddresses } from "./lan.js";
import { LiveLine, lineOf } from "./live-line.js";
import { parseOptions, type StartOptions, UsageError } from "./options.js";
import { VehicleRunner } from "./runner.js";
import { Vehicle } from "./vehicle.js";

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const EXIT_FLASH = 4; // as the controller's own

/** How long the buses may take to come up once the controller answers. */
const CONNECT_MS = 10_000;
const CONNECT_POLL_MS = 50;

/**
 * Runs until it is told to end or the controller ends.
 * @param argv arguments after the program's name
 * @param program the controller's executable
 * @returns the exit code
 */
export async function start(argv: readonly string[], program: string): Promise<number> {
	let options: StartOptions;
	try {
		options = parseOptions(argv);
	} catch (error) {
		if (!(error instanceof UsageError)) throw error;
		return fail(`${error.message} (npm start -- --help lists the options)`, EXIT_USAGE);
	}
	let generation: Generation;
	try {
		generation = provisionFlash(options.flashDir, options.generation, options.withoutFeedback);
	} catch (error) {
		return fail(`can't write the flash folder ${options.flashDir}: ${(error as Error).message}`, EXIT_FLASH);
	}
	const sockets = mkdtempSync(join(tmpdir(), "opencoupling-"));
	chmodSync(sockets, 0o700);
	// Whatever ends this process, a private folder in /tmp does not outlive it.
	const removeSockets = () => rmSync(sockets, { recursive: true, force: true });
	process.once("exit", removeSockets);
	try {
		const recording = await recordingOf(options, generation, sockets);
		return await new Session(options, sockets, program, recording).run(generation);
	} catch (error) {
		if (!(error instanceof UsageError)) throw error;
		return fail(error.message, EXIT_USAGE);
	} finally {
		removeSockets();
		process.off("exit", removeSockets);
	}
}

/** A recording as the controller plays it. */
interface Recording {
	readonly path: string;
	readonly read: Read;
}

/** Says what the recording has and lacks. @throws {UsageError} it can't be read */
async function recordingOf(options: StartOptions, generation: number, folder: string): Promise<Recording | undefined> {
	const { replayPath, busNames, withoutFeedback } = options;
	if (replayPath === undefined) return undefined;
	const path = join(folder, "recording.log");
	const say = (line: string) => void process.stdout.write(`${line}\n`);
	try {
		const read = await convertRecording(replayPath, path, {
			names: busNames,
			couplingSends: couplingSends(generation),
			say,
		});
		for (const line of missingIn(read, generation, withoutFeedback)) say(line);
		return { path, read };
	} catch (error) {
		throw new UsageError((error as Error).message);
	}
}

/** One run of the controller with its vehicle. */
class Session {
	readonly #options: StartOptions;
	readonly #paths: { chassis: string; coupling: string };
	readonly #line = new LiveLine(process.stdout.isTTY === true);
	readonly #controller: ControllerProcess;
	#runner: VehicleRunner | undefined;
	#answered = false;
	#ending = false;

	readonly #recording: Recording | undefined;

	constructor(options: StartOptions, sockets: string, program: string, recording: Recording | undefined) {
		this.#options = options;
		this.#recording = recording;
		this.#paths = { chassis: join(sockets, "chassis"), coupling: join(sockets, "coupling") };
		this.#controller = new ControllerProcess(program, this.#controllerArguments(), (line, isError) =>
			this.#line.print(line, isError),
		);
	}

	async run(generation: Generation): Promise<number> {
		const told = this.#toldToEnd();
		try {
			const code = await Promise.race([told, this.#controller.ended, this.#drive(generation)]);
			// Without a vehicle to stop, a controller that ends by itself after a replay has done its work.
			if (code !== "told" && !(code === 0 && this.#options.replayPath !== undefined)) {
				this.#line.finish();
				// it has said itself why it does not start: one line is enough
				if (!this.#answered && this.#controller.complained) return code || EXIT_FAILED;
				return fail(`the controller ended with exit code ${code}`, code || EXIT_FAILED);
			}
			return 0;
		} catch (error) {
			this.#line.finish();
			return fail((error as Error).message, EXIT_FAILED);
		} finally {
			this.#ending = true;
			this.#line.finish();
			this.#runner?.close();
			await this.#controller.end();
		}
	}

	#controllerArguments(): string[] {
		const { httpPort, lan, flashDir, recordPath, pace } = this.#options;
		const common = ["--http", String(httpPort), ...(lan ? ["--lan"] : []), "--flash", resolve(flashDir)];
		if (this.#recording === undefined)
			return [...common, "--chassis", `unix:${this.#paths.chassis}`, "--coupling", `unix:${this.#paths.coupling}`];
		const record = recordPath === undefined ? [] : ["--record", recordPath];
		return [...common, "--replay", this.#recording.path, ...record, ...(pace === undefined ? [] : ["--pace", pace])];
	}

	// Ctrl-C, a polite kill, or a closed terminal.
	#toldToEnd(): Promise<"told"> {
		return new Promise((resolve) => {
			// a second Ctrl-C must not end this process before the controller has ended
			for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve("told"));
		});
	}

	/** Connects the vehicle and shows the live line; never ends by itself but with an error. */
	async #drive(generation: Generation): Promise<never> {
		const { drive, coupling, faults, withVehicle, recordPath, replayPath } = this.#options;
		if (withVehicle) {
			const options = coupling === "bent" ? { curve: BENT } : { character: coupling };
			const vehicle = new Vehicle(generation, typeof drive === "string" ? CYCLES[drive] : drive, options);
			vehicle.breakDown(faults);
			this.#runner = new VehicleRunner(vehicle, this.#paths, recordPath);
		}
		const url = await this.#controller.url;
		this.#answered = true;
		if (this.#options.withControls) this.#controller.press(process.stdin);
		this.#line.print(`open ${url}`);
		if (this.#options.lan)
			for (const line of invitation(lanAddresses(), new URL(url).port, process.stdout.isTTY === true)) this.#line.print(line);
		if (this.#runner) {
			await this.#connected(this.#runner);
			this.#runner.begin();
			const driving = typeof drive === "string" ? `drives "${drive}"` : "drives as told";
			this.#line.print(`a car with a generation ${generation} coupling ${driving}; Ctrl-C ends it`);
		} else if (replayPath === undefined) {
			this.#line.print(`no vehicle; the buses wait at ${this.#paths.chassis} and ${this.#paths.coupling}`);
		}
		while (!this.#ending) await this.#show(url);
		return new Promise(() => {});
	}

	/** The car gets the coupling that the driver has chosen, unless the command line names one. */
	#refit(generation: unknown): void {
		const vehicle = this.#runner?.vehicle;
		if (!isGeneration(generation) || vehicle === undefined || this.#options.generation !== undefined) return;
		if (generation === vehicle.generation) return;
		vehicle.refit(generation);
		this.#line.print(`the car has a generation ${generation} coupling now`);
	}

	async #connected(runner: VehicleRunner): Promise<void> {
		for (let waitedMs = 0; !runner.chassis.connected || !runner.coupling.connected; waitedMs += CONNECT_POLL_MS) {
			if (waitedMs >= CONNECT_MS)
				throw new Error(`the controller does not accept the vehicle on its buses (${this.#paths.chassis})`);
			await sleep(CONNECT_POLL_MS);
		}
	}

	async #show(url: string): Promise<void> {
		const before = { sent: this.#runner?.chassis.sent ?? 0, received: this.#runner?.coupling.received ?? 0 };
		const startMs = performance.now();
		await sleep(this.#line.intervalMs);
		const status = await readStatus(url);
		this.#refit(status?.couplingGeneration);
		const played = this.#recording && { seconds: (status?.uptimeMs ?? Number.NaN) / 1000, of: this.#recording.read.seconds };
		const elapsedS = (performance.now() - startMs) / 1000;
		if (!this.#ending) this.#line.show(lineOf(status, this.#runner, before, elapsedS, played));
	}
}

function fail(line: string, code: number): number {
	process.stderr.write(`npm start: ${line}\n`);
	return code;
}
