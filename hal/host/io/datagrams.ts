/** On a computer nothing comes and nothing is sent; the contract is in hal/datagram-port.ts. */
import type { Datagrams } from "../../datagram-port.js";

export default function openDatagrams(): Datagrams {
	return { send() {}, close() {} };
}
