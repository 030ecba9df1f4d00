/** The coupling's control unit: identity, faults, measured values. The car is asked only on request. */

import { useEffect, useState } from "preact/hooks";
import { repeatWhileSeen, stale, telemetry } from "../net/live";
import { inWords } from "../net/request";
import type { Fault, IdentityRecord, Status } from "../net/types";
import { loadStatus, status } from "../state/status";
import { useBeat, useStore } from "../state/store";
import { T } from "../texts";
import { isSure } from "../ui/dialogs";
import { downloadText, Facts, Section } from "../ui/fields";
import { attempt, notify, useAction } from "../ui/notice";
import { askedFor, clearFaults, type Reading, readFaults, readIdentity, readMeasured, unread } from "./car";
import { ageOf, clockOf, faultCode, faultKind, faultStatus, identityRows, nameOf, type Read, report, valueText } from "./words";

/** Time between an answer and the next request. */
const PERIOD_MS = 500;
/** Ages are shown in whole seconds. */
const AGE_PERIOD_MS = 1000;
/** Older ones are not what the car does now. */
const FRESH_S = 5;

/** Faults, measured values and identity, each read on request, and a report of them as a file. */
export function DiagnosisPage(_: { part: string }) {
	useEffect(() => void loadStatus().catch(() => {}), []);
	const generation = useStore(status)?.couplingGeneration;
	if (generation === undefined) return <p class="loading">{T.shell.loading}</p>;
	// what one generation has said is nothing of another's
	return askedFor(generation) !== "" ? (
		<Findings key={generation} generation={generation} />
	) : (
		<section class="card callout">
			<Oil />
			<p>{T.diagnosis.cannotAsk}</p>
			<a class="button" href="#coupling">
				{T.pages.coupling}
			</a>
		</section>
	);
}

/** The temperature of the oil, if the coupling reports it. */
function Oil() {
	const celsius = useStore(telemetry)?.clutchTemperatureC ?? undefined;
	return celsius === undefined ? null : <p>{T.diagnosis.oil(celsius)}</p>;
}

function Findings({ generation }: { generation: Status["couplingGeneration"] }) {
	const identity = useAnswer<readonly IdentityRecord[]>(readIdentity);
	const faults = useAnswer<readonly Fault[]>(readFaults);
	const [readings, setReadings] = useState(() => unread(generation));
	const save = (): void => {
		const version = status.value?.version ?? "";
		const text = report({ version, generation, identity: identity.read, faults: faults.read, readings });
		downloadText(`diagnosis-${new Date().toISOString().slice(0, 19).replaceAll(":", "-")}.txt`, text);
	};
	const D = T.diagnosis;
	return (
		<div class="stack">
			<Oil />
			<Faults faults={faults} />
			<Measured readings={readings} onRead={setReadings} />
			<div class="columns">
				<Section title={D.identity}>
					{askedFor(generation) === "values" ? <ReadButton answer={identity} /> : <p class="muted">{D.noIdentity}</p>}
					<Facts facts={identityRows(identity.read?.what ?? [])} />
				</Section>
				<Section title={D.report} hint={D.reportHint}>
					<button type="button" onClick={save}>
						{D.save}
					</button>
				</Section>
			</div>
		</div>
	);
}

/** Something that is read when a button is pressed. */
interface Answer<T> {
	readonly read: Read<T> | undefined;
	readonly problem: string;
	readonly busy: boolean;
	readonly ask: () => Promise<unknown>;
}

function useAnswer<T>(request: () => Promise<T>): Answer<T> {
	const [read, setRead] = useState<Read<T>>();
	const { run, ...state } = useAction();
	const ask = () => run(async () => setRead({ what: await request(), at: new Date() }));
	return { ...state, read, ask };
}

function wordsOf({ read, problem, busy }: Answer<unknown>): string {
	if (busy) return T.diagnosis.asking;
	if (problem !== "" || read === undefined) return problem;
	return T.diagnosis.readAt(clockOf(read.at));
}

