/* Binding of WPA2's key for XS; the same file on every platform. */
#if ESP32
	#include "xsmc.h"
	#include "mc.xs.h"
	#include "xsHost.h"
#else
	#include "host.h"
#endif

#include <stdlib.h>

#include "wpa_key_core.h"

void xs_wpa_key_destructor(void *data)
{
	if (data)
		wpa_key_wipe(data);
	free(data);
}

static struct wpa_key *get_wpa_key(xsMachine *the)
{
	struct wpa_key *state = xsmcGetHostDataValidate(xsThis, (void *)xs_wpa_key_destructor);
	if (!state)
		xsUnknownError("WPA key: closed");
	return state;
}

/* (passphrase, ssid) */
void xs_wpa_key_construct(xsMachine *the)
{
	void *passphrase, *ssid;
	xsUnsignedValue passphrase_size, ssid_size;
	xsmcGetBufferReadable(xsArg(0), &passphrase, &passphrase_size);
	xsmcGetBufferReadable(xsArg(1), &ssid, &ssid_size);
	if (passphrase_size > WPA_PASSPHRASE_BYTES_MAX || ssid_size > WPA_SSID_BYTES_MAX)
		xsRangeError("WPA key: %u and %u bytes; allowed: 63 and 32", (unsigned)passphrase_size, (unsigned)ssid_size);
	struct wpa_key *state = malloc(sizeof *state);
	if (!state)
		xsRangeError("no memory");
	wpa_key_begin(state, passphrase, passphrase_size, ssid, ssid_size);
	xsmcSetHostData(xsThis, state);
}

/* (rounds) */
void xs_wpa_key_add(xsMachine *the)
{
	xsmcSetBoolean(xsResult, wpa_key_add(get_wpa_key(the), (uint32_t)xsmcToInteger(xsArg(0))));
}

void xs_wpa_key_close(xsMachine *the)
{
	struct wpa_key *state = get_wpa_key(the);
	uint8_t key[WPA_KEY_BYTES];
	wpa_key_end(state, key);
	xs_wpa_key_destructor(state);
	xsmcSetHostData(xsThis, NULL);
	xsmcSetArrayBuffer(xsResult, key, sizeof key);
}

#if !ESP32 /* there the linker finds the functions by name */
const struct host_native wpa_key_natives[] = {
	{ .name = "xs_wpa_key_destructor", .destructor = xs_wpa_key_destructor },
	{ .name = "xs_wpa_key_construct", .callback = xs_wpa_key_construct, .length = 2 },
	{ .name = "xs_wpa_key_add", .callback = xs_wpa_key_add, .length = 1 },
	{ .name = "xs_wpa_key_close", .callback = xs_wpa_key_close },
};
const size_t wpa_key_natives_count = HOST_COUNT(wpa_key_natives);
#endif
