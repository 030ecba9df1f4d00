/** docs/api.md, "Network and passwords", "Updates": Wi-Fi, network, update, upload. */
import assert from "node:assert/strict";
import { describeContract, type Row } from "./contract.js";

const wifi = (body: object, shown: object): Row => ({ body, answer: { ok: true }, afterwards: { "/api/wifi": shown } });
const octets = { "Content-Type": "application/octet-stream" };
const part = (bytes: string) =>
	`--b\r\nContent-Disposition: form-data; name="update"; filename="x.bin"\r\nContent-Type: application/octet-stream\r\n\r\n${bytes}\r\n--b--\r\n`;
const multipart = { "Content-Type": "multipart/form-data; boundary=b" };
const wrongUpload = (headers: Record<string, string>, body: string, text: RegExp): Row => ({
	headers,
	body,
	status: 400,
	text,
	has: { "content-type": "text/plain" },
	// it did not restart
	check: async (_reply, api) => assert.ok((await api.get("/api/status")).uptimeMs > 0),
});

describeContract("network", { connected: false }, (endpoint) => {
	endpoint("GET /api/wifi", [{ answer: { ssid: "", staEnabled: true, apPasswordSet: false, apOpen: false } }]);

	endpoint("POST /api/wifi", [
		wifi({}, { ssid: "", staEnabled: true }),
		wifi({ ssid: "Garage", password: "12345678" }, { ssid: "Garage", staEnabled: true, apPasswordSet: false, apOpen: false }),
		wifi({ staEnabled: false }, { ssid: "Garage", staEnabled: false }),
		wifi({ staEnabled: 1, apPassword: "abcdefgh" }, { ssid: "Garage", staEnabled: true, apPasswordSet: true }),
		wifi({ apPassword: "" }, { apPasswordSet: false }),
		wifi({ ssid: "" }, { ssid: "" }),
	]);

	endpoint("GET /api/owner", [{ answer: { passwordSet: false, signedIn: false } }]);

	endpoint("POST /api/session", [{ body: { password: "correct horse" }, status: 409, error: "no password is set" }]);

	endpoint("POST /api/owner", [
		{ body: { password: "" }, answer: { ok: true }, afterwards: { "/api/owner": { passwordSet: false } } },
		{
			body: { password: "correct horse" },
			answer: { ok: true },
			afterwards: { "/api/owner": { passwordSet: true, signedIn: false } },
			check: async (reply, api) => {
				const key = { Authorization: `Bearer ${reply.json().key}` };
				assert.equal((await api.call("POST", "/api/mode", { mode: "FWD" })).status, 401);
				assert.equal((await api.call("POST", "/api/mode", { mode: "FWD" }, key)).status, 200);
				assert.equal((await api.call("POST", "/api/session", { password: "wrong horse" })).status, 401);
				assert.equal((await api.call("POST", "/api/session", { password: "correct horse" })).json().key, reply.json().key);
				assert.equal((await api.call("POST", "/api/owner", { password: "" }, key)).status, 200);
				assert.equal((await api.call("POST", "/api/mode", { mode: "STOCK" })).status, 200);
			},
		},
	]);

	endpoint("POST /api/wifi/scan", [
		{ answer: { networks: [] } },
		{ title: "a body is ignored", body: "not json", answer: { networks: [] } },
	]);

	endpoint("GET /api/network", [
		{ check: (reply) => assert.doesNotMatch(reply.text, /12345678|abcdefgh/) },
		{ answer: { hostname: "openhaldex.local" } },
	]);

	endpoint("GET /api/update", [{ answer: { installing: false, stage: "", bytesDone: 0, bytesTotal: 0, available: false } }]);
	endpoint("POST /api/update/check", [
		{ answer: { installing: false } },
		{ title: "a body is ignored", body: "not json", answer: { installing: false } },
	]);
	endpoint("POST /api/update/install", [{ title: "nothing was found", status: 409, answer: { started: false } }]);

	endpoint("POST /ota/update", [
		wrongUpload(octets, "MZ is no image of ours", /^FAIL: not an image/),
		wrongUpload(multipart, part("hello"), /^FAIL: not an image/),
		wrongUpload(multipart, "no boundary at all", /^FAIL/),
	]);
});
