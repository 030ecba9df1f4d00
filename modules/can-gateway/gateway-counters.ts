/**
 * Names of the gateway's counters in the order in which `CanGateway.counters` fills them in. The list with its explanations is
 * `gateway_counters.h`; a test compares the two.
 */
export const GATEWAY_COUNTERS: readonly string[] = Object.freeze([
	"receivedChassis",
	"receivedCoupling",
	"forwardedToChassis",
	"forwardedToCoupling",
	"rewritten",
	"refused",
	"unverified",
	"malformed",
	"droppedQueueFull",
	"droppedTooOld",
	"droppedNotRunning",
	"late",
	"plansLoaded",
	"plansRefused",
	"commits",
	"leaseExpiries",
	"cyclicSent",
	"cyclicDropped",
	"idTableFull",
	"ringOverwritten",
	"busOffChassis",
	"busOffCoupling",
	"recoveriesChassis",
	"recoveriesCoupling",
	"keptBack",
	"withheld",
]);
