import assert from "node:assert/strict";
import type { ApiContext } from "../../src/api/context.js";
import { EVENT_STREAMS, getEvents } from "../../src/api/events.js";
import { Changes } from "../../src/controller/changes.js";
import { Reason } from "../../src/controller/reason.js";
import type { Producer } from "../../src/http/producer.js";
import type { HttpRequest } from "../../src/http/request.js";
import { HttpResponse } from "../../src/http/response.js";
import { wrong } from "../../tools/openapi.js";
import { anApiContext, request } from "../support/api-client.js";
import { aController, type ControllerChanges, change, type FakeController } from "../support/controller-view.js";
import { UpdateBench } from "../support/update-bench.js";
import { type ServerEvent, splitEvents } from "../system/event-client.js";

const ROOM = 1600;

/** A controller in which nothing is wrong, an open stream to it, and the stream's client. */
class Fixture {
	readonly controller: FakeController = aController({ engagementValid: true, nowMs: 0 });
	readonly context: ApiContext;
	readonly response = new HttpResponse();

	constructor(changes: ControllerChanges = {}, parts: Partial<ApiContext> = {}) {
		this.context = anApiContext({ controller: this.controller, changes: new Changes(), ...parts });
		change(this.controller, changes);
		this.context.changes.observe(this.controller);
	}

	open(hz?: string, lastSeen?: string): this {
		const fake = { query: () => hz, header: () => lastSeen } as unknown as HttpRequest;
		getEvents(this.context, fake, this.response);
		assert.equal(this.response.status, 200);
		return this;
	}

	/** What the stream sends with so much room, turn after turn. */
	read(room = ROOM): ServerEvent[] {
		const into = new Uint8Array(room + 8).fill(0x21);
		const body = this.response.body as Producer;
		let end = 4;
		for (let more = true; more; ) {
			const length = body.produce(into, end, 4 + room);
			assert.ok(length !== 0 && end + length <= 4 + room);
			end += Math.max(length, 0);
			more = length > 0;
		}
		assert.equal(Buffer.from(into.subarray(4 + room)).toString(), "!!!!", "nothing behind the room");
		const { events, rest } = splitEvents(Buffer.from(into.subarray(4, end)).toString());
		assert.equal(rest, "", "whole events only");
		return events;
	}

	at(nowMs: number, changes: ControllerChanges = {}): this {
		change(this.controller, { nowMs, ...changes });
		this.context.changes.observe(this.controller);
		return this;
	}
}

const kinds = (events: readonly ServerEvent[]) => events.map(({ event }) => event);
const faults = (events: readonly ServerEvent[]) =>
	events.filter(({ event }) => event === "fault").map(({ id, data }) => [id, data["fault"], data["active"]]);

