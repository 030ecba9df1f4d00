/** Sizes of what a frame plan of format 2 is made of, in bytes and in this order. Source: modules/can-gateway/README.md "Frame plan". */

/** The number of the format, the first byte. */
export const PLAN_FORMAT = 2;
export const HEADER_BYTES = 12;
export const COUNTER_BYTES = 4;
/** A table of DataIDs, one for each value of a counter's nibble. */
export const DATA_ID_BYTES = 16;
export const RULE_BYTES = 44;
/** How the car marks a signal as invalid. */
export const MARK_BYTES = 8;
