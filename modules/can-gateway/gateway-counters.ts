/** Where `CanGateway.counters` puts each of the gateway's counters. `gateway_counters.h` says what they count. */
export const GATEWAY_COUNTER = Object.freeze({
	receivedChassis: 0,
	receivedCoupling: 1,
	forwardedToChassis: 2,
	forwardedToCoupling: 3,
	rewritten: 4,
	refused: 5,
	unverified: 6,
	malformed: 7,
	droppedQueueFull: 8,
	droppedTooOld: 9,
	droppedNotRunning: 10,
	late: 11,
	plansLoaded: 12,
	plansRefused: 13,
	commits: 14,
	leaseExpiries: 15,
	cyclicSent: 16,
	cyclicDropped: 17,
	idTableFull: 18,
	ringOverwritten: 19,
	busOffChassis: 20,
	busOffCoupling: 21,
	recoveriesChassis: 22,
	recoveriesCoupling: 23,
	keptBack: 24,
	withheld: 25,
});

/** How many there are. */
export const COUNTER_COUNT = 26;
