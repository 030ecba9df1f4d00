/* UTF-8, strictly. Source: RFC 3629: overlong forms, surrogates and values above 10FFFF are rejected. */
#ifndef OPENCOUPLING_UTF8_H
#define OPENCOUPLING_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of the character at `text`, 1 to 4; 0 if none begins there or it is longer than `length`. */
size_t utf8_character(const uint8_t *text, size_t length);

/*
 * The engine's text as UTF-8: it has C0 80 for U+0000, and surrogates without their other half, which become
 * U+FFFD. `text` ends with a 0. `into` may be NULL, to measure. Returns the number of bytes.
 */
size_t utf8_encode(const uint8_t *text, uint8_t *into);

#endif
