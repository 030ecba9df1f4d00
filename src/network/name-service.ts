/** Makes the controller found by name: a DNS server for the clients of the access point, and multicast DNS on every network it is in. */

import type { Datagrams, OpenDatagrams } from "../../hal/datagram-port.js";
import { answerDns, answerMdns } from "./name-answer.js";

const DNS_PORT = 53;
const MDNS_PORT = 5353;
const MDNS_GROUP = "224.0.0.251";
/** The second is what clients of OpenHaldex-S3 look for. */
const NAMES = Object.freeze(["opencoupling.local", "openhaldex.local"]);
const OWN_NAME = Object.freeze(NAMES.slice(0, 1));

/** What it needs of the platform. */
export interface NameServicePorts {
	/** Answer to `openhaldex.local` too; an owner who has such a controller beside this one does not want that. */
	readonly formerName: boolean;
	readonly open: OpenDatagrams;
	/** "" while there is none. */
	readonly addresses: { readonly accessPointIp: string; readonly stationIp: string };
	readonly log: (level: "WARN", message: string) => void;
}

/** Opens its sockets when an address is there, and closes them with it. */
export class NameService {
	readonly #ports: NameServicePorts;
	#accessPointIp = "";
	#stationIp = "";
	#dns: Datagrams | undefined;
	#mdns: Datagrams | undefined;

	constructor(ports: NameServicePorts) {
		this.#ports = ports;
	}

	/** Call several times per second. A group is joined on the interfaces there are: when they change it is joined anew. */
	tick(): void {
		const { accessPointIp, stationIp } = this.#ports.addresses;
		if (accessPointIp === this.#accessPointIp && stationIp === this.#stationIp) return;
		this.#accessPointIp = accessPointIp;
		this.#stationIp = stationIp;
		this.#dns?.close();
		this.#mdns?.close();
		this.#dns = this.#mdns = undefined;
		try {
			if (accessPointIp !== "") this.#dns = this.#openDns();
			if (accessPointIp !== "" || stationIp !== "") this.#mdns = this.#openMdns();
		} catch (error) {
			this.#ports.log("WARN", `not to be found by name: ${(error as Error).message}`);
		}
	}

	#openDns(): Datagrams {
		const onPacket = (bytes: Uint8Array, address: string, port: number): void => {
			// who asks from the other network has a DNS server of its own
			if (!isNeighbour(address, this.#accessPointIp)) return;
			const answer = answerDns(bytes, this.#accessPointIp);
			if (answer !== undefined) this.#dns?.send(answer, address, port);
		};
		return this.#ports.open({ port: DNS_PORT, group: "", onPacket });
	}

	#openMdns(): Datagrams {
		const onPacket = (bytes: Uint8Array, address: string, port: number): void => {
			const own = isNeighbour(address, this.#accessPointIp) ? this.#accessPointIp : this.#stationIp;
			const answer = own === "" ? undefined : answerMdns(bytes, this.#ports.formerName ? NAMES : OWN_NAME, own);
			if (answer === undefined) return;
			// to all, as the standard wants it, which leaves through one of the two interfaces; and to whoever asked
			this.#mdns?.send(answer, MDNS_GROUP, MDNS_PORT);
			this.#mdns?.send(answer, address, port);
		};
		return this.#ports.open({ port: MDNS_PORT, group: MDNS_GROUP, onPacket });
	}
}

/** In the same network of 256 addresses: ESP-IDF's access point has one. */
function isNeighbour(address: string, own: string): boolean {
	return own !== "" && address.startsWith(own.slice(0, own.lastIndexOf(".") + 1));
}
