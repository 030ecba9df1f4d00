/*
 * Ed25519 signatures (RFC 8032, 5.1), whose work is libsodium's: see README.md. A check runs in a thread of its
 * own: neither the control loop nor forwarding waits for it.
 */
#ifndef OPENCOUPLING_SIGNATURE_CHECK_H
#define OPENCOUPLING_SIGNATURE_CHECK_H

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

/* One that is under way, or has ended. */
struct signature_check;

enum signature_result { SIGNATURE_UNKNOWN = -1, SIGNATURE_WRONG = 0, SIGNATURE_RIGHT = 1 };

/* Begins, on copies of what it gets. size: bytes of the message. NULL: no memory, or no thread for it. */
struct signature_check *signature_check_begin(const uint8_t key[ED25519_KEY_BYTES], const uint8_t signature[ED25519_SIGNATURE_BYTES],
	const uint8_t *message, size_t size);
/* SIGNATURE_UNKNOWN while it is looked at. */
enum signature_result signature_check_result(const struct signature_check *check);
/* Frees it; if it is still looked at its thread does so. The pointer must not be used afterwards. */
void signature_check_end(struct signature_check *check);

#endif
