import assert from "node:assert/strict";
import net from "node:net";
import { ApiRouter } from "../../src/api/api-router.js";
import { ROUTES } from "../../src/api/routes.js";
import { HTTP_LIMITS } from "../../src/http/limits.js";
import { PHASE } from "../../src/http/phase.js";
import {
	countOf,
	greediestFor,
	hasWaited,
	idlestFor,
	longestHeld,
	type Seat,
	slowestBody,
} from "../../src/runtime/fair-share.js";
import { anApiContext } from "../support/api-context.js";
import { startServer } from "../support/http-server.js";

const GET = "GET /api/network HTTP/1.1\r\nHost: localhost\r\n\r\n";
const seatsOf = (addresses: string, phases: readonly number[] = []): Seat[] =>
	[...addresses].map((address, i) => ({ address, socket: {}, connection: { phase: phases[i] ?? PHASE.SENDING } }));

describe("runtime/fair-share", () => {
	it("takes a place from whoever has the most, if that leaves him no fewer than the one who waits gets", () => {
		for (const [seats, address, from] of [
			["aaaaaaaa", "b", "a"],
			["aaaaaaab", "b", "a"],
			["aaaaabbb", "b", "a"],
			["aaaabbbb", "b", undefined],
			["aaaabbbb", "c", "a"],
			["aaabbbcc", "c", undefined],
			["aaabbbcc", "d", "a"],
			["aaaaaaaa", "a", undefined],
			["abcdefgh", "i", undefined],
			["abcdefgg", "i", "g"],
		] as const)
			assert.equal(greediestFor(address, seatsOf(seats))?.address, from, `${seats} ${address}`);
	});

	it("takes what is missed least: what has ended or rests, then streams and dumps, an upload last", () => {
		const { LINGERING, READING, SENDING, ANSWERING, BODY } = PHASE;
		for (const [phases, taken] of [
			[[BODY, BODY, BODY], 0],
			[[BODY, SENDING, BODY], 1],
			[[SENDING, BODY, READING], 2],
			[[READING, LINGERING, READING], 1],
			[[BODY, ANSWERING, SENDING], 2],
		] as const) {
			const seats = seatsOf("aaa", phases);
			assert.equal(seats.indexOf(greediestFor("b", seats) as Seat), taken, phases.join());
		}
	});

	it("counts taken places only", () => {
		const seats = [...seatsOf("aab"), { address: "a", socket: undefined, connection: { phase: PHASE.CLOSED } }];
		assert.deepEqual([countOf(seats, "a"), countOf(seats, "b"), countOf(seats, "c")], [2, 1, 0]);
	});

	it("takes before that what has been idle for longest, of who waits himself or of who has more than he", () => {
		const limits = { ...HTTP_LIMITS, idleGraceMs: 500 };
		for (const [addresses, idle, address, taken] of [
			["aab", [600, 700, 900], "c", 2],
			["aab", [600, 700, -1], "c", 1],
			["aab", [500, 499, -1], "c", 0],
			["aab", [499, 499, 499], "c", -1],
			["aab", [600, 700, 900], "b", 2],
			["abb", [900, 600, 700], "b", 2],
			["ab", [900, -1], "b", -1],
		] as const) {
			const seats = seatsOf(addresses).map((seat, i) => ({
				...seat,
				connection: { ...seat.connection, idleMs: () => idle[i]! },
			}));
			const found = idlestFor(address, seats, limits, 0);
			assert.equal(found === undefined ? -1 : seats.indexOf(found), taken, `${addresses} ${idle} ${address}`);
		}
	});

	it("takes for a client that has waited in vain what was held for longest, of what is missed least", () => {
		const { SENDING, ANSWERING, BODY, READING } = PHASE;
		const limits = { ...HTTP_LIMITS, waitMs: 1000 };
		for (const [phases, held, taken] of [
			[[SENDING, SENDING, SENDING], [1000, 5000, 3000], 1],
			[[BODY, SENDING, ANSWERING], [9000, 1000, 5000], 1],
			[[BODY, READING, BODY], [9000, 999, 9001], 2],
			[[SENDING, SENDING, SENDING], [999, 0, 999], -1],
		] as const) {
			const seats = seatsOf("abc", phases).map((seat, i) => ({
				...seat,
				connection: { ...seat.connection, heldMs: () => held[i]! },
			}));
			const found = longestHeld(seats, limits, 0);
			assert.equal(found === undefined ? -1 : seats.indexOf(found), taken, `${phases} ${held}`);
		}
	});

	it("has the body that comes most slowly give way, none that is quick enough", () => {
		const limits = { ...HTTP_LIMITS, slowMs: 1500 };
		for (const [collecting, slowest] of [
			[[1500, -1, 1600], 2],
			[[1500, -1, 1499], 0],
			[[1499, -1, -1], -1],
		] as const) {
			const bodies = collecting.map((ms) => ({ connection: { collectingMs: () => ms } }));
			const found = slowestBody(bodies, limits, 0);
			assert.equal(
				bodies.findIndex(({ connection }) => connection === found),
				slowest,
				collecting.join(),
			);
		}
	});

	it("turns away who has waited behind connections of his own, and sooner who has more than his share", () => {
		const limits = { ...HTTP_LIMITS, waitMs: 1000, shareWaitMs: 100, fairShare: 2 };
		for (const [seats, waiting, waitedMs, isTurnedAway] of [
			["a", "a", 1000, true],
			["a", "a", 999, false],
			["b", "a", 60_000, false],
			["aa", "a", 100, true],
			["aa", "a", 99, false],
			["a", "aa", 100, true],
			["a", "ab", 100, false],
		] as const) {
			const nowMs = -0x80000000 + 50; // the clock has wrapped meanwhile
			const all = [...waiting].map((address) => ({ address, sinceMs: (nowMs - waitedMs) | 0 }));
			assert.equal(hasWaited(all[0]!, all, seatsOf(seats), limits, nowMs), isTurnedAway, `${seats} ${waiting} ${waitedMs}`);
		}
	});
});