function ReadButton({ answer }: { answer: Answer<unknown> }) {
	const { problem, busy, ask } = answer;
	return (
		<div class="tools">
			<button type="button" disabled={busy} onClick={() => void ask()}>
				{T.diagnosis.read}
			</button>
			<p class={problem === "" ? "muted grow" : "bad grow"} role="status">
				{wordsOf(answer)}
			</p>
		</div>
	);
}

function Faults({ faults }: { faults: Answer<readonly Fault[]> }) {
	const car = useStore(telemetry);
	const stands = !useStore(stale) && car?.speedValid === true && car.speed === 0;
	const D = T.diagnosis;
	const clear = async (): Promise<void> => {
		if (!(await isSure(D.clearSure, D.clear))) return;
		await attempt(async () => {
			await clearFaults();
			notify("good", D.cleared);
		});
		await faults.ask();
	};
	const found = faults.read?.what;
	return (
		<Section title={D.faults}>
			<ReadButton answer={faults} />
			{found?.length === 0 && <p class="good">{D.noFaults}</p>}
			<ul class="rows">
				{found?.map((fault) => (
					<li key={fault.rawDtcSpaced}>
						<b class="raw">{faultCode(fault)}</b>
						<span class="row-name">
							<b>{faultKind(fault)}</b>
							<span class="muted">{faultStatus(fault)}</span>
						</span>
					</li>
				))}
			</ul>
			<p class="muted">{stands ? D.clearHint : D.mustStand}</p>
			<div class="tools">
				<button type="button" class="danger" disabled={!stands || faults.busy} onClick={() => void clear()}>
					{D.clear}
				</button>
			</div>
		</Section>
	);
}

function Measured({ readings, onRead }: { readings: readonly Reading[]; onRead: (readings: readonly Reading[]) => void }) {
	const [running, setRunning] = useState(false);
	const [problem, setProblem] = useState("");
	useBeat(AGE_PERIOD_MS);
	useEffect(() => {
		if (!running) return;
		let latest = readings;
		return repeatWhileSeen(async () => {
			try {
				latest = await readMeasured(latest);
				onRead(latest);
				setProblem("");
			} catch (error) {
				setProblem(inWords(error));
			}
		}, PERIOD_MS);
	}, [running]);
	const D = T.diagnosis;
	return (
		<Section title={D.measured} hint={D.measuredHint}>
			<div class="tools">
				<button type="button" aria-pressed={running} onClick={() => setRunning(!running)}>
					{D.keepReading}
				</button>
				<p class="bad grow" role="status">
					{problem}
				</p>
			</div>
			<section class="scroll" aria-label={D.measured} tabIndex={0}>
				<table class="table measured">
					<thead>
						<tr>
							{D.heads.map((head, i) => (
								<th key={head} scope="col" class={i === 1 || i === 2 ? "number" : ""}>
									{head}
								</th>
							))}
						</tr>
					</thead>
					<tbody>
						{readings.map((reading) => (
							<Row key={reading.id} reading={reading} />
						))}
					</tbody>
				</table>
			</section>
		</Section>
	);
}

function Row({ reading }: { reading: Reading }) {
	const { id, rawDataHex = "", verified, problem } = reading;
	const ageS = ageOf(reading);
	return (
		<tr class={ageS !== undefined && ageS > FRESH_S ? "stale" : ""} data-reading={id}>
			<th scope="row">
				{nameOf(reading)}
				{problem !== "" && <small class="bad hint">{problem}</small>}
			</th>
			<td class="number">
				<b>{valueText(reading)}</b>
				{verified === false && <small class="warn hint">{T.diagnosis.notVerified}</small>}
			</td>
			<td class="number">{ageS === undefined ? "–" : T.diagnosis.ago(ageS)}</td>
			<td class="raw">{rawDataHex}</td>
		</tr>
	);
}
