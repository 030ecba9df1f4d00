/** Ethernet in place of Wi-Fi, for QEMU: its address stands for the access point's. */
import type { FoundNetwork, RadioPort } from "../../network-ports.js";

/** The card is always on, and there are no networks to join. */
export default class Ethernet implements RadioPort {
	readonly stationIp = "";
	#problem = "";
	#hasLooked = false;

	constructor() {
		native("xs_esp32_ethernet").call(undefined);
	}

	get accessPointIp(): string {
		return native<string>("xs_esp32_address").call(undefined, "ETH_DEF");
	}

	get stationProblem(): string {
		return this.#problem;
	}

	startAccessPoint(_ssid: string, _password: string): void {}

	connect(_ssid: string, _password: string): void {
		this.#problem = "no such network";
	}

	disconnect(): void {
		this.#problem = "";
	}

	startScan(): void {
		this.#hasLooked = true;
	}

	takeFound(): readonly FoundNetwork[] | undefined {
		const found = this.#hasLooked ? [] : undefined;
		this.#hasLooked = false;
		return found;
	}

	stop(): void {}
}
