/* See wpa_key_core.h; names are those of FIPS 180-4, RFC 2104 and RFC 8018. */
#include "wpa_key_core.h"

#include <string.h>

enum { BLOCK_BYTES = 64, BLOCK_WORDS = 16, HASH_WORDS = 5 };

static uint32_t rotate(uint32_t word, unsigned bits)
{
	return word << bits | word >> (32 - bits);
}

/* SHA-1 of one block. */
static void compress(uint32_t hash[HASH_WORDS], const uint32_t block[BLOCK_WORDS])
{
	uint32_t w[80], a = hash[0], b = hash[1], c = hash[2], d = hash[3], e = hash[4];
	for (unsigned t = 0; t < 80; t++) {
		w[t] = t < BLOCK_WORDS ? block[t] : rotate(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
		uint32_t mixed;
		if (t < 20)
			mixed = ((b & c) | (~b & d)) + 0x5a827999;
		else if (t < 40)
			mixed = (b ^ c ^ d) + 0x6ed9eba1;
		else if (t < 60)
			mixed = ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
		else
			mixed = (b ^ c ^ d) + 0xca62c1d6;
		uint32_t next = rotate(a, 5) + mixed + e + w[t];
		e = d;
		d = c;
		c = rotate(b, 30);
		b = a;
		a = next;
	}
	hash[0] += a;
	hash[1] += b;
	hash[2] += c;
	hash[3] += d;
	hash[4] += e;
}

static void read_block(const uint8_t bytes[BLOCK_BYTES], uint32_t block[BLOCK_WORDS])
{
	for (unsigned i = 0; i < BLOCK_WORDS; i++)
		block[i] = (uint32_t)bytes[4 * i] << 24 | (uint32_t)bytes[4 * i + 1] << 16 | (uint32_t)bytes[4 * i + 2] << 8 | bytes[4 * i + 3];
}

/* HMAC of a message that is one block with its padding and its length. */
static void hmac(const struct wpa_key *state, const uint32_t message[BLOCK_WORDS], uint32_t mac[HASH_WORDS])
{
	uint32_t block[BLOCK_WORDS] = {[HASH_WORDS] = 0x80000000, [BLOCK_WORDS - 1] = 8 * (BLOCK_BYTES + 4 * HASH_WORDS)};
	uint32_t inner[HASH_WORDS];
	memcpy(inner, state->inner, sizeof inner);
	compress(inner, message);
	memcpy(block, inner, sizeof inner);
	memcpy(mac, state->outer, sizeof state->outer);
	compress(mac, block);
}

static void begin_hmac(uint32_t hash[HASH_WORDS], const uint8_t *key, size_t size, uint8_t pad)
{
	static const uint32_t first[HASH_WORDS] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
	uint8_t bytes[BLOCK_BYTES];
	uint32_t block[BLOCK_WORDS];
	for (unsigned i = 0; i < BLOCK_BYTES; i++)
		bytes[i] = (i < size ? key[i] : 0) ^ pad;
	read_block(bytes, block);
	memcpy(hash, first, sizeof first);
	compress(hash, block);
}

void wpa_key_begin(struct wpa_key *state, const uint8_t *passphrase, size_t passphrase_size, const uint8_t *ssid, size_t ssid_size)
{
	begin_hmac(state->inner, passphrase, passphrase_size, 0x36);
	begin_hmac(state->outer, passphrase, passphrase_size, 0x5c);
	for (uint8_t number = 0; number < 2; number++) {
		uint8_t bytes[BLOCK_BYTES] = {0};
		uint32_t block[BLOCK_WORDS];
		memcpy(bytes, ssid, ssid_size);
		bytes[ssid_size + 3] = number + 1;
		bytes[ssid_size + 4] = 0x80;
		read_block(bytes, block);
		block[BLOCK_WORDS - 1] = 8 * (BLOCK_BYTES + (uint32_t)ssid_size + 4);
		hmac(state, block, state->last[number]);
	}
	memcpy(state->sum, state->last, sizeof state->sum);
	state->left = WPA_KEY_ROUNDS - 1;
}

bool wpa_key_add(struct wpa_key *state, uint32_t rounds)
{
	uint32_t block[BLOCK_WORDS] = {[HASH_WORDS] = 0x80000000, [BLOCK_WORDS - 1] = 8 * (BLOCK_BYTES + 4 * HASH_WORDS)};
	for (; rounds > 0 && state->left > 0; rounds--, state->left--)
		for (unsigned number = 0; number < 2; number++) {
			memcpy(block, state->last[number], sizeof state->last[number]);
			hmac(state, block, state->last[number]);
			for (unsigned i = 0; i < HASH_WORDS; i++)
				state->sum[number][i] ^= state->last[number][i];
		}
	return state->left == 0;
}

void wpa_key_end(const struct wpa_key *state, uint8_t key[WPA_KEY_BYTES])
{
	for (unsigned i = 0; i < WPA_KEY_BYTES; i++) {
		uint32_t word = state->sum[i / (4 * HASH_WORDS)][i / 4 % HASH_WORDS];
		key[i] = (uint8_t)(word >> (24 - 8 * (i % 4)));
	}
}

void wpa_key_wipe(struct wpa_key *state)
{
	volatile uint8_t *bytes = (volatile uint8_t *)state;
	for (size_t i = 0; i < sizeof *state; i++)
		bytes[i] = 0;
}
