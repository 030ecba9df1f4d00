/* Binding of SHA-256 for XS; the same file on every platform. */
#if ESP32
	#include "xsmc.h"
	#include "mc.xs.h"
	#include "xsHost.h"
#else
	#include "host.h"
#endif

#include <stdlib.h>

#include "sha256_core.h"

void xs_sha256_destructor(void *data)
{
	free(data);
}

static struct sha256 *get_sha256(xsMachine *the)
{
	struct sha256 *sha = xsmcGetHostDataValidate(xsThis, (void *)xs_sha256_destructor);
	if (!sha)
		xsUnknownError("SHA-256: closed");
	return sha;
}

void xs_sha256_construct(xsMachine *the)
{
	struct sha256 *sha = malloc(sizeof *sha);
	if (!sha)
		xsRangeError("no memory");
	sha256_begin(sha);
	xsmcSetHostData(xsThis, sha);
}

/* (buffer) */
void xs_sha256_write(xsMachine *the)
{
	struct sha256 *sha = get_sha256(the);
	void *data;
	xsUnsignedValue size;
	xsmcGetBufferReadable(xsArg(0), &data, &size);
	sha256_add(sha, data, size);
}

void xs_sha256_close(xsMachine *the)
{
	uint8_t digest[SHA256_BYTES];
	struct sha256 *sha = get_sha256(the);
	sha256_end(sha, digest);
	free(sha);
	xsmcSetHostData(xsThis, NULL);
	xsmcSetArrayBuffer(xsResult, digest, SHA256_BYTES);
}

#if !ESP32 /* there the linker finds the functions by name */
const struct host_native sha256_natives[] = {
	{ .name = "xs_sha256_destructor", .destructor = xs_sha256_destructor },
	{ .name = "xs_sha256_construct", .callback = xs_sha256_construct },
	{ .name = "xs_sha256_write", .callback = xs_sha256_write, .length = 1 },
	{ .name = "xs_sha256_close", .callback = xs_sha256_close },
};
const size_t sha256_natives_count = HOST_COUNT(sha256_natives);
#endif
