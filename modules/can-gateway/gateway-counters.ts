/** Counters of the gateway by name; `gateway_counters.h` says what they count. */

/** Where `CanGateway.counters` puts each. */
export const GATEWAY_COUNTER = Object.freeze({
	receivedChassis: 0,
	receivedCoupling: 1,
	forwardedToChassis: 2,
	forwardedToCoupling: 3,
	rewritten: 4,
	refused: 5,
	unverified: 6,
	invalid: 7,
	malformed: 8,
	droppedQueueFull: 9,
	droppedTooOld: 10,
	droppedNotRunning: 11,
	late: 12,
	plansLoaded: 13,
	plansRefused: 14,
	commits: 15,
	leaseExpiries: 16,
	cyclicSent: 17,
	cyclicDropped: 18,
	idTableFull: 19,
	ringOverwritten: 20,
	busOffChassis: 21,
	busOffCoupling: 22,
	recoveriesChassis: 23,
	recoveriesCoupling: 24,
	keptBack: 25,
	withheld: 26,
});

/** How many there are. */
export const COUNTER_COUNT = 27;
