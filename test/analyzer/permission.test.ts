import assert from "node:assert/strict";
import { SendPermission } from "../../src/analyzer/permission.js";

const FRAME = { bus: 1, id: 0x123, extended: false, data: Uint8Array.of(1, 2) };

describe("analyzer/permission", () => {
	const conditions = {
		isProtected: true,
		protection: 3,
		isInline: true,
		isStock: true,
		stands: true,
		isOurs: (id: number): boolean | undefined => id === 0x1a0,
	};
	let now: typeof conditions & { room: boolean };
	let sent: [number, number, number][];
	let permission: SendPermission;
	beforeEach(() => {
		now = { ...conditions, room: true };
		sent = [];
		permission = new SendPermission({
			get isProtected() {
				return now.isProtected;
			},
			get protection() {
				return now.protection;
			},
			get isStandalone() {
				return !now.isInline;
			},
			get isStock() {
				return now.isStock;
			},
			get stands() {
				return now.stands;
			},
			isOurs: (id) => now.isOurs(id),
			send: (bus, id, data) => now.room && sent.push([bus, id, data.length]) > 0,
		});
	});

	const FAILING = [
		["isProtected", "the networks have passwords", "a network of the controller has no password"],
		["isInline", "it stands between car and coupling", "in standalone operation clients may send nothing"],
		["isStock", "the mode is STOCK", "select mode STOCK first"],
		["stands", "the car stands", "the car must stand: its speed must be known, and 0"],
	] as const;

	it("is not given as delivered, and can be given and withdrawn", () => {
		assert.match(permission.send(FRAME), /^sending is not allowed/);
		assert.deepEqual([permission.give(), permission.isGiven, permission.send(FRAME)], ["", true, ""]);
		permission.withdraw();
		assert.match(permission.send(FRAME), /^sending is not allowed/);
		assert.deepEqual(sent, [[1, 0x123, 2]]);
	});

	for (const [condition, words, reason] of FAILING)
		it(`is given only while ${words}, and ends for good once this is no longer true`, () => {
			now[condition] = false;
			assert.deepEqual([permission.rejection, permission.give(), permission.isGiven], [reason, reason, false]);
			for (const look of [() => permission.observe(), () => permission.send(FRAME)]) {
				now[condition] = true;
				permission.give();
				now[condition] = false;
				look();
				now[condition] = true;
				assert.match(permission.send(FRAME), /^sending is not allowed/);
			}
			assert.deepEqual(sent, []);
		});

	it("ends with each change of a password, and can be given again", () => {
		permission.give();
		now.protection++;
		assert.match(permission.send(FRAME), /^sending is not allowed/);
		now.protection--;
		permission.observe();
		assert.deepEqual([permission.isGiven, sent], [false, []]);
		permission.give();
		assert.equal(permission.send(FRAME), "");
	});

	it("rejects the controller's own identifiers, and all without a generation; 29-bit ones are never its own", () => {
		permission.give();
		assert.equal(permission.send({ ...FRAME, id: 0x1a0 }), "0x1a0 is an identifier of the controller's own");
		assert.equal(permission.send({ ...FRAME, id: 0x1a0, extended: true, bus: 0 }), "");
		now.isOurs = () => undefined;
		assert.equal(permission.send(FRAME), "the coupling's generation is not set");
		assert.deepEqual(sent, [[0, 0x800001a0, 2]]);
	});

	it("rejects bus 2 and an identifier of 12 bits, and says when a bus is full", () => {
		permission.give();
		assert.equal(permission.send({ ...FRAME, bus: 2 }), "there is no bus 2: 0 is the chassis, 1 the coupling");
		assert.equal(permission.send({ ...FRAME, id: 0x800 }), "0x800 has more than 11 bits");
		now.room = false;
		assert.equal(permission.send(FRAME), "the bus takes no more frames now");
		assert.deepEqual(sent, []);
		assert.equal(permission.isGiven, true);
	});
});
