/** What a drive of the campaign begins with: the controller's settings, its flash, and what the car does. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Character } from "../vehicle/coupling-inputs.js";
import { HAZARD } from "./car-reader.js";
import type { ConditionWish } from "./condition-judge.js";
import type { HostileCar } from "./hostile-car.js";
import type { Generation, Profile } from "./tables.js";
import type { Wishes } from "./wishes.js";

export interface Setting {
	readonly generation: Generation;
	readonly profile: Profile;
	/** Of the coupling; default: lenient. */
	readonly character?: Character | undefined;
	/** Content of settings.json beside generation and profile. */
	readonly settings: Readonly<Record<string, unknown>>;
	readonly wishes: Omit<Wishes, "generation">;
	/** A flash folder to begin with. */
	readonly flash?: string | undefined;
	/** Further files on flash, content by path. */
	readonly files?: Readonly<Record<string, string>> | undefined;
	/** What the car does from the start on. */
	readonly prepare?: ((car: HostileCar) => void) | undefined;
	/** Arguments of the program at each start. */
	readonly args?: readonly string[] | undefined;
	/** The server has a port, and its clients have addresses. */
	readonly onPort?: boolean;
}

/** Makes the flash folder: that of the setting, or an empty one, with its settings and files. */
export function prepareFlash(folder: string, { generation, profile, settings, wishes, flash, files = {} }: Setting): void {
	if (flash === undefined) mkdirSync(folder);
	else cpSync(flash, folder, { recursive: true });
	const { condition } = wishes;
	const conditions = condition && { conditions: [stored(condition, generation)] };
	const all = { format: 1, generation, frameProfile: profile, logging: { serial: true }, ...conditions, ...settings };
	writeFileSync(join(folder, "settings.json"), JSON.stringify(all));
	for (const [path, content] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), content);
	}
}

/** As it stands in settings.json. */
function stored({ effect, holdMs, limitPercent }: ConditionWish, generation: Generation): string {
	const { key } = generation === 5 ? HAZARD.mqb : HAZARD.pq;
	return `true ${effect} gte 1 ${holdMs} ${limitPercent} MAP true ${key}`;
}
