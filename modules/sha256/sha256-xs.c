/* Binding of the hashes, and of the platform's random numbers, for XS; the same file on every platform. */
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

#include "sha256_core.h"

#define RANDOM_BYTES_MAX 256 /* what getentropy gives at once */

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
const struct host_native sha256_natives[] = {
	{ .name = "xs_sha256_destructor", .destructor = xs_sha256_destructor },
	{ .name = "xs_sha256_construct", .callback = xs_sha256_construct },
	{ .name = "xs_sha256_write", .callback = xs_sha256_write, .length = 1 },
	{ .name = "xs_sha256_close", .callback = xs_sha256_close },
	{ .name = "xs_pbkdf2_destructor", .destructor = xs_pbkdf2_destructor },
	{ .name = "xs_pbkdf2_construct", .callback = xs_pbkdf2_construct, .length = 2 },
	{ .name = "xs_pbkdf2_add", .callback = xs_pbkdf2_add, .length = 1 },
	{ .name = "xs_pbkdf2_close", .callback = xs_pbkdf2_close },
	{ .name = "xs_random_bytes", .callback = xs_random_bytes, .length = 1 },
	{ .name = "xs_wpa_key_destructor", .destructor = xs_wpa_key_destructor },
	{ .name = "xs_wpa_key_construct", .callback = xs_wpa_key_construct, .length = 2 },
	{ .name = "xs_wpa_key_add", .callback = xs_wpa_key_add, .length = 1 },
	{ .name = "xs_wpa_key_close", .callback = xs_wpa_key_close },
	{ .name = NULL },
};
#endif
