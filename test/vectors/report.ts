/** Collects what a vector check saw, and reads the rows' common parts. */

const LISTED_MAX = 10;

export class Report {
	checked = 0;
	failed = 0;
	/** Rows that do not bind us, by the reference's bug or our decision. */
	readonly skipped: Record<string, number> = {};
	readonly lines: string[] = [];

	/** Counts a row; if it is not `ok`, it fails and `what` is listed. */
	check(ok: boolean, what: string): void {
		this.checked++;
		if (ok) return;
		this.failed++;
		if (this.lines.length < LISTED_MAX) this.lines.push(what);
	}

	/** Counts a row, as `check`; as `skip` if it is flagged with a bug of the reference. */
	row(extra: unknown, ok: boolean, what: string): void {
		const bugs = bugsOf(extra);
		if (bugs === "") this.check(ok, what);
		else this.skip(bugs);
	}

	/** Counts a row that does not bind us. */
	skip(reason: string): void {
		this.skipped[reason] = (this.skipped[reason] ?? 0) + 1;
	}

	/** One line for people, and a line for each of the first rows that differ. */
	summary(name = "rows"): string {
		const skipped = Object.entries(this.skipped).map(([reason, count]) => `${reason} ${count}`);
		const head = `${name}: ${this.checked} checked, ${this.failed} differ${skipped.length ? `; not binding: ${skipped.join(", ")}` : ""}`;
		return [head, ...this.lines].join("\n");
	}
}

/** Ids of the reference's bugs that a row is flagged with, "" for none. */
export function bugsOf(extra: unknown): string {
	return (extra as { referenceBug?: string } | undefined)?.referenceBug ?? "";
}

/** Bytes of a hex string. */
export function bytesOf(hex: string): Uint8Array {
	const bytes = new Uint8Array(hex.length >> 1);
	for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
	return bytes;
}

/** Lower-case hex of bytes. */
export function hexOf(bytes: Uint8Array): string {
	let text = "";
	for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
	return text;
}
