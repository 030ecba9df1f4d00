/** GET /api/events: what clients of the real program are told, and that none of them is in another's way. */
import assert from "node:assert/strict";
import { EVENT_STREAMS } from "../../src/api/events.js";
import { type Bench, withBench } from "./bench-car.js";
import { EventClient } from "./event-client.js";
import { now, sleep, until } from "./wait.js";

/** One look at the mode, one of the server, and what a loaded machine and two processes add. */
const AT_ONCE_MS = 150 + 250;

async function withClients(bench: Bench, queries: readonly string[], test: (clients: EventClient[]) => Promise<void>) {
	const clients = queries.map((query) => new EventClient(bench.port, query));
	try {
		for (const client of clients) assert.equal(await client.opened(), 200);
		await test(clients);
	} finally {
		for (const client of clients) client.close();
	}
}

describe("system: GET /api/events", () => {
	it("tells every client of a mode at once, and the values that the status has", () =>
		withBench({}, async (bench) => {
			bench.show(30, 50);
			await bench.untilCommand();
			await withClients(bench, ["", "?hz=1", "?hz=20", "?hz=5"], async (clients) => {
				for (const client of clients) await client.next(({ event }) => event === "telemetry", "telemetry");
				const from = now();
				assert.equal((await bench.mode("5050")).code, 200);
				for (const client of clients) {
					const event = await client.next(({ data }) => data["effectiveMode"] === "5050", "mode 5050");
					assert.equal(event.event, "mode");
					assert.deepEqual([event.data["mode"], event.data["reason"]], ["5050", "control is active"]);
					assert.ok(event.at - from < AT_ONCE_MS, `after ${event.at - from} ms`);
				}
				const { data } = await clients[2].next(({ data }) => data["spec"] === 100, "a lock of 100 %");
				const { telemetry } = await bench.status();
				assert.deepEqual([data["speed"], data["throttle"]], [telemetry["speed"], telemetry["throttle"]]);
				assert.deepEqual(Object.keys(data), ["uptimeMs", ...Object.keys(telemetry)]);
			});
		}));

	it("leaves connections for requests, rejects one stream too many, and takes it when another has gone", () =>
		withBench({}, async (bench) => {
			await withClients(bench, new Array(EVENT_STREAMS).fill("?hz=20"), async (clients) => {
				const refused = await bench.ask("GET", "/api/events");
				assert.deepEqual([refused.code, refused.text], [503, '{"error":"busy"}']);
				for (let i = 0; i < 50; i++) assert.equal((await bench.ask("GET", "/api/status")).code, 200);
				clients[0].close();
				await until(
					async () => {
						const client = new EventClient(bench.port);
						const code = await client.opened();
						client.close();
						return code === 200;
					},
					2000,
					"a free place",
				);
				for (const client of clients.slice(1)) assert.ok(!client.ended);
			});
		}));

	it("does not let a client that stops reading delay another, or grow", () =>
		withBench({}, async (bench) => {
			await withClients(bench, ["?hz=20", "?hz=20", "?hz=20", "?hz=20"], async ([stopped, ...others]) => {
				await stopped.next(({ event }) => event === "telemetry", "telemetry");
				stopped.read(false);
				const before = others.map((client) => client.count("telemetry"));
				await sleep(3000);
				const counts = others.map((client, i) => client.count("telemetry") - before[i]);
				for (const count of counts) assert.ok(count >= 40, `${counts} in 3 s`);
				await bench.mode("5050");
				stopped.read(true);
				await stopped.next(({ data }) => data["mode"] === "5050", "the newest state");
			});
		}));
});
