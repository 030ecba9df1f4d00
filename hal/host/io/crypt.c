/* Natives of crypt.ts: Moddable's Digest, as far as SHA-256. */
#include <stdlib.h>
#include <string.h>

#include "../host.h"
#include "sha256.h"

static void digest_destructor(void *data)
{
	free(data);
}

static struct sha256 *get_digest(xsMachine *the)
{
	struct sha256 *sha = xsmcGetHostDataValidate(xsThis, (void *)digest_destructor);
	if (!sha)
		xsUnknownError("crypt: can't call digest write after close");
	return sha;
}

/* (type) */
static void digest_constructor(xsMachine *the)
{
	if (strcmp(xsmcToString(xsArg(0)), "SHA256"))
		xsRangeError("crypt: unsupported digest");
	struct sha256 *sha = malloc(sizeof *sha);
	if (!sha)
		xsRangeError("no memory");
	sha256_begin(sha);
	xsmcSetHostData(xsThis, sha);
}

/* (buffer) */
static void digest_write(xsMachine *the)
{
	struct sha256 *sha = get_digest(the);
	void *data;
	xsUnsignedValue size;
	xsmcGetBufferReadable(xsArg(0), &data, &size);
	sha256_add(sha, data, size);
}

static void digest_close(xsMachine *the)
{
	uint8_t digest[SHA256_BYTES];
	struct sha256 *sha = get_digest(the);
	sha256_end(sha, digest);
	free(sha);
	xsmcSetHostData(xsThis, NULL);
	xsmcSetArrayBuffer(xsResult, digest, SHA256_BYTES);
}

const struct host_native host_crypt_natives[] = {
	{ .name = "host_digest_destructor", .destructor = digest_destructor },
	{ .name = "host_digest_constructor", .callback = digest_constructor, .length = 1 },
	{ .name = "host_digest_write", .callback = digest_write, .length = 1 },
	{ .name = "host_digest_close", .callback = digest_close },
};
const size_t host_crypt_natives_count = HOST_COUNT(host_crypt_natives);
