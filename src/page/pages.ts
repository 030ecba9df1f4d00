/** All pages beyond the first view, as one file: what they share is asked for, and compressed, once. */

import { AboutPage } from "./about/about-page";
import { BackupPage } from "./backup/backup-page";
import { CalibrationPage } from "./calibration/calibration-page";
import { CanPage } from "./can/can-page";
import { ConditionsPage } from "./conditions/conditions-page";
import { CurvesPage } from "./curves/curves-page";
import { DiagnosisPage } from "./diagnosis/diagnosis-page";
import { FullPage } from "./full/full-page";
import { LogsPage } from "./logs/logs-page";
import { MapPage } from "./map/map-page";
import { NetworkPage } from "./network/network-page";
import { RecordPage } from "./record/record-page";
import { SettingsPage } from "./settings/settings-page";
import { SharePage } from "./share/share-page";
import { StartPage } from "./start/start-page";
import type { PageName } from "./state/page-names";
import type { Part } from "./ui/lazy";

/** The component of each page by its name; *drive* and *more* belong to the first view. */
export const PAGES: Readonly<Record<Exclude<PageName, "drive" | "more">, Part>> = {
	map: MapPage,
	curves: CurvesPage,
	full: FullPage,
	share: SharePage,
	record: RecordPage,
	calibration: CalibrationPage,
	can: CanPage,
	logs: LogsPage,
	diagnosis: DiagnosisPage,
	settings: SettingsPage,
	conditions: ConditionsPage,
	backup: BackupPage,
	network: NetworkPage,
	about: AboutPage,
	start: StartPage,
};
