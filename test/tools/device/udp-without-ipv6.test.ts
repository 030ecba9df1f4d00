import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DeviceError } from "../../../tools/device/boards.mjs";
import { writeUdpWithoutIpv6 } from "../../../tools/device/udp-without-ipv6.mjs";

const PLACE = "igmp_joingroup(ip, &multicastIP.u_addr.ip4);\n";

describe("tools/device/udp-without-ipv6.mjs", () => {
	let sdk: string;

	beforeEach(() => {
		sdk = mkdtempSync(join(tmpdir(), "udp-test-"));
		mkdirSync(join(sdk, "modules/io/socket/lwip"), { recursive: true });
		writeFileSync(join(sdk, "modules/io/socket/lwip/udp.js"), "class UDP {}\n");
	});
	afterEach(() => rmSync(sdk, { recursive: true }));

	const write = (source: string) => {
		writeFileSync(join(sdk, "modules/io/socket/lwip/udp.c"), source);
		writeUdpWithoutIpv6(sdk, join(sdk, "copy"));
		return readFileSync(join(sdk, "copy/udp.c"), "utf8");
	};

	it("copies Moddable's UDP socket, for addresses that are IPv4's alone", () => {
		assert.equal(write(`int port;\n${PLACE.repeat(3)}`), `int port;\n${"igmp_joingroup(ip, &multicastIP);\n".repeat(3)}`);
		assert.equal(readFileSync(join(sdk, "copy/udp.js"), "utf8"), "class UDP {}\n");
	});

	it("rejects one that it does not know", () => {
		for (const count of [0, 2, 4])
			assert.throws(
				() => write(PLACE.repeat(count)),
				(error: Error) => error instanceof DeviceError && error.message.includes(`${count} times, not 3`),
			);
	});
});
