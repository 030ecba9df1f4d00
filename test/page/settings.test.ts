import assert from "node:assert/strict";
import type { Status } from "../../src/page/net/types.js";
import { ROWS, requestOf, SECTIONS, SETTING_NAMES, settingsIn, settingsOf } from "../../src/page/settings/settings.js";
import { ENGLISH as T } from "../../src/page/texts/english.js";

const sorted = (names: readonly string[]) => [...names].sort();
const refuse = (name: string): never => {
	throw new Error(name);
};

describe("the settings of the page", () => {
	it("have a place each, no two, and a name", () => {
		assert.deepEqual(sorted(Object.values(SECTIONS).flat()), sorted(SETTING_NAMES));
		assert.deepEqual(sorted(Object.keys(T.settings.sections)), sorted(Object.keys(SECTIONS)));
		const named = SETTING_NAMES.filter((name) => !name.startsWith("dashMappings."));
		assert.deepEqual(sorted(Object.keys(T.settings.names)), sorted(named));
	});

	it("have a word for each choice, and a range for each number", () => {
		for (const [name, { kind, min = 0, max, choices = [] }] of Object.entries(ROWS)) {
			for (const choice of choices) assert.ok(T.settings.choices[choice], `${name}: ${choice}`);
			if (kind === "number") assert.ok(max !== undefined && min < max, name);
		}
	});

	it("are read from where the status has them, and sent as a request has them", () => {
		const status = { disableSpeed: 80, logging: { enabled: true }, pwm: { frequencyHz: 500, inverted: true } };
		const groups = {
			inputMappings: {},
			disengageUnderSpeed: { map: 7 },
			steeringGain: {},
			dashMappings: {},
			controls: {},
			power: {},
		};
		const now = settingsOf({ ...status, ...groups } as unknown as Status);
		assert.deepEqual([now.disableSpeed, now.logToFileEnabled, now["pwm.inverted"]], [80, true, true]);
		const { disableSpeed, logToFileEnabled, "pwm.frequencyHz": hz, "pwm.inverted": inverted } = now;
		assert.deepEqual(requestOf({ disableSpeed, logToFileEnabled, "pwm.frequencyHz": hz, "pwm.inverted": inverted }), {
			disableSpeed: 80,
			logToFileEnabled: true,
			pwm: { frequencyHz: 500, inverted: true },
		});
	});

	it("are taken from a request without what is unknown, and rejected by the name of what is none of its kind", () => {
		const request = { disableSpeed: 80, pwm: { frequencyHz: 500, colour: "red" }, constructor: 1, wheels: 4 };
		assert.deepEqual(settingsIn(request, refuse), { disableSpeed: 80, "pwm.frequencyHz": 500 });
		assert.throws(() => settingsIn({ pwm: [1] }, refuse), /^Error: pwm$/);
		assert.throws(() => settingsIn({ pwm: null }, refuse), /^Error: pwm$/);
		assert.throws(() => settingsIn({ pwm: { inverted: 1 } }, refuse), /^Error: pwm.inverted$/);
		assert.throws(() => settingsIn({ frameProfile: null }, refuse), /^Error: frameProfile$/);
	});
});
