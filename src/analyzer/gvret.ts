/**
 * One conversation in GVRET, the protocol of SavvyCAN. The user may send frames between two answers. Bytes
 * outside of commands are ignored. Source: docs/api.md, "The GVRET protocol".
 */

import { BUS_COUNT, frameIdAt, isExtendedAt } from "../can/bus.js";
import { copyBytes } from "../text/bytes.js";

const START = 0xf1;
/** Selects the binary form; sent twice. */
const BINARY = 0xe7;
const BIT_RATE = 500_000;
/** Clients show it as the firmware's number. */
const BUILD = 100;
const ANSWER_MAX = 2 + 4 + 4 + 1 + 8 + 1;
/** A frame with eight bytes, without the command's first two bytes. */
const COMMAND_MAX = 4 + 1 + 1 + 8 + 1;

enum Command {
	FRAME = 0x00,
	TIME = 0x01,
	DIGITAL_INPUTS = 0x02,
	ANALOGUE_INPUTS = 0x03,
	SET_OUTPUTS = 0x04,
	SET_BUSES = 0x05,
	BUS_PARAMETERS = 0x06,
	DEVICE = 0x07,
	SINGLE_WIRE = 0x08,
	ALIVE = 0x09,
	SYSTEM = 0x0a,
	ECHO = 0x0b,
	BUS_COUNT = 0x0c,
	MORE_BUSES = 0x0d,
	SET_MORE_BUSES = 0x0e,
}

/** In a table, because a client may ask for many at once. */
const ANSWERS: Readonly<Record<number, Uint8Array | undefined>> = Object.freeze({
	[Command.DIGITAL_INPUTS]: answerOf(Command.DIGITAL_INPUTS, 0, 0),
	[Command.ANALOGUE_INPUTS]: answerOf(Command.ANALOGUE_INPUTS, ...zeros(15)),
	[Command.BUS_PARAMETERS]: answerOf(Command.BUS_PARAMETERS, ...parameters(), ...parameters()),
	[Command.DEVICE]: answerOf(Command.DEVICE, BUILD & 0xff, BUILD >> 8, 0x20, 0, 0, 0),
	[Command.ALIVE]: answerOf(Command.ALIVE, 0xde, 0xad),
	[Command.BUS_COUNT]: answerOf(Command.BUS_COUNT, BUS_COUNT),
	[Command.MORE_BUSES]: answerOf(Command.MORE_BUSES, ...zeros(15)),
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
	/** As the client has sent it, 0..255. */
	readonly bus: number;
	/** 0..0x1FFFFFFF, whether `extended` or not. */
	readonly id: number;
	readonly extended: boolean;
	/** 0 to 8 bytes. */
	readonly data: Uint8Array;
}

interface GvretUser {
	/** Bytes for the client, at most 20, valid during the call; it may drop them if they do not fit. */
	answer(bytes: Uint8Array): void;
	readonly microseconds: number;
	/** The client wants this frame on a bus. */
	wanted(frame: ClientFrame): void;
}

/**
 * Operand bytes of a command, as ESP32RET takes them; of frames those up to their length; -1 = unknown.
 * SavvyCAN ends some commands with a check byte of 0, which does not count: a client that sends none must not
 * lose its next command.
 */
function operands(command: number): number {
	switch (command) {
		case Command.FRAME:
		case Command.ECHO:
			return 6;
		case Command.SET_BUSES:
			return 8;
		case Command.SET_MORE_BUSES:
			return 12;
		case Command.SET_OUTPUTS:
		case Command.SINGLE_WIRE:
		case Command.SYSTEM:
			return 1;
		default:
			return command <= Command.SET_MORE_BUSES ? 0 : -1;
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
			const isFrame = this.#command === Command.FRAME || this.#command === Command.ECHO;
			this.#operands[this.#count++] = byte;
			// of a frame the sixth byte says how much follows, and a byte that is not looked at
			if (isFrame && this.#count === 6) this.#missing += Math.min(8, byte & 15) + 1;
			if (--this.#missing === 0) this.#done();
		}
	}

	#done(): void {
		const command = this.#command;
		this.#command = -1;
		const answer = ANSWERS[command];
		if (answer !== undefined) this.#user.answer(answer);
		else if (command === Command.FRAME) this.#user.wanted(this.#frame());
		else if (command === Command.ECHO) this.#answerEcho(this.#frame());
		else if (command === Command.TIME) this.#answerWithTime(command, 0);
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
		this.#answerWithTime(Command.FRAME, 6 + length);
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
