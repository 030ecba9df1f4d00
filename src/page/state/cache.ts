/** Browser storage, used as a cache only: everything works without it. */

const PREFIX = "opencoupling:";

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
