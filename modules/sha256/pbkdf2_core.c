/* PBKDF2 (see pbkdf2_core.h); names are those of RFC 2104 and RFC 8018. */
#include "pbkdf2_core.h"

#include <string.h>

static void begin_hmac(struct sha256 *sha, const uint8_t key[SHA256_BLOCK_BYTES], uint8_t pad)
{
	uint8_t block[SHA256_BLOCK_BYTES];
	for (int i = 0; i < SHA256_BLOCK_BYTES; i++)
		block[i] = key[i] ^ pad;
	sha256_begin(sha);
	sha256_add(sha, block, sizeof block);
}

/* `inner` has got the text. */
static void end_hmac(const struct pbkdf2 *state, struct sha256 *inner, uint8_t mac[SHA256_BYTES])
{
	struct sha256 outer = state->outer;
	sha256_end(inner, mac);
	sha256_add(&outer, mac, SHA256_BYTES);
	sha256_end(&outer, mac);
}

void pbkdf2_begin(struct pbkdf2 *state, const void *password, size_t password_size, const void *salt, size_t salt_size)
{
	static const uint8_t first_block[4] = { 0, 0, 0, 1 };
	uint8_t key[SHA256_BLOCK_BYTES] = { 0 };
	if (password_size > SHA256_BLOCK_BYTES) {
		struct sha256 sha;
		sha256_begin(&sha);
		sha256_add(&sha, password, password_size);
		sha256_end(&sha, key);
	} else
		memcpy(key, password, password_size);
	begin_hmac(&state->inner, key, 0x36);
	begin_hmac(&state->outer, key, 0x5c);

	struct sha256 inner = state->inner;
	sha256_add(&inner, salt, salt_size);
	sha256_add(&inner, first_block, sizeof first_block);
	end_hmac(state, &inner, state->last);
	memcpy(state->sum, state->last, sizeof state->sum);
}

void pbkdf2_add(struct pbkdf2 *state, uint32_t rounds)
{
	for (; rounds > 0; rounds--) {
		struct sha256 inner = state->inner;
		sha256_add(&inner, state->last, sizeof state->last);
		end_hmac(state, &inner, state->last);
		for (int i = 0; i < SHA256_BYTES; i++)
			state->sum[i] ^= state->last[i];
	}
}

void pbkdf2_wipe(struct pbkdf2 *state)
{
	volatile uint8_t *bytes = (volatile uint8_t *)state;
	for (size_t i = 0; i < sizeof *state; i++)
		bytes[i] = 0;
}
