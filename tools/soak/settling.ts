/** How long the soak's driver lets the car settle. */

/** After the answer a change is in force; ticks and frames that are under way have left. */
export const IN_FORCE_MS = 60;

/** A condition that acted holds on for so long, and so long until control is back where others are looked at. */
export const RESTS_MS = 1500;
