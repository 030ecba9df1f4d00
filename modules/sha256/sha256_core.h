/*
 * SHA-256, incremental: begin, add as often as needed, end. PBKDF2 with it, one block of output, and the key of
 * a WPA2 network, some rounds at a time. No allocation, and nothing can fail. Sources: FIPS 180-4, RFC 8018 5.2,
 * RFC 2104, IEEE 802.11-2020 J.4.
 */
#ifndef OPENCOUPLING_SHA256_H
#define OPENCOUPLING_SHA256_H

#include <stdbool.h>
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

/* ---- the key that WPA2 makes of a passphrase: PBKDF2 with HMAC-SHA-1, salted with the network's name ---- */

#define WPA_PASSPHRASE_BYTES_MAX 63
#define WPA_SSID_BYTES_MAX 32
#define WPA_KEY_BYTES 32
#define WPA_KEY_ROUNDS 4096

struct wpa_key {
	uint32_t inner[5], outer[5]; /* the HMAC behind its first blocks, which the passphrase makes: each round begins there */
	uint32_t last[2][5];         /* U of the last round, for each of the two blocks of output */
	uint32_t sum[2][5];          /* all of them, exclusive-ored */
	uint32_t left;               /* rounds */
};

/* Begins, and does the first round. Sizes up to the limits above. */
void wpa_key_begin(struct wpa_key *state, const uint8_t *passphrase, size_t passphrase_size, const uint8_t *ssid, size_t ssid_size);
/* This many further rounds, each 4 blocks of SHA-1, or as many as are left. Returns whether all are done. */
bool wpa_key_add(struct wpa_key *state, uint32_t rounds);
/* The key, once all rounds are done. */
void wpa_key_end(const struct wpa_key *state, uint8_t key[WPA_KEY_BYTES]);
/* Forgets everything, in a way that no compiler leaves out. */
void wpa_key_wipe(struct wpa_key *state);

#endif
