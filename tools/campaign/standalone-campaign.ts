/**
 * The campaign of standalone operation (`docs/control-and-can.md` 3.9): what can go wrong for a coupling without a car, in each state, on each
 * generation and in each frame profile. Deterministic.
 */
import { EXTENDED, REMOTE } from "./frame-judge.js";
import type { Bus } from "./lockstep.js";
import { StandaloneDrive } from "./standalone-drive.js";
import { DIAGNOSIS } from "./standalone-tables.js";
import type { Generation, Profile } from "./tables.js";

/** It listens, begins, and control comes back slowly. */
const READY_MS = 6000;
const OTHER = Uint8Array.of(0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee);

interface State {
	readonly name: string;
	readonly mode: string;
	readonly settings?: Readonly<Record<string, unknown>>;
	/** Has crashed three times in a row before. */
	readonly crashed?: true;
	/** Faults come so long after the start; default: when all is as it should be. */
	readonly afterMs?: number;
	readonly enter?: (drive: StandaloneDrive) => Promise<void> | void;
}

interface Event {
	readonly name: string;
	readonly ms: number;
	/** From its end until all is as before; default: READY_MS. */
	readonly backMs?: number;
	/** It starts the controller anew: by itself, or switched off and on. */
	readonly restarts?: "itself" | "switched";
	readonly begin: (drive: StandaloneDrive) => Promise<void> | void;
	readonly end?: (drive: StandaloneDrive) => Promise<void> | void;
}

/** Somebody sends this frame, every so many ms. */
function sends(drive: StandaloneDrive, bus: Bus, id: number, everyMs: number, flags = 0): void {
	const fromMs = drive.nowMs;
	drive.beside.set(`${bus} ${id} ${flags}`, (ms, put) => {
		if ((ms - fromMs) % everyMs === 3) put(bus, { id, flags, data: flags & REMOTE ? new Uint8Array(8) : OTHER });
	});
}

const UPLOAD =
	"POST /ota/update HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/octet-stream\r\nContent-Length: 200000\r\n\r\n";

const uploads = new WeakMap<StandaloneDrive, { destroy: () => void }>();

/** An upload that goes on, beside whose mode nothing is asked for. */
async function upload(drive: StandaloneDrive): Promise<void> {
	// a car whose speed is unknown stands for certain once it has been silent for 10 s
	drive.chassisSends = false;
	await drive.run(10_100);
	await drive.ask("POST", "/api/mode", '{"mode":"STOCK"}');
	drive.demand.standing.add("update");
	await drive.run(500);
	const socket = await drive.lockstep.connect();
	socket.write(UPLOAD);
	await drive.run(50);
	uploads.set(drive, socket);
	await chooses(drive, drive.demand.mode);
	await drive.run(100);
	const { text = "" } = (await drive.ask("GET", "/api/status")) ?? {};
	if (!text.includes('"reason":"an update is in progress"'))
		drive.complain(`no update is in progress: ${/"reason":"[^"]*"/.exec(text)?.[0]}`);
}

async function chooses(drive: StandaloneDrive, mode: string): Promise<void> {
	drive.demand.wish(mode);
	const answer = await drive.ask("POST", "/api/mode", JSON.stringify({ mode }));
	if (answer?.code !== 200) drive.complain(`mode ${mode} is answered with ${answer?.code}`);
	drive.demand.choose(mode, drive.nowMs);
}

async function switches(drive: StandaloneDrive, isStandalone: boolean): Promise<void> {
	const { judge } = drive;
	const before = judge.isOn;
	judge.isOn = undefined;
	const answer = await drive.ask("POST", "/api/settings", JSON.stringify({ isStandalone }));
	judge.forgetCounters();
	if (answer?.code !== 200 || drive.demand.standing.has("boot loop")) judge.isOn = before;
	else if (isStandalone) judge.begin(drive.nowMs);
	else judge.end();
}

const STATES: readonly State[] = [
	{ name: "locked", mode: "5050" },
	{ name: "open", mode: "FWD" },
	{ name: "a third", mode: "7030" },
	{ name: "stock", mode: "STOCK" },
	{ name: "without the input that its mode needs", mode: "SPEED" },
	{ name: "listening", mode: "5050", afterMs: 1500 },
	{ name: "waiting for another sender", mode: "5050", enter: (drive) => sends(drive, 0, drive.judge.ids[0], 100) },
	{
		name: "waiting for a sender on the coupling's bus",
		mode: "5050",
		enter: (drive) => sends(drive, 1, drive.judge.ids[1], 1000),
	},
	{
		name: "disabled",
		mode: "5050",
		settings: { disableController: true },
		enter: (drive) => void drive.demand.standing.add("disabled"),
	},
	{
		name: "boot loop",
		mode: "5050",
		crashed: true,
		enter: (drive) => {
			drive.demand.standing.add("boot loop");
			drive.judge.isOn = false;
		},
	},
];

