/** UDP on Moddable's socket; the contract is in hal/network-ports.ts. */
import UDP from "embedded:io/socket/udp";
import type { DatagramOptions, Datagrams } from "../../network-ports.js";

/** Opens a UDP port on all interfaces and joins the group there. @throws {Error} port taken */
export default function openDatagrams({ port, group, onReadable }: DatagramOptions): Datagrams {
	let socket: UDP | undefined = new UDP({ port, onReadable });
	if (group !== "") socket.add(group);
	return {
		read() {
			const packet = socket?.read();
			return packet === undefined ? undefined : { bytes: new Uint8Array(packet), address: packet.address, port: packet.port };
		},
		send(bytes, address, port) {
			try {
				socket?.write(bytes, address, port);
			} catch {
				// lost, as a datagram may be
			}
		},
		close() {
			socket?.close();
			socket = undefined;
		},
	};
}
