/** SavvyCAN by Wi-Fi: whether it may connect, who is there, and whether what it sends goes to the car. */

import { useEffect, useRef, useState } from "preact/hooks";
import { repeatWhileSeen } from "../net/live";
import { get, inWords, post } from "../net/request";
import type { Analyzer as Answer } from "../net/types";
import { inOurWords } from "../said";
import { T } from "../texts";
import { CheckField, Section } from "../ui/fields";
import { notify } from "../ui/notice";

/** Between an answer and the next request. */
const PERIOD_MS = 1000;

/**
 * The card of SavvyCAN: switches for listening and sending, who is connected and what was rejected, read
 * every second; the DBC file.
 */
export function Analyzer() {
	const [state, setState] = useState<Answer>();
	const writes = useRef(0);
	const read = async (): Promise<void> => {
		const before = writes.current;
		const now = await get<Answer>("/api/analyzer");
		// what was asked before a change does not show it
		if (before === writes.current) setState(now);
	};
	useEffect(() => repeatWhileSeen(read, PERIOD_MS), []);
	const change = async (wanted: Partial<Pick<Answer, "enabled" | "maySend">>): Promise<void> => {
		writes.current++;
		try {
			setState(await post<Answer>("/api/analyzer", wanted));
		} catch (error) {
			notify("bad", inWords(error));
			// the box shows what is, not what was wanted
			setState((now) => now && { ...now });
		}
		writes.current++;
	};
	const A = T.analyzer;
	return (
		<Section title="SavvyCAN" hint={A.hint}>
			<CheckField label={A.listen} value={state?.enabled ?? false} onChange={(enabled) => void change({ enabled })} />
			{state?.enabled && <Listening state={state} onMaySend={(maySend) => void change({ maySend })} />}
			<a class="button" href="/api/canview/dbc" download="">
				{A.dbc}
			</a>
		</Section>
	);
}

function Listening({ state, onMaySend }: { state: Answer; onMaySend: (maySend: boolean) => void }) {
	const { port, clients, maySend, sendRefusal, sentFrames, refusedFrames, lastRefusal } = state;
	const A = T.analyzer;
	return (
		<>
			<dl class="facts" data-test="analyzer">
				<dt>{A.address}</dt>
				<dd>{port === 0 ? T.network.off : `${location.hostname}:${port}`}</dd>
				<dt>{A.clients}</dt>
				<dd>{clients.length}</dd>
				<dt>{A.lost}</dt>
				<dd>{clients.map(({ lostFrames }) => lostFrames).join(", ") || "–"}</dd>
				<dt>{A.sent}</dt>
				<dd>{sentFrames}</dd>
				<dt>{A.refused}</dt>
				<dd>{refusedFrames}</dd>
			</dl>
			{lastRefusal !== "" && <p class="warn">{`${A.lastRefusal}: ${inOurWords(lastRefusal)}`}</p>}
			<CheckField label={A.maySend} hint={A.conditions} value={maySend} onChange={onMaySend} />
			<p class={sendRefusal === "" ? "muted" : "warn"} role="status">
				{sendRefusal === "" ? A.maySendNow : T.update.notNow(inOurWords(sendRefusal))}
			</p>
		</>
	);
}