const heard = (name: string, bus: Bus, everyMs: number, ms: number, flags = 0): Event => ({
	name,
	ms,
	begin: (drive) => sends(drive, bus, drive.judge.ids[2], everyMs, flags),
	end: (drive) => void drive.beside.delete(`${bus} ${drive.judge.ids[2]} ${flags}`),
});

const switched = (fault: string, ms: number, also?: (drive: StandaloneDrive) => void): Event => ({
	name: fault,
	ms,
	begin: (drive) => {
		drive.lockstep.command(`fault ${fault}`);
		also?.(drive);
	},
});

const downFor = (bus: Bus, ms: number): Pick<Event, "ms" | "begin" | "end"> => {
	const name = bus === 0 ? "chassis" : "coupling";
	return {
		ms,
		begin: (drive) => {
			drive.lockstep.command(`disconnect ${name}`);
			drive.loseFor(ms + 100);
			drive.judge.busDown(bus, drive.nowMs);
		},
		end: (drive) => {
			drive.lockstep.command(`connect ${name}`);
			drive.judge.busUp(bus, drive.nowMs);
		},
	};
};

const busOff = (bus: Bus): Event => ({
	...switched(`bus-off-${bus === 0 ? "chassis" : "coupling"}=0:400`, 400, (drive) => {
		drive.loseFor(2600);
		drive.judge.busDown(bus, drive.nowMs);
	}),
	end: async (drive) => {
		// recovery is tried every 100 ms, then less often; until then it may not be heard
		const { nowMs } = drive;
		await drive.run(2200);
		drive.judge.busUp(bus, nowMs, drive.nowMs);
	},
});

const crash = (fault: string): Event => ({ ...switched(fault, 300), restarts: "switched" });

const EVENTS: readonly Event[] = [
	heard("one frame of another sender", 0, 10_000, 20),
	heard("another sender, for 2 s", 0, 20, 2000),
	heard("another sender on the coupling's bus", 1, 500, 1200),
	heard("another sender's remote frames", 0, 300, 700, REMOTE),
	heard("the same identifier, extended", 0, 20, 700, EXTENDED),
	{
		name: "questions of a tester and foreign frames",
		ms: 500,
		begin: (drive) => {
			for (const id of [...DIAGNOSIS, 0x123, 0x7df]) sends(drive, 0, id, 50);
			sends(drive, 1, 0x779, 50);
		},
		end: (drive) => {
			for (const id of [...DIAGNOSIS, 0x123, 0x7df]) drive.beside.delete(`0 ${id} 0`);
			drive.beside.delete("1 1913 0");
		},
	},
	switched("script-stalled=0:700", 700, (drive) => drive.stall(700)),
	switched("script-stalled=0:150", 150, (drive) => drive.stall(150)),
	busOff(0),
	busOff(1),
	{ name: "chassis bus unplugged", ...downFor(0, 300) },
	{ name: "coupling bus unplugged", ...downFor(1, 300) },
	switched("tx-full-coupling=0:400", 400, (drive) => drive.loseFor(450)),
	switched("tx-full-chassis=0:400", 400, (drive) => drive.loseFor(450)),
	switched("gateway-stalled=0:40", 40, (drive) => drive.loseFor(100)),
	// the lease is over by it, and what is renewed begins anew
	switched("clock-jump=0:60000", 10, (drive) => drive.loseFor(10)),
	// the simulated gateway's clock is put back, too: what is due is due later
	switched("clock-jump-back=0:1000", 10, (drive) => drive.loseFor(1100)),
	switched("flash-write-fails=1", 10),
	{
		name: "the coupling does not report for 1.5 s",
		ms: 1500,
		begin: (drive) => {
			drive.reports = false;
		},
		end: (drive) => {
			drive.reports = true;
		},
	},
	{
		name: "the coupling is too hot",
		ms: 700,
		backMs: 11_500,
		begin: (drive) => {
			drive.couplingState = 0b0000_0010;
		},
		end: (drive) => {
			drive.couplingState = 0;
		},
	},
	{
		name: "other modes are chosen",
		ms: 400,
		begin: async (drive) => {
			const { mode } = drive.demand;
			for (const other of ["9010", "STOCK", "FWD", mode]) await chooses(drive, other);
		},
	},
	{
		name: "it is switched off for a moment",
		ms: 700,
		begin: (drive) => switches(drive, false),
		end: (drive) => switches(drive, true),
	},
	{
		name: "an update",
		ms: 600,
		begin: upload,
		end: (drive) => {
			uploads.get(drive)?.destroy();
			drive.chassisSends = true;
			drive.demand.standing.delete("update");
		},
	},
	crash("script-crashed=0"),
	crash("heap-exhausted=0"),
	{ name: "switched off and on", ms: 50, restarts: "switched", begin: () => {} },
	{ ...switched("gateway-stalled=0", 1300, (drive) => drive.loseFor(1400)), restarts: "itself" },
	{
		name: "tick-throws=0",
		ms: 300,
		restarts: "switched",
		begin: async (drive) => {
			drive.lockstep.command("fault tick-throws=0");
			drive.judge.isOn = undefined;
			await drive.run(20);
			drive.judge.isOn = false;
		},
		end: (drive) => {
			drive.judge.isOn = true;
		},
	},
];

