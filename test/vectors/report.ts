/**
 * What a vector check tells: rows checked and the first that differ. No assertion library and no node imports, so that
 * the same checks run in Node and on the XS engine.
 */

const SHOWN = 10;

/** Collects the outcome of one check. */
export class Report {
	/** Rows compared. */
	rows = 0;
	/** Rows that differ. */
	failed = 0;
	/** Rows left out, by reason; each reason is a class that the check names and explains. */
	readonly skipped: Record<string, number> = {};
	/** The first rows that differ, as text. */
	readonly first: string[] = [];

	/** Counts one row. @param where names the row in words */
	check(ok: boolean, where: string): void {
		this.rows++;
		if (ok) return;
		this.failed++;
		if (this.first.length < SHOWN) this.first.push(where);
	}

	/** Counts a row that the check leaves out. */
	skip(reason: string): void {
		this.skipped[reason] = (this.skipped[reason] ?? 0) + 1;
	}

	/** Throws unless at least one row was compared and none differs. @throws {Error} with the first rows */
	verdict(): void {
		if (this.rows === 0) throw new Error("no row was checked");
		if (this.failed > 0) throw new Error(`${this.failed} of ${this.rows} rows differ:\n${this.first.join("\n")}`);
	}

	/** One line: rows and what was left out. */
	summary(): string {
		const left = Object.entries(this.skipped).map(([reason, count]) => `${count} ${reason}`);
		return `${this.rows} rows${left.length > 0 ? `; left out: ${left.join(", ")}` : ""}`;
	}
}

/** Bytes of a hex string. */
export function bytesOf(hex: string): Uint8Array {
	const bytes = new Uint8Array(hex.length >> 1);
	for (let index = 0; index < bytes.length; index++) bytes[index] = Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16);
	return bytes;
}

/** The bug flags of a row's extra object, "" if it has none. */
export function bugsOf(extra: unknown): string {
	return (extra as { referenceBug?: string } | undefined)?.referenceBug ?? "";
}
