/**
 * Names of the gateway's counters in the order in which `CanGateway.counters` fills them in:
 * `gateway_counters.h`.
 */
import { readFileSync } from "node:fs";

const LIST = readFileSync("modules/can-gateway/gateway_counters.h", "utf8");
export const GATEWAY_COUNTERS: readonly string[] = [...LIST.matchAll(/^\tX\(\w+, (\w+)\)/gm)].map(([, name]) => name);
