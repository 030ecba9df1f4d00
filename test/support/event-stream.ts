// Server-sent events as a client reads them. Source: HTML standard, 9.2.

export interface ServerEvent {
	/** The event's name; "retry" for a block that only says how long to wait. */
	readonly event: string;
	readonly id?: string;
	readonly data: Readonly<Record<string, unknown>>;
}

/** Whole events in a piece of a stream, and what follows the last of them. */
export function splitEvents(text: string): { events: ServerEvent[]; rest: string } {
	const blocks = text.split("\n\n");
	const rest = blocks.pop() ?? "";
	return { events: blocks.map(readEvent), rest };
}

function readEvent(block: string): ServerEvent {
	const fields = new Map(
		block.split("\n").map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)]),
	);
	const id = fields.get("id");
	return {
		event: fields.get("event") ?? (fields.has("retry") ? "retry" : ""),
		...(id === undefined ? {} : { id }),
		data: JSON.parse(fields.get("data") ?? "{}"),
	};
}
