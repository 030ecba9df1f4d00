/** JSON of values that may lie in ROM: `JSON.stringify` of XS throws "read only value" for frozen objects and lists that are preloaded. */

/** The JSON text of a value. Each object and list in it is copied before the engine writes it, wherever it lies. */
export function plainJson(value: object): string {
	return JSON.stringify(value, copied);
}

function copied(_name: string, value: unknown): unknown {
	if (typeof value !== "object" || value === null) return value;
	return Array.isArray(value) ? [...value] : { ...value };
}
