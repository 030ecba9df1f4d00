/* Names and section numbers are those of FIPS 180-4, RFC 2104 and RFC 8018. */
#include "sha256_core.h"

#include <string.h>

/* 4.2.2 */
static const uint32_t K[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotr(uint32_t x, int n)
{
	return x >> n | x << (32 - n);
}

/*
 * 6.2.2. The working variables a to h are a window on `s`, which moves down by one in each round: nothing is
 * copied.
 */
static void add_block(struct sha256 *sha, const uint8_t *m)
{
	uint32_t w[64], s[64 + 8], *v = s + 64;
	for (int t = 0; t < 16; t++, m += 4)
		w[t] = (uint32_t)m[0] << 24 | (uint32_t)m[1] << 16 | (uint32_t)m[2] << 8 | m[3];
	for (int t = 16; t < 64; t++) {
		uint32_t s0 = rotr(w[t - 15], 7) ^ rotr(w[t - 15], 18) ^ w[t - 15] >> 3;
		uint32_t s1 = rotr(w[t - 2], 17) ^ rotr(w[t - 2], 19) ^ w[t - 2] >> 10;
		w[t] = s1 + w[t - 7] + s0 + w[t - 16];
	}
	memcpy(v, sha->state, sizeof sha->state);
	for (int t = 0; t < 64; t++, v--) {
		uint32_t e = v[4], a = v[0];
		uint32_t t1 = v[7] + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((e & v[5]) ^ (~e & v[6])) + K[t] + w[t];
		uint32_t t2 = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
		v[3] += t1;
		v[-1] = t1 + t2;
	}
	for (int i = 0; i < 8; i++)
		sha->state[i] += v[i];
}

void sha256_begin(struct sha256 *sha)
{
	/* 5.3.3 */
	static const uint32_t initial[8] = {
		0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
	};
	memcpy(sha->state, initial, sizeof initial);
	sha->length = 0;
}

void sha256_add(struct sha256 *sha, const void *data, size_t size)
{
	const uint8_t *from = data;
	size_t used = sha->length % SHA256_BLOCK_BYTES;
	sha->length += size;
	if (used > 0) {
		size_t count = SHA256_BLOCK_BYTES - used < size ? SHA256_BLOCK_BYTES - used : size;
		memcpy(sha->block + used, from, count);
		if (used + count < SHA256_BLOCK_BYTES)
			return;
		add_block(sha, sha->block);
		from += count;
		size -= count;
	}
	for (; size >= SHA256_BLOCK_BYTES; from += SHA256_BLOCK_BYTES, size -= SHA256_BLOCK_BYTES)
		add_block(sha, from);
	memcpy(sha->block, from, size);
}

void sha256_end(struct sha256 *sha, uint8_t digest[SHA256_BYTES])
{
	/* 5.1.1 */
	static const uint8_t padding[SHA256_BLOCK_BYTES] = { 0x80 };
	uint8_t bits[8];
	for (int i = 0; i < 8; i++)
		bits[i] = (uint8_t)(sha->length * 8 >> (56 - 8 * i));
	size_t used = sha->length % SHA256_BLOCK_BYTES;
	sha256_add(sha, padding, (used < 56 ? 56 : 120) - used);
	sha256_add(sha, bits, sizeof bits);
	for (int i = 0; i < SHA256_BYTES; i++)
		digest[i] = (uint8_t)(sha->state[i / 4] >> (24 - 8 * (i % 4)));
}

/* ---- PBKDF2 ---- */

static void wipe(volatile uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		bytes[i] = 0;
}

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
	wipe((volatile uint8_t *)state, sizeof *state);
}

/* ---- the key of a WPA2 network ---- */

enum { BLOCK_BYTES = 64, BLOCK_WORDS = 16, HASH_WORDS = 5 };

static uint32_t rotate(uint32_t word, unsigned bits)
{
	return word << bits | word >> (32 - bits);
}

/* SHA-1 of one block. */
static void add_sha1_block(uint32_t hash[HASH_WORDS], const uint32_t block[BLOCK_WORDS])
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
static void hmac_sha1(const struct wpa_key *state, const uint32_t message[BLOCK_WORDS], uint32_t mac[HASH_WORDS])
{
	uint32_t block[BLOCK_WORDS] = {[HASH_WORDS] = 0x80000000, [BLOCK_WORDS - 1] = 8 * (BLOCK_BYTES + 4 * HASH_WORDS)};
	uint32_t inner[HASH_WORDS];
	memcpy(inner, state->inner, sizeof inner);
	add_sha1_block(inner, message);
	memcpy(block, inner, sizeof inner);
	memcpy(mac, state->outer, sizeof state->outer);
	add_sha1_block(mac, block);
}

static void begin_hmac_sha1(uint32_t hash[HASH_WORDS], const uint8_t *key, size_t size, uint8_t pad)
{
	static const uint32_t first[HASH_WORDS] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
	uint8_t bytes[BLOCK_BYTES];
	uint32_t block[BLOCK_WORDS];
	for (unsigned i = 0; i < BLOCK_BYTES; i++)
		bytes[i] = (i < size ? key[i] : 0) ^ pad;
	read_block(bytes, block);
	memcpy(hash, first, sizeof first);
	add_sha1_block(hash, block);
}

void wpa_key_begin(struct wpa_key *state, const uint8_t *passphrase, size_t passphrase_size, const uint8_t *ssid, size_t ssid_size)
{
	begin_hmac_sha1(state->inner, passphrase, passphrase_size, 0x36);
	begin_hmac_sha1(state->outer, passphrase, passphrase_size, 0x5c);
	for (uint8_t number = 0; number < 2; number++) {
		uint8_t bytes[BLOCK_BYTES] = {0};
		uint32_t block[BLOCK_WORDS];
		memcpy(bytes, ssid, ssid_size);
		bytes[ssid_size + 3] = number + 1;
		bytes[ssid_size + 4] = 0x80;
		read_block(bytes, block);
		block[BLOCK_WORDS - 1] = 8 * (BLOCK_BYTES + (uint32_t)ssid_size + 4);
		hmac_sha1(state, block, state->last[number]);
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
			hmac_sha1(state, block, state->last[number]);
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
	wipe((volatile uint8_t *)state, sizeof *state);
}
