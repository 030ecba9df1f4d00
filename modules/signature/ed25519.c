/* Ed25519 (see ed25519.h): libsodium's own files, compiled in place, out of the npm package that carries them. */
#include "ed25519.h"

#include "sha512_core.h"

/* Our SHA-512, in place of libsodium's and its header: that one has all its rounds written out, 8 KB more. */
#define crypto_hash_sha512_H
#define crypto_hash_sha512_BYTES SHA512_BYTES
typedef struct sha512 crypto_hash_sha512_state;

static int crypto_hash_sha512_init(crypto_hash_sha512_state *state)
{
	sha512_begin(state);
	return 0;
}

static int crypto_hash_sha512_update(crypto_hash_sha512_state *state, const unsigned char *in, unsigned long long size)
{
	sha512_add(state, in, (size_t)size);
	return 0;
}

static int crypto_hash_sha512_final(crypto_hash_sha512_state *state, unsigned char *out)
{
	sha512_end(state, out);
	return 0;
}

static int crypto_hash_sha512(unsigned char *out, const unsigned char *in, unsigned long long size)
{
	crypto_hash_sha512_state state;
	crypto_hash_sha512_init(&state);
	crypto_hash_sha512_update(&state, in, size);
	return crypto_hash_sha512_final(&state, out);
}

#define CONFIGURED 1 /* they were not: nothing of what is taken here depends on it */

/* The three functions that these files want of libsodium's utils.c, which wants an operating system. Nothing secret passes here. */
#include "sodium/utils.h"

void sodium_memzero(void *const bytes, const size_t size)
{
	for (volatile uint8_t *byte = bytes, *end = byte + size; byte < end; byte++)
		*byte = 0;
}

int sodium_memcmp(const void *const a, const void *const b, size_t size)
{
	uint8_t difference = 0;
	for (size_t i = 0; i < size; i++)
		difference |= ((const uint8_t *)a)[i] ^ ((const uint8_t *)b)[i];
	return difference ? -1 : 0;
}

int sodium_is_zero(const unsigned char *bytes, const size_t size)
{
	uint8_t any = 0;
	for (size_t i = 0; i < size; i++)
		any |= bytes[i];
	return !any;
}

#include "crypto_verify/sodium/verify.c"
#include "crypto_core/ed25519/ref10/ed25519_ref10.c"
#include "crypto_sign/ed25519/ref10/sign.c"
#include "crypto_sign/ed25519/ref10/open.c"

bool ed25519_is_signed(const uint8_t signature[ED25519_SIGNATURE_BYTES], const uint8_t *message, size_t size,
	const uint8_t key[ED25519_KEY_BYTES])
{
	return crypto_sign_ed25519_verify_detached(signature, message, size, key) == 0;
}
