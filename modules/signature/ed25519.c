/*
 * Ed25519 (see signature_check.h): libsodium's own files, compiled in place, out of the npm package that
 * carries them.
 */
#include "signature_check.h"

#define CONFIGURED 1 /* they were not: nothing of what is taken here depends on it */

/*
 * The three functions that these files want of libsodium's utils.c, which wants an operating system. Nothing
 * secret passes here.
 */
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

#include "crypto_hash/sha512/cp/hash_sha512_cp.c"
#include "crypto_verify/sodium/verify.c"
#include "crypto_core/ed25519/ref10/ed25519_ref10.c"
#include "crypto_sign/ed25519/ref10/sign.c"
#include "crypto_sign/ed25519/ref10/open.c"

bool ed25519_is_signed(const uint8_t signature[ED25519_SIGNATURE_BYTES], const uint8_t *message, size_t size,
	const uint8_t key[ED25519_KEY_BYTES])
{
	return crypto_sign_ed25519_verify_detached(signature, message, size, key) == 0;
}
