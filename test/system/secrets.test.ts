/**
 * Passwords come in and never leave: whatever is read afterwards, over the interface, in the logs, on the
 * console, in each file but the one that is theirs, none of them is in it; nor is the owner's key.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ROUTES } from "../../src/api/routes.js";
import { withBench, withFlash } from "./bench-car.js";
import { sleep } from "./wait.js";

const SECRETS = { owner: "owner-secret-1", wrong: "owner-secret-2", station: "station-secret-3", own: "own-secret-4" };
/**
 * The first never ends, the second is the same for all, out of ROM; the others wait for a control unit that
 * is not there.
 */
const LEFT_OUT = ["/api/events", "/api/openapi.json", "/api/uds/read", "/api/uds/dtc", "/api/uds/measured", "/api/diag/measured"];
/** Queries without which a route has nothing to tell, or never ends. */
const QUERIES: Readonly<Record<string, string>> = {
	"/api/logs/read": "?path=/logs/all.txt&max=262144",
	"/api/maps/export": "?format=json",
	"/api/canview/dump": "?seconds=120",
};

function filesIn(folder: string): string[] {
	return readdirSync(folder).flatMap((name) => {
		const path = join(folder, name);
		return statSync(path).isDirectory() ? filesIn(path) : [path];
	});
}

describe("system: secrets", () => {
	it("are in no answer, no log, no dump and no file but their own", () =>
		withFlash((flash) =>
			withBench({ flash, args: ["--wifi", `home:${SECRETS.station}`] }, async (bench) => {
				const post = (path: string, body: object, headers = {}) => bench.ask("POST", path, JSON.stringify(body), headers);
				const verbose = {
					logToFileEnabled: true,
					logErrorToFileEnabled: true,
					logSerialEnabled: true,
					logDebugNetworkEnabled: true,
				};
				assert.equal((await post("/api/settings", verbose)).code, 200);
				const { text } = await post("/api/owner", { password: SECRETS.owner });
				const key: string = JSON.parse(text).key;
				const bearer = { Authorization: `Bearer ${key}` };
				const wifi = { ssid: "home", password: SECRETS.station, apPassword: SECRETS.own };
				assert.equal((await post("/api/wifi", wifi, bearer)).code, 200);
				const seen: [string, string][] = [];
				const keep = (what: string, answer: { text: string }) => seen.push([what, answer.text]);
				// rejected with them in it, wherever they may stand
				keep("401", await post("/api/wifi", wifi));
				keep("wrong", await post("/api/session", { password: SECRETS.wrong }));
				for (const path of ["/api/owner", "/api/session", "/api/wifi", "/api/mode", "/api/settings", "/api/maps/save"]) {
					keep(path, await post(path, { password: [SECRETS.owner, SECRETS.station] }, bearer));
					keep(path, await post(path, { password: `${SECRETS.own}${"x".repeat(80)}` }, bearer));
					keep(path, await bench.ask("POST", path, `{"password":"${SECRETS.own}"`, bearer));
				}
				await sleep(1500);
				for (const { method, path } of ROUTES)
					if (method === "GET" && !LEFT_OUT.includes(path))
						keep(path, await bench.ask("GET", path + (QUERIES[path] ?? ""), "", bearer));
				await bench.report();
				seen.push(["stdout", bench.stdout], ["stderr", bench.stderr]);
				for (const path of filesIn(flash)) seen.push([path.slice(flash.length + 1), readFileSync(path, "latin1")]);
				const names = seen.map(([name]) => name);
				for (const name of ["wifi.json", "owner.json", "logs/all.txt", "settings.json"])
					assert.ok(names.includes(name), `${names}`);
				for (const [what, found] of seen)
					for (const secret of [...Object.values(SECRETS), key]) {
						const isTheirs = what === "wifi.json" && (secret === SECRETS.station || secret === SECRETS.own);
						assert.equal(found.includes(secret), isTheirs, `${secret} in ${what}`);
					}
			}),
		));
});
