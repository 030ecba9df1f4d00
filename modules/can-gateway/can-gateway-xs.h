/*
 * What the bindings of the running gateway (can-gateway-xs.c) and of a private core (can-gateway-core-xs.c)
 * share.
 */
#ifndef OPENCOUPLING_CAN_GATEWAY_XS_H
#define OPENCOUPLING_CAN_GATEWAY_XS_H

#include <string.h>

#include "gateway_core.h"
#include "xs_arguments.h"

/*
 * Of a frame handed to JavaScript: identifier (4, little-endian), DLC, data (8; what is beyond the DLC means
 * nothing).
 */
#define CAN_GATEWAY_FRAME_BYTES 13

/*
 * Rows of the table of natives on the host, where JavaScript finds a C function by its own name. A board's
 * linker finds it by itself.
 */
#define FUNCTION(function, parameters) { .name = #function, .callback = function, .length = parameters }
#define DESTRUCTOR(function) { .name = #function, .destructor = function }

/*
 * Argument 0 is a plan, to be staged; works without the gateway's lock, which must not be held. Throws
 * TypeError for what is no buffer, and RangeError that names rule and reason: what was staged before stays.
 */
void can_gateway_load_plan(xsMachine *the, struct gateway *gateway);

/* Writes four bytes, little-endian; `into` need not be aligned. */
static inline void put_u32(uint8_t *into, uint32_t value)
{
	for (int i = 0; i < 4; ++i)
		into[i] = (uint8_t)(value >> 8 * i);
}

/* Fills CAN_GATEWAY_FRAME_BYTES. Bits 31 and 30 of the identifier: extended, remote. */
static inline void put_frame(uint8_t *into, const struct gateway_frame *frame)
{
	put_u32(into, frame->id);
	into[4] = frame->dlc;
	memcpy(into + 5, frame->data, 8);
}

#endif
