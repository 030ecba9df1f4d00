/** What the page's styles have in common with each other, and its colours with the firmware's. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { MODE_COLOURS } from "../../src/controls/led.js";
import { MODES } from "../../src/lock/modes.js";
import { LED_COLOURS } from "../../src/page/drive/mode-names.js";

const PAGE = fileURLToPath(new URL("../../src/page/", import.meta.url));

describe("the page's styles", () => {
	it("have six sizes of text", () => {
		const files = readdirSync(PAGE, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".css"));
		const sizes = files.flatMap((path) =>
			[...readFileSync(PAGE + path, "utf8").matchAll(/font-size: ([^;]*);/g)].map(([, size]) => `${path}: ${size}`),
		);
		assert.ok(sizes.length > 30);
		// words that a drawing is scaled with, and a word that is not shown
		const others = sizes.filter((size) => !/var\(--size-[1-6]\)|curves.css: \d+px|frame.css: 0$/.test(size));
		assert.deepEqual(others, []);
	});

	it("show the colours of the board's LED, four times as bright", () => {
		const bright = (colour: number): string => {
			const parts = [16, 8, 0].map((shift) => Math.min(255, ((colour >> shift) & 255) * 4));
			return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
		};
		const near = (a: string, b: string): boolean =>
			[1, 3, 5].every((at) => Math.abs(Number.parseInt(a.slice(at, at + 2), 16) - Number.parseInt(b.slice(at, at + 2), 16)) < 4);
		for (const [number, mode] of MODES.entries())
			assert.ok(near(LED_COLOURS[mode] ?? "", bright(MODE_COLOURS[number] ?? 0)), `${mode}: ${LED_COLOURS[mode]}`);
	});

	for (const [theme, sign] of [
		["dark", 1],
		["light", -1],
	] as const)
		it(`have heat that rises in lightness alone, ${theme}: whoever sees no colours can read it`, () => {
			const css = readFileSync(`${PAGE}map/map.css`, "utf8");
			const [dark = "", light = ""] = css.split(':root[data-theme="light"]');
			const rules = theme === "dark" ? dark : light;
			const steps = Array.from({ length: 11 }, (_, i) => new RegExp(`--heat-${i}: (#[0-9a-f]{6});`).exec(rules)?.[1] ?? "");
			const linear = (hex: string) => {
				const value = Number.parseInt(hex, 16) / 255;
				return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
			};
			const lightness = steps.map((step) => {
				const [red, green, blue] = [1, 3, 5].map((at) => linear(step.slice(at, at + 2)));
				return Math.cbrt(0.2126 * red! + 0.7152 * green! + 0.0722 * blue!);
			});
			for (let i = 1; i < 11; i++)
				assert.ok(sign * (lightness[i]! - lightness[i - 1]!) > 0.005, `${steps[i - 1]} and ${steps[i]}`);
			assert.ok(sign * (lightness[10]! - lightness[0]!) > 0.6);
		});
});
