/*
 * PBKDF2 with HMAC-SHA-256, one block of output, some rounds at a time. Sources: RFC 8018 5.2, RFC 2104.
 */
#ifndef OPENCOUPLING_PBKDF2_H
#define OPENCOUPLING_PBKDF2_H

#include "sha256_core.h"

struct pbkdf2 {
	struct sha256 inner, outer;   /* the HMAC behind its first blocks, which the password makes: each round begins there */
	uint8_t last[SHA256_BYTES];   /* U of the last round */
	uint8_t sum[SHA256_BYTES];    /* all of them, exclusive-ored */
};

/*
 * Begins, and does the first round: `sum` is the result whenever no more rounds are wanted. Any sizes, 0
 * included; nothing can fail.
 */
void pbkdf2_begin(struct pbkdf2 *state, const void *password, size_t password_size, const void *salt, size_t salt_size);
/* This many further rounds, 0 and more: 2 blocks of SHA-256 each. */
void pbkdf2_add(struct pbkdf2 *state, uint32_t rounds);
/* Forgets everything, in a way that no compiler leaves out. */
void pbkdf2_wipe(struct pbkdf2 *state);

#endif
