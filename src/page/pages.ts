/** All pages beyond the first view, as one file: what they share is asked for, and compressed, once. */

import type { ComponentType } from "preact";
import { AboutPage } from "./about/about-page";
import { BackupPage } from "./backup/backup-page";
import { CalibrationPage } from "./calibration/calibration-page";
import { CanPage } from "./can/can-page";
import { ConditionsPage } from "./conditions/conditions-page";
import { CurvesPage } from "./curves/curves-page";
import { DiagnosisPage } from "./diagnosis/diagnosis-page";
import { FullPage } from "./full/full-page";
import { LogsPage } from "./logs/logs-page";
import { LibraryPage } from "./map/library";
import { MapPage } from "./map/map-page";
import { NetworkPage } from "./network/network-page";
import { UpdatePage } from "./network/update";
import { RecordPage } from "./record/record-page";
import { CouplingPage, DisplayPage, GatesPage, InputsPage, SearchPage, SteeringPage } from "./settings/settings-page";
import { SharePage } from "./share/share-page";
import { StartPage } from "./start/start-page";
import type { PageName } from "./state/route";

/** By the page's name; `part` is what follows it in the address. *drive* belongs to the first view. */
export type OtherPages = Readonly<Record<Exclude<PageName, "drive">, ComponentType<{ part: string }>>>;

/** The component of each page but *drive*. */
export const PAGES: OtherPages = {
	map: MapPage,
	curves: CurvesPage,
	full: FullPage,
	share: SharePage,
	record: RecordPage,
	calibration: CalibrationPage,
	can: CanPage,
	logs: LogsPage,
	diagnosis: DiagnosisPage,
	settings: SearchPage,
	gates: GatesPage,
	steering: SteeringPage,
	coupling: CouplingPage,
	inputs: InputsPage,
	display: DisplayPage,
	library: LibraryPage,
	update: UpdatePage,
	conditions: ConditionsPage,
	backup: BackupPage,
	network: NetworkPage,
	about: AboutPage,
	start: StartPage,
};
