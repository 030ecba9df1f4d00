/* SHA-256, incremental. Source: FIPS 180-4. */
#ifndef OPENCOUPLING_SHA256_H
#define OPENCOUPLING_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_BYTES 32
#define SHA256_BLOCK_BYTES 64

struct sha256 {
	uint32_t state[8];
	uint64_t length;   /* bytes so far */
	uint8_t block[SHA256_BLOCK_BYTES];
};

void sha256_begin(struct sha256 *sha);
void sha256_add(struct sha256 *sha, const void *data, size_t size);
/* Ends it: `sha` has to begin anew. */
void sha256_end(struct sha256 *sha, uint8_t digest[SHA256_BYTES]);

#endif
