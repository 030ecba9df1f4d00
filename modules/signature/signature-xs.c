/* Binding of a signature's check for XS; the same file on every platform. */
#if ESP32
	#include "xsmc.h"
	#include "mc.xs.h"
	#include "xsHost.h"
#else
	#include "host.h"
#endif

#include "signature_check.h"

void xs_signature_destructor(void *data)
{
	if (data)
		signature_check_end(data);
}

/* (key, signature, message) */
void xs_signature_construct(xsMachine *the)
{
	void *key, *signature, *message;
	xsUnsignedValue key_size, signature_size, size;
	xsmcGetBufferReadable(xsArg(0), &key, &key_size);
	xsmcGetBufferReadable(xsArg(1), &signature, &signature_size);
	xsmcGetBufferReadable(xsArg(2), &message, &size);
	if (key_size != ED25519_KEY_BYTES || signature_size != ED25519_SIGNATURE_BYTES)
		xsRangeError("signature: %d and %d bytes; allowed: 32 and 64", (int)key_size, (int)signature_size);
	struct signature_check *check = signature_check_begin(key, signature, message, size);
	if (!check)
		xsRangeError("no memory");
	xsmcSetHostData(xsThis, check);
}

/* (): -1 while it is not known, 0, 1 */
void xs_signature_result(xsMachine *the)
{
	struct signature_check *check = xsmcGetHostDataValidate(xsThis, (void *)xs_signature_destructor);
	if (!check)
		xsUnknownError("signature: closed");
	xsmcSetInteger(xsResult, signature_check_result(check));
}

void xs_signature_close(xsMachine *the)
{
	xs_signature_destructor(xsmcGetHostDataValidate(xsThis, (void *)xs_signature_destructor));
	xsmcSetHostData(xsThis, NULL);
}

#if !ESP32 /* there the linker finds the functions by name */
const struct host_native signature_natives[] = {
	{ .name = "xs_signature_destructor", .destructor = xs_signature_destructor },
	{ .name = "xs_signature_construct", .callback = xs_signature_construct, .length = 3 },
	{ .name = "xs_signature_result", .callback = xs_signature_result },
	{ .name = "xs_signature_close", .callback = xs_signature_close },
	{ .name = NULL },
};
#endif
