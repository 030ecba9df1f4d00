/** Runs on XS: questions for names, each in a turn of its own. */
import Timer from "timer";
import type { DatagramOptions } from "../../hal/datagram-port.js";
import { NameService } from "../../src/network/name-service.js";

const ADDRESS = "192.168.4.1";
const [NEIGHBOUR, PORT] = ["192.168.4.2", 5353];
const APART_MS = 20;
const PACKET_BYTES = 512;
const HEADER = [0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0];
const ADDRESS_RECORD = [0, 1, 0, 1];
const OWN_NAME = "OPENHALDEX.LOCAL";

const question = (labels: readonly number[]): Uint8Array => Uint8Array.from([...HEADER, ...labels, 0, ...ADDRESS_RECORD]);
const labelsOf = (name: string): number[] =>
	name.split(".").flatMap((label) => [label.length, ...Array.from(label, (letter) => letter.charCodeAt(0))]);

/** A name as long as a packet has room for, of labels with one letter; and one that is ours. */
function questions(): Uint8Array[] {
	const room = PACKET_BYTES - HEADER.length - ADDRESS_RECORD.length - 1;
	const letters = Array.from({ length: room & ~1 }, (_, i) => (i % 2 === 0 ? 1 : 0x61));
	return [question(letters), question(labelsOf(OWN_NAME)), new Uint8Array(PACKET_BYTES)];
}

export function ask(): void {
	const open: ((bytes: Uint8Array, address: string, port: number) => void)[] = [];
	let sent = 0;
	const service = new NameService({
		formerName: true,
		addresses: { accessPointIp: ADDRESS, stationIp: "" },
		log: () => {},
		open: ({ onPacket }: DatagramOptions) => {
			open.push(onPacket);
			return { send: () => void sent++, close() {} };
		},
	});
	service.tick();
	const received = questions().flatMap((packet) => open.map((receive) => () => receive(packet, NEIGHBOUR, PORT)));
	for (const [i, receive] of received.entries()) Timer.set(receive, i * APART_MS);
	Timer.set(() => trace(`${JSON.stringify({ sent })}\n`), received.length * APART_MS);
}
