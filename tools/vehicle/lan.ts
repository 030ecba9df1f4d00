/** The way to the controller from other devices of the local network. */
import { type NetworkInterfaceInfo, networkInterfaces } from "node:os";
import { renderUnicodeCompact } from "uqr";

/** Networks at home, the most usual first. */
const USUAL = [/^192\.168\./, /^10\./, /^172\./];
/** White on black, whatever the terminal's colours: phones read it best so. */
const COLOURS = { on: "\x1b[97;40m", off: "\x1b[0m" };

/** IPv4 addresses at which others reach this computer, the likeliest first. */
export function lanAddresses(interfaces: NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces()): string[] {
	const all = Object.values(interfaces).flatMap((addresses) => addresses ?? []);
	const rank = (address: string): number => {
		const place = USUAL.findIndex((usual) => usual.test(address));
		return place < 0 ? USUAL.length : place;
	};
	return all
		.filter(({ family, internal }) => family === "IPv4" && !internal)
		.map(({ address }) => address)
		.sort((a, b) => rank(a) - rank(b));
}

/**
 * What a person needs to open the page elsewhere, as lines: addresses, a QR code of the first, and who can
 * come in.
 * @param coloured for a terminal
 */
export function invitation(addresses: readonly string[], port: string, coloured: boolean): string[] {
	const urls = addresses.map((address) => `http://${address}:${port}`);
	const [first] = urls;
	if (first === undefined) return ["this computer is in no network: only it can open the page"];
	const code = renderUnicodeCompact(first, { border: 2 }).split("\n");
	return [
		`on a phone in the same network: ${urls.join(" or ")}`,
		...code.map((line) => (coloured ? COLOURS.on + line + COLOURS.off : line)),
		"everybody in that network can open it and change this controller, without a password, until Ctrl-C",
		`if a phone does not reach it: same Wi-Fi, no guest network, port ${port} open in this computer's firewall`,
	];
}
