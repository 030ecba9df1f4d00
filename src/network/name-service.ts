/**
 * Makes the controller found by name: a DNS server for the clients of the access point, and multicast DNS on
 * every network it is in.
 */

import type { Datagram, Datagrams, OpenDatagrams } from "../../hal/datagram-port.js";
import { answerDns, answerMdns } from "./name-answer.js";

const DNS_PORT = 53;
const MDNS_PORT = 5353;
const MDNS_GROUP = "224.0.0.251";
/** The second is what clients of OpenHaldex-S3 look for. */
const NAMES = Object.freeze(["opencoupling.local", "openhaldex.local"]);
const OWN_NAME = Object.freeze(NAMES.slice(0, 1));

/** Between two questions of a port. A phone that joins asks for some 20 names at once. */
export const PACE_MS = 25;
/** Questions of a port that wait. */
export const WAITING_MAX = 8;
/** Packets read in one event; further ones are dropped. A packet takes memory and 5,000 instructions. */
export const DROPS_MAX = 16;

/** What it needs of the platform. */
export interface NameServicePorts {
	/**
	 * Answer to `openhaldex.local` too; an owner who has such a controller beside this one does not want
	 * that.
	 */
	readonly formerName: boolean;
	readonly open: OpenDatagrams;
	/** "" while there is none. */
	readonly addresses: { readonly accessPointIp: string; readonly stationIp: string };
	readonly log: (level: "WARN", message: string) => void;
	/** Calls back once, after a delay in ms. */
	readonly later: (callback: () => void, delayMs: number) => void;
}

type Answer = (question: Datagram, socket: Datagrams) => void;

/**
 * A port whose questions are answered one by one, in turns of their own. What comes faster than that is
 * dropped.
 */
class QuestionPort {
	readonly #socket: Datagrams;
	readonly #later: NameServicePorts["later"];
	readonly #answer: Answer;
	/** Packets in the socket. */
	#waiting = 0;
	#turnIsDue = false;
	#isClosed = false;

	constructor({ open, later }: NameServicePorts, port: number, group: string, answer: Answer) {
		this.#later = later;
		this.#answer = answer;
		this.#socket = open({ port, group, onReadable: (waiting) => this.#onReadable(waiting) });
	}

	close(): void {
		this.#isClosed = true;
		this.#socket.close();
	}

	#onReadable(waiting: number): void {
		this.#waiting = waiting;
		this.#drop();
		this.#takeTurn();
	}

	#drop(): void {
		for (let drops = 0; drops < DROPS_MAX && this.#waiting > WAITING_MAX; drops++, this.#waiting--) this.#socket.read();
	}

	#takeTurn(): void {
		if (this.#turnIsDue || this.#waiting === 0) return;
		this.#turnIsDue = true;
		this.#later(this.#turn, PACE_MS);
	}

	readonly #turn = (): void => {
		this.#turnIsDue = false;
		if (this.#isClosed) return;
		this.#drop();
		const question = this.#socket.read();
		this.#waiting = question === undefined ? 0 : this.#waiting - 1;
		if (question !== undefined) this.#answer(question, this.#socket);
		this.#takeTurn();
	};
}

/** Opens its sockets when an address is there, and closes them with it. */
export class NameService {
	readonly #ports: NameServicePorts;
	#accessPointIp = "";
	#stationIp = "";
	#dns: QuestionPort | undefined;
	#mdns: QuestionPort | undefined;

	constructor(ports: NameServicePorts) {
		this.#ports = ports;
	}

	/**
	 * Call several times per second. A group is joined on the interfaces there are: when they change it is
	 * joined anew.
	 */
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

	#openDns(): QuestionPort {
		return new QuestionPort(this.#ports, DNS_PORT, "", ({ bytes, address, port }, socket) => {
			// a client of the other network has a DNS server of its own
			if (!isNeighbour(address, this.#accessPointIp)) return;
			const answer = answerDns(bytes, this.#accessPointIp);
			if (answer !== undefined) socket.send(answer, address, port);
		});
	}

	#openMdns(): QuestionPort {
		return new QuestionPort(this.#ports, MDNS_PORT, MDNS_GROUP, ({ bytes, address, port }, socket) => {
			const own = isNeighbour(address, this.#accessPointIp) ? this.#accessPointIp : this.#stationIp;
			const answer = own === "" ? undefined : answerMdns(bytes, this.#ports.formerName ? NAMES : OWN_NAME, own);
			if (answer === undefined) return;
			// to all, as the standard wants it, which leaves through one of the two interfaces; and to the
			// client that asked
			socket.send(answer, MDNS_GROUP, MDNS_PORT);
			socket.send(answer, address, port);
		});
	}
}

/** In the same network of 256 addresses: ESP-IDF's access point has one. */
function isNeighbour(address: string, own: string): boolean {
	return own !== "" && address.startsWith(own.slice(0, own.lastIndexOf(".") + 1));
}
