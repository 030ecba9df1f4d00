import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DeviceError, writeUdpWithoutIpv6 } from "../../../tools/device/boards.mjs";

describe("Moddable's UDP socket without IPv6", () => {
	const PLACE = "igmp_joingroup(ip, &multicastIP.u_addr.ip4);\n";
	let sdk: string;
	before(() => {
		sdk = mkdtempSync(join(tmpdir(), "udp-test-"));
		mkdirSync(join(sdk, "modules/io/socket/lwip"), { recursive: true });
		writeFileSync(join(sdk, "modules/io/socket/lwip/udp.js"), "class UDP {}\n");
	});
	after(() => rmSync(sdk, { recursive: true }));
	const write = (source: string) => {
		writeFileSync(join(sdk, "modules/io/socket/lwip/udp.c"), source);
		writeUdpWithoutIpv6(sdk, join(sdk, "copy"));
		return ["udp.c", "udp.js"].map((name) => readFileSync(join(sdk, "copy", name), "utf8"));
	};

	it("is a copy in which addresses are IPv4's alone, or an error if the SDK's is another one", () => {
		assert.deepEqual(write(PLACE.repeat(3)), ["igmp_joingroup(ip, &multicastIP);\n".repeat(3), "class UDP {}\n"]);
		assert.throws(() => write(PLACE.repeat(2)), DeviceError);
	});
});