describe("runtime/http-service: shares", () => {
	/** A client at an address of its own. */
	const at = (address: string, port: number, text: string): Promise<string> =>
		new Promise((resolve) => {
			const socket = net.connect({ host: "127.0.0.1", port, localAddress: address }, () => socket.write(text));
			let received = "";
			socket.on("data", (data) => {
				received += data;
				if (received.endsWith("}")) resolve(received);
			});
			socket.on("error", () => {}).on("close", () => resolve(received));
		});

	it("gives a client a place at once, though another holds all of them and has as many waiting", async () => {
		const server = await startServer(new ApiRouter(anApiContext(), ROUTES), {});
		try {
			const stubborn = "POST /api/mode HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n";
			const rude = Array.from({ length: 14 }, () => at("127.0.0.2", server.port, stubborn));
			for (let i = 0; i < 200 && server.service.connections < 8; i++) await new Promise((resolve) => setTimeout(resolve, 5));
			assert.equal(server.service.connections, 8);
			assert.match(await at("127.0.0.3", server.port, GET), /^HTTP\/1\.1 200 /);
			void rude;
		} finally {
			server.close();
		}
	});

	it("has those wait whom it can't see, and turns none away but who has waited behind connections of his own", async () => {
		const server = await startServer(new ApiRouter(anApiContext(), ROUTES), {
			waitMs: 100,
			slowMs: 60_000,
			bodyTimeoutMs: 60_000,
		});
		try {
			const stubborn = "POST /api/mode HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n";
			const ends: string[] = [];
			for (let i = 0; i < 30; i++) void at("127.0.0.2", server.port, stubborn).then((received) => ends.push(received));
			// more than places and waiting room: it stands behind them in the listener's queue
			await new Promise((resolve) => setTimeout(resolve, 50));
			assert.match(await at("127.0.0.3", server.port, GET), /^HTTP\/1\.1 200 /);
			assert.ok(ends.length > 0 && ends.every((received) => received === ""), "turned away without a word");
		} finally {
			server.close();
		}
	});

	const stubborn = "POST /api/mode HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n";
	/** Nothing but shares makes room. */
	const PATIENT = { waitMs: 60_000, slowMs: 60_000, bodyTimeoutMs: 60_000, shareWaitMs: 50 };

	it("turns away sooner who has more than a fair share of places and waiting room", async () => {
		const server = await startServer(new ApiRouter(anApiContext(), ROUTES), PATIENT);
		try {
			// seven who want three each: 16 are in sight
			for (let i = 0; i < 21; i++) void at(`127.0.0.${2 + (i % 7)}`, server.port, stubborn);
			await new Promise((resolve) => setTimeout(resolve, 50));
			assert.match(await at("127.0.0.20", server.port, GET), /^HTTP\/1\.1 200 /);
		} finally {
			server.close();
		}
	});

	it("turns away nobody sooner who has no more than that", async () => {
		const server = await startServer(new ApiRouter(anApiContext(), ROUTES), PATIENT);
		try {
			const ends: string[] = [];
			for (let i = 0; i < 16; i++)
				void at(`127.0.0.${2 + (i % 8)}`, server.port, stubborn).then((received) => ends.push(received));
			await new Promise((resolve) => setTimeout(resolve, 50));
			let answer = "";
			void at("127.0.0.20", server.port, GET).then((received) => (answer = received));
			await new Promise((resolve) => setTimeout(resolve, 400));
			assert.deepEqual([ends, answer], [[], ""]);
		} finally {
			server.close();
		}
	});
});
