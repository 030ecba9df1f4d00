/** What the control loop has counted and measured since the start. */

/** In microseconds unless said. */
export class LoopFigures {
	ticks = 0;
	/** Time between the last two ticks; 0 if the clock stepped back, and before the second tick. */
	periodUs = 0;
	periodMaxUs = 0;
	/** Largest difference from 10 ms, either way. */
	jitterMaxUs = 0;
	/** Missed ticks. */
	overruns = 0;
	/** Longest period above 10 ms. */
	lateMaxUs = 0;
}
