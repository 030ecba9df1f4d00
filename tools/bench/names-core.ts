/** Runs on XS: questions for names, one by one and as a burst. */
import Timer from "timer";
import type { Datagram, DatagramOptions } from "../../hal/datagram-port.js";
import { NameService } from "../../src/network/names.js";

const ADDRESS = "192.168.4.1";
const [NEIGHBOUR, PORT] = ["192.168.4.2", 5353];
const APART_MS = 40;
const BURST = 48;
const PACKET_BYTES = 512;
const NAME_BYTES = 255;
const HEADER = [0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0];
const ADDRESS_RECORD = [0, 1, 0, 1];
const OWN_NAME = "OPENHALDEX.LOCAL";

const question = (labels: readonly number[]): Uint8Array => Uint8Array.from([...HEADER, ...labels, 0, ...ADDRESS_RECORD]);
const labelsOf = (name: string): number[] =>
	name.split(".").flatMap((label) => [label.length, ...Array.from(label, (letter) => letter.charCodeAt(0))]);

/** The longest name, of labels with one letter; one that is ours; and no question. */
function questions(): Uint8Array[] {
	const letters = Array.from({ length: NAME_BYTES - 1 }, (_, i) => (i % 2 === 0 ? 1 : 0x61));
	return [question(letters), question(labelsOf(OWN_NAME)), new Uint8Array(PACKET_BYTES)];
}

export function ask(): void {
	const ports: ((...packets: Uint8Array[]) => void)[] = [];
	let sent = 0;
	const service = new NameService({
		formerName: true,
		addresses: { accessPointIp: ADDRESS, stationIp: "" },
		log: () => {},
		later: (callback, delayMs) => void Timer.set(callback, delayMs),
		open: ({ onReadable }: DatagramOptions) => {
			const waiting: Datagram[] = [];
			ports.push((...packets) => {
				for (const bytes of packets) waiting.push({ bytes, address: NEIGHBOUR, port: PORT });
				onReadable(waiting.length);
			});
			return { read: () => waiting.shift(), send: () => void sent++, close() {} };
		},
	});
	service.tick();
	const [longest, ...others] = questions();
	const events = [longest, ...others].flatMap((packet) => ports.map((arrive) => () => arrive(packet)));
	for (const arrive of ports) events.push(() => arrive(...Array.from({ length: BURST }, () => longest)));
	for (const [i, event] of events.entries()) Timer.set(event, i * APART_MS);
	Timer.set(() => trace(`${JSON.stringify({ sent })}\n`), (events.length + BURST) * APART_MS);
}
