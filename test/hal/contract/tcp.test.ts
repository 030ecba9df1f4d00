/** `tcp_behaviours.c` on the boards' TCP, which stands on a model of lwIP, and on the host's. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ENGINE } from "../../../tools/device/c-half.mjs";
import { AS_BOARD, BOARD_INCLUDES, casesIn, casesOf, compile, ROOT, SANITIZERS } from "../../modules/can-gateway/build.js";

const here = dirname(fileURLToPath(import.meta.url));
const BEHAVIOURS = join(here, "tcp_behaviours.c");
const TESTING = join(ROOT, "test/modules/can-gateway");
const ESP32 = join(ROOT, "hal/esp32");
const HOST = join(ROOT, "hal/host");
const COMMON = [BEHAVIOURS, join(TESTING, "testing.c")];

function compileBoards(): string {
	const files = [...COMMON, join(ESP32, "tcp_link.c"), join(ROOT, "test/hal/esp32/lwip_model.c")];
	return compile("contract-tcp-boards", files, [...SANITIZERS, ...AS_BOARD], BOARD_INCLUDES);
}

/** No engine is linked, but the event loop's headers name its types. */
function compileHost(): string {
	const generated = join(ROOT, "build/test/tcp-host");
	mkdirSync(generated, { recursive: true });
	writeFileSync(join(generated, "mc.xs.h"), "");
	const sources = ["clock.c", "loop.c", "io/tcp_link.c"].map((name) => join(HOST, name));
	const files = [...COMMON, join(ROOT, "test/hal/host/tcp_host_peer.c"), ...sources];
	const folders = [here, TESTING, HOST, ESP32, generated].flatMap((folder) => ["-I", folder]);
	const engine = ["includes", "platforms", "sources"].flatMap((folder) => ["-isystem", join(ENGINE, folder)]);
	const platform = ["-DINCLUDE_XSPLATFORM", '-DXSPLATFORM="xs_platform.h"'];
	return compile("contract-tcp-host", files, SANITIZERS, ["-std=gnu11", "-Wno-conversion", ...platform, ...folders, ...engine]);
}

for (const { platform, compileProgram } of [
	{ platform: "the boards'", compileProgram: compileBoards },
	{ platform: "the host's", compileProgram: compileHost },
])
	describe(`the contract of TCP: ${platform}`, function () {
		this.timeout(60000);
		let check: (title: string) => void;

		before(() => {
			check = casesIn(compileProgram(), casesOf(BEHAVIOURS));
		});

		for (const title of casesOf(BEHAVIOURS)) it(title, () => check(title));
	});
