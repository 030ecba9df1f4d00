/**
 * The board's own controls from outside: who presses is a line on standard input, LED and outputs are lines
 * on standard output.
 */
import assert from "node:assert/strict";
import { MODE_COLOURS, TROUBLE_COLOUR } from "../../src/controls/led.js";
import { MODES } from "../../src/lock/modes.js";
import { type CalibrationCar, withCar } from "./calibration-car.js";

const colourOf = (mode: string): number => MODE_COLOURS[(MODES as readonly string[]).indexOf(mode)]!;
const led = (colour: number): string => `led ${colour.toString(16).padStart(6, "0")}`;
const DARK = led(0);

/** What LED and outputs do in so many ms. */
async function told(car: CalibrationCar, ms: number): Promise<string[]> {
	car.takeControls();
	await car.run(ms);
	return car.takeControls();
}

describe("virtual time: the board's LED", function () {
	this.timeout(120_000);

	it("shows the waiting mode, the active one, faults, and each choice", () =>
		withCar(5, { mode: "5050" }, async (car) => {
			const lines = car.takeControls();
			assert.ok(lines.includes(led(colourOf("5050"))), `${lines}`);
			assert.deepEqual(await told(car, 1000), [], "steady");
			car.command("disconnect coupling");
			const trouble = await told(car, 2000);
			assert.ok(trouble.filter((line) => line === led(TROUBLE_COLOUR)).length >= 8, `${trouble}`);
			assert.ok(trouble.filter((line) => line === DARK).length >= 8, `${trouble}`);
			car.command("connect coupling");
			await car.run(3000);
			for (const mode of ["FWD", "MAP", "STOCK"]) {
				await car.ask("POST", "/api/mode", JSON.stringify({ mode }));
				await car.run(1500);
				assert.equal(car.takeControls().at(-1), led(colourOf(mode)));
			}
		}));
});

