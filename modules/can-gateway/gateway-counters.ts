/** Members: a name that is only a text would become one of the engine's when somebody first asks for the counters. */
const NAMES = {
	receivedChassis: 0,
	receivedCoupling: 0,
	forwardedToChassis: 0,
	forwardedToCoupling: 0,
	rewritten: 0,
	refused: 0,
	unverified: 0,
	malformed: 0,
	droppedQueueFull: 0,
	droppedTooOld: 0,
	droppedNotRunning: 0,
	late: 0,
	plansLoaded: 0,
	plansRefused: 0,
	commits: 0,
	leaseExpiries: 0,
	cyclicSent: 0,
	cyclicDropped: 0,
	idTableFull: 0,
	ringOverwritten: 0,
	busOffChassis: 0,
	busOffCoupling: 0,
	recoveriesChassis: 0,
	recoveriesCoupling: 0,
	keptBack: 0,
};

/**
 * Names of the gateway's counters in the order in which `CanGateway.counters` fills them in. The list with its explanations is
 * `gateway_counters.h`; a test compares the two.
 */
export const GATEWAY_COUNTERS: readonly string[] = Object.freeze(Object.keys(NAMES));
