/**
 * The board's own controls from outside: a press is a line on standard input, LED and outputs are lines on
 * standard output.
 */
import assert from "node:assert/strict";
import { MODE_COLOURS, TROUBLE_COLOUR } from "../../src/controls/led.js";
import { MODES } from "../../src/lock/modes.js";
import { type Car, withCar } from "./car.js";

const READY_MS = 2500;
const led = (colour: number): string => `led ${colour.toString(16).padStart(6, "0")}`;
const ledOf = (mode: string): string => led(MODE_COLOURS[(MODES as readonly string[]).indexOf(mode)]!);

function ready(settings: Record<string, unknown>, use: (car: Car) => Promise<void>): Promise<void> {
	return withCar(5, settings, async (car) => {
		await car.run(READY_MS);
		await use(car);
	});
}

/** Lets `ms` pass. @returns what LED and outputs have done since the call before */
async function told(car: Car, ms: number): Promise<string[]> {
	await car.run(ms);
	const lines = car.lockstep.controls.map(({ text }) => text);
	car.lockstep.controls = [];
	return lines;
}

const set = (car: Car, controls: object) => car.ask("POST", "/api/settings", { controls });

describe("virtual time: the board's LED", () => {
	it("shows the waiting mode, the active one, faults, and each choice", () =>
		ready({ mode: "5050" }, async (car) => {
			assert.ok((await told(car, 0)).includes(ledOf("5050")));
			assert.deepEqual(await told(car, 1000), [], "steady");
			car.command("disconnect coupling");
			const trouble = await told(car, 2000);
			for (const colour of [TROUBLE_COLOUR, 0])
				assert.ok(trouble.filter((line) => line === led(colour)).length >= 8, `${trouble}`);
			car.command("connect coupling");
			await car.run(3000);
			for (const mode of ["FWD", "MAP", "STOCK"]) {
				await car.ask("POST", "/api/mode", { mode });
				assert.equal((await told(car, 1500)).at(-1), ledOf(mode));
			}
		}));
});

describe("virtual time: buttons", function () {
	this.timeout(300_000);
	const CONTROLS = { favourites: "STOCK 5050 FWD MAP", heldMode: "9010" };
	const FULL = 0xfa;

	const chosen = async (car: Car): Promise<unknown> => (await car.status()).mode;
	async function press(car: Car, name: string, ms: number): Promise<void> {
		car.command(`button ${name} down`);
		await car.run(ms);
		car.command(`button ${name} up`);
		await car.run(400);
	}

	it("step through the favourites, and the log says who chose", () =>
		ready({ mode: "STOCK", disableController: true, controls: CONTROLS }, async (car) => {
			for (const [name, mode] of [
				["mode", "5050"],
				["external", "FWD"],
				["mode", "MAP"],
				["external", "STOCK"],
				["mode", "5050"],
			] as const) {
				await press(car, name, 150);
				assert.equal(await chosen(car), mode);
			}
			await car.run(3000);
			assert.equal(car.commanded, FULL);
			assert.match(car.stored("logs/all.txt"), /\tEVENT\tbutton\tthe external button selects FWD\n/);
			await set(car, { favourites: "RPM passthru" });
			await press(car, "mode", 150);
			assert.equal(await chosen(car), "RPM");
			await car.run(3000);
			await car.restart();
			const { mode, controls } = await car.status();
			assert.deepEqual([mode, controls.favourites], ["RPM", "RPM STOCK"]);
		}));

	it("hold a mode until released, lost or stuck, and do not store it", () =>
		ready({ mode: "5050", controls: CONTROLS }, async (car) => {
			const HELD = ["9010", "control is active in the mode of the button that is held"];
			const OWN = ["5050", "control is active"];
			const shows = async (expected: string[], when: string): Promise<void> => {
				const { mode, effectiveMode, reason } = await car.status();
				assert.deepEqual([mode, effectiveMode, reason], ["5050", ...expected], when);
			};
			const after = async (command: string, ms: number, expected: string[]): Promise<void> => {
				car.command(command);
				await car.run(ms);
				await shows(expected, command);
			};
			await after("button mode down", 900, OWN);
			await car.run(300);
			await shows(HELD, "after a second");
			await after("button mode up", 400, OWN);
			await after("button mode down", 1500, HELD);
			await after("inputs lost", 200, OWN);
			await after("inputs back", 3000, OWN);
			await after("button mode up", 200, OWN);
			await after("button mode down", 1500, HELD);
			await car.restart();
			await car.run(5000);
			await shows(OWN, "after a restart");
			assert.doesNotMatch(car.stored("settings.json"), /"mode":\s*"9010"/);
		}));

	it("on the steering wheel select with each press, once, and only while the signal comes", () =>
		ready(
			{ mode: "5050", controls: { ...CONTROLS, buttonSignal: "chassis|0x3dd|mfl tip down|", buttonValue: 1 } },
			async (car) => {
				let sends: number | undefined = 0;
				car.comes = (send, ms) => {
					car.drives(send);
					if (ms % 50 === 0 && sends !== undefined) send(0, 0x3dd, Uint8Array.of(0, 0, 0, 0, 0, 0, 0, sends));
				};
				for (const [value, ms, mode] of [
					[0, 300, "5050"],
					[1, 5000, "FWD"],
					[0, 300, "FWD"],
					[undefined, 1000, "FWD"],
					[1, 1000, "FWD"],
					[0, 300, "FWD"],
					[1, 300, "MAP"],
				] as const) {
					sends = value;
					await car.run(ms);
					assert.equal(await chosen(car), mode, `${value} for ${ms} ms`);
				}
			},
		));
});

describe("virtual time: brake and handbrake outputs", () => {
	const outputs = async (car: Car, ms: number): Promise<string[]> =>
		(await told(car, ms)).filter((line) => line.startsWith("output"));

	it("follow their inputs within 50 ms once switched on, inverted on request", () =>
		ready({ mode: "STOCK" }, async (car) => {
			car.command("input brake on");
			car.command("input handbrake on");
			assert.deepEqual(await outputs(car, 1000), []);
			await set(car, { invertBrake: true, invertHandbrake: true });
			assert.deepEqual(await outputs(car, 1000), []);
			await set(car, { followBrake: true, invertBrake: false, followHandbrake: true });
			assert.deepEqual(await outputs(car, 50), ["output brake 1"]);
			car.command("input brake off");
			car.command("input handbrake off");
			assert.deepEqual(await outputs(car, 50), ["output brake 0", "output handbrake 1"]);
			await set(car, { followHandbrake: false });
			assert.deepEqual(await outputs(car, 50), ["output handbrake 0"]);
		}));

	it("follow from the start on, once it was read", () =>
		ready({ mode: "STOCK", controls: { followBrake: true, invertBrake: true } }, async (car) =>
			assert.deepEqual(await outputs(car, 0), ["output brake 1"]),
		));
});
