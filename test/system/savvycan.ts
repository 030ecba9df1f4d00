/** SavvyCAN in the test's time: it waits for answers, and asks again and again whether the device is alive. */
import { SavvyCanClient } from "../../tools/soak/savvycan.js";
import { every, until } from "./wait.js";

const ALIVE_EACH_MS = 250;
/** It drops after ten times without an answer. */
const ALIVE_MISSED_MAX = 10;

export class SavvyCan extends SavvyCanClient {
	#stopAsking = (): unknown => undefined;

	/**
	 * Connects and says what SavvyCAN says;
	 * @returns once it counts as connected: with the parameters of the buses.
	 */
	static async connect(port: number): Promise<SavvyCan> {
		const client = new SavvyCan(port);
		client.write("e7e7f10cf106f107f101f109");
		const asked = [6, 9, 13];
		await until(() => asked.every((command) => client.answers.has(command)), 4000, "the answers to SavvyCAN's first questions");
		client.#ask();
		return client;
	}

	/** A connection that says nothing by itself. */
	static async raw(port: number): Promise<SavvyCan> {
		const client = new SavvyCan(port);
		await until(() => client.isOpen || client.isClosed, 4000, "a connection");
		return client;
	}

	override close(): void {
		this.#stopAsking();
		super.close();
	}

	#ask(): void {
		let answered = this.alive;
		let missed = 0;
		this.#stopAsking = every(ALIVE_EACH_MS, () => {
			if (this.isClosed) return void this.#stopAsking();
			if (this.alive > answered) missed = 0;
			answered = this.alive;
			missed++;
			this.write("f109");
			if (missed > ALIVE_MISSED_MAX) this.close();
		});
	}
}
