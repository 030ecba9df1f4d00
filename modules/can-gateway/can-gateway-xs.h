/* What the bindings of the running gateway (can-gateway-xs.c) and of a private core (can-gateway-core-xs.c) share. */
#ifndef OPENCOUPLING_CAN_GATEWAY_XS_H
#define OPENCOUPLING_CAN_GATEWAY_XS_H

#include <string.h>

#include "gateway_core.h"
#include "xs_arguments.h"

#define CAN_GATEWAY_FRAME_BYTES 13 /* of a frame handed to JavaScript: identifier (4), DLC, data (8) */

/* Rows of the table of natives on the host. */
#define FUNCTION(function, parameters) { .name = #function, .callback = function, .length = parameters }
#define DESTRUCTOR(function) { .name = #function, .destructor = function }

/* Argument 0 is a plan, to be staged. Throws RangeError that names rule and reason: the one that was staged before stays. */
void can_gateway_load_plan(xsMachine *the, struct gateway *gateway);

/* Four bytes, little endian. */
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
