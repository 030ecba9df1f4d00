/* Values as JSON, so that an answer needs neither an object nor the names of its members: those stay texts in flash. */
#ifndef OPENCOUPLING_JSON_WRITE_H
#define OPENCOUPLING_JSON_WRITE_H

#include <stddef.h>

/* What is being written; `at` is NULL while only its length is wanted. */
struct json_out {
	char *at;      /* where the next piece goes: the caller has seen to it that there is room */
	size_t length; /* bytes of all pieces so far */
};

/* Bytes as they are. In line: most pieces have a few. */
static inline void json_put(struct json_out *out, const char *text, size_t length)
{
	out->length += length;
	if (!out->at)
		return;
	for (size_t i = 0; i < length; i++)
		out->at[i] = text[i];
	out->at += length;
}

/* A whole number in decimal digits, with a minus if it is below 0: 1 to 11 bytes. */
void json_put_integer(struct json_out *out, int value);

/*
 * A string between quotes, with the escapes that the engine's `JSON.stringify` makes. `text` is the engine's: it has C0 80 for U+0000, and
 * surrogates that lack their other half.
 */
void json_put_string(struct json_out *out, const char *text);

#endif
