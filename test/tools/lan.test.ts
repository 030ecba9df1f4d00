import assert from "node:assert/strict";
import type { NetworkInterfaceInfo } from "node:os";
import { invitation, lanAddresses } from "../../tools/vehicle/lan.js";
import { scanQr } from "../support/scan-qr.js";

const at = (address: string, family: "IPv4" | "IPv6" = "IPv4", internal = false): NetworkInterfaceInfo =>
	({ address, family, internal, netmask: "", mac: "", cidr: null }) as NetworkInterfaceInfo;

/** What a phone's camera reads of a QR code made of half blocks, light on dark. */
function scanned(lines: readonly string[]): string | undefined {
	const scale = 4;
	const rows = lines.flatMap((line) => [
		[...line].map((character) => "█▀".includes(character)),
		[...line].map((character) => "█▄".includes(character)),
	]);
	const width = (rows[0] ?? []).length * scale;
	const height = rows.length * scale;
	const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
	for (let y = 0; y < height; y++)
		for (let x = 0; x < width; x++) {
			const light = rows[Math.floor(y / scale)]?.[Math.floor(x / scale)];
			pixels.fill(light ? 255 : 0, (y * width + x) * 4, (y * width + x) * 4 + 3);
		}
	return scanQr(pixels, width, height);
}

describe("the way from other devices", () => {
	it("names the addresses of the network at home first, and never this computer's own", () => {
		const interfaces = {
			lo: [at("127.0.0.1", "IPv4", true)],
			docker0: [at("172.17.0.1")],
			wlan0: [at("fe80::1", "IPv6"), at("192.168.1.20")],
			direct: [at("169.254.3.4")],
			eth0: [at("10.1.2.3")],
		};
		assert.deepEqual(lanAddresses(interfaces), ["192.168.1.20", "10.1.2.3", "172.17.0.1", "169.254.3.4"]);
	});

	it("prints a QR code of the first address, and who can open it", () => {
		const lines = invitation(["192.168.1.20", "10.1.2.3"], "8080", false);
		assert.match(lines[0] ?? "", /http:\/\/192\.168\.1\.20:8080 or http:\/\/10\.1\.2\.3:8080$/);
		assert.equal(scanned(lines.filter((line) => /^[█▀▄ ]+$/.test(line))), "http://192.168.1.20:8080");
		assert.match(lines.join("\n"), /everybody in that network can .* without a password/);
		assert.match(lines.join("\n"), /port 8080/);
	});

	it("sets the colours of the code on a terminal only", () => {
		const escapes = (coloured: boolean) => invitation(["10.0.0.1"], "80", coloured).filter((line) => line.includes("\x1b"));
		assert.equal(escapes(false).length, 0);
		assert.ok(escapes(true).length > 10);
		for (const line of escapes(true)) assert.ok(line.startsWith("\x1b[97;40m") && line.endsWith("\x1b[0m"), line);
	});

	it("reports a missing network", () => {
		assert.deepEqual(invitation([], "8080", true), ["this computer is in no network: only it can open the page"]);
	});
});
