/**
 * Why the active mode is what it is, and what holds its lock at 0 %. The interface shows these names; their
 * words are in `api/words.ts` and the page's texts.
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

/** Why something is not allowed; undefined = it is. */
export type Doubt = Reason | undefined;

/** Why lock is 0 % while control is active. */
export enum HeldBy {
	/** Lock is asked for, or control is not active. */
	NOTHING = "",
	/** The driver's gates of speed and pedal. */
	UNDER_SPEED = "underSpeed",
	OVER_SPEED = "overSpeed",
	PEDAL = "pedal",
	/** The mode never asks for lock; its map or curve does not here. */
	MODE = "mode",
	TABLE = "table",
	RAMP = "ramp",
	STEERING = "steering",
	CONDITION = "condition",
	INTERVENTION = "intervention",
	HEAT = "heat",
	COUPLING_FAULT = "couplingFault",
}
