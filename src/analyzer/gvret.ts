/**
 * One conversation in GVRET, the protocol of SavvyCAN: what a client asks is answered from memory, and frames
 * are the user's to send in between, each as a whole. Knows neither a socket nor a clock. Bytes that are no
 * command are left aside. Source: docs/api.md, "The GVRET protocol".
 */

import { BUS_COUNT, frameIdAt, isExtendedAt } from "../can/bus.js";
import { copyBytes } from "../text/bytes.js";

const START = 0xf1;
/** Selects the binary form; sent twice. Nothing is said before. */
const BINARY = 0xe7;
const BIT_RATE = 500_000;
/** What clients show as the firmware's number. */
const BUILD = 100;
const ANSWER_MAX = 2 + 4 + 4 + 1 + 8 + 1;
/** Longest command: a frame with its eight bytes, without the first two bytes. */
const COMMAND_MAX = 4 + 1 + 1 + 8 + 1;

enum COMMAND {
	frame = 0x00,
	time = 0x01,
	digitalInputs = 0x02,
	analogueInputs = 0x03,
	setOutputs = 0x04,
	setBuses = 0x05,
	busParameters = 0x06,
	device = 0x07,
	singleWire = 0x08,
	alive = 0x09,
	system = 0x0a,
	echo = 0x0b,
	busCount = 0x0c,
	moreBuses = 0x0d,
	setMoreBuses = 0x0e,
}

/**
 * The answers that are always the same, by command; in a table, because a client may ask for many of them at
 * once.
 */
const ANSWERS: Readonly<Record<number, Uint8Array | undefined>> = Object.freeze({
	[COMMAND.digitalInputs]: answerOf(COMMAND.digitalInputs, 0, 0),
	[COMMAND.analogueInputs]: answerOf(COMMAND.analogueInputs, ...zeros(15)),
	[COMMAND.busParameters]: answerOf(COMMAND.busParameters, ...parameters(), ...parameters()),
	[COMMAND.device]: answerOf(COMMAND.device, BUILD & 0xff, BUILD >> 8, 0x20, 0, 0, 0),
	[COMMAND.alive]: answerOf(COMMAND.alive, 0xde, 0xad),
	[COMMAND.busCount]: answerOf(COMMAND.busCount, BUS_COUNT),
	[COMMAND.moreBuses]: answerOf(COMMAND.moreBuses, ...zeros(15)),
});

function answerOf(...bytes: number[]): Uint8Array {
	return Uint8Array.of(START, ...bytes);
}

function zeros(count: number): number[] {
	return new Array<number>(count).fill(0);
}

function parameters(): number[] {
	return [1, BIT_RATE & 0xff, (BIT_RATE >> 8) & 0xff, (BIT_RATE >> 16) & 0xff, BIT_RATE >> 24];
}

/** A frame that a client wants to be sent. `data` is valid during the call. */
export interface ClientFrame {
	readonly bus: number;
	readonly id: number;
	readonly extended: boolean;
	readonly data: Uint8Array;
}

/** Who holds the conversation: it owns the socket, and decides what becomes of frames. */
interface GvretUser {
	/**
	 * Bytes for the client, at most 20 at once and valid during the call; it may drop them if they do
	 * not fit.
	 */
	answer(bytes: Uint8Array): void;
	readonly microseconds: number;
	/** The client wants this frame on a bus. */
	wanted(frame: ClientFrame): void;
}

/**
 * Operand bytes of a command, as ESP32RET takes them; of frames those up to their length. -1 = no command of
 * ours. SavvyCAN ends some commands with a check byte of 0. It is no operand: a client that sends none must
 * not lose its next command.
 */
function operands(command: number): number {
	switch (command) {
		case COMMAND.frame:
		case COMMAND.echo:
			return 6;
		case COMMAND.setBuses:
			return 8;
		case COMMAND.setMoreBuses:
			return 12;
		case COMMAND.setOutputs:
		case COMMAND.singleWire:
		case COMMAND.system:
			return 1;
		default:
			return command <= COMMAND.setMoreBuses ? 0 : -1;
	}
}

/** One client's conversation. Never throws for what it says. */
export class GvretSession {
	/** True once the client has chosen the binary form: frames may be sent to it. */
	isBinary = false;
	readonly #user: GvretUser;
	readonly #operands = new Uint8Array(COMMAND_MAX);
	/** An answer with the time in it, while it is made. */
	readonly #answer = new Uint8Array(ANSWER_MAX);
	/** -1 = between two commands, -2 = the command byte comes next. */
	#command = -1;
	#count = 0;
	#missing = 0;

	constructor(user: GvretUser) {
		this.#user = user;
	}

	/** Takes what the client sent, in pieces as they come. */
	take(bytes: Uint8Array): void {
		for (const byte of bytes) this.#next(byte);
	}

	#next(byte: number): void {
		if (this.#command === -1) {
			if (byte === BINARY) this.isBinary = true;
			else if (byte === START) this.#command = -2;
		} else if (this.#command === -2) {
			// after a start byte too many, as at the end of a command that was cut off, the command still
			// comes
			if (byte === START) return;
			const count = operands(byte);
			this.#command = count < 0 ? -1 : byte;
			this.#count = 0;
			this.#missing = count;
			if (count === 0) this.#done();
		} else {
			this.#operands[this.#count++] = byte;
			// of a frame the sixth byte says how much follows, and a byte that is not looked at
			if (this.#isFrame && this.#count === 6) this.#missing += Math.min(8, byte & 15) + 1;
			if (--this.#missing === 0) this.#done();
		}
	}

	get #isFrame(): boolean {
		return this.#command === COMMAND.frame || this.#command === COMMAND.echo;
	}

	#done(): void {
		const command = this.#command;
		this.#command = -1;
		const answer = ANSWERS[command];
		if (answer !== undefined) this.#user.answer(answer);
		else if (command === COMMAND.frame) this.#user.wanted(this.#frame());
		else if (command === COMMAND.echo) this.#answerEcho(this.#frame());
		else if (command === COMMAND.time) this.#answerWithTime(command, 0);
	}

	#frame(): ClientFrame {
		const at = this.#operands;
		return { id: frameIdAt(at, 0), extended: isExtendedAt(at, 0), bus: at[4], data: at.subarray(6, 6 + Math.min(8, at[5] & 15)) };
	}

	#answerEcho({ bus, data: { length } }: ClientFrame): void {
		if (bus >= BUS_COUNT) return;
		// as they came: identifier, bus, length, data
		copyBytes(this.#operands, 0, 4, this.#answer, 6);
		this.#answer[10] = (bus << 4) | length;
		copyBytes(this.#operands, 6, 6 + length, this.#answer, 11);
		this.#answer[11 + length] = 0;
		this.#answerWithTime(COMMAND.frame, 6 + length);
	}

	/** @param more bytes that stand in the answer already, behind the time */
	#answerWithTime(command: number, more: number): void {
		const time = Math.floor(this.#user.microseconds) % 0x1_0000_0000;
		const answer = this.#answer;
		answer[0] = START;
		answer[1] = command;
		answer[2] = time;
		answer[3] = time >>> 8;
		answer[4] = time >>> 16;
		answer[5] = time >>> 24;
		this.#user.answer(answer.subarray(0, 6 + more));
	}
}
