/*
 * Arguments of functions that JavaScript calls, and the engine's interface on each platform. `name` is what
 * an error calls the argument, `index` its place, from 0. What is wrong throws, and C functions are left by a
 * jump then: take no lock and no memory before.
 */
#ifndef XS_ARGUMENTS_H
#define XS_ARGUMENTS_H

#if ESP32
	#include "xsmc.h"
	#include "mc.xs.h"
	#include "xsHost.h"
#else
	#include "host.h"
#endif

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

/* The same, for limits within 0..2^32 - 1. */
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
