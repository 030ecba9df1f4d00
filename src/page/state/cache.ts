/** Browser storage, used as a cache only: everything works without it. */

const PREFIX = "opencoupling:";

/** @returns as it was kept, maybe by another version (`hasShapeOf`); undefined = nothing was. Never throws. */
export function recall<T>(name: string): T | undefined {
	try {
		const text = localStorage.getItem(PREFIX + name);
		return text === null ? undefined : (JSON.parse(text) as T);
	} catch {
		return undefined;
	}
}

/** @param value undefined forgets */
export function remember(name: string, value: unknown): void {
	try {
		if (value === undefined) localStorage.removeItem(PREFIX + name);
		else localStorage.setItem(PREFIX + name, JSON.stringify(value));
	} catch {
		// full or forbidden
	}
}

function kindOf(value: unknown): string {
	return Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
}

/** Whether what another version may have kept can stand for `base`. Of a list its first item speaks for all. */
export function hasShapeOf(value: unknown, base: unknown): boolean {
	if (kindOf(value) !== kindOf(base)) return false;
	if (Array.isArray(base)) return base.length === 0 || (value as unknown[]).every((item) => hasShapeOf(item, base[0]));
	if (kindOf(base) !== "object") return true;
	// a member too many does no harm: the controller ignores it
	return Object.entries(base as object).every(([name, member]) => hasShapeOf((value as Record<string, unknown>)[name], member));
}
