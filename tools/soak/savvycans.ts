/**
 * SavvyCAN at the analyser port, two at once and one more: as it speaks, slowly, asleep, and as somebody who
 * means no good. Nobody has let it send, so no frame of its own may reach a bus: the judge would complain.
 */
import type { Random } from "../random.js";
import type { Counts } from "./client.js";
import { SavvyCanClient } from "./savvycan.js";

const CLIENTS = 3;
const HELLO = "e7e7f10cf106f107f101f109f10d";
const ALIVE = "f109";
const ALIVE_EACH_MS = 250;
/** What no car of these drives sends. */
const DATA = Array(8).fill(0xa5);
const MOST_BYTES = 400;

export class SavvyCans {
	/** 0 = it is off. */
	port = 0;
	readonly #random: Random;
	readonly #counts: Counts;
	readonly #clients: (SavvyCanClient | undefined)[] = Array(CLIENTS).fill(undefined);
	readonly #untilMs: number[] = Array(CLIENTS).fill(0);

	constructor(random: Random, counts: Counts) {
		this.#random = random;
		this.#counts = counts;
	}

	step(nowMs: number): void {
		for (let i = 0; i < CLIENTS; i++) if (nowMs >= this.#untilMs[i]) this.#untilMs[i] = nowMs + this.#act(i);
	}

	leave(): void {
		for (const client of this.#clients.splice(0, CLIENTS, ...Array(CLIENTS).fill(undefined))) client?.close();
		this.port = 0;
	}

	/** @returns until it acts again, ms */
	#act(i: number): number {
		const random = this.#random;
		const client = this.#clients[i];
		if (client === undefined || client.isClosed) {
			this.#clients[i] = this.port > 0 ? new SavvyCanClient(this.port) : undefined;
			this.#clients[i]?.write(HELLO);
			return random.below(5000);
		}
		this.#counts.add("analyzer frames", client.frames.splice(0).length);
		const what = random.below(40);
		if (what === 0) client.close();
		else if (what === 1) client.pause();
		else if (what === 2)
			client.write(Buffer.from(Array.from({ length: random.below(MOST_BYTES) }, () => random.below(256))).toString("hex"));
		else if (what < 10) for (let n = random.below(20); n > 0; n--) client.sendFrame(random.below(2), random.below(0x800), DATA);
		else {
			client.resume();
			client.write(ALIVE);
		}
		return ALIVE_EACH_MS;
	}
}
