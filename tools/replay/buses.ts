/** Which of the names in a recording is the chassis bus, and which the coupling's. */

/** What a recording calls the two buses; absent: the first two names in order. */
export interface BusNames {
	readonly chassis?: string | undefined;
	readonly coupling?: string | undefined;
}

/** Frames of each name. */
export type BusCounts = ReadonlyMap<string, number>;

/** "can2" before "can10". */
const inOrder = (a: string, b: string): number => a.localeCompare(b, "en", { numeric: true });

/**
 * @param seen names of the recording so far @param asked on the command line
 * @returns the names that are taken: one of a single bus is the chassis. A name that was asked for stays even
 * if it is not there.
 */
export function busesOf(seen: Iterable<string>, asked: BusNames): BusNames {
	const names = [...seen].sort(inOrder).filter((name) => name !== asked.chassis && name !== asked.coupling);
	const chassis = asked.chassis ?? names.shift();
	return { chassis, coupling: asked.coupling ?? names.shift() };
}

/** @throws {Error} a name that was asked for is not in the recording */
export function checkBuses(seen: BusCounts, asked: BusNames): void {
	for (const option of ["chassis", "coupling"] as const) {
		const name = asked[option];
		if (name !== undefined && !seen.has(name))
			throw new Error(`--${option} ${name}: the recording has ${[...seen.keys()].sort(inOrder).join(", ")}`);
	}
	if (asked.chassis !== undefined && asked.chassis === asked.coupling)
		throw new Error(`--chassis and --coupling are both ${asked.chassis}: two names are allowed`);
}

/** What was taken for what, with the frames of each. */
export function saidOfBuses(seen: BusCounts, { chassis, coupling }: BusNames): string {
	const bus = (name: string | undefined): string => (name === undefined ? "none" : `${name} (${seen.get(name) ?? 0} frames)`);
	const others = [...seen.keys()].filter((name) => name !== chassis && name !== coupling).sort(inOrder);
	const left = others.length === 0 ? "" : `, left out ${others.map(bus).join(", ")}`;
	return `chassis bus: ${bus(chassis)}, coupling bus: ${bus(coupling)}${left}; --chassis NAME --coupling NAME says otherwise`;
}