describe("virtual time: buttons", function () {
	this.timeout(300_000);
	const CONTROLS = { favourites: "STOCK 5050 FWD MAP", heldMode: "9010" };
	const FULL = 0xfa;

	const chosen = async (car: CalibrationCar): Promise<unknown> => (await car.ask("GET", "/api/status"))["mode"];
	const inForce = async (car: CalibrationCar): Promise<unknown[]> => {
		const { effectiveMode, reason } = await car.ask("GET", "/api/status");
		return [effectiveMode, reason];
	};
	async function press(car: CalibrationCar, name: string, ms: number): Promise<void> {
		car.command(`button ${name} down`);
		await car.run(ms);
		car.command(`button ${name} up`);
		await car.run(400);
	}

	it("step through the favourites, and the log says who chose", () =>
		withCar(5, { mode: "STOCK", disableController: true, controls: CONTROLS }, async (car) => {
			for (const [name, mode] of [
				["mode", "5050"],
				["external", "FWD"],
				["mode", "MAP"],
				["external", "STOCK"],
				["mode", "5050"],
			]) {
				await press(car, name!, 150);
				assert.equal(await chosen(car), mode);
			}
			await car.run(3000);
			assert.equal(car.commanded, FULL);
			assert.match(car.stored("logs/all.txt"), /\tEVENT\tbutton\tthe external button selects FWD\n/);
			await car.ask("POST", "/api/settings", JSON.stringify({ controls: { favourites: "RPM passthru" } }));
			await press(car, "mode", 150);
			assert.equal(await chosen(car), "RPM");
			await car.run(3000);
			await car.restart();
			const { mode, controls } = await car.ask("GET", "/api/status");
			assert.deepEqual([mode, (controls as Record<string, unknown>)["favourites"]], ["RPM", "RPM STOCK"]);
		}));

	it("hold a mode until released, lost or stuck, and do not store it", () =>
		withCar(5, { mode: "5050", controls: CONTROLS }, async (car) => {
			const HELD = ["9010", "control is active in the mode of the button that is held"];
			const OWN = ["5050", "control is active"];
			await car.run(1000);
			assert.deepEqual(await inForce(car), OWN);
			car.command("button mode down");
			await car.run(900);
			assert.deepEqual(await inForce(car), OWN);
			await car.run(300);
			assert.deepEqual(await inForce(car), HELD);
			assert.equal(await chosen(car), "5050");
			car.command("button mode up");
			await car.run(400);
			assert.deepEqual(await inForce(car), OWN, "let go");
			car.command("button mode down");
			await car.run(1500);
			car.command("inputs lost");
			await car.run(200);
			assert.deepEqual(await inForce(car), OWN, "lost");
			car.command("inputs back");
			await car.run(3000);
			assert.deepEqual(await inForce(car), OWN, "still down");
			car.command("button mode up");
			await car.run(200);
			car.command("button mode down");
			await car.run(1500);
			await car.restart();
			await car.run(3000);
			assert.deepEqual(await inForce(car), OWN);
			assert.doesNotMatch(car.stored("settings.json"), /"mode":\s*"9010"/);
		}));

	it("hold nothing in STOCK, beside an open network or in a capture", () =>
		withCar(5, { mode: "5050", controls: CONTROLS }, async (car) => {
			await car.run(1000);
			car.command("button mode down");
			await car.run(1500);
			await car.ask("POST", "/api/mode", '{"mode":"STOCK"}');
			await car.run(100);
			assert.equal(car.commanded, undefined);
			await car.ask("POST", "/api/mode", '{"mode":"5050"}');
			await car.run(2500);
			assert.deepEqual((await inForce(car))[0], "5050", "not before it was let go");
			car.command("button mode up");
			await car.run(300);
			await car.ask("POST", "/api/canview/capture", '{"active":true}');
			await press(car, "mode", 150);
			await press(car, "external", 2000);
			assert.equal((await car.ask("GET", "/api/status"))["effectiveMode"], "STOCK");
		}));

	it("that bounce, are both pressed, or held from the start on leave the car as it is", () =>
		withCar(5, { mode: "5050", controls: CONTROLS }, async (car) => {
			await car.run(1000);
			const before = car.commanded;
			for (let i = 0; i < 60; i++) {
				car.command(`button mode ${i % 2 === 0 ? "down" : "up"}`);
				await car.run(30);
			}
			assert.equal(await chosen(car), "5050");
			car.command("button mode down");
			car.command("button external down");
			await car.run(2000);
			car.command("button mode up");
			await car.run(2000);
			car.command("button external up");
			await car.run(500);
			assert.deepEqual([await chosen(car), car.commanded], ["5050", before]);
		}));

	it("on the steering wheel select with each press, once, and only while the signal comes", () =>
		withCar(
			5,
			{ mode: "5050", controls: { ...CONTROLS, buttonSignal: "chassis|0x3dd|mfl tip down|", buttonValue: 1 } },
			async (car) => {
				const signal = { on: false, comes: true };
				await car.run(1000);
				const wheel = async (on: boolean, ms: number) => {
					signal.on = on;
					for (let i = 0; i < ms; i += 50) {
						if (signal.comes) car.send(0, 0x3dd, Uint8Array.of(0, 0, 0, 0, 0, 0, 0, signal.on ? 1 : 0));
						await car.run(50);
					}
				};
				await wheel(false, 300);
				await wheel(true, 5000);
				assert.equal(await chosen(car), "FWD", "once");
				await wheel(false, 300);
				signal.comes = false;
				await wheel(true, 1000);
				signal.comes = true;
				await wheel(true, 1000);
				assert.equal(await chosen(car), "FWD", "it was lost meanwhile");
				await wheel(false, 300);
				await wheel(true, 300);
				assert.equal(await chosen(car), "MAP");
			},
		));
});

describe("virtual time: brake and handbrake outputs", function () {
	this.timeout(120_000);

	const set = (car: CalibrationCar, controls: Record<string, boolean>) =>
		car.ask("POST", "/api/settings", JSON.stringify({ controls }));
	/** What outputs have done since this was last asked, and do in so many ms. */
	async function outputs(car: CalibrationCar, ms: number): Promise<string[]> {
		await car.run(ms);
		return car.takeControls().filter((line) => line.startsWith("output"));
	}

	it("follow their inputs within 50 ms once switched on, inverted on request", () =>
		withCar(5, { mode: "STOCK" }, async (car) => {
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
			const { effectiveMode, reason } = await car.ask("GET", "/api/status");
			assert.deepEqual([effectiveMode, reason], ["STOCK", "stock mode is selected"]);
		}));

	it("do nothing before their inputs are known, after a start too", () =>
		withCar(5, { mode: "STOCK", controls: { followBrake: true, invertBrake: true } }, async (car) => {
			assert.deepEqual(await outputs(car, 0), ["output brake 1"], "once it was read");
			car.command("inputs lost");
			await car.restart();
			car.takeControls();
			assert.deepEqual(await outputs(car, 500), []);
		}));
});
