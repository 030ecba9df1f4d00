/** Every text of the page, in German. */

import { CAR_GERMAN } from "./car";
import { DRIVE_GERMAN } from "./drive";
import type { Texts } from "./english";
import { MAP_GERMAN } from "./map";
import { SAID_GERMAN } from "./said";
import { SETTINGS_GERMAN } from "./settings";
import { SYSTEM_GERMAN } from "./system";

/** Is loaded only where German is chosen. */
export const GERMAN: Texts = {
	locale: "de-DE",
	name: "OpenCoupling",
	places: { drive: "Fahren", tune: "Abstimmen", record: "Rekorder", car: "Auto", system: "System" },
	pages: {
		drive: "Fahren",
		map: "Kennfeld",
		curves: "Kurven",
		gates: "Schwellen",
		steering: "Lenkung",
		library: "Sammlung",
		share: "Teilen",
		record: "Rekorder",
		coupling: "Haldex",
		inputs: "Eingänge",
		conditions: "Bedingungen",
		calibration: "Einlernen",
		diagnosis: "Diagnose",
		can: "CAN",
		network: "Netz",
		update: "Update",
		backup: "Backup",
		logs: "Protokolle",
		display: "Anzeige",
		about: "Über",
		full: "Vollbild",
		settings: "Einstellung suchen",
		start: "Erster Start",
	},
	display: { title: "Anzeige", language: "Sprache", speed: "Tempo in" },
	shell: {
		skip: "Zum Inhalt",
		pages: "Orte",
		contents: "Inhalt",
		toLight: "Zu hellen Farben wechseln",
		toDark: "Zu dunklen Farben wechseln",
		loading: "Lädt ...",
		partMissing: "Ein Teil der Seite konnte nicht geladen werden.",
		tryAgain: "Nochmals versuchen",
		broken: "Dieser Teil der Seite ist ausgefallen. Das Steuergerät ist nicht betroffen.",
		dismiss: "Schließen",
		bootLoop:
			"Das Steuergerät ist dreimal in Folge abgestürzt. Das Auto bleibt im Serienzustand, nur Update und Protokolle sind da. Installiere eine andere Version, oder schalte die Versorgung aus und ein.",
		toUpdate: "Update öffnen",
	},
	link: {
		connecting: "Verbindet",
		live: "Live",
		reconnecting: "Verbindet neu",
		offline: "Offline",
		offlineHint: "Die Zahlen sind alt. Es gilt, was eingestellt ist",
		noAnswer: "Keine Antwort vom Steuergerät",
		allowed: (field, value, allowed) => `${field}${value === "" ? "" : ` ist ${value}`}, erlaubt: ${allowed}`,
	},
	units: { percent: "%", rpm: "U/min", seconds: "s" },
	password: { show: "Zeigen", hide: "Verbergen" },
	...DRIVE_GERMAN,
	...SAID_GERMAN,
	...MAP_GERMAN,
	...SETTINGS_GERMAN,
	...CAR_GERMAN,
	...SYSTEM_GERMAN,
};
