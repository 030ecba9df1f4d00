/* What the bindings of the running gateway and of a private core share. */
#ifndef OPENCOUPLING_CAN_GATEWAY_XS_H
#define OPENCOUPLING_CAN_GATEWAY_XS_H

#include <string.h>

#include "gateway_core.h"
#include "xs_arguments.h"

#define CAN_GATEWAY_FRAME_BYTES 13

/* Rows of the table of natives on the host. */
#define FUNCTION(function, parameters) { .name = #function, .callback = function, .length = parameters }
#define DESTRUCTOR(function) { .name = #function, .destructor = function }

/* Argument 0 is a plan. Throws what is wrong with it. */
void can_gateway_load_plan(xsMachine *the, struct gateway *gateway);

static inline void put_u32(uint8_t *into, uint32_t value)
{
	for (int i = 0; i < 4; ++i)
		into[i] = (uint8_t)(value >> 8 * i);
}

/* Identifier, DLC, data: CAN_GATEWAY_FRAME_BYTES. */
static inline void put_frame(uint8_t *into, const struct gateway_frame *frame)
{
	put_u32(into, frame->id);
	into[4] = frame->dlc;
	memcpy(into + 5, frame->data, 8);
}

#endif
