/*
 * Foreign JSON, before the engine's parser sees it. The engine makes an object of each value, and of each
 * member name a name of its own that it never gives back: so values and names are counted, and names that
 * nobody asks for are emptied.
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

#endif
