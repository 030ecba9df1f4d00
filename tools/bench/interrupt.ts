/**
 * Instructions of the C6's processor per forwarded frame, all in: the code that the boards run, compiled for
 * rv32 and executed by rv32.ts on the registers of two controllers, with the application's frame plans and
 * the simulated car's traffic, and what ESP-IDF adds to each interrupt.
 */

import "../natives.js";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { GATEWAY_COUNTER } from "../../modules/can-gateway/gateway-counters.js";
import type { FrameProfile } from "../../src/coupling/couplings/couplings.js";
import { framePlan } from "../../src/coupling/frame-plan.js";
import { MAP } from "../../src/lock/modes.js";
import { DEFAULT_SETTINGS } from "../../src/settings/settings.js";
import { Telemetry } from "../../src/vehicle/telemetry.js";
import { idfHeaders } from "../device/c-half.mjs";
import type { Generation } from "../vehicle/chassis.js";
import { CYCLES } from "../vehicle/cycles.js";
import { Vehicle } from "../vehicle/vehicle.js";
import { Rv32 } from "./rv32.js";

const BUDGET = 1500;
const FULL_BUSES = 2 * 4504; // frames a second, with 8 bytes
const CHIP = 110e6; // instructions a second of a C6 at 160 MHz
const SHARE = 0.25; // of it, for two full buses
/**
 * ESP-IDF's part of an interrupt, counted in a trace of QEMU's ESP32-C3 (hal/esp32/README.md, "How a frame
 * passes"): registers saved and restored and the handler looked up 231, the time 59. A controller calls
 * twice for a frame: it was received on one bus, it has left on the other.
 */
const ESP_IDF = 290;
const FRAME_TIME_US = 222; // of an 8-byte frame at 500 kbit/s
const TICK_US = 10_000;
const SECONDS = 5; // of driving
const CHASSIS = 0;
const COUPLING = 1;
const BREMSE_4 = 0x2a0;
const MIXES: readonly (readonly [mix: string, generation: Generation, profile: FrameProfile])[] = [
	["pq", 4, "reference"],
	["pqCorrected", 4, "corrected"],
	["mqb", 5, "reference"],
	["mqbCorrected", 5, "corrected"],
];

// relative to the root, which is where it runs
const CORE = "modules/can-gateway";
const FOLDER = "build/bench";
const COMPILER = process.env["RISCV_CC"] ?? "riscv64-unknown-elf-gcc";
/** Where the program lies in memory, and what it is given. */
const BASE = 0x10000;
const GIVEN = 0x80000;

/** What is executed. */
interface Program {
	readonly image: Uint8Array;
	/** Addresses of its functions. */
	readonly addresses: ReadonlyMap<string, number>;
}

function compile(): Program {
	const program = `${FOLDER}/interrupt.elf`;
	const layout = Object.entries({ __flash: BASE, __flash_size: 0x20000, __ram: 0x30000, __ram_size: 0x40000 })
		.map(([name, value]) => `--defsym=${name}=${value}`)
		.join(",");
	const core = readdirSync(CORE).filter((name) => /^gateway_.*\.c$/.test(name));
	mkdirSync(FOLDER, { recursive: true });
	execFileSync(COMPILER, [
		// as Moddable's makefile and tools/device/boards.mjs have it for the C6; without compressed encodings,
		// which are the same instructions
		...["-std=gnu17", "-Os", "-march=rv32im", "-msave-restore", "-mabi=ilp32"],
		...["-fno-inline-functions", "-fno-jump-tables", "-fstrict-volatile-bitfields"],
		...["--specs=picolibc.specs", "-nostartfiles", "-Wl,-e,set_up", `-Wl,${layout}`, "-Wall", "-Wextra", "-o", program],
		...["tools/bench/rv32", CORE, "hal/esp32", ...idfHeaders()].flatMap((headers) => ["-I", headers]),
		...["tools/bench/rv32/program.c", "hal/esp32/twai.c", ...core.map((name) => `${CORE}/${name}`)],
	]);
	const tool = (name: string): string => COMPILER.replace(/gcc$/, name);
	execFileSync(tool("objcopy"), ["-O", "binary", program, `${program}.bin`]);
	const lines = execFileSync(tool("nm"), [program], { encoding: "utf8" }).split("\n");
	const addresses = lines.map((line) => line.split(" ")).map(([at, , name]) => [name, Number.parseInt(at, 16)] as const);
	return { image: readFileSync(`${program}.bin`), addresses: new Map(addresses) };
}

/** A frame that comes from one of the buses. */
interface Frame {
	readonly timeUs: number;
	readonly bus: number;
	/** As a controller's buffer has it. */
	readonly buffer: Uint8Array;
}

/** The launch cycle, the same every time. */
function trafficOf(generation: Generation): Frame[] {
	const frames: Frame[] = [];
	const vehicle = new Vehicle(generation, CYCLES.launch);
	for (let ms = 0; ms < SECONDS * 1000; ms++) {
		let timeUs = ms * 1000;
		const add = (bus: number) => (id: number, isExtended: boolean, data: Uint8Array) => {
			// In most cars Bremse_4 has DLC 3 and is left alone; some have 8, and that is slower.
			const whole = id === BREMSE_4 ? Uint8Array.from({ length: 8 }, (_, i) => data[i] ?? 0) : data;
			frames.push({ timeUs, bus, buffer: bufferOf(id, isExtended, whole) });
			timeUs += FRAME_TIME_US;
		};
		vehicle.step(add(CHASSIS), add(COUPLING));
	}
	return frames;
}

