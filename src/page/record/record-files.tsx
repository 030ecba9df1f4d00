/** A drive taken along, and looked at again. */

import { inWords } from "../net/request";
import { SAMPLES_MAX, type Sample, samples } from "../state/samples";
import { T } from "../texts";
import { FileButton, textOf } from "../ui/fields";
import { downloadText } from "../ui/give";
import { notify } from "../ui/notice";
import { isSure } from "../ui/sheet";
import { CsvProblem, csvOf, driveOf } from "./csv";

/** A drive that was opened from a file. */
export interface DriveFile {
	readonly name: string;
	readonly drive: readonly Sample[];
}

/** The 9,000 samples that there are at most have 0.34 MB as we write them. */
const BYTES_MAX = 2_000_000;

async function read(file: File): Promise<DriveFile> {
	if (file.size > BYTES_MAX) throw new Error(T.record.tooLarge(file.name));
	try {
		return { name: file.name, drive: driveOf(await textOf(file), SAMPLES_MAX) };
	} catch (error) {
		throw error instanceof CsvProblem ? new Error(T.record.wrongFile(file.name, error.line, error.found, error.allowed)) : error;
	}
}

/**
 * Saves the drive as CSV, and opens one of at most 2 MB; what is wrong with a file is said in a notice.
 * Undefined = the live drive.
 */
export function RecordFiles({ file, onFile }: { file: DriveFile | undefined; onFile: (file: DriveFile | undefined) => void }) {
	return (
		<div class="tools">
			<button type="button" disabled={samples.length === 0} onClick={() => downloadText(fileName(), csvOf(samples))}>
				{T.record.save}
			</button>
			<FileButton
				label={T.record.open}
				accept=".csv"
				onFile={(chosen) => void read(chosen).then(onFile, (error) => notify("bad", inWords(error)))}
			/>
			{file === undefined ? (
				<button
					type="button"
					onClick={async () => {
						if (await isSure(T.record.clearSure, T.record.clear)) samples.length = 0;
					}}
				>
					{T.record.clear}
				</button>
			) : (
				<button type="button" onClick={() => onFile(undefined)}>
					{T.record.toLive}
				</button>
			)}
		</div>
	);
}

/** By the clock of whoever saves it. */
function fileName(): string {
	const now = new Date();
	const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString();
	return `drive-${local.slice(0, 10)}-${local.slice(11, 16).replace(":", "")}.csv`;
}
