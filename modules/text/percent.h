/* Percent-encoding of a request's target. Source: RFC 3986 2.1. */
#ifndef OPENCOUPLING_PERCENT_H
#define OPENCOUPLING_PERCENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Decodes in place, `+` to a blank where that is wanted. Returns the length it has then; SIZE_MAX for a broken `%XX`, a 0, and what is
 * no UTF-8.
 */
size_t percent_decode(uint8_t *text, size_t length, bool plus_is_blank);

/*
 * Value of the first parameter of a query that has this name when it is decoded, as it stands there; NULL if there is none. The
 * value of a parameter without `=` is empty.
 */
const char *percent_query_value(const char *query, const char *name, size_t *length);

#endif