function bufferOf(id: number, isExtended: boolean, data: Uint8Array): Uint8Array {
	const bytes = Buffer.alloc(13);
	bytes[0] = data.length | (isExtended ? 0x80 : 0);
	if (isExtended) bytes.writeUInt32BE((id << 3) >>> 0, 1);
	else bytes.writeUInt16BE(id << 5, 1);
	bytes.set(data, isExtended ? 5 : 3);
	return bytes;
}

const [STATUS, INTERRUPT, COMMAND, MODE, BUFFER] = [0x08, 0x0c, 0x04, 0x00, 0x40];
const REGISTERS = 0x60000000;
const CONTROLLER_BYTES = 0x74;

/** A controller's registers, as far as an interrupt uses them. */
class Controller {
	received: Uint8Array | undefined;
	isSending = false;
	#mode = 1;

	read(offset: number): number {
		if (offset === MODE) return this.#mode;
		if (offset === INTERRUPT) return 3;
		if (offset === STATUS) return (this.received ? 1 : 0) | (this.isSending ? 0 : 0x0c);
		return this.received?.[(offset - BUFFER) >> 2] ?? 0;
	}

	write(offset: number, value: number): void {
		if (offset === MODE) this.#mode = value;
		if (offset !== COMMAND) return;
		if (value === 1) this.isSending = true;
		if (value === 4) this.received = undefined;
	}
}

/** Instructions of ours. */
interface Cost {
	/** Per frame, on average. */
	readonly perFrame: number;
	readonly longestInterrupt: number;
	readonly longestCommit: number;
}

/** Has all frames pass. @throws {Error} one of them did not */
function measure({ image, addresses }: Program, generation: Generation, profile: FrameProfile): Cost {
	const controllers = [new Controller(), new Controller()];
	const controllerAt = (address: number) => controllers[Math.floor((address - REGISTERS) / CONTROLLER_BYTES)];
	const offsetOf = (address: number) => (address - REGISTERS) % CONTROLLER_BYTES;
	const processor = new Rv32(image, BASE, {
		read: (address) => controllerAt(address).read(offsetOf(address)),
		write: (address, value) => controllerAt(address).write(offsetOf(address), value),
	});
	const call = (name: string, ...args: number[]): number => {
		const address = addresses.get(name);
		if (address === undefined) throw new Error(`${name} is not in the program`);
		return processor.call(address, ...args);
	};
	/** A function that is told the time, of which the upper 32 bits stay 0. @returns instructions */
	const timed = (name: string, argument: number, us: number): number => {
		const before = processor.count;
		call(name, argument, us, 0);
		return processor.count - before;
	};
	const plan = framePlan(generation, profile, MAP);
	const watch = new Telemetry(generation, DEFAULT_SETTINGS.inputMappings).watch.bytes();
	processor.bytes(GIVEN).set(plan);
	processor.bytes(GIVEN + plan.length).set(watch);
	if (!call("set_up", GIVEN, plan.length, GIVEN + plan.length, watch.length)) throw new Error("the gateway was not set up");

	const frames = trafficOf(generation);
	const interrupts: number[] = [];
	const commits: number[] = [];
	for (const { timeUs, bus, buffer } of frames) {
		while (commits.length * TICK_US <= timeUs)
			commits.push(timed("commit", (commits.length * 256) % 25601, commits.length * TICK_US));
		const [from, to] = [controllers[bus], controllers[bus ^ 1]];
		from.received = buffer;
		interrupts.push(timed("interrupt", bus, timeUs));
		if (!to.isSending) throw new Error(`the frame at ${timeUs} us did not reach the other controller`);
		to.isSending = false;
		interrupts.push(timed("interrupt", bus ^ 1, timeUs + FRAME_TIME_US));
	}
	const { forwardedToChassis, forwardedToCoupling, rewritten } = GATEWAY_COUNTER;
	const counters = [forwardedToChassis, forwardedToCoupling, rewritten].map((at) => call("counter", at));
	if (counters[0] + counters[1] !== frames.length || counters[2] === 0)
		throw new Error(`forwarded and rewritten: ${counters} of ${frames.length}`);
	return {
		perFrame: interrupts.reduce((sum, instructions) => sum + instructions, 0) / frames.length,
		longestInterrupt: Math.max(...interrupts),
		longestCommit: Math.max(...commits),
	};
}

/** Counts and prints. @returns false if a frame costs more than it may */
export function interrupt(): boolean {
	if (spawnSync(COMPILER, ["--version"]).error) {
		const packages = "gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf";
		console.log(`skipped: counting for rv32 needs its compiler (apt-get install ${packages})`);
		return true;
	}
	const program = compile();
	let isWithin = true;
	for (const [mix, generation, profile] of MIXES) {
		const { perFrame, longestInterrupt, longestCommit } = measure(program, generation, profile);
		const allIn = Math.round(perFrame + 2 * ESP_IDF);
		const share = (allIn * FULL_BUSES) / CHIP;
		isWithin &&= allIn <= BUDGET && share <= SHARE;
		console.log(
			`${mix.padEnd(12)} ${Math.round(perFrame)} instructions of ours per frame forwarded, ${allIn} with ESP-IDF's; ` +
				`longest interrupt ${longestInterrupt}, longest commit, which keeps interrupts away, ${longestCommit}; ` +
				`both buses full: ${(100 * share).toFixed(1)} % of a C6`,
		);
	}
	return isWithin;
}
