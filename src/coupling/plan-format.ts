/**
 * A frame plan of format 2: the sizes of its parts, in bytes and in this order, and the groups of its rules,
 * which are bit masks for `GatewayPort.commit`. Source: modules/can-gateway/README.md "Frame plan".
 */

/** The number of the format, the first byte. */
export const PLAN_FORMAT = 2;
export const HEADER_BYTES = 12;
export const COUNTER_BYTES = 4;
/** A table of DataIDs, one for each value of a counter's nibble. */
export const DATA_ID_BYTES = 16;
export const RULE_BYTES = 44;
/** How the car marks a signal as invalid. */
export const MARK_BYTES = 8;
/** A value across bytes that follows the factor. */
export const FIELD_BYTES = 8;

/** Frames that brake systems send, in profile `corrected`: left alone during an intervention. */
export const BRAKE_GROUP = 1;
/** All rules are applied. */
export const ALL_GROUPS = 0xff;
/** All but those of brake systems. */
export const WITHOUT_BRAKE_GROUP = ALL_GROUPS & ~(1 << BRAKE_GROUP);
