/** What clients do, and what must be so then: choose, begin an upload, and calibrate (`docs/api.md`, "Calibration"). */
import type { Drive } from "./drive.js";
import { type Generation, isGenerated } from "./tables.js";

/** Chooses another coupling. A choice that is rejected, as during a capture or in a boot loop, changes nothing. */
export async function chooseGeneration(drive: Drive, generation: Generation): Promise<void> {
	const { moments } = drive;
	// frames that are generated or withheld change places with those that pass
	if (moments.generates || isGenerated(generation, false)) drive.loseFor(300);
	const before = moments.isOn;
	moments.isOn = undefined;
	const answer = await drive.ask("POST", "/api/settings", JSON.stringify({ couplingGeneration: generation }));
	moments.isOn = before;
	if (answer?.code === 200) drive.changeGeneration(generation);
}

/** Chooses a mode, which ends a calibration. */
export async function chooseMode(drive: Drive, mode: string): Promise<void> {
	const answer = await drive.change("/api/mode", { mode }, { ...drive.demands.wishes, mode });
	if (answer?.code !== 200) return;
	drive.demands.calibration?.end(drive.nowMs, "a mode was chosen");
	// a driver who chooses a mode wants it
	drive.demands.standing.delete("disabled");
}

/** Disables the controller, which selects STOCK, or enables it, which selects MAP. */
export async function disable(drive: Drive, disableController: boolean, mode: string): Promise<void> {
	await drive.change("/api/settings", { disableController }, { ...drive.demands.wishes, mode });
}

/** Switches standalone operation on or off. */
export async function switchAlone(drive: Drive, isStandalone: boolean): Promise<void> {
	const { moments } = drive;
	const before = moments.isOn;
	moments.isOn = undefined;
	const answer = await drive.ask("POST", "/api/settings", JSON.stringify({ isStandalone }));
	moments.isOn = answer?.code === 200 ? isStandalone : before;
	drive.forgetPlan();
}

/** Head of the upload of an image. */
export const uploadHead = (bytes: number): string =>
	`POST /ota/update HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/octet-stream\r\nContent-Length: ${bytes}\r\n\r\n`;

/**
 * A client begins an upload in mode STOCK, and then asks for the mode: nothing is asked for meanwhile.
 * @returns what goes on with it
 */
export async function beginUpload(drive: Drive, mode: string): Promise<{ more: () => void; end: () => void }> {
	const socket = await drive.lockstep.connect();
	socket.write(uploadHead(200_000));
	await drive.run(50);
	await drive.must("POST", "/api/mode", JSON.stringify({ mode }));
	drive.demands.standing.add("update");
	drive.demands.wishes = { ...drive.demands.wishes, mode };
	return { more: () => void socket.write(Buffer.alloc(1)), end: () => void socket.destroy() };
}

/** Time for a tick, and an answer. */
const PROMPT_MS = 100;
/** After a fault all that it needs to know is known again. */
const SETTLED_MS = 11_500;
/** From where to where in the sweep faults come. */
const EARLIEST_MS = 300;
const SPREAD_MS = 2500;

async function learnOf(drive: Drive): Promise<{ readonly active: boolean; readonly problem: string }> {
	const answer = await drive.ask("GET", "/api/learn/status");
	if (answer?.code !== 200) drive.complain(`/api/learn/status answers ${answer?.code}`);
	return JSON.parse(answer?.text ?? "{}");
}

/**
 * A client begins a calibration as soon as the fault before is over. Its page stays for a while, another one each
 * time, and then says that it is still there.
 */
export async function calibrate(drive: Drive): Promise<void> {
	const fromMs = drive.nowMs;
	for (;;) {
		const calibration = drive.demands.calibrate(drive.nowMs);
		const answer = await drive.ask("POST", "/api/learn/start", '{"confirmed":true}');
		if (answer?.text === '{"ok":true}') {
			calibration.heard(drive.nowMs);
			break;
		}
		calibration.end(drive.nowMs, "it was rejected");
		if (drive.nowMs - fromMs > SETTLED_MS) {
			drive.complain(`a calibration is not begun: ${answer?.text}`);
			return;
		}
		await drive.run(PROMPT_MS);
	}
	const whyNot = drive.demands.whyNoCalibration(drive.nowMs);
	if (whyNot !== "") drive.complain(`a calibration begins although ${whyNot}`);
	await drive.run(EARLIEST_MS + ((drive.nowMs * 7) % SPREAD_MS));
	await drive.must("POST", "/api/learn/alive", "");
	drive.demands.calibration?.heard(drive.nowMs);
	const { active, problem } = await learnOf(drive);
	if (!active) drive.complain(`the calibration has ended before anything happened: ${problem}`);
}

/** It must be over if something stood against it, else it must go on; then it is aborted. */
export async function leaveCalibration(drive: Drive): Promise<void> {
	await drive.run(PROMPT_MS);
	const { calibration } = drive.demands;
	if (calibration === undefined) return;
	const { active, problem } = await learnOf(drive);
	const { endsMs, because } = calibration;
	if (endsMs < drive.nowMs - PROMPT_MS) {
		if (active) drive.complain(`the calibration still runs although ${because}`);
		else if (problem === "") drive.complain(`the calibration does not say why it ended: ${because}`);
	} else if (!active && !calibration.mayHaveEnded) drive.complain(`the calibration has ended for nothing: ${problem}`);
	calibration.end(drive.nowMs, "it was given up");
	if (active) await drive.must("POST", "/api/learn/cancel", "");
}
