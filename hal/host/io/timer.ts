/** Moddable's Timer on the host; the contract is in hal/typings/ecma-419.d.ts, the work in timer.c. */
export default class Timer extends Native("host_timer_destructor") {
	private constructor() {
		super();
	}

	static set(callback: (timer: Timer) => void, interval = 0, repeat?: number): Timer {
		return native<Timer>("host_timer_set").call(new Timer(), callback, interval, repeat);
	}

	static repeat(callback: (timer: Timer) => void, interval: number): Timer {
		return native<Timer>("host_timer_set").call(new Timer(), callback, interval, interval);
	}

	static schedule(timer: Timer, interval?: number, repeat?: number): void {
		native("host_timer_schedule").call(timer, interval, repeat);
	}

	static clear(timer: Timer | undefined): void {
		if (timer) native("host_timer_clear").call(timer);
	}
}
