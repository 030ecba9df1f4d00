/* Native of base64.ts. */
#include <string.h>

#include "../host.h"

/* (text): base64 without line ends, of the bundle. Returns an ArrayBuffer. */
static void base64_decode(xsMachine *the)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint8_t values[256] = { 0 };
	for (unsigned i = 0; i < 64; i++)
		values[(uint8_t)digits[i]] = (uint8_t)i;
	const char *text = xsmcToString(xsArg(0));
	size_t length = strlen(text);
	size_t padding = length == 0 ? 0 : (size_t)(text[length - 1] == '=') + (size_t)(text[length - 2] == '=');
	size_t size = length / 4 * 3 - padding;
	xsmcSetArrayBuffer(xsResult, NULL, (xsIntegerValue)size);
	const uint8_t *from = (const uint8_t *)xsmcToString(xsArg(0)); /* making the buffer may have moved it */
	uint8_t *bytes = xsmcToArrayBuffer(xsResult);
	uint32_t bits = 0;
	for (size_t i = 0, at = 0; at < size; i++) {
		bits = bits << 6 | values[from[i]];
		if (i % 4 > 0)
			bytes[at++] = (uint8_t)(bits >> (6 - i % 4 * 2));
	}
}

const struct host_native host_base64_natives[] = {
	{ .name = "host_base64_decode", .callback = base64_decode, .length = 1 },
};
const size_t host_base64_natives_count = HOST_COUNT(host_base64_natives);
