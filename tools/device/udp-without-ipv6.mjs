/**
 * Moddable's UDP socket for lwIP without IPv6. Its C reaches into an address as lwIP lays it out with both
 * versions of the protocol; with one, an address is that of IPv4 itself. The SDK stays as it is: a build gets
 * a copy.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { DeviceError, ROOT } from "./boards.mjs";

const WITH_BOTH = "multicastIP.u_addr.ip4";
const ALONE = "multicastIP";
const PLACES = 3;

/**
 * @param {string} sdk folder of Moddable's SDK
 * @param {string} [folder] gets udp.c and udp.js; boards' manifests name the default
 * @throws {DeviceError} the SDK's is another one
 */
export function writeUdpWithoutIpv6(sdk, folder = `${ROOT}build/device/without-ipv6`) {
	const from = `${sdk}/modules/io/socket/lwip`;
	const parts = readFileSync(`${from}/udp.c`, "utf8").split(WITH_BOTH);
	if (parts.length !== PLACES + 1)
		throw new DeviceError(`${from}/udp.c has ${WITH_BOTH} ${parts.length - 1} times, not ${PLACES}: look at it again`);
	mkdirSync(folder, { recursive: true });
	writeFileSync(`${folder}/udp.c`, parts.join(ALONE));
	copyFileSync(`${from}/udp.js`, `${folder}/udp.js`);
}
