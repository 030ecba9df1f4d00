import assert from "node:assert/strict";
import {
	changedWifi,
	DEFAULT_WIFI,
	isAccessPointPassword,
	isProtected,
	isSsid,
	isStationPassword,
	mayControl,
	WIFI_DOCUMENT,
	type WifiPatch,
} from "../../src/network/wifi-settings.js";

const HOME = { ...DEFAULT_WIFI, ssid: "home", password: "password1" };

describe("network/wifi-settings", () => {
	it("counts an SSID in bytes", () => {
		for (const text of ["", "a", "a".repeat(32), "ü".repeat(16), "Café 5"]) assert.ok(isSsid(text), text);
		for (const text of ["a".repeat(33), "ü".repeat(17), "a\0b", "a\nb", "\x7f"]) assert.ok(!isSsid(text), text);
	});

	it("takes a passphrase, a key or nothing for the station", () => {
		for (const text of ["", "12345678", "x".repeat(63), "aB09".repeat(16)]) assert.ok(isStationPassword(text), text);
		for (const text of ["1234567", "x".repeat(64), "a".repeat(65), "1234567\n"]) assert.ok(!isStationPassword(text), text);
	});

	it("takes 8..63 printable ASCII characters or nothing for the access point", () => {
		for (const text of ["", "12345678", " ~!#&<>", "x".repeat(63)]) assert.ok(isAccessPointPassword(text.padEnd(8, ".")));
		for (const text of ["1234567", "x".repeat(64), "pässword", "1234567\t"]) assert.ok(!isAccessPointPassword(text), text);
	});

	it("is protected by passwords alone, on each network that it has", () => {
		const closed = { ...HOME, accessPointPassword: "password2" };
		assert.equal(isProtected(closed), true);
		assert.equal(isProtected({ ...closed, ssid: "", password: "" }), true);
		assert.equal(isProtected({ ...closed, password: "" }), false);
		assert.equal(isProtected({ ...closed, password: "", stationEnabled: false }), true);
		assert.equal(isProtected({ ...HOME, accessPointOpen: true }), false);
	});

	it("keeps a password for its own network only, and a key for its own password", () => {
		const home = { ...HOME, key: "k" };
		for (const [wifi, patch, password, key] of [
			[home, { ssid: "other" }, "", ""],
			[home, { ssid: "home" }, "password1", "k"],
			[home, { ssid: "other", password: "password2" }, "password2", ""],
			[home, { ssid: "", password: "password2" }, "", ""],
			[DEFAULT_WIFI, { password: "password2" }, "", ""],
			[home, { password: "password2" }, "password2", ""],
			[home, { stationEnabled: false }, "password1", "k"],
		] as const)
			assert.deepEqual(changedWifi(wifi, patch), { ...wifi, ...patch, password, key });
	});

	it("keeps a setting whose change is undefined, and takes no unknown member", () => {
		const patch: object = { stationEnabled: undefined, accessPointPassword: undefined, accessPointOpen: undefined, unknown: 1 };
		assert.deepEqual(changedWifi(HOME, patch as WifiPatch), HOME);
	});

	it("reads what it wrote, and rejects other values without showing them", () => {
		const stored = JSON.parse(JSON.stringify(WIFI_DOCUMENT.write({ ...HOME, accessPointPassword: "12345678" })));
		assert.deepEqual(WIFI_DOCUMENT.read(stored), { ...HOME, accessPointPassword: "12345678" });
		assert.deepEqual(WIFI_DOCUMENT.read({}), DEFAULT_WIFI);
		for (const fields of [{ ssid: 1 }, { password: "secret" }, { stationEnabled: "yes" }, { accessPointPassword: "secret" }])
			assert.throws(
				() => WIFI_DOCUMENT.read(fields),
				(error: Error) => error instanceof RangeError && !error.message.includes("secret"),
			);
	});

	it("lets the car be controlled once the access point has a password, or may stay open", () => {
		assert.equal(mayControl(DEFAULT_WIFI), false);
		assert.equal(mayControl({ ...DEFAULT_WIFI, accessPointPassword: "12345678" }), true);
		assert.equal(mayControl({ ...DEFAULT_WIFI, accessPointOpen: true }), true);
		assert.equal(
			mayControl(changedWifi({ ...DEFAULT_WIFI, accessPointPassword: "12345678" }, { accessPointPassword: "" })),
			false,
		);
	});
});
