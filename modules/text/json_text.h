/*
 * Foreign JSON, before the engine's parser sees it. The engine makes an object of each value, and of each
 * member name a name of its own that it never gives back: so values and names are counted, and names that
 * are not asked for are emptied.
 */
#ifndef OPENCOUPLING_JSON_TEXT_H
#define OPENCOUPLING_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_limits {
	size_t depth;       /* levels of objects and arrays */
	size_t items;       /* values and member names together */
	size_t token_bytes; /* of one string, name or number, as it is written, without quotes */
};

/*
 * Looks at `text` and changes it in place: a member name that is not in `names` is emptied, `"name"` becomes
 * `""` and blanks, and an exponent above 99 becomes 99. `names`: those that are read, with one blank between
 * two; a name that is written with escapes does not match. Returns false if the text must be rejected:
 * strings that RFC 8259 does not allow or that are no Unicode, or beyond a limit. What else is wrong with it
 * the parser finds: it gets at most `items` values and names.
 */
bool json_prepare(uint8_t *text, size_t length, const char *names, const struct json_limits *limits);

/* ---- UTF-8: overlong forms, surrogates and values above 10FFFF are rejected. Source: RFC 3629 ---- */

/* Bytes of the character at `text`, 1 to 4; 0 if none begins there or it is longer than `length`. */
size_t utf8_character(const uint8_t *text, size_t length);

/*
 * The engine's text as UTF-8: it has C0 80 for U+0000, and surrogates without their other half, which become
 * U+FFFD. `text` ends with a 0. `into` may be NULL, to measure. Returns the number of bytes.
 */
size_t utf8_encode(const uint8_t *text, uint8_t *into);

#endif
