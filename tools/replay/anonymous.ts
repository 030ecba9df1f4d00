/**
 * Takes out of a recorded drive what tells whose car it was, and when: the frames below, and the time of day.
 * Sources: src/can/dbc/mqb.dbc, src/can/dbc/pq.dbc. Neither has PQ's frame with the identification number: 0x65F is from published lists.
 */

/** What each of them tells, by identifier. */
const TELLING: Readonly<Record<number, string>> = {
	1312: "odometer (PQ, Kombi_3)",
	1490: "vehicle identification number and secrets of the immobiliser (PQ, 0x5D2)",
	1631: "vehicle identification number (PQ)",
	1714: "odometer, date and time (MQB, Diagnose_01)",
	1716: "vehicle identification number (MQB)",
	1719: "odometer (MQB, Kombi_02)",
};
/** Diagnosis, which reads serial numbers, and PQ's odometer, date and time (Diagnose_1, 0x7D0). */
const isDiagnosis = (id: number, extended: boolean): boolean => (extended ? id >= 0x17fc_0000 && id <= 0x17ff_ffff : id >= 0x700);

const LINE = /^\((\d+)\.(\d{6})\) (\S+) (\w+)#/;

function tells(name: string): boolean {
	const id = Number.parseInt(name, 16);
	const extended = name.length === 8;
	return isDiagnosis(id, extended) || (!extended && id in TELLING);
}

/** @param recording a candump log in order of time, as `readRecording` returns it @returns it without those frames, beginning at 0 s */
export function anonymous(recording: string): string {
	let startUs: number | undefined;
	let kept = "";
	for (const line of recording.split("\n")) {
		const match = LINE.exec(line);
		if (match === null || tells(match[4]!)) continue;
		const timeUs = Number(match[1]) * 1e6 + Number(match[2]);
		startUs ??= timeUs;
		const time = `${Math.floor((timeUs - startUs) / 1e6)}.${String((timeUs - startUs) % 1e6).padStart(6, "0")}`;
		kept += `(${time}) ${line.slice(line.indexOf(" ") + 1)}\n`;
	}
	return kept;
}
