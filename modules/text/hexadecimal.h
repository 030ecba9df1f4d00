/* Bytes and numbers as hexadecimal digits and back, and bytes that are a text. */
#ifndef OPENCOUPLING_HEXADECIMAL_H
#define OPENCOUPLING_HEXADECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Characters of so many bytes: two digits each, with a blank between any two if they are spaced. */
static inline size_t hex_length(size_t bytes, bool spaced)
{
	return spaced && bytes > 0 ? 3 * bytes - 1 : 2 * bytes;
}

/* Writes them, in lower case: hex_length() characters, without a 0 behind them. */
void hex_write(const uint8_t *bytes, size_t length, bool spaced, uint8_t *text);

/* The low digits of a number, upper case, filled up with zeros. */
void hex_write_number(uint32_t value, size_t digits, uint8_t *text);

/*
 * Value of 1 to 8 digits of either case, with `0x` before them and blanks and `_` between them tolerated; -1 for anything else, and for more
 * than 32 characters.
 */
int64_t hex_value(const char *text, size_t length);

/* Bytes up to the next separator of a list, `,`, `;`, a tab, CR or LF, or to its end. */
size_t hex_item_length(const char *list);

/*
 * Copies what is printable ASCII. Returns how many bytes that are; SIZE_MAX if more than a quarter of the bytes are neither that nor 0, and
 * for no bytes at all.
 */
size_t printable_write(const uint8_t *bytes, size_t length, uint8_t *text);

#endif
