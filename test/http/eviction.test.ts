import assert from "node:assert/strict";
import { Phase } from "../../src/http/connection.js";
import { type Evictable, victimFor } from "../../src/http/eviction.js";
import { HTTP_LIMITS } from "../../src/http/limits.js";

const LIMITS = { ...HTTP_LIMITS, idleGraceMs: 500, openMs: 1000 };

interface Client extends Evictable {
	readonly name: string;
}

interface Figures {
	readonly phases?: readonly number[];
	readonly idle?: readonly number[];
	readonly open?: readonly number[];
}

/**
 * Clients with a connection, each a letter, its address; busy since this moment unless told. Behind them one
 * of `address` that waits.
 */
function scene(addresses: string, address: string, { phases = [], idle = [], open = [] }: Figures = {}) {
	const clients: Client[] = [...addresses].map((letter, i) => ({
		name: `${letter}${i}`,
		address: letter,
		connection: { phase: phases[i] ?? Phase.SENDING, idleMs: () => idle[i] ?? -1, openForMs: () => open[i] ?? 0 },
	}));
	const waiting: Client = { name: "waiting", address, connection: undefined };
	return { clients: [...clients, waiting], waiting };
}

/** Who is evicted for the one that waits; "" = nobody. */
function victim(addresses: string, address: string, figures?: Figures): string {
	const { clients, waiting } = scene(addresses, address, figures);
	return victimFor(waiting, clients, LIMITS, 0)?.name ?? "";
}

const { LINGERING, READING, SENDING, ANSWERING, BODY } = Phase;

describe("http/eviction", () => {
	it("closes a connection of the client with the most, unless that leaves it fewer than the waiting client gets", () => {
		for (const [clients, address, from] of [
			["aaaaaaaa", "b", "a0"],
			["aaaaaaab", "b", "a0"],
			["aaaaabbb", "b", "a0"],
			["aaaabbbb", "b", ""],
			["aaaabbbb", "c", "a0"],
			["aaabbbcc", "c", ""],
			["aaabbbcc", "d", "a0"],
			["aaaaaaaa", "a", ""],
			["abcdefgh", "i", ""],
			["abcdefgg", "i", "g6"],
		] as const)
			assert.equal(victim(clients, address), from, `${clients} ${address}`);
	});

	it("closes ended and idle connections first, then streams and dumps, an upload last", () => {
		for (const [phases, from] of [
			[[BODY, BODY, BODY], "a0"],
			[[BODY, SENDING, BODY], "a1"],
			[[SENDING, BODY, READING], "a2"],
			[[READING, LINGERING, READING], "a1"],
			[[BODY, ANSWERING, SENDING], "a2"],
		] as const)
			assert.equal(victim("aaa", "b", { phases }), from, phases.join());
	});

	it("prefers the connection that is idle longest, of the waiting client or of one with at least as many", () => {
		for (const [addresses, idle, address, from] of [
			["aab", [600, 700, 900], "c", "b2"],
			["aab", [600, 700, -1], "c", "a1"],
			["aab", [500, 499, -1], "c", "a0"],
			["aab", [600, 700, 900], "b", "b2"],
			["abb", [900, 600, 700], "b", "b2"],
			["ab", [900, 499], "b", ""],
		] as const)
			assert.equal(victim(addresses, address, { idle }), from, `${addresses} ${idle} ${address}`);
	});

	it("closes the oldest connection of the least important phase for a client without one, after 1 s", () => {
		for (const [phases, open, from] of [
			[[SENDING, SENDING, SENDING], [1000, 5000, 3000], "b1"],
			[[BODY, SENDING, ANSWERING], [9000, 1000, 5000], "b1"],
			[[BODY, READING, BODY], [9000, 999, 9001], "c2"],
			[[SENDING, SENDING, SENDING], [999, 0, 999], ""],
		] as const)
			assert.equal(victim("abc", "d", { phases, open }), from, `${phases} ${open}`);
		assert.equal(victim("abc", "a", { open: [5000, 5000, 5000] }), "", "it has one");
	});

	it("evicts for the heap while another client has more connections, and never the client's own", () => {
		for (const [addresses, idle, from] of [
			["abb", [], "b1"],
			["ab", [], ""],
			["ab", [-1, 700], "b1"],
			["aab", [900, 700, 800], "a1"],
			["aa", [900, -1], ""],
		] as const) {
			const { clients } = scene(addresses, "", { idle, open: [9000, 9000, 9000] });
			assert.equal(victimFor(clients[0]!, clients, LIMITS, 0)?.name ?? "", from, `${addresses} ${idle}`);
		}
	});
});
