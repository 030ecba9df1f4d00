import assert from "node:assert/strict";
import { MQB_CAR, PQ_CAR } from "../../src/coupling/cars.js";
import { CONDITION_SIGNALS } from "../../src/coupling/coupling.js";
import { carOf, GENERATIONS } from "../../src/coupling/couplings/couplings.js";
import { NEW_CONDITION } from "../../src/settings/condition-list.js";
import { conflictsWithCapture, isRejection, patchSettings, SETTINGS_MEMBERS } from "../../src/settings/patch.js";
import { DEFAULT_SETTINGS, type Settings } from "../../src/settings/settings.js";
import { type Kind, type Row, SETTINGS_TABLE, type TableGroup } from "../../src/settings/settings-table.js";
import { SETTINGS_DOCUMENT } from "../../src/settings/stored-settings.js";

type Body = Record<string, unknown>;
const PQ = PQ_CAR.recommended.conditions;
const MQB = MQB_CAR.recommended.conditions;
const DRIVING: Settings = { ...DEFAULT_SETTINGS, mode: 9, generation: 5, conditions: [NEW_CONDITION] };

function patched(body: Body, old: Settings = DRIVING, capturing = false): Settings {
	const result = patchSettings(old, body, capturing);
	assert.ok(!isRejection(result), JSON.stringify(result));
	return result;
}

/** Message, field and value of a rejection. */
function refused(body: Body, old: Settings = DRIVING): [string, string, unknown] {
	const result = patchSettings(old, body, false);
	assert.ok(isRejection(result), `taken: ${JSON.stringify(body)}`);
	assert.notEqual(result.allowed, "");
	return [result.error, result.field, result.value];
}

/** Fails unless each of these values of the member `a.b` is rejected by its name, or by `error`. */
function assertRefused(field: string, values: readonly unknown[], error = `invalid ${field}`): void {
	const [group, member] = field.split(".");
	for (const value of values)
		assert.deepEqual(refused(member === undefined ? { [group]: value } : { [group]: { [member]: value } }), [
			error,
			field,
			value,
		]);
}

/** A member of a request: how it is sent, where it ends up, and by which name it is rejected. */
interface Member {
	readonly row: Row<unknown>;
	readonly body: (value: unknown) => Body;
	readonly read: (settings: Settings) => unknown;
	readonly key: string;
}

/** All members of a kind, by each of their names. */
function membersOf(wanted: Kind): Member[] {
	const members: Member[] = [];
	for (const { group, wire = group, isTuning, isEach, named, rows } of Object.values<TableGroup>(SETTINGS_TABLE))
		for (const [name, row] of Object.entries(rows))
			for (const member of [row.wire ?? name, ...(row.alias === undefined ? [] : [row.alias])]) {
				if (row.kind !== wanted || member === "") continue;
				const body = (value: unknown): Body =>
					isEach ? { conditions: [{ [member]: value }] } : wire === "" ? { [member]: value } : { [wire]: { [member]: value } };
				const read = (settings: Settings): unknown => {
					const whole = (isTuning ? settings.tuning : settings) as unknown as Record<string, Record<string, unknown>>;
					return isEach ? settings.conditions[0][name as "enabled"] : group === "" ? whole[name] : whole[group][name];
				};
				const key = isEach ? `conditions[0].${member}` : wire === "" ? member : named ? `${wire}.${member}` : wire;
				members.push({ row, body, read, key });
			}
	return members;
}

const NUMBERS = membersOf("number");
const FLAGS = [
	...membersOf("flag"),
	{
		body: (value: unknown): Body => ({ lowPowerSleepEnabled: value }),
		read: (settings: Settings): unknown => settings.lowPower.sleepEnabled,
		key: "lowPowerSleepEnabled",
	},
];

/** What a rejection must name, for a member of each kind. */
const ALLOWED: Readonly<Record<Kind, (row: Row<unknown>) => string>> = {
	flag: () => "true, false, 1 or 0",
	number: ({ min = 0, max, text }) => `${min}..${max}, a number${text ? " or its decimal text" : ""}`,
	key: () => "bus|0xID|signal name|unit",
	map: () => "GET /api/maps",
	choice: ({ choices = [] }) => choices.join(", "),
	operator: () => "> gt >= gte < lt <= lte = == eq != <> neq change",
	mode: () => "STOCK, FWD, 5050, 6040, 7030, 8020, 9010, SPEED, THROTTLE, MAP, RPM",
	modes: () => "2 to 6 different modes",
	frames: () => "hexadecimal identifiers as 0x0A7",
	origin: () => "scheme://host[:port]",
	generation: () => "1, 2, 4, 5, 51, 53, a number or its decimal text",
};

