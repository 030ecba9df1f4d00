/** A map that is given away or was received: both see the same page, for the address holds the map. */

import { useRef, useState } from "preact/hooks";
import { Comparison } from "../map/comparison";
import { mapDraft } from "../map/map-draft";
import { MapPicture } from "../map/map-picture";
import type { LockMap } from "../net/types";
import { useDraft } from "../state/draft";
import { go } from "../state/route";
import { speedText } from "../state/speed";
import { T } from "../texts";
import { Section } from "../ui/fields";
import { notify } from "../ui/notice";
import { QrCode } from "../ui/qr-code";
import { codeOf, mapOf, SHARED_KMH_MAX } from "./share-code";

/** @param part the map as a code, "" = the driver's own */
export function SharePage({ part }: { part: string }) {
	const { shown, stored } = useDraft(mapDraft);
	const map = part === "" ? shown : mapOf(part);
	return (
		<div class="columns">
			{typeof map === "object" && <Shared key={part} map={map} other={part === "" ? undefined : stored} />}
			{typeof map === "string" && <p class="fault warn">{T.share.problems[map]}</p>}
			<Paste />
		</div>
	);
}

/** @param other the map in the controller, for a map that was received */
function Shared({ map, other }: { map: LockMap; other: LockMap | undefined }) {
	const text = useRef<HTMLTextAreaElement>(null);
	const code = codeOf(map);
	if (code === undefined) return <p class="fault warn">{T.share.noRoom(speedText(SHARED_KMH_MAX))}</p>;
	const copy = (): void => {
		text.current?.select();
		// the newer way is not for plain http
		if (document.execCommand("copy")) notify("good", T.share.copied);
	};
	const take = (): void => {
		mapDraft.edit({ ...map, from: "" });
		go("map");
	};
	const [first, last] = [(bins: readonly number[]) => bins[0]!, (bins: readonly number[]) => bins[bins.length - 1]!];
	const { speedBins, throttleBins } = map;
	return (
		<>
			<Section title={T.share.title}>
				<MapPicture map={map} label={T.share.picture} />
				<p class="muted">
					{T.share.axes(speedText(first(speedBins)), speedText(last(speedBins)), first(throttleBins), last(throttleBins))}
				</p>
				{other !== undefined && (
					<>
						<Comparison map={map} other={other} name={T.share.active} />
						<button type="button" class="primary" onClick={take}>
							{T.share.take}
						</button>
						<p class="muted">{T.share.takeHint}</p>
					</>
				)}
			</Section>
			<Section title={T.share.give} hint={T.share.giveHint}>
				<QrCode text={`${location.origin}/#share/${code}`} label={T.share.scan} />
				<textarea ref={text} class="code" rows={4} readOnly aria-label={T.share.code} value={code} />
				<button type="button" onClick={copy}>
					{T.share.copy}
				</button>
			</Section>
		</>
	);
}

/** The way in for who can't scan. */
function Paste() {
	const [text, setText] = useState("");
	const map = mapOf(text);
	const open = (event: Event): void => {
		event.preventDefault();
		if (typeof map === "object") go(`share/${codeOf(map)}`);
		setText("");
	};
	return (
		<Section title={T.share.receive}>
			<form class="share-paste" onSubmit={open}>
				<textarea
					class="code"
					rows={3}
					aria-label={T.share.paste}
					placeholder="OC1-…"
					value={text}
					onInput={(event) => setText(event.currentTarget.value)}
				/>
				<p role="status" class="bad">
					{typeof map === "string" && text.trim() !== "" && T.share.problems[map]}
				</p>
				<button type="submit" disabled={typeof map === "string"}>
					{T.share.look}
				</button>
			</form>
		</Section>
	);
}
