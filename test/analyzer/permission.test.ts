import assert from "node:assert/strict";
import { SendPermission } from "../../src/analyzer/permission.js";
import { DEFAULT_WIFI } from "../../src/network/wifi-settings.js";
import { DEFAULT_SETTINGS } from "../../src/settings/settings.js";
import { aController, type ControllerChanges, change } from "../support/controller-view.js";

const FRAME = { bus: 1, id: 0x123, extended: false, data: Uint8Array.of(1, 2) };
const SETTINGS = { ...DEFAULT_SETTINGS, generation: 4 as const };
/** The car stands in stock. */
const STANDS: ControllerChanges = { selectedMode: 0, controlActive: false, speedKmh: 0, settings: SETTINGS };
const CLOSED = { ...DEFAULT_WIFI, accessPointPassword: "password1" };

describe("analyzer/permission", () => {
	let controller: ReturnType<typeof aController>;
	let network: { wifi: typeof DEFAULT_WIFI; changes: number };
	let owner: { changes: number };
	let hasSpace: boolean;
	let sent: [number, number, number][];
	let permission: SendPermission;
	beforeEach(() => {
		controller = aController(STANDS);
		network = { wifi: CLOSED, changes: 3 };
		owner = { changes: 2 };
		hasSpace = true;
		sent = [];
		permission = new SendPermission(controller, network, owner, {
			send: (bus, id, data) => hasSpace && sent.push([bus, id, data.length]) > 0,
		});
	});
	const restore = (): void => {
		network.wifi = CLOSED;
		change(controller, STANDS);
	};

	const FAILING: readonly [words: string, fail: () => void, reason: string][] = [
		[
			"the networks have passwords",
			() => {
				network.wifi = DEFAULT_WIFI;
			},
			"a network of the controller has no password",
		],
		[
			"it stands between car and coupling",
			() => change(controller, { settings: { ...SETTINGS, standalone: true } }),
			"in standalone operation clients may send nothing",
		],
		["the mode is STOCK", () => change(controller, { selectedMode: 9 }), "select mode STOCK first"],
		["nothing is asked of the coupling", () => change(controller, { controlActive: true }), "select mode STOCK first"],
		["the car stands", () => change(controller, { speedKmh: 1 }), "the car must stand: its speed must be known, and 0"],
	];

	it("is not given as delivered, and can be given and withdrawn", () => {
		assert.match(permission.send(FRAME), /^sending is not allowed/);
		assert.deepEqual([permission.give(), permission.isGiven, permission.send(FRAME)], ["", true, ""]);
		permission.withdraw();
		assert.match(permission.send(FRAME), /^sending is not allowed/);
		assert.deepEqual(sent, [[1, 0x123, 2]]);
	});

	for (const [words, fail, reason] of FAILING)
		it(`is given only while ${words}, and ends for good once this is no longer true`, () => {
			fail();
			assert.deepEqual([permission.rejection, permission.give(), permission.isGiven], [reason, reason, false]);
			for (const look of [() => permission.observe(), () => permission.send(FRAME)]) {
				restore();
				permission.give();
				fail();
				look();
				restore();
				assert.match(permission.send(FRAME), /^sending is not allowed/);
			}
			assert.deepEqual(sent, []);
		});

	it("ends with each change of a password, and can be given again", () => {
		for (const part of [network, owner]) {
			permission.give();
			part.changes++;
			assert.match(permission.send(FRAME), /^sending is not allowed/);
			part.changes--;
			permission.observe();
			assert.deepEqual([permission.isGiven, sent], [false, []]);
		}
		permission.give();
		assert.equal(permission.send(FRAME), "");
	});

	it("rejects the controller's own identifiers, and all without a generation; 29-bit ones are never its own", () => {
		permission.give();
		assert.equal(permission.send({ ...FRAME, id: 0x1a0 }), "0x1a0 is an identifier of the controller's own");
		assert.equal(permission.send({ ...FRAME, id: 0x1a0, extended: true, bus: 0 }), "");
		controller.settings = DEFAULT_SETTINGS;
		assert.equal(permission.send(FRAME), "the coupling's generation is not set");
		assert.deepEqual(sent, [[0, 0x800001a0, 2]]);
	});

	it("rejects bus 2 and an identifier of 12 bits, and says when a bus is full", () => {
		permission.give();
		assert.equal(permission.send({ ...FRAME, bus: 2 }), "there is no bus 2: 0 is the chassis, 1 the coupling");
		assert.equal(permission.send({ ...FRAME, id: 0x800 }), "0x800 has more than 11 bits");
		hasSpace = false;
		assert.equal(permission.send(FRAME), "the bus takes no more frames now");
		assert.deepEqual(sent, []);
		assert.equal(permission.isGiven, true);
	});
});
