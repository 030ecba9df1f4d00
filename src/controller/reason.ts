/**
 * Why the active mode is what it is, and what holds its lock at 0 %. Values: the words for them are at the
 * edge of the interface (`api/words.ts`) and in the page's texts. The interface shows these names, so they do
 * not change.
 */

/** Why the active mode is what it is. */
export enum Reason {
	ACTIVE = "active",
	SELECTED_BY_CONDITION = "selectedByCondition",
	SELECTED_BY_BUTTON = "selectedByButton",
	LIMITED_BY_CONDITION = "limitedByCondition",
	OPENED_BY_CONDITION = "openedByCondition",
	STEERING = "steering",
	STEERING_LOST = "steeringLost",
	STOCK_SELECTED = "stockSelected",
	DISABLED = "disabled",
	NO_GENERATION = "noGeneration",
	BOOT_LOOP = "bootLoop",
	UPDATING = "updating",
	CAPTURE = "capture",
	VERBOSE_LOGGING = "verboseLogging",
	NO_FRAMES = "noFrames",
	CALIBRATING = "calibrating",
	CHASSIS_BUS_DOWN = "chassisBusDown",
	COUPLING_BUS_DOWN = "couplingBusDown",
	CHASSIS_SILENT = "chassisSilent",
	IGNITION_OFF = "ignitionOff",
	SPEEDS_CONTRADICT = "speedsContradict",
	NO_SPEED = "noSpeed",
	NO_PEDAL = "noPedal",
	NO_RPM = "noRpm",
	STARTING = "starting",
	SETTLING = "settling",
	INTERVENTION = "intervention",
	OVERHEATED = "overheated",
	COUPLING_FAULT = "couplingFault",
	EMERGENCY_MODE = "emergencyMode",
	FAULT = "fault",
	OPEN_NETWORK = "openNetwork",
	NO_INTERVENTIONS = "noInterventions",
	/** The detail is the map's path. */
	MAP_UNREADABLE = "mapUnreadable",
	CHASSIS_BUS_SETTLING = "chassisBusSettling",
	COUPLING_BUS_SETTLING = "couplingBusSettling",
	NO_FEEDBACK = "noFeedback",
	NO_CONDITION = "noCondition",
	CONDITION_AWAITED = "conditionAwaited",
	STANDALONE_WAITS = "standaloneWaits",
	/** A frame came from the car, or on the coupling's bus; the detail is its identifier. */
	STANDALONE_HEARD_CAR = "standaloneHeardCar",
	STANDALONE_HEARD_COUPLING = "standaloneHeardCoupling",
}

/** What stands against something; undefined = nothing does. */
export type Doubt = Reason | undefined;

/** What holds the lock at 0 % while control is active. */
export enum HeldBy {
	/** Nothing does: lock is asked for, or control is not active. */
	NOTHING = "",
	/** Gates: the speed is below, or above, what the driver has set for the mode; the pedal is below it. */
	UNDER_SPEED = "underSpeed",
	OVER_SPEED = "overSpeed",
	PEDAL = "pedal",
	/** The mode asks for no lock at all; its map or curve asks for none here. */
	MODE = "mode",
	TABLE = "table",
	/** The ramp has only just begun. */
	RAMP = "ramp",
	STEERING = "steering",
	CONDITION = "condition",
	INTERVENTION = "intervention",
	HEAT = "heat",
	COUPLING_FAULT = "couplingFault",
}