describe("settings/patch", () => {
	it("changes nothing for an empty object or unknown members", () => {
		assert.deepEqual(patched({}), DRIVING);
		assert.deepEqual(patched({ other: 1, modeTrigger: { other: null }, dashMappings: { dash_9: 5 } }), DRIVING);
	});

	it("clamps numbers, truncates integers, and takes text for the four keys that may have it", () => {
		for (const { body, read, row } of NUMBERS) {
			const { min = 0, max = 0 } = row;
			const shown = JSON.stringify(body(0));
			for (const value of [min, max, min + 1]) assert.equal(read(patched(body(value))), value, shown);
			assert.deepEqual([read(patched(body(min - 1))), read(patched(body(max + 1)))], [min, max], shown);
			assert.deepEqual([read(patched(body(-1e300))), read(patched(body(1e300)))], [min, max], shown);
			assert.equal(read(patched(body(min + 1.75))), row.fraction ? min + 1.75 : min + 1, shown);
			if (row.text) assert.equal(read(patched(body(`${min + 7}.0`))), min + 7, shown);
			else assert.notEqual(refused(body("7"))[0], "", shown);
		}
	});

	it("rejects null, objects and texts such as NaN for a number, naming field and value", () => {
		const bad = [null, true, [], {}, "", "x", "NaN", "Infinity", "0x10", "1e3", " 7", "7".repeat(1000), Number.POSITIVE_INFINITY];
		for (const { body, key } of NUMBERS)
			for (const value of bad) {
				const [error, field, shown] = refused(body(value));
				assert.deepEqual([error, shown], [`invalid ${key}`, value]);
				assert.ok(field.startsWith(key) && JSON.stringify(body(0)).includes(field.split(".").at(-1) as string), field);
			}
	});

	it("names for each member that is rejected what it takes", () => {
		for (const [kind, allowed] of Object.entries(ALLOWED))
			for (const { row, body } of membersOf(kind as Kind)) {
				const result = patchSettings(DRIVING, body({}), false);
				assert.ok(isRejection(result) && result.allowed.includes(allowed(row)), JSON.stringify(result));
			}
	});

	it("names as members of a group or of a condition only what a request may have there", () => {
		const nine = Array(9).fill({});
		for (const [group, wrong] of [
			...["inputMappings", "disengageUnderSpeed", "steeringGain", "dashMappings", "controls", "lowPower", "pwm"].map((group) => [
				group,
				1,
			]),
			["conditions", [1]],
			["conditions", nine],
			["conditions", {}],
			["modeTrigger", 1],
		] as [string, unknown][]) {
			const result = patchSettings(DRIVING, { [group]: wrong }, false);
			assert.ok(isRejection(result), group);
			const names = result.allowed.split("an object with ")[1].split(", ");
			for (const name of names) {
				const members = { [name]: {} };
				const [, field] = refused({ [group]: group === "conditions" ? [members] : members });
				assert.equal(field, `${group === "conditions" ? "conditions[0]" : group}.${name}`);
			}
		}
	});

	it("accepts true, false, 1 and 0 for a flag, and rejects others", () => {
		for (const { body, read, key } of FLAGS) {
			for (const value of [true, false, 1, 0]) assert.equal(read(patched(body(value))), value === true || value === 1, key);
			for (const value of [null, 2, -1, 0.5, "", "true", "1", [], {}]) assert.equal(refused(body(value))[0], `invalid ${key}`);
		}
	});

	it("rejects a number, text, flag, list or null for a group", () => {
		for (const key of ["inputMappings", "disengageUnderSpeed", "dashMappings", "modeTrigger", "lowPower", "pwm"])
			assertRefused(key, [null, 5, "x", true, []]);
	});

	it("takes each generation under both names and rejects any other with the reference's name", () => {
		for (const key of ["haldexGeneration", "couplingGeneration"]) {
			for (const value of GENERATIONS) assert.equal(patched({ [key]: value }).generation, value);
			assert.equal(patched({ [key]: "4" }).generation, 4);
			assertRefused(key, [0, 3, 6, -1, 4.5, null, "x", true, 1e9], "invalid haldexGeneration");
		}
	});

	it("takes aliases that agree and rejects those that do not", () => {
		const both = { broadcastControllerOverCAN: false, broadcastOpenHaldexOverCAN: 0 };
		assert.equal(patched(both).broadcastOverCan, false);
		assert.equal(patched({ modeTrigger: both }).conditions[0].broadcastOverCan, false);
		assert.equal(patched({ couplingGeneration: 2, haldexGeneration: "2" }).generation, 2);
		const message = "conflicting broadcastControllerOverCAN/broadcastOpenHaldexOverCAN";
		const apart = { broadcastControllerOverCAN: true, broadcastOpenHaldexOverCAN: false };
		assert.equal(refused(apart)[0], message);
		assert.deepEqual(refused({ modeTrigger: apart }), [message, "modeTrigger.broadcastControllerOverCAN", true]);
		assert.equal(refused({ couplingGeneration: 2, haldexGeneration: 4 })[0], "conflicting couplingGeneration/haldexGeneration");
	});

	it("takes texts of their form only: torque model, frames that are off, an app's origin, favourites", () => {
		for (const [body, taken] of [
			[
				{ torqueModel: "proportional", torqueCeilingNm: 600 },
				{ torqueModel: "proportional", torqueCeilingNm: 509 },
			],
			[{ torqueCeilingNm: 3 }, { torqueCeilingNm: 10 }],
			[{ framesOff: "0x392 a7" }, { framesOff: "0x0A7 0x392" }],
			[{ allowedOrigin: " Capacitor://Localhost " }, { allowedOrigin: "capacitor://localhost" }],
			[{ allowedOrigin: "http://localhost:3000" }, { allowedOrigin: "http://localhost:3000" }],
			[{ allowedOrigin: `http://a-b.${"a".repeat(53)}` }, { allowedOrigin: `http://a-b.${"a".repeat(53)}` }],
			[{ allowedOrigin: " " }, { allowedOrigin: "" }],
			[{ controls: { favourites: "lock map" } }, { controls: { ...DRIVING.controls, favourites: "5050 MAP" } }],
		])
			assert.deepEqual(patched(body as Body), { ...DRIVING, ...taken });
		assertRefused("torqueModel", ["Pinned", "", null, 1]);
		assertRefused("framesOff", ["0x800", 0xa7, null]);
		assertRefused("controls.favourites", ["", "MAP", "MAP MAP", ["MAP", "FWD"], 5050, null, true]);
		const origins = [
			"*",
			"null",
			"localhost",
			"http://",
			"://a",
			"http://*",
			"http://a/",
			"http://a b",
			"http://a:",
			"http://a:x",
		];
		assertRefused("allowedOrigin", origins);
		const strange = ["http://a:123456", "http://a:1:2", "a://b://c", "http://[::1]", `http://${"a".repeat(58)}`, 1, null];
		assertRefused("allowedOrigin", strange);
	});

	it("switches all frames on again with another generation, unless the request names frames", () => {
		const off = { ...DRIVING, framesOff: "0x392" };
		for (const [body, framesOff] of [
			[{ couplingGeneration: 4 }, ""],
			[{ haldexGeneration: 4, framesOff: "0x1A0" }, "0x1A0"],
			[{ couplingGeneration: off.generation }, "0x392"],
			[{ disableSpeed: 80 }, "0x392"],
		])
			assert.equal(patched(body as Body, off).framesOff, framesOff);
	});

	it("sets sleep by the generation unless the request says something about it", () => {
		for (const [body, sleeps] of [
			[{ haldexGeneration: 5 }, true],
			[{ couplingGeneration: 4 }, false],
			[{}, false],
			[{ haldexGeneration: 5, lowPower: { sleepEnabled: false } }, false],
			[{ haldexGeneration: 5, lowPower: { sleepDelayMs: 6000 } }, true],
			[{ lowPowerSleepEnabled: true, lowPower: { sleepEnabled: false } }, true],
		])
			assert.equal(patched(body as Body, DEFAULT_SETTINGS).lowPower.sleepEnabled, sleeps, JSON.stringify(body));
	});

	describe("disableController", () => {
		it("selects STOCK when true; MAP when false in STOCK; else only clears the flag", () => {
			const disabled: Settings = { ...DRIVING, mode: 0, disableController: true };
			for (const [old, body, mode, disableController] of [
				[DRIVING, { disableController: true }, 0, true],
				[disabled, { disableController: false }, 9, false],
				[{ ...disabled, mode: 3 }, { disableController: false }, 3, false],
				[disabled, { disableSpeed: 5 }, 0, true],
			] as const) {
				const next = patched(body, old);
				assert.deepEqual([next.mode, next.disableController], [mode, disableController]);
			}
		});

		it("and broadcast stay as they are under a capture; to enable or to end them conflicts with it", () => {
			const body = { disableController: true, broadcastControllerOverCAN: true, disableSpeed: 7 };
			const next = patched(body, { ...DRIVING, broadcastOverCan: false }, true);
			assert.deepEqual([next.mode, next.disableController, next.broadcastOverCan], [9, false, false]);
			assert.equal(next.tuning.disableSpeedKmh, 7);
			for (const key of ["disableController", "broadcastControllerOverCAN", "broadcastOpenHaldexOverCAN"]) {
				for (const value of [false, 0]) assert.equal(conflictsWithCapture({ [key]: value }), true);
				for (const value of [true, 1, null, undefined]) assert.equal(conflictsWithCapture({ [key]: value }), false);
			}
			assert.equal(conflictsWithCapture({ disableThrottle: 0, modeTrigger: { broadcastOpenHaldexOverCAN: false } }), false);
		});
	});

	it("verbose logging goes to the file, debug to the error file too, and keeps control off, even under a capture", () => {
		const quiet = { ...DRIVING, logging: { ...DRIVING.logging, file: false, error: false } };
		for (const key of ["logDebugFirmwareEnabled", "logDebugNetworkEnabled", "logDebugCanEnabled", "logCanToFileEnabled"]) {
			const next = patched({ [key]: true, logToFileEnabled: false, disableController: false }, quiet);
			assert.deepEqual([next.logging.file, next.logging.error], [true, key !== "logCanToFileEnabled"], key);
			assert.deepEqual([next.mode, next.disableController], [0, true]);
			const after = patched({ [key]: false }, next);
			assert.deepEqual([after.mode, after.disableController], [0, true], "it does not come back by itself");
		}
		assert.equal(patched({ logSerialEnabled: true }, quiet).mode, 9);
		assert.equal(patched({ logCanToFileEnabled: true }, DRIVING, true).disableController, true);
	});

	describe("signal keys", () => {
		const key = "chassis|0x4a0|wheel speed front left 4 1|km/h";

		it("are trimmed and cut after 160 bytes at a character's end, without control characters", () => {
			for (const [given, kept] of [
				[` ${key}\n`, key],
				["x".repeat(500), "x".repeat(160)],
				[`x${"ä".repeat(200)}`, `x${"ä".repeat(79)}`],
				["😀".repeat(200), "😀".repeat(40)],
				[`${"y".repeat(160)}\u0001`, "y".repeat(160)],
			])
				assert.deepEqual(patched({ dashMappings: { dash_2: given } }).dashboard, ["", kept, "", "", "", "", "", ""]);
			const wrong = [null, 5, {}, "a\u0001b", "a\u007fb"];
			assertRefused("inputMappings.rpm", wrong, "invalid inputMappings");
			assertRefused("dashMappings.dash_3", wrong, "invalid dashMappings");
			assertRefused("modeTrigger.signal", wrong);
		});

		it("of the worst kind still make a settings file that can be read", () => {
			const worst = '"\\'.repeat(80);
			const dashMappings = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`dash_${i + 1}`, worst]));
			const inputMappings = { speed: worst, throttle: worst, rpm: worst };
			const one = { enabled: true, value: -123456.78901234567, holdMs: 60_000, effect: "limit", mode: "THROTTLE", signal: worst };
			const next = patched({ dashMappings, inputMappings, conditions: Array(8).fill(one) });
			const text = JSON.stringify({ format: 1, ...SETTINGS_DOCUMENT.write(next) });
			assert.ok(text.length < SETTINGS_DOCUMENT.maxBytes, `${text.length}`);
			assert.deepEqual(SETTINGS_DOCUMENT.read(JSON.parse(text)), next);
		});

		it("of diagnosis name a temperature that is verified, of this generation, in any letter case", () => {
			const oil = "kwp|diagnosis|oil temperature|degc";
			const plates = "kwp|diagnosis|plate temperature|degc";
			for (const [couplingGeneration, signal, isKnown] of [
				[2, oil, true],
				[4, "KWP|Diagnosis|Oil temperature|degC", true],
				[51, plates, true],
				[1, oil, false],
				[2, plates, false],
				[5, oil, false],
				[53, oil, false],
				[5, "kwp|diagnosis|module temperature|degc", false],
				[4, "kwp|diagnosis|oil pressure|bar", false],
			] as const) {
				const body = { couplingGeneration, conditions: [{ signal }] };
				if (isKnown) assert.equal(patched(body).conditions[0].signal, signal.toLowerCase());
				else assert.deepEqual(refused(body), ["invalid conditions[0].signal", "conditions[0].signal", signal]);
			}
		});

		it("that are recommended ones of any generation follow the generation from then on", () => {
			for (const generation of [4, 5] as const) {
				const next = patched({
					haldexGeneration: 4,
					inputMappings: { ...carOf(generation).recommended.inputs, rpm: key },
					modeTrigger: { signal: carOf(generation).recommended.conditions.espOff.toUpperCase() },
				});
				assert.deepEqual(next.inputMappings, { speed: "", throttle: "", rpm: key });
				assert.equal(next.conditions[0].signal, "");
			}
			const unconfigured = patched({ inputMappings: carOf(4).recommended.inputs }, DEFAULT_SETTINGS);
			assert.deepEqual(unconfigured.inputMappings, carOf(4).recommended.inputs);
			assert.equal(patched({ haldexGeneration: 5 }, unconfigured).inputMappings.speed, "");
		});
	});

	it("accepts operators of a mode trigger by any of their tokens, and modes as the mode request does", () => {
		for (const [operator, tokens] of Object.entries({
			gt: "> gt",
			gte: ">= gte GTE",
			lt: "< lt",
			lte: "<= lte",
			eq: "= == eq",
			neq: "!= <> neq",
			change: "change changes changed Changed",
		}))
			for (const token of tokens.split(" "))
				assert.equal(patched({ modeTrigger: { operator: ` ${token} ` } }).conditions[0].operator, operator);
		for (const [value, mode] of [
			["50:50", 2],
			[7525, 4],
			["stock", 0],
		] as const)
			assert.equal(patched({ modeTrigger: { mode: value } }).conditions[0].mode, mode);
		assertRefused("modeTrigger.operator", ["", "ge", "constructor", null, 5]);
		assertRefused("modeTrigger.mode", ["", "none", 9, null]);
	});

	describe("conditions", () => {
		const open = { enabled: true, effect: "open", signal: "chassis|0x366|hazard switch|", operator: ">", value: 0, holdMs: 2000 };
		const mode = { enabled: 1, mode: "5050", broadcastOpenHaldexOverCAN: false };
		const limit = { effect: "limit", limitPercent: 40.9 };

		it("are replaced as a list, in its order; missing members have their defaults", () => {
			const { conditions } = patched({ conditions: [open, mode, limit, {}] });
			assert.deepEqual(conditions, [
				{ ...NEW_CONDITION, ...open, operator: "gt" },
				{ ...NEW_CONDITION, enabled: true, mode: 2, broadcastOverCan: false },
				{ ...NEW_CONDITION, effect: "limit", limitPercent: 40 },
				NEW_CONDITION,
			]);
			assert.deepEqual(patched({ conditions: [] }).conditions, []);
		});

		it("stay the same objects where they are the same", () => {
			const old = patched({ conditions: [open, mode] });
			assert.equal(patched({ conditions: [open, mode] }, old).conditions, old.conditions);
			const { conditions } = patched({ conditions: [open, { ...mode, value: 5 }] }, old);
			assert.equal(conditions[0], old.conditions[0]);
			assert.notEqual(patched({ conditions: [open] }, old).conditions, old.conditions);
			assert.equal(patched({ disableSpeed: 3 }, old).conditions, old.conditions);
		});

		it("are rejected by name, whole: too many, no list, a wrong member of one", () => {
			assertRefused("conditions", [{}, null, "x", Array(9).fill({})]);
			for (const value of [null, 5, []])
				assert.deepEqual(refused({ conditions: [{}, value] }), ["invalid conditions[1]", "conditions[1]", value]);
			for (const [name, value] of Object.entries({
				effect: "close",
				operator: "~",
				holdMs: "1",
				limitPercent: null,
				mode: "none",
			})) {
				const field = `conditions[1].${name}`;
				assert.deepEqual(refused({ conditions: [open, { [name]: value }] }), [`invalid ${field}`, field, value]);
			}
		});

		it("let a mode trigger change the first condition that selects a mode, and no other", () => {
			const old = patched({ conditions: [open, mode, mode] });
			const { conditions } = patched({ modeTrigger: { value: 7, mode: "9010" } }, old);
			assert.deepEqual(conditions, [old.conditions[0], { ...old.conditions[1], value: 7, mode: 6 }, old.conditions[2]]);
			assert.equal(patched({ modeTrigger: { effect: "open", limitPercent: 5 } }, old).conditions, old.conditions, "not theirs");
		});

		it("get a mode trigger in front if they have none, unless it has only defaults or the list is full", () => {
			const old = patched({ conditions: [open] });
			const next = patched({ modeTrigger: { enabled: true } }, old);
			assert.deepEqual(next.conditions, [{ ...NEW_CONDITION, enabled: true }, old.conditions[0]]);
			const asIs = { enabled: false, signal: carOf(5).recommended.conditions.espOff, operator: "gte", value: 1, mode: "MAP" };
			assert.equal(patched({ modeTrigger: asIs }, old).conditions, old.conditions);
			const full = patched({ conditions: Array(8).fill(open) });
			assert.equal(refused({ modeTrigger: { enabled: true } }, full)[0], "invalid modeTrigger");
		});

		it("take recommended signals along to another generation", () => {
			const signals = (body: Body, old?: Settings) => patched(body, old).conditions.map(({ signal }) => signal);
			const recommended = CONDITION_SIGNALS.map((name) => ({ signal: MQB[name].toUpperCase() }));
			const mqb = patched({ conditions: [...recommended, { signal: "chassis|0x1|mine|" }] });
			assert.deepEqual(signals({ couplingGeneration: 4 }, mqb), [
				"",
				PQ.hazardLights,
				PQ.brake,
				PQ.handbrake,
				PQ.reverse,
				// what the other car does not tell has no key there
				MQB.driveMode.toUpperCase(),
				"",
				"chassis|0x1|mine|",
			]);
			const pq = patched({ couplingGeneration: 4 }, mqb);
			assert.deepEqual(signals({ couplingGeneration: 5 }, pq).slice(1, 4), [MQB.hazardLights, MQB.brake, MQB.handbrake]);
		});
	});

	it("keeps groups that stay equal the same objects, so no wait for valid inputs begins", () => {
		const same = patched({
			haldexGeneration: 5,
			inputMappings: carOf(5).recommended.inputs,
			steeringGain: { signal: carOf(5).recommended.steering },
			modeTrigger: { ...NEW_CONDITION, mode: "MAP", signal: carOf(5).recommended.conditions.espOff },
			disengageUnderSpeed: { map: 0 },
			disableThrottle: DRIVING.tuning.disableThrottlePercent,
			logToFileEnabled: true,
			dashMappings: {},
			lowPower: { sleepEnabled: DRIVING.lowPower.sleepEnabled },
			pwm: { inverted: false },
		});
		for (const [name, group] of Object.entries(DRIVING)) assert.equal(same[name as keyof Settings], group, name);
		const verbose = patched({ logCanToFileEnabled: true });
		assert.equal(patched({ logToFileEnabled: false }, verbose).logging, verbose.logging, "a rule takes it back");
		assert.notEqual(patched({ modeTrigger: { value: 2 } }).conditions, DRIVING.conditions);
		const { tuning, ...others } = patched({ disengageUnderSpeed: { rpm: 7 } });
		assert.equal(tuning.disengageUnderKmh.rpm, 7);
		for (const [name, group] of Object.entries(others)) assert.equal(group, DRIVING[name as keyof Settings], name);
	});

	it("lists every member that it reads, once", () => {
		const members = SETTINGS_MEMBERS.split(" ");
		assert.equal(new Set(members).size, members.length);
		for (const { body } of [...NUMBERS, ...FLAGS])
			for (const name of JSON.stringify(body(0)).match(/\w+(?=":)/g) ?? []) assert.ok(members.includes(name), name);
		for (const name of Object.keys(NEW_CONDITION)) if (name !== "broadcastOverCan") assert.ok(members.includes(name), name);
		assert.ok(members.includes("conditions") && members.includes("modeTrigger"));
	});
});
