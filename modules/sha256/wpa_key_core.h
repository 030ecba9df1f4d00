/*
 * The key that WPA2 makes of a passphrase: PBKDF2 with HMAC-SHA-1, 4,096 rounds, salted with the network's
 * name; some rounds at a time. Sources: IEEE 802.11-2020 J.4, RFC 8018 5.2, RFC 2104, FIPS 180-4.
 */
#ifndef OPENCOUPLING_WPA_KEY_H
#define OPENCOUPLING_WPA_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
