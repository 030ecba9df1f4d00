/** How many counters the gateway has: `gateway_counters.h` lists them. */
export const COUNTER_COUNT = 26;
