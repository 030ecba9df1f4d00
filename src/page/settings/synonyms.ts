/**
 * English words for what German carmakers' signal names are made of, so that "speed" finds "Geschwindigkeit".
 * All in lower case.
 */

const PARTS: Readonly<Record<string, readonly string[]>> = {
	speed: ["geschw", "v signal", "v ref", "kmh", "drehzahl"],
	velocity: ["geschw", "v signal", "v ref"],
	rpm: ["drehzahl"],
	revs: ["drehzahl"],
	engine: ["motor", "mo ", "drehzahl"],
	throttle: ["fahrpedal", "drossel"],
	pedal: ["fahrpedal", "brems"],
	accelerator: ["fahrpedal"],
	brake: ["brems"],
	handbrake: ["handbrems", "feststell", "epb"],
	parking: ["park", "feststell", "epb"],
	pressure: ["druck"],
	steering: ["lenk", "lwi"],
	wheel: ["rad ", "rad_", "lenkrad"],
	angle: ["winkel"],
	yaw: ["gier"],
	acceleration: ["beschl"],
	lateral: ["quer"],
	longitudinal: ["laengs"],
	temperature: ["temp"],
	oil: ["oel"],
	coolant: ["kuehl"],
	outside: ["aussen"],
	ambient: ["aussen"],
	torque: ["moment"],
	gear: ["gang", "fahrstufe", "getriebe"],
	lever: ["hebel"],
	selector: ["waehl"],
	clutch: ["kuppl"],
	coupling: ["kuppl", "haldex"],
	reverse: ["rueckw"],
	door: ["tuer"],
	light: ["licht"],
	indicator: ["blink"],
	wiper: ["wisch"],
	boost: ["lade"],
	fuel: ["kraftstoff", "tank", "verbrauch"],
	consumption: ["verbrauch"],
	voltage: ["spannung"],
	battery: ["batt", "bem "],
	ignition: ["klemme", "kl 15", "kl_15", "zas"],
	button: ["tast", "schalter"],
	switch: ["schalter", "tast"],
	cruise: ["gra", "acc"],
	distance: ["weg", "abstand"],
	odometer: ["wegstrecke", "kilometer"],
	front: ["vorn", "va "],
	rear: ["hint", "ha "],
	left: ["links", " vl", " hl"],
	right: ["rechts", " vr", " hr"],
	slip: ["schlupf"],
	fault: ["fehler"],
	error: ["fehler"],
	active: ["aktiv"],
	request: ["anford", "soll"],
	actual: ["ist"],
	driver: ["fahrer"],
	belt: ["gurt"],
	window: ["fenster"],
	climate: ["klima"],
	fan: ["luefter"],
	time: ["zeit"],
	limit: ["grenz", "begrenz"],
	intervention: ["eingriff"],
};

/** 0 = a signal's text has the word, n = the n-th German word for it, Infinity = none. Three letters do. */
function distance(text: string, word: string): number {
	if (text.includes(word)) return 0;
	const found = translations(word).findIndex((part) => text.includes(part));
	return found < 0 ? Number.POSITIVE_INFINITY : found + 1;
}

/** The distances from all words together; Infinity if the text does not fit each of them. */
export function distanceOf(text: string, words: readonly string[]): number {
	return words.reduce((sum, word) => sum + distance(text, word), 0);
}

/** True if a signal's text has each of the words, or a German word for it. */
export function fits(text: string, words: readonly string[]): boolean {
	return distanceOf(text, words) < Number.POSITIVE_INFINITY;
}

/** Checksums and counters are no inputs. */
const PROTECTION = /\b(crc|chk|cks|checksum\w*|pruefsumme\w*|bz|\w*zaehler|counter|alive)\b/i;

/** True for checksums and counters. @param name with blanks between its words */
export function isProtection(name: string): boolean {
	return PROTECTION.test(name);
}

function translations(word: string): readonly string[] {
	if (word.length < 3) return [];
	return Object.entries(PARTS).flatMap(([english, german]) => (english.startsWith(word) ? german : []));
}
