/* Numbers in columns of a text, such as a map's. */
#ifndef OPENCOUPLING_COLUMNS_H
#define OPENCOUPLING_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No text that is no number is shown longer. Chosen: a number has 7 characters at the most, `S65535%`. */
#define COLUMN_SHOWN_MAX 16

/* Bytes up to the next tab, or to the end of the line. */
size_t column_length(const uint8_t *line, size_t length);

/*
 * Value of `-12.5`, with blanks around it, an S or T of either case before it and a % behind it, as docs/http-api.md 3.12 has them.
 * False for anything else, and for more than 32 characters.
 */
bool column_number(const uint8_t *text, size_t length, double *value);

#endif
