/** Moddable's Timer on the host; the contract is in hal/typings/modules.d.ts, the work in timer.c. */
export default class Timer extends Native("host_timer_destructor") {
	private constructor() {
		super();
	}

	/**
	 * Calls back once after `interval` ms, 0 and more; with `repeat` again every `repeat` ms, until `clear`.
	 */
	static set(callback: (timer: Timer) => void, interval = 0, repeat?: number): Timer {
		return native<Timer>("host_timer_set").call(new Timer(), callback, interval, repeat);
	}

	/** Calls back every `interval` ms, the first time after one of them, until `clear`. */
	static repeat(callback: (timer: Timer) => void, interval: number): Timer {
		return native<Timer>("host_timer_set").call(new Timer(), callback, interval, interval);
	}

	/**
	 * Starts a timer anew, as `set` would with these times; without an interval it sleeps until the next
	 * `schedule`.
	 * @throws {Error} it was cleared
	 */
	static schedule(timer: Timer, interval?: number, repeat?: number): void {
		native("host_timer_schedule").call(timer, interval, repeat);
	}

	/** Ends a timer: it never calls back again. Undefined, and one that has ended, are ignored. */
	static clear(timer: Timer | undefined): void {
		if (timer) native("host_timer_clear").call(timer);
	}
}
