/**
 * A frame plan of format 2: sizes of its parts in bytes, in this order, and the groups of its rules, bit
 * masks for `GatewayPort.commit`. Source: modules/can-gateway/README.md "Frame plan".
 */

/** The first byte. */
export const PLAN_FORMAT = 2;
export const HEADER_BYTES = 12;
export const COUNTER_BYTES = 4;
/** DataIDs by counter nibble. */
export const DATA_ID_BYTES = 16;
export const RULE_BYTES = 44;
/** A code of an invalid signal. */
export const MARK_BYTES = 8;
/** A value across bytes that follows the factor. */
export const FIELD_BYTES = 8;

/** Frames of brake systems, in `corrected`: left alone during an intervention. */
export const BRAKE_GROUP = 1;
export const ALL_GROUPS = 0xff;
export const WITHOUT_BRAKE_GROUP = ALL_GROUPS & ~(1 << BRAKE_GROUP);
