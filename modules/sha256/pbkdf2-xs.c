/* Binding of PBKDF2 and of the platform's random numbers for XS; the same file on every platform. */
#if ESP32
	#include "xsmc.h"
	#include "mc.xs.h"
	#include "xsHost.h"
	#include "esp_random.h"
#else
	#include "host.h"
	#include <unistd.h>
	#if __APPLE__
		#include <sys/random.h>
	#endif
#endif

#include <stdlib.h>

#include "pbkdf2_core.h"

#define RANDOM_BYTES_MAX 256 /* what getentropy gives at once */

void xs_pbkdf2_destructor(void *data)
{
	if (data)
		pbkdf2_wipe(data);
	free(data);
}

static struct pbkdf2 *get_pbkdf2(xsMachine *the)
{
	struct pbkdf2 *state = xsmcGetHostDataValidate(xsThis, (void *)xs_pbkdf2_destructor);
	if (!state)
		xsUnknownError("PBKDF2: closed");
	return state;
}

/* (password, salt) */
void xs_pbkdf2_construct(xsMachine *the)
{
	void *password, *salt;
	xsUnsignedValue password_size, salt_size;
	struct pbkdf2 *state = malloc(sizeof *state);
	if (!state)
		xsRangeError("no memory");
	xsmcSetHostData(xsThis, state);
	xsmcGetBufferReadable(xsArg(0), &password, &password_size);
	xsmcGetBufferReadable(xsArg(1), &salt, &salt_size);
	pbkdf2_begin(state, password, password_size, salt, salt_size);
}

/* (rounds) */
void xs_pbkdf2_add(xsMachine *the)
{
	pbkdf2_add(get_pbkdf2(the), (uint32_t)xsmcToInteger(xsArg(0)));
}

void xs_pbkdf2_close(xsMachine *the)
{
	struct pbkdf2 *state = get_pbkdf2(the);
	xsmcSetArrayBuffer(xsResult, state->sum, SHA256_BYTES);
	xs_pbkdf2_destructor(state);
	xsmcSetHostData(xsThis, NULL);
}

/* (count): an ArrayBuffer */
void xs_random_bytes(xsMachine *the)
{
	uint8_t bytes[RANDOM_BYTES_MAX];
	xsIntegerValue count = xsmcToInteger(xsArg(0));
	if (count < 0 || count > RANDOM_BYTES_MAX)
		xsRangeError("random bytes: %d; allowed: 0..%d", (int)count, RANDOM_BYTES_MAX);
#if ESP32
	esp_fill_random(bytes, (size_t)count);
#else
	if (getentropy(bytes, (size_t)count))
		xsUnknownError("no random numbers");
#endif
	xsmcSetArrayBuffer(xsResult, bytes, count);
}

#if !ESP32 /* there the linker finds the functions by name */
const struct host_native pbkdf2_natives[] = {
	{ .name = "xs_pbkdf2_destructor", .destructor = xs_pbkdf2_destructor },
	{ .name = "xs_pbkdf2_construct", .callback = xs_pbkdf2_construct, .length = 2 },
	{ .name = "xs_pbkdf2_add", .callback = xs_pbkdf2_add, .length = 1 },
	{ .name = "xs_pbkdf2_close", .callback = xs_pbkdf2_close },
	{ .name = "xs_random_bytes", .callback = xs_random_bytes, .length = 1 },
};
const size_t pbkdf2_natives_count = HOST_COUNT(pbkdf2_natives);
#endif
