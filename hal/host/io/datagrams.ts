/** On a computer nothing comes and nothing is sent; the contract is in hal/network-ports.ts. */
import type { Datagrams } from "../../network-ports.js";

/**
 * An open port on which no packet ever arrives; what it is told to send is lost, as datagrams may be. Never
 * throws.
 */
export default function openDatagrams(): Datagrams {
	return {
		read() {
			return undefined;
		},
		send() {},
		close() {},
	};
}
