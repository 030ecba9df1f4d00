/* SHA-512, incremental: begin, add as often as needed, end. No allocation, and nothing can fail. Source: FIPS 180-4. */
#ifndef OPENCOUPLING_SHA512_H
#define OPENCOUPLING_SHA512_H

#include <stddef.h>
#include <stdint.h>

#define SHA512_BYTES 64
#define SHA512_BLOCK_BYTES 128

struct sha512 {
	uint64_t state[8]; /* the hash of all whole blocks so far */
	uint64_t length;   /* bytes so far */
	uint8_t block[SHA512_BLOCK_BYTES]; /* what has come of the next one: length modulo its size */
};

/* `sha` may hold anything before. */
void sha512_begin(struct sha512 *sha);
/* size 0 and more; the pieces may be cut anywhere. */
void sha512_add(struct sha512 *sha, const void *data, size_t size);
/* Writes the digest; `sha` has to begin anew then. */
void sha512_end(struct sha512 *sha, uint8_t digest[SHA512_BYTES]);

#endif
