/*
 * Numbers and texts as ASCII. Each function writes to `at`, where the caller has seen to it that it
 * fits, ends nothing with a 0, and returns the place behind what it wrote.
 */
#ifndef OPENCOUPLING_TEXT_OUT_H
#define OPENCOUPLING_TEXT_OUT_H

#include <stdint.h>
#include <string.h>

/* Alphabets for hexadecimal digits. */
extern const char lower_hex[16], upper_hex[16];

/* `length` characters of a text. */
static inline char *put_bytes(char *at, const char *text, size_t length)
{
	memcpy(at, text, length);
	return at + length;
}

/* A text up to its 0. */
static inline char *put_text(char *at, const char *text)
{
	return put_bytes(at, text, strlen(text));
}

/* All digits of a number: 1..10, 1..20. */
char *put_decimal(char *at, uint32_t value);
char *put_decimal64(char *at, uint64_t value);

/* The last `digits` digits of a number, with leading zeros: decimal, 1..10, and hexadecimal, 1..8. */
char *put_padded(char *at, uint32_t value, unsigned digits);
char *put_hex(char *at, uint32_t value, unsigned digits, const char *alphabet);

/* Hexadecimal digits of a number without leading zeros: 1..8. */
unsigned hex_digits(uint32_t value);

/* Bytes as two hexadecimal digits each; the separator stands between two of them, 0 = none. */
char *put_hex_bytes(char *at, const uint8_t *bytes, unsigned count, char separator, const char *alphabet);

#endif
