/** The colours of lock. */

/** Name of a lock percentage's colour among the CSS variables: eleven steps. @param lock 0..100 */
export function heat(lock: number): string {
	return `heat-${Math.min(10, Math.round(lock / 10))}`;
}
