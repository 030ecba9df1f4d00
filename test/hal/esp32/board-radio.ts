/**
 * The boards' radio, hal/esp32/io/radio.ts, on a `wifi` module that notes what it is told and behaves as
 * Moddable's does on ESP32.
 */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { RadioPort } from "../../../hal/network-ports.js";

type Listener = (event: string, reason?: number) => void;

/** What `wifi` and platform.c share with the test. */
interface Air {
	calls: unknown[];
	/** By the names of ESP-IDF's interfaces; none = "". */
	addresses: Record<string, string>;
	tell: Listener;
	/** What a scan has found, as platform.c tells it; undefined while it runs. */
	found: ArrayBuffer[] | undefined;
}

const FAKE_WIFI = `
const air = globalThis.air;
export default class WiFi {
	static Mode = Object.freeze({ none: 0, station: 1, accessPoint: 2 });
	static disconnected = "disconnect";
	constructor(options, onNotify) { air.tell = onNotify; }
	static set mode(mode) { air.calls.push(["mode", mode]); }
	static accessPoint(options) {
		if (options.password !== undefined && options.password.length < 8) throw new Error("password too short");
		air.calls.push(["accessPoint", options]);
	}
	static connect(options) { air.calls.push(["connect", options]); }
	static disconnect() { air.calls.push(["disconnect"]); }
}`;

export const air: Air = { calls: [], addresses: {}, tell: () => {}, found: undefined };

/**
 * Imports a module of hal/ with a stand-in for the one module of the platform that it imports.
 * @returns its default export
 */
export async function importOn<T>(path: string, platformModule: string, contents: string): Promise<T> {
	const { outputFiles } = await build({
		entryPoints: [fileURLToPath(new URL(`../../../${path}`, import.meta.url))],
		bundle: true,
		format: "esm",
		write: false,
		plugins: [
			{
				name: "stand-in",
				setup({ onResolve, onLoad }) {
					onResolve({ filter: new RegExp(`^${platformModule}$`) }, () => ({ path: platformModule, namespace: "stand-in" }));
					onLoad({ filter: /.*/, namespace: "stand-in" }, () => ({ contents }));
				},
			},
		],
	});
	return (await import(`data:text/javascript,${encodeURIComponent(outputFiles[0]!.text)}`)).default;
}

/**
 * Puts what a module looks for into the global object.
 * @returns what takes it away again: other tests have natives of their own
 */
export function withGlobals(globals: Record<string, unknown>): () => void {
	const known = globalThis as Record<string, unknown>;
	const before = Object.keys(globals).map((name) => [name, known[name]] as const);
	Object.assign(globalThis, globals);
	return () => {
		for (const [name, value] of before)
			if (value === undefined) delete known[name];
			else known[name] = value;
	};
}

/** @returns the class, and what takes its globals away again */
export async function loadBoardRadio(): Promise<{ Radio: new () => RadioPort; restore: () => void }> {
	const native = (name: string) => (key: string) => {
		if (name === "xs_esp32_address") return air.addresses[key] ?? "";
		if (name === "xs_esp32_scan_next") {
			const next = air.found && (air.found.shift() ?? null);
			if (next === null) air.found = undefined;
			return next;
		}
		if (name === "xs_esp32_scan_start" && air.addresses["WIFI_AP_DEF"] === undefined) throw new Error("the radio is busy");
		return air.calls.push([name]);
	};
	const restore = withGlobals({ air, native });
	return { Radio: await importOn("hal/esp32/io/radio.ts", "wifi", FAKE_WIFI), restore };
}
