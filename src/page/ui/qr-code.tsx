/** A text as a QR code, for a phone's camera. What draws it is loaded when the first one is shown. */

import { useEffect, useState } from "preact/hooks";
import type { QrPath } from "./qr-path";

/**
 * Has at hand what draws codes, for where there may be no connection any more when one is shown. Never
 * throws.
 */
export function prepareQrCode(): void {
	void import("./qr-path").catch(() => {});
}

async function drawn(text: string): Promise<QrPath> {
	return (await import("./qr-path")).qrPathOf(text);
}

/** @param label what scanning it does */
export function QrCode({ text, label }: { text: string; label: string }) {
	const [code, setCode] = useState<QrPath>();
	useEffect(() => {
		let over = false;
		void drawn(text).then(
			(next) => !over && setCode(next),
			// no connection: the words beside it say the same
			() => {},
		);
		return () => {
			over = true;
		};
	}, [text]);
	return (
		<div class="qr">
			{code !== undefined && (
				<svg viewBox={`0 0 ${code.size} ${code.size}`} role="img" aria-label={label} shape-rendering="crispEdges">
					<path d={code.path} />
				</svg>
			)}
		</div>
	);
}
