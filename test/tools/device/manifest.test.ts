import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DeviceError, writeUdpWithoutIpv6 } from "../../../tools/device/boards.mjs";
import { cFilesBelow } from "../../../tools/device/c-half.mjs";

const BOARDS = "hal/esp32/boards";
const BOARD_NAMES = readdirSync(BOARDS);

/** C files by path without ending, as `folder`'s manifest names them. */
function named(folder: string): Set<string> {
	const { modules } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
	return new Set((modules["*"] as string[]).map((path) => join(folder, path)));
}

describe("the manifests", () => {
	const common = named(".");
	const ofBoards = BOARD_NAMES.map((name) => named(join(BOARDS, name)));

	it("name each C file of the modules for every board, and each of the ESP32 for one at least", () => {
		const onlyInTests = "modules/can-gateway/can-gateway-core-xs";
		for (const file of cFilesBelow(["modules"])) {
			const path = file.slice(0, -2);
			assert.notEqual(common.has(path), path === onlyInTests, `manifest.json and ${file}`);
		}
		for (const file of readdirSync("hal/esp32").filter((name) => name.endsWith(".c"))) {
			const path = join("hal/esp32", file.slice(0, -2));
			assert.ok(common.has(path) || ofBoards.some((files) => files.has(path)), `no manifest has hal/esp32/${file}`);
		}
	});

	it("have no file in common", () => {
		for (const files of ofBoards) for (const path of files) assert.ok(!common.has(path), path);
	});
});

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
