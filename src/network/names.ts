/**
 * Makes the controller found by name. Its DNS server answers that every name is ours, for clients of the
 * access point. Multicast DNS answers for our names in `.local` on every network. Source: RFC 1035 4, RFC
 * 6762 6 and 18.
 */

import type { Datagram, Datagrams, OpenDatagrams } from "../../hal/network-ports.js";

/* Head, type and class of a question, answer whose name is a pointer. Source: RFC 1035 4.1. */
const HEADER_BYTES = 12;
const QUESTION_TAIL_BYTES = 4;
const ANSWER_BYTES = 16;
/** Longer questions, labels and names are invalid. Source: RFC 1035 2.3.4. */
const PACKET_BYTES_MAX = 512;
const LABEL_BYTES_MAX = 63;
const NAME_BYTES_MAX = 255;
const RESPONSE = 0x80;
const OPCODE = 0x78;
const TYPE_ADDRESS = 1;
const TYPE_ANY = 255;
const CLASS_INTERNET = 1;
/** Top bit of the class: "answer to me alone" in a question of mDNS, "forget what you knew" in its answer. */
const TOP_BIT = 0x8000;
const POINTER_TO_QUESTION = 0xc00c;
const DNS_TTL_S = 60;
/** How long a record with a host's name holds. Source: RFC 6762 10. */
const MDNS_TTL_S = 120;

const u16 = (bytes: Uint8Array, at: number): number => (bytes[at] << 8) | bytes[at + 1];

function putU16(bytes: Uint8Array, at: number, value: number): void {
	bytes[at] = value >> 8;
	bytes[at + 1] = value & 0xff;
}

/** Index behind the first question's name; -1 = invalid. */
function endOfName(bytes: Uint8Array): number {
	let at = HEADER_BYTES;
	while (at < bytes.length && at - HEADER_BYTES < NAME_BYTES_MAX && bytes[at] !== 0) {
		if (bytes[at] > LABEL_BYTES_MAX) return -1;
		at += bytes[at] + 1;
	}
	const end = at + 1;
	return end - HEADER_BYTES <= NAME_BYTES_MAX && end + QUESTION_TAIL_BYTES <= bytes.length ? end : -1;
}

/** Index behind the name of the first question; -1 = invalid. */
function questionEnd(query: Uint8Array): number {
	if (query.length < HEADER_BYTES || query.length > PACKET_BYTES_MAX) return -1;
	if ((query[2] & (RESPONSE | OPCODE)) !== 0 || u16(query, 4) === 0) return -1;
	return endOfName(query);
}

function isName(query: Uint8Array, end: number, name: string): boolean {
	let at = HEADER_BYTES;
	for (const label of name.split(".")) {
		if (query[at++] !== label.length) return false;
		for (let i = 0; i < label.length; i++, at++) {
			const letter = query[at] >= 0x41 && query[at] <= 0x5a ? query[at] + 0x20 : query[at];
			if (letter !== label.charCodeAt(i)) return false;
		}
	}
	return at === end - 1;
}

/** Type, class, time to live, length and IPv4 address. */
function putRecord(bytes: Uint8Array, at: number, recordClass: number, ttlS: number, address: string): void {
	putU16(bytes, at, TYPE_ADDRESS);
	putU16(bytes, at + 2, recordClass);
	putU16(bytes, at + 4, 0);
	putU16(bytes, at + 6, ttlS);
	putU16(bytes, at + 8, 4);
	address.split(".").forEach((part, i) => {
		bytes[at + 10 + i] = Number(part);
	});
}

/**
 * The answer to the first question: every name is this address, and has no other records. Never throws.
 * @param query any bytes
 * @returns undefined = invalid, or longer than 512 bytes
 */
export function answerDns(query: Uint8Array, address: string): Uint8Array | undefined {
	const end = questionEnd(query);
	if (end < 0) return undefined;
	const questionBytes = end + QUESTION_TAIL_BYTES;
	const found = u16(query, end) === TYPE_ADDRESS && u16(query, end + 2) === CLASS_INTERNET;
	const answer = new Uint8Array(questionBytes + (found ? ANSWER_BYTES : 0));
	answer.set(query.subarray(0, questionBytes));
	answer[2] |= RESPONSE;
	answer[3] = 0;
	putU16(answer, 4, 1);
	putU16(answer, 6, found ? 1 : 0);
	answer.fill(0, 8, HEADER_BYTES);
	if (found) {
		putU16(answer, questionBytes, POINTER_TO_QUESTION);
		putRecord(answer, questionBytes + 2, CLASS_INTERNET, DNS_TTL_S, address);
	}
	return answer;
}

/**
 * The answer to the first question, a multicast one. Never throws.
 * @param query any bytes
 * @param names in lower case
 * @returns undefined = no record of ours
 */
export function answerMdns(query: Uint8Array, names: readonly string[], address: string): Uint8Array | undefined {
	const end = questionEnd(query);
	if (end < 0 || !names.some((name) => isName(query, end, name))) return undefined;
	const type = u16(query, end);
	if ((type !== TYPE_ADDRESS && type !== TYPE_ANY) || (u16(query, end + 2) & ~TOP_BIT) !== CLASS_INTERNET) return undefined;
	const answer = new Uint8Array(end + ANSWER_BYTES - 2);
	answer[2] = RESPONSE | 4; // authoritative
	putU16(answer, 6, 1);
	answer.set(query.subarray(HEADER_BYTES, end), HEADER_BYTES);
	putRecord(answer, end, CLASS_INTERNET | TOP_BIT, MDNS_TTL_S, address);
	return answer;
}

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
/** Packets read in one event. A packet takes memory and 5,000 instructions. */
export const DROPS_MAX = 16;

interface NameServicePorts {
	/** Answer to `openhaldex.local` too, unless the owner has such a controller. */
	readonly formerName: boolean;
	readonly open: OpenDatagrams;
	/** "" while the controller has no address in that network. */
	readonly addresses: { readonly accessPointIp: string; readonly stationIp: string };
	readonly log: (level: "WARN", message: string) => void;
	readonly later: (callback: () => void, delayMs: number) => void;
}

type Answer = (question: Datagram, socket: Datagrams) => void;

/** Answers one question in a turn. Drops what comes faster. */
class QuestionPort {
	readonly #socket: Datagrams;
	readonly #later: NameServicePorts["later"];
	readonly #answer: Answer;
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

/** Opens its sockets when there is an address. */
export class NameService {
	readonly #ports: NameServicePorts;
	#accessPointIp = "";
	#stationIp = "";
	#dns: QuestionPort | undefined;
	#mdns: QuestionPort | undefined;

	constructor(ports: NameServicePorts) {
		this.#ports = ports;
	}

	/** Call several times per second. A multicast group is joined anew when the interfaces change. */
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
			// the standard wants an answer to all, which leaves through one of the two interfaces
			socket.send(answer, MDNS_GROUP, MDNS_PORT);
			socket.send(answer, address, port);
		});
	}
}

/** In the same network of 256 addresses: ESP-IDF's access point has one. */
function isNeighbour(address: string, own: string): boolean {
	return own !== "" && address.startsWith(own.slice(0, own.lastIndexOf(".") + 1));
}
