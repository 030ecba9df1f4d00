/**
 * `can_behaviours.c` on the drivers of the boards, which stand on models of their controllers, and on the
 * host's.
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
	AS_BOARD,
	BOARD_INCLUDES,
	casesAlone,
	casesIn,
	casesOf,
	compile,
	ROOT,
	SANITIZERS,
} from "../../modules/can-gateway/build.js";
import { GATEWAY_FILES, GATEWAY_OPTIONS } from "../host/gateway-program.js";

const here = dirname(fileURLToPath(import.meta.url));
const BEHAVIOURS = join(here, "can_behaviours.c");
const TESTING = join(ROOT, "test/modules/can-gateway");
const ESP32 = join(ROOT, "hal/esp32");
const ESP32_TESTS = join(ROOT, "test/hal/esp32");
/** The contract is run from either of these buses to the other. */
const BUSES = ["chassis", "coupling"];

const COMMON = [BEHAVIOURS, join(TESTING, "testing.c")];

function compileBoards(): string {
	const drivers = ["bridge.c", "mcp2515.c", "twai.c"].map((name) => join(ESP32, name));
	const models = ["boards.c", "mcp2515_model.c", "twai_model.c"].map((name) => join(ESP32_TESTS, name));
	return compile("contract-boards", [...COMMON, ...drivers, ...models], [...SANITIZERS, ...AS_BOARD], BOARD_INCLUDES);
}

function compileHost(): string {
	const files = [...COMMON, join(ROOT, "test/hal/host/gateway_host_board.c"), ...GATEWAY_FILES];
	return compile("contract-host", files, SANITIZERS, GATEWAY_OPTIONS);
}

for (const { boards, compileProgram, startsOnce } of [
	{ boards: ["C6", "T-2CAN"], compileProgram: compileBoards, startsOnce: false },
	// its gateway starts once in a process: each case needs one of its own
	{ boards: ["host"], compileProgram: compileHost, startsOnce: true },
])
	describe(`the contract of a driver of CAN buses: ${boards.join(" and ")}`, function () {
		this.timeout(60000);
		let program: string;

		before(() => {
			program = compileProgram();
		});

		for (const board of boards)
			describe(board, () => {
				let check: (title: string) => void;

				before(() => {
					const environments = [...BUSES.keys()].map((bus) => ({ CAN_BOARD: board, CAN_FROM: String(bus) }));
					check = startsOnce ? casesAlone(program, environments) : casesIn(program, casesOf(BEHAVIOURS), environments);
				});

				for (const title of casesOf(BEHAVIOURS)) it(title, () => check(title));
			});
	});
