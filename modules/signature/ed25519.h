/* Ed25519 signatures (RFC 8032, 5.1): whether one is right. The work is libsodium's; see README.md. */
#ifndef OPENCOUPLING_ED25519_H
#define OPENCOUPLING_ED25519_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ED25519_KEY_BYTES 32
#define ED25519_SIGNATURE_BYTES 64

/*
 * Whether the owner of `key`, the public half, has signed these `size` bytes. False for any signature or key
 * that is not one, too. Takes 3.4 KB of stack and 2.4 million instructions of rv32. All of its input is
 * public: it need not take the same time for each.
 */
bool ed25519_is_signed(const uint8_t signature[ED25519_SIGNATURE_BYTES], const uint8_t *message, size_t size,
	const uint8_t key[ED25519_KEY_BYTES]);

#endif
