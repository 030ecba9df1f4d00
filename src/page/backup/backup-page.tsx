/** All settings, curves and maps as one file, and back again after a look at what differs. */

import { useState } from "preact/hooks";
import { CURVE_X_MAX } from "../../lock/tuning.js";
import { conditionsText } from "../conditions/conditions-page";
import { downOf, HEIGHT, LEFT, pathOf, RIGHT, reachOf } from "../curves/chart-frame";
import { curveText } from "../curves/curves";
import { differences } from "../map/edit";
import { MapPicture } from "../map/map-picture";
import type { LockMap } from "../net/types";
import { settingLabel, valueLabel } from "../settings/settings-draft";
import { status } from "../state/status";
import { T } from "../texts";
import { isSure } from "../ui/dialogs";
import { downloadText, FileButton, Section, textOf } from "../ui/fields";
import { Icon } from "../ui/icon";
import { attempt, notify, useAction } from "../ui/notice";
import { type Backup, backupText, type Difference, differencesOf, parseBackup, readBackup, restore } from "./backup";

interface Opened {
	readonly name: string;
	readonly backup: Backup;
	readonly found: readonly Difference[];
}

/**
 * Saves a backup file; opens one, lists what differs from the controller, and restores what of that is left
 * ticked.
 */
export function BackupPage(_: { part: string }) {
	const [opened, setOpened] = useState<Opened>();
	const [left, setLeft] = useState<ReadonlySet<Difference>>(new Set());
	const { busy, run } = useAction();
	const act = (action: () => Promise<void>): Promise<boolean> => run(() => attempt(action));
	const save = async (): Promise<void> => {
		const made = new Date();
		const text = backupText(await readBackup(), status.value?.version ?? "", made);
		downloadText(`opencoupling-${made.toISOString().slice(0, 10)}.json`, text);
	};
	const compare = async (name: string, backup: Backup, now: Backup): Promise<void> => {
		setOpened({ name, backup, found: differencesOf(backup, now) });
		setLeft(new Set());
	};
	const open = async (file: File): Promise<void> => {
		const now = await readBackup();
		await compare(file.name, parseBackup(await textOf(file)), now);
	};
	const putBack = async ({ name, backup, found }: Opened): Promise<void> => {
		const chosen = found.filter((difference) => !left.has(difference));
		const generation = chosen.some((difference) => difference.name === "couplingGeneration");
		if (generation && !(await isSure(T.backup.generationSure, T.backup.putBack(chosen.length)))) return;
		try {
			await restore(chosen, backup);
			notify("good", T.backup.restored(chosen.length));
		} finally {
			// whatever came of it: what still differs is shown
			await compare(name, backup, await readBackup());
		}
	};
	const choose = (difference: Difference, on: boolean): void => {
		const next = new Set(left);
		if (on) next.delete(difference);
		else next.add(difference);
		setLeft(next);
	};
	return (
		<div class="columns">
			<Section title={T.backup.make} hint={T.backup.makeHint}>
				<button type="button" disabled={busy} onClick={() => void act(save)}>
					{T.backup.save}
				</button>
			</Section>
			<Section title={T.backup.restore} hint={T.backup.restoreHint}>
				<FileButton label={T.backup.open} accept=".json" onFile={(file) => void act(() => open(file))} />
				{opened !== undefined && (
					<>
						<p role="status">{T.backup.differs(opened.name, opened.found.length)}</p>
						{opened.found.map((difference) => (
							<Row
								key={`${difference.kind} ${difference.name}`}
								difference={difference}
								on={!left.has(difference)}
								onChange={(on) => choose(difference, on)}
							/>
						))}
						{opened.found.length > 0 && (
							<button
								type="button"
								class="primary"
								disabled={busy || left.size === opened.found.length}
								onClick={() => void act(() => putBack(opened))}
							>
								{T.backup.putBack(opened.found.length - left.size)}
							</button>
						)}
					</>
				)}
			</Section>
		</div>
	);
}

function Row({ difference, on, onChange }: { difference: Difference; on: boolean; onChange: (on: boolean) => void }) {
	return (
		<label class="check">
			<input type="checkbox" checked={on} onChange={(event) => onChange(event.currentTarget.checked)} />
			<span>
				{labelOf(difference)}
				<small class="muted hint">{changeOf(difference)}</small>
				<Pictures difference={difference} />
			</span>
		</label>
	);
}

/** The controller's value and the backup's: two maps, or two lines of a curve. */
function Pictures({ difference }: { difference: Difference }) {
	const { inController, inBackup, curves } = T.backup;
	if (difference.kind === "map" || difference.kind === "stored")
		return (
			<span class="backup-pictures">
				{difference.now && <MapPicture map={difference.now} label={inController} />}
				<Icon name="to" />
				<MapPicture map={difference.kept} label={inBackup} />
			</span>
		);
	if (difference.kind !== "curve") return null;
	const { name, now, kept } = difference;
	const span = Math.max(reachOf(now, CURVE_X_MAX[name]).span, reachOf(kept, CURVE_X_MAX[name]).span);
	return (
		<svg class="chart backup-curve" viewBox={`${LEFT} 0 ${RIGHT - LEFT} ${HEIGHT}`} role="img" aria-label={curves}>
			<path class="chart-line" d={`M${LEFT} ${downOf(0)}H${RIGHT}M${LEFT} ${downOf(100)}H${RIGHT}`} />
			<path class="chart-stored" d={pathOf(now, span)} />
			<path class="chart-curve" d={pathOf(kept, span)} />
		</svg>
	);
}

function labelOf(difference: Difference): string {
	switch (difference.kind) {
		case "setting":
			return settingLabel(difference.name);
		case "conditions":
			return T.backup.conditions;
		case "curve":
			return T.backup.curve(T.curves.names[difference.name]);
		case "stored":
			return T.backup.stored(difference.name);
		case "map":
			return T.backup.map;
		case "calibration":
			return T.backup.calibration;
	}
}

function changeOf(difference: Difference): string {
	switch (difference.kind) {
		case "setting":
			return [difference.now, difference.kept].map((value) => valueLabel(difference.name, value)).join(" → ");
		case "conditions":
			return [difference.now, difference.kept].map(conditionsText).join(" → ");
		case "curve":
			return curveText(difference.name, difference.kept);
		case "stored":
			return difference.now === undefined ? T.backup.missing : T.backup.cells(cellsApart(difference.now, difference.kept));
		case "calibration":
			return T.backup.learned(difference.kept.generation, difference.kept.date || T.calibration.noDate);
		case "map":
			return T.backup.cells(cellsApart(difference.now, difference.kept));
	}
}

function cellsApart(now: LockMap, then: LockMap): number {
	return differences(then, now)
		.flat()
		.filter((by) => by !== 0).length;
}