describe("api/events", () => {
	it("begins with how to reconnect, the mode, what is wrong, and telemetry", () => {
		const fixture = new Fixture({ speedValid: false, rpmValid: false }).open();
		const events = fixture.read();
		assert.deepEqual(kinds(events), ["retry", "mode", "fault", "fault", "update", "revisions", "telemetry"]);
		assert.deepEqual(events[1].data, {
			uptimeMs: 0,
			mode: "MAP",
			effectiveMode: "MAP",
			reason: "control is active",
			reasonCode: "active",
			reasonDetail: "",
			heldBy: "",
			conditionMap: "",
			controlActive: true,
			disableController: false,
			canviewCaptureMode: false,
		});
		assert.deepEqual(faults(events), [
			["1", "speedInvalid", true],
			["2", "rpmInvalid", true],
		]);
	});

	it("sends what the description says, and telemetry with the members that the status has", () => {
		const fixture = new Fixture({ speedValid: false }).open();
		const events = fixture.read();
		for (const { event, data } of events.slice(1)) {
			const schema = `${event[0].toUpperCase()}${event.slice(1)}Event`;
			assert.equal(wrong({ $ref: `#/components/schemas/${schema}` }, data), "", event);
		}
		const status = request({ controller: fixture.controller }, "GET", "/api/status").json();
		assert.deepEqual(events.at(-1)?.data, { uptimeMs: 0, ...(status["telemetry"] as object) });
	});

	it("keeps the rate that was asked for, whole numbers of 1 to 20 per second", () => {
		for (const [hz, expected] of [
			["1", 10],
			["3", 30],
			["7", 70],
			["20", 200],
			[undefined, 50],
		] as const) {
			const fixture = new Fixture().open(hz);
			fixture.read();
			let sent = 0;
			// the server looks every 50 ms, the controller's clock is up to 10 ms behind it
			for (let ms = 50; ms <= 10_000; ms += 50) {
				const events = fixture.at(ms - (ms % 7)).read();
				assert.ok(events.length <= 1, "no bursts");
				sent += events.length;
			}
			assert.ok(Math.abs(sent - expected) <= 1, `${sent} at ${hz} Hz`);
		}
	});

	it("does not repeat missed events", () => {
		const fixture = new Fixture().open("20");
		fixture.read();
		assert.deepEqual(kinds(fixture.at(5000).read()), ["telemetry"]);
		assert.deepEqual(kinds(fixture.at(5010).read()), []);
		assert.deepEqual(kinds(fixture.at(5050).read()), ["telemetry"]);
	});

	it("goes on when the clock wraps", () => {
		const fixture = new Fixture({ nowMs: 0xffffff00 }).open("5");
		fixture.read();
		assert.deepEqual(kinds(fixture.at(0xffffffc8).read()), ["telemetry"]);
		assert.deepEqual(kinds(fixture.at(0x90).read()), ["telemetry"]);
		assert.deepEqual(kinds(fixture.at(0xa0).read()), []);
	});

	it("sends mode and faults as soon as they change, before telemetry", () => {
		const fixture = new Fixture().open("1");
		fixture.read();
		assert.deepEqual(kinds(fixture.at(10).read()), []);
		const changed = fixture.at(20, { effectiveMode: 0, reason: Reason.NO_SPEED, speedValid: false }).read();
		assert.deepEqual(kinds(changed), ["mode", "fault"]);
		assert.deepEqual(changed[1].data, { uptimeMs: 20, fault: "speedInvalid", active: true });
		assert.deepEqual(faults(fixture.at(30, { speedValid: true }).read()), [["2", "speedInvalid", false]]);
		assert.deepEqual(kinds(fixture.at(1000, { rpmValid: false }).read()), ["fault", "telemetry"]);
	});

	it("tells a slow client the newest state, however much has happened, and each fault that came and went", () => {
		const fixture = new Fixture().open("20");
		fixture.read();
		for (let ms = 50; ms < 60_000; ms += 50)
			fixture.at(ms, { selectedMode: (ms / 50) % 10, rpmValid: (ms / 50) % 2 === 0, speedKmh: ms });
		fixture.at(60_000, { selectedMode: 3, rpmValid: true });
		const events = fixture.read();
		assert.deepEqual(kinds(events), ["mode", "fault", "telemetry"]);
		assert.equal(events[0].data["mode"], "6040");
		assert.deepEqual(events[1].data, { uptimeMs: 60_000, fault: "rpmInvalid", active: false });
	});

	it("tells of an update's progress as often as it moves, before telemetry", () => {
		const fixture = new Fixture().open("1");
		const [update] = fixture.read().filter(({ event }) => event === "update");
		assert.deepEqual([update.data["installing"], update.data["bytesDone"], update.data["latest"]], [false, 0, ""]);
		const { updater } = fixture.context;
		updater.phase = "installing";
		Object.assign(updater, { bytesTotal: 1000, bytesDone: 10, progressMs: 250 });
		const [begun] = fixture.at(250).read();
		assert.deepEqual([begun.event, begun.data["installing"], begun.data["bytesTotal"]], ["update", true, 1000]);
		assert.deepEqual(kinds(fixture.at(300).read()), []);
		Object.assign(updater, { bytesDone: 500, progressMs: 500 });
		const [moved, telemetry] = fixture.at(1000).read();
		assert.deepEqual([moved.event, moved.data["bytesDone"], telemetry.event], ["update", 500, "telemetry"]);
		updater.phase = "idle";
		updater.installError = "firmware update failed";
		assert.equal(fixture.at(1250).read()[0].data["installError"], "firmware update failed");
	});

	it("tells within 250 ms why an update would be rejected", () => {
		const bench = new UpdateBench();
		const fixture = new Fixture({}, { updater: bench.updater }).open("1");
		for (const [uptimeMs, motion, refusal] of [
			[250, "stands", ""],
			[500, "moves", "the car is moving"],
			[750, "stands", ""],
		] as const) {
			bench.car.vehicle.motion = motion;
			const [told] = fixture
				.at(uptimeMs)
				.read()
				.filter(({ event }) => event === "update");
			assert.equal(told.data["refusal"], refusal);
		}
	});

	it("tells the dashboard's signals twice a second, if there are any", () => {
		const fixture = new Fixture().open("20");
		const signals = () =>
			fixture
				.read()
				.filter(({ event }) => event === "dashboard")
				.map(({ data }) => data);
		for (let ms = 0; ms <= 1000; ms += 50) assert.deepEqual(fixture.at(ms) && signals(), []);
		const dashboard = ["", "chassis|0x1a0|speed|km/h", "", "", "", "", "", "haldex|0x2c0|engagement|"];
		const { settings } = fixture.controller;
		fixture.at(1000, { settings: { ...settings, dashboard } });
		const sent = [];
		for (let ms = 1050; ms <= 2500; ms += 50) sent.push(...(fixture.at(ms) && signals()));
		assert.deepEqual(
			sent.map(({ uptimeMs }) => uptimeMs),
			[1500, 2000, 2500],
		);
		assert.deepEqual(sent[0]["signals"], [
			{ slot: "dash_2", found: false, display: "--" },
			{ slot: "dash_8", found: false, display: "--" },
		]);
		assert.equal(wrong({ $ref: "#/components/schemas/DashboardEvent" }, sent[0]), "");
	});

	it("never sends half an event, however little space there is", () => {
		const bad: ControllerChanges = { speedValid: false, rpmValid: false, engagementValid: false };
		const whole = new Fixture(bad).open().read();
		for (let room = 1; room < ROOM; room++) {
			const fixture = new Fixture(bad).open();
			const events = fixture.read(room);
			assert.deepEqual(events, whole.slice(0, events.length));
			assert.deepEqual([...events, ...fixture.read()], whole, `rest after ${room}`);
		}
	});

	it("tells a client that reconnects what began and ended meanwhile, and a new client only the present state", () => {
		const away = (lastSeen?: string) => {
			const fixture = new Fixture({ speedValid: false });
			fixture.at(10, { rpmValid: false }).at(20, { rpmValid: true });
			return faults(fixture.open("5", lastSeen).read());
		};
		assert.deepEqual(away(), [["1", "speedInvalid", true]]);
		assert.deepEqual(away("1"), [
			["1", "speedInvalid", true],
			["3", "rpmInvalid", false],
		]);
		for (const foreign of ["999", "x", "-1", ""]) assert.deepEqual(away(foreign), [["1", "speedInvalid", true]], foreign);
	});

	it("rejects one stream too many with 503, and accepts it once another has ended", () => {
		const fixture = new Fixture();
		const streams = Array.from({ length: EVENT_STREAMS }, () => {
			const response = new HttpResponse();
			getEvents(fixture.context, { query: () => undefined, header: () => undefined } as unknown as HttpRequest, response);
			return response;
		});
		assert.equal(fixture.context.underWay.events, EVENT_STREAMS);
		const refused = request(fixture.context, "GET", "/api/events");
		assert.deepEqual([refused.status, refused.json()], [503, { error: "busy" }]);
		streams[2].abandon();
		streams[2].abandon();
		assert.equal(fixture.context.underWay.events, EVENT_STREAMS - 1);
		fixture.open();
		assert.equal(fixture.context.underWay.events, EVENT_STREAMS);
	});

	it("answers HEAD without opening a stream for good", () => {
		const context = anApiContext();
		const answer = request(context, "HEAD", "/api/events");
		assert.deepEqual([answer.status, answer.headers["content-type"], answer.text], [200, "text/event-stream", ""]);
		assert.equal(context.underWay.events, 0);
	});
});
