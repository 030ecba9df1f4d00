/*
 * What is looked for in a multipart/form-data body and its Content-Type, each in linear time. Source: RFC
 * 2046 5.1, RFC 7578 4.2.
 */
#ifndef OPENCOUPLING_MULTIPART_H
#define OPENCOUPLING_MULTIPART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Index from which on `bytes` go on like `delimiter`, with all of it or with as much as they have; `length`
 * if they do so nowhere. The delimiter's first byte must not be in it again.
 */
size_t multipart_find(const uint8_t *bytes, size_t length, const uint8_t *delimiter, size_t delimiter_length);

/*
 * Length of the boundary in a Content-Type value, and where it begins; 0 if it is not multipart/form-data
 * with one of 1 to 70 bytes.
 */
size_t multipart_boundary(const uint8_t *type, size_t length, size_t *start);

/* True for a content-disposition line with a file name, in either spelling. */
bool multipart_names_file(const uint8_t *line, size_t length);

#endif
