/** UDP on Moddable's socket; the contract is in hal/datagram-port.ts. */
import UDP from "embedded:io/socket/udp";
import type { DatagramOptions, Datagrams } from "../../datagram-port.js";

/** Opens a UDP port on all interfaces and joins the group there. Several packets of one event are told one by one. @throws {Error} port taken */
export default function openDatagrams({ port, group, onPacket }: DatagramOptions): Datagrams {
	let socket: UDP | undefined = new UDP({
		port,
		onReadable(this: UDP, packets: number) {
			for (; packets > 0 && socket !== undefined; packets--) {
				const packet = this.read();
				if (packet !== undefined) onPacket(new Uint8Array(packet), packet.address, packet.port);
			}
		},
	});
	if (group !== "") socket.add(group);
	return {
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
