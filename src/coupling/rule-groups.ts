/** Groups of rules in a frame plan: bit masks for `GatewayPort.commit`. */

/** Frames that brake systems send, in profile `corrected`: left alone during an intervention. */
export const BRAKE_GROUP = 1;
/** All rules are applied. */
export const ALL_GROUPS = 0xff;
/** All but those of brake systems. */
export const WITHOUT_BRAKE_GROUP = ALL_GROUPS & ~(1 << BRAKE_GROUP);
