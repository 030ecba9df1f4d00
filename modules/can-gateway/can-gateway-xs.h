/*
 * What the bindings of the running gateway (can-gateway-xs.c) and of a private core (can-gateway-core-xs.c)
 * share.
 */
#ifndef OPENCOUPLING_CAN_GATEWAY_XS_H
#define OPENCOUPLING_CAN_GATEWAY_XS_H

#include <string.h>

#if ESP32
	#include "xsmc.h"
	#include "mc.xs.h"
	#include "xsHost.h"
#else
	#include "host.h"
#endif

#include "gateway_core.h"

/*
 * A frame handed to JavaScript has this size: identifier (4, little-endian), DLC, data (8; what is beyond the
 * DLC means nothing).
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

/* ---- arguments of functions that JavaScript calls ---- */

/*
 * `name` is what an error calls the argument, `index` its place, from 0. What is wrong throws, and C functions are
 * left by a jump then: take no lock and no memory before.
 */

/*
 * A whole number least..most; the limits are whole numbers within +-2^53, too. Minus 0 counts as 0, and NaN
 * is out of every range. Throws TypeError for what is no number, RangeError for any other number, naming
 * value and range.
 */
static inline double integer_argument(xsMachine *the, int index, const char *name, double least, double most)
{
	xsType type = xsmcTypeOf(xsArg(index));
	if (type != xsIntegerType && type != xsNumberType)
		xsTypeError("%s is not a number", name);
	double value = xsmcToNumber(xsArg(index));
	if (!(value >= least && value <= most) || value != (double)(int64_t)value)
		xsRangeError("%s is %.15g, must be an integer %.0f..%.0f", name, value, least, most);
	return value;
}

/* As `integer_argument`, for limits within 0..2^32 - 1. */
static inline unsigned unsigned_argument(xsMachine *the, int index, const char *name, double least, double most)
{
	return (unsigned)integer_argument(the, index, name, least, most);
}

/*
 * Bytes to read, *size of them, 0 included: those that a typed array or DataView shows, or all of an
 * ArrayBuffer. The pointer holds until the engine allocates next, or JavaScript runs. Throws TypeError for
 * what is no buffer.
 */
static inline const uint8_t *read_argument(xsMachine *the, int index, xsUnsignedValue *size)
{
	void *data;
	xsmcGetBufferReadable(xsArg(index), &data, size);
	return data;
}

/*
 * Bytes to write, `least` of them or more. As above, throws RangeError for fewer, and TypeError for a buffer
 * that may not be written.
 */
static inline uint8_t *write_argument(xsMachine *the, int index, const char *name, xsUnsignedValue least)
{
	void *data;
	xsUnsignedValue size;
	xsmcGetBufferWritable(xsArg(index), &data, &size);
	if (size < least)
		xsRangeError("%s has %u bytes, needs %u", name, (unsigned)size, (unsigned)least);
	return data;
}

#endif
