/** About the project, and the state of the controller. */

import { useEffect } from "preact/hooks";
import { MODES, modeLabel } from "../drive/mode-names";
import { LED_COLOURS } from "../generated/mode-table";
import { repeatWhileSeen } from "../net/live";
import { loadStatus, status } from "../state/status";
import { useStore } from "../state/store";
import { inOurWords, T } from "../texts";
import { Facts, Section } from "../ui/fields";

/** Time between an answer and the next request. */
const PERIOD_MS = 2000;

function duration(uptimeMs: number): string {
	const seconds = Math.floor(uptimeMs / 1000);
	return T.about.duration(Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60);
}

const rows = (shown: boolean, name: string, value: string): [string, string][] => (shown ? [[name, value]] : []);

/** The project, its words, and version, uptime and counts of the controller. */
export function AboutPage(_: { part: string }) {
	useEffect(() => repeatWhileSeen(loadStatus, PERIOD_MS), []);
	const now = useStore(status);
	const A = T.about;
	const numbers = (source: object): [string, number][] =>
		Object.entries(source).filter((entry): entry is [string, number] => typeof entry[1] === "number");
	return (
		<div class="columns">
			<Section title={T.name}>
				<p>{A.what}</p>
				<p class="warn">{A.warning}</p>
				<p>
					<a href="/api/openapi.json">{A.interface}</a>
				</p>
				<p class="muted">{A.licences}</p>
			</Section>
			<Section title={A.help}>
				{A.words.map(([word, meaning]) => (
					<p key={word}>
						<b>{word}</b> {meaning}
					</p>
				))}
				<ul class="leds">
					{MODES.map((mode) => (
						<li key={mode}>
							<span class="led" style={{ background: LED_COLOURS[mode] }} />
							{modeLabel(mode)}
						</li>
					))}
				</ul>
			</Section>
			{now !== undefined && (
				<>
					<Section title={A.controller}>
						<Facts
							facts={[
								[A.version, `${now.version} ${now.commit}`.trim()],
								[A.uptime, duration(now.uptimeMs)],
								[A.bootReason, inOurWords(now.bootReason)],
								[A.generation, now.couplingGeneration || "–"],
								[A.chassis, now.can.chassis ? A.running : A.silent],
								[A.coupling, now.can.haldex ? A.running : A.silent],
								...rows(now.invalidFrame !== "", A.invalidFrame, now.invalidFrame),
								...rows(now.statusFrameElsewhere, A.statusFrame, A.statusFrameElsewhere),
							]}
						/>
					</Section>
					<details class="card">
						<summary>{A.figures}</summary>
						<Section title={A.loop}>
							<Facts facts={numbers(now.loop)} />
						</Section>
						<Section title={A.gateway}>
							<Facts facts={numbers(now.gateway)} />
						</Section>
					</details>
				</>
			)}
		</div>
	);
}
