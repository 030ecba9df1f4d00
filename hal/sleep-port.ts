/**
 * Sleep of the whole controller, from which it wakes as from a reset. Types only.
 */

/**
 * What ended the last sleep; "power_on_or_reset": this start follows none. Names:
 * docs/api.md, "State and modes".
 */
export type WakeCause = "can_rx" | "gpio" | "timer" | "power_on_or_reset" | "other";

/** The chip's sleep. What it tells stays the same until the next one. */
export interface SleepPort {
	/** Of this start. */
	readonly wakeCause: WakeCause;
	/** How often it has slept since the supply was switched on. */
	readonly entries: number;
	/**
	 * CAN controllers and chip sleep now, until the chassis bus is not idle any more or the time is over;
	 * then all starts anew, forwarding first. What is not on flash is lost. Does not return on a platform.
	 * @param wakeAfterMs 1000..86400000
	 */
	enter(wakeAfterMs: number): void;
}
