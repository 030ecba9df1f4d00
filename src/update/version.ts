/** Firmware versions: `v1.2.3`, `1.2`, `v1.2.3-rc.1`, in the order of semver.org 2.0, 11; 1.2 is 1.2.0. */

import { consistsOf, DECIMAL } from "../text/characters.js";

const LONGEST = 31; // an image holds 32 bytes with a final 0
const NUMBER_DIGITS = 5;
const PRE_RELEASE = `${DECIMAL}.-ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz`;

/** Pages insert it as HTML, so nothing else is shown. */
export function isVersion(text: string): boolean {
	const [core, pre] = split(text);
	const numbers = core.length === 2 || core.length === 3;
	return (
		text.length <= LONGEST &&
		numbers &&
		core.every((part) => part.length <= NUMBER_DIGITS && consistsOf(part, DECIMAL)) &&
		(!text.includes("-") || consistsOf(pre.join("."), PRE_RELEASE))
	);
}

/** Above 0 if `a` is newer than `b`, below 0 if it is older. Both are versions. */
export function compareVersions(a: string, b: string): number {
	const [coreA, preA] = split(a);
	const [coreB, preB] = split(b);
	for (let i = 0; i < 3; i++) {
		const difference = Number(coreA[i] ?? 0) - Number(coreB[i] ?? 0);
		if (difference !== 0) return difference;
	}
	if (preA.length === 0 || preB.length === 0) return preB.length - preA.length;
	for (let i = 0; i < preA.length || i < preB.length; i++) {
		const difference = comparePart(preA[i], preB[i]);
		if (difference !== 0) return difference;
	}
	return 0;
}

/** Numbers, and parts of the pre-release. */
function split(version: string): [string[], string[]] {
	const text = version.startsWith("v") ? version.slice(1) : version;
	const dash = text.indexOf("-");
	return dash < 0 ? [text.split("."), []] : [text.slice(0, dash).split("."), text.slice(dash + 1).split(".")];
}

/** Numbers come before words, an absent part comes first. */
function comparePart(a: string | undefined, b: string | undefined): number {
	if (a === b) return 0;
	if (a === undefined) return -1;
	if (b === undefined) return 1;
	const numberA = Number(a);
	const numberB = Number(b);
	if (numberA >= 0 && numberB >= 0) return numberA - numberB;
	if (numberA >= 0) return -1;
	if (numberB >= 0) return 1;
	return a < b ? -1 : 1;
}