function applies(event: Event, { name }: State, generation: Generation): boolean {
	// the state byte of generation 5 has no such flags
	if (event.name.includes("hot") && generation === 5) return false;
	// it asks for STOCK first, and for a chassis that is silent
	if (event.name === "an update" && !["locked", "open", "a third"].includes(name)) return false;
	// the simulated gateway's clock jumps, too, which on a board it can't: its 3 s are others then
	if (event.name.startsWith("clock-jump") && /^listening|^waiting/.test(name)) return false;
	// what a client may not choose in these, or ends them with
	if (/^other modes/.test(event.name) && ["disabled", "boot loop", "without the input that its mode needs"].includes(name))
		return false;
	return !(name === "boot loop" && event.restarts);
}

export interface StandaloneResult {
	combinations: number;
	frames: number;
	/** Frames that say exactly how much lock is asked for. */
	commands: number;
	readonly complaints: string[];
}

interface Leg {
	readonly state: State;
	readonly generation: Generation;
	readonly profile: Profile;
	readonly events: readonly Event[];
}

function legs(grep: string): Leg[] {
	const all: Leg[] = [];
	for (const state of STATES)
		for (const generation of [1, 2, 4, 5] as const)
			for (const profile of ["reference", "corrected"] as const) {
				const events = EVENTS.filter((event) => applies(event, state, generation)).filter(({ name }) =>
					`${state.name} ${name}`.includes(grep),
				);
				const leg = { state, generation, profile };
				if (state.afterMs !== undefined) for (const event of events) all.push({ ...leg, events: [event] });
				else if (events.length > 0) all.push({ ...leg, events });
			}
	return all;
}

/** Runs it. @param crashed a flash folder on which the controller has crashed three times in a row */
export async function standaloneCampaign(options: {
	readonly program: string;
	readonly part: readonly [n: number, m: number];
	readonly grep?: string;
	readonly sideBySide: number;
	readonly crashed: string;
}): Promise<StandaloneResult> {
	const result: StandaloneResult = { combinations: 0, frames: 0, commands: 0, complaints: [] };
	const [n, m] = options.part;
	const chosen = legs(options.grep ?? "").filter((_, i) => i % m === n - 1);
	const complaints: string[][] = chosen.map(() => []);
	let next = 0;
	const worker = async (): Promise<void> => {
		for (let i = next++; i < chosen.length; i = next++)
			complaints[i] = await runLeg(chosen[i], options.program, options.crashed, result);
	};
	await Promise.all(Array.from({ length: options.sideBySide }, worker));
	result.complaints.push(...complaints.flat());
	return result;
}

async function runLeg(
	{ state, generation, profile, events }: Leg,
	program: string,
	crashed: string,
	result: StandaloneResult,
): Promise<string[]> {
	const { mode, settings = {} } = state;
	const flash = state.crashed && crashed;
	const drive = await StandaloneDrive.start(program, { generation, profile, mode, settings, flash });
	const where = `standalone, ${state.name}, generation ${generation}, ${profile}`;
	try {
		drive.subject = `${where}: start`;
		await state.enter?.(drive);
		await drive.run(state.afterMs ?? READY_MS);
		if (state.afterMs === undefined) await drive.judgeSteady("before anything");
		for (const event of events) {
			drive.subject = `${where}: ${event.name}`;
			result.combinations++;
			await happen(drive, event);
		}
	} catch (error) {
		drive.complain(`${error instanceof Error ? error.stack : error}\n${drive.lockstep.complaints}`);
	} finally {
		await drive.end();
	}
	result.frames += drive.frames;
	result.commands += drive.commands;
	return drive.complaints;
}

async function happen(drive: StandaloneDrive, event: Event): Promise<void> {
	await event.begin(drive);
	await drive.run(event.ms);
	if (event.restarts === "switched") {
		await drive.boot();
	}
	await event.end?.(drive);
	await drive.run(event.backMs ?? READY_MS);
	await drive.judgeSteady("at its end");
}
