/* Base64, as a password of HTTP's `Basic` comes. Source: RFC 4648 4. */
#ifndef OPENCOUPLING_BASE64_H
#define OPENCOUPLING_BASE64_H

#include <stddef.h>
#include <stdint.h>

/* Decodes in place, up to a `=` where there is one. Returns the length it has then; 0 for what is none. */
size_t base64_decode(uint8_t *text, size_t length);

#endif
