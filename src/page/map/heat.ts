/** The colours of lock. */

/** Name of a lock percentage's colour among the CSS variables: eleven steps. @param lockPercent 0..100 */
export function heat(lockPercent: number): string {
	return `heat-${Math.min(10, Math.round(lockPercent / 10))}`;
}
