/*
 * SHA-256, incremental: begin, add as often as needed, end. No allocation, and nothing can fail. Source: FIPS
 * 180-4.
 */
#ifndef OPENCOUPLING_SHA256_H
#define OPENCOUPLING_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_BYTES 32
#define SHA256_BLOCK_BYTES 64

struct sha256 {
	uint32_t state[8]; /* the hash of all whole blocks so far */
	uint64_t length;   /* bytes so far */
	uint8_t block[SHA256_BLOCK_BYTES]; /* what has come of the next one: length modulo its size */
};

/* `sha` may hold anything before. */
void sha256_begin(struct sha256 *sha);
/* size 0 and more; the pieces may be cut anywhere. */
void sha256_add(struct sha256 *sha, const void *data, size_t size);
/* Writes the digest; `sha` has to begin anew then. */
void sha256_end(struct sha256 *sha, uint8_t digest[SHA256_BYTES]);

#endif
