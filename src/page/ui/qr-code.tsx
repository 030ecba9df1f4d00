/** A text as a QR code, for a phone's camera. What draws it is loaded when the first one is shown. */

import { useEffect, useState } from "preact/hooks";

/** Light modules around the code: phones need them. */
const BORDER = 4;

interface Drawn {
	readonly size: number;
	/** One square for each dark module. */
	readonly path: string;
}

/** Has at hand what draws codes, for where there may be no connection any more when one is shown. Never throws. */
export function prepareQrCode(): void {
	void import("uqr").catch(() => {});
}

async function drawn(text: string): Promise<Drawn> {
	const { encode } = await import("uqr");
	const { data, size } = encode(text, { border: BORDER });
	const squares = data.flatMap((line, y) => line.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")));
	return { size, path: squares.join("") };
}

/** @param label what scanning it does */
export function QrCode({ text, label }: { text: string; label: string }) {
	const [code, setCode] = useState<Drawn>();
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
