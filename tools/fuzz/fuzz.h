/*
 * A fuzz target is a file with these two, which driver.c drives (`npm run fuzz`). Inputs are copied to memory of
 * exactly their size, so that AddressSanitizer sees each byte beyond.
 */
#ifndef OPENCOUPLING_FUZZ_H
#define OPENCOUPLING_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Texts to begin with, NULL at the end; bytes of 0 are written as such by a target that wants them. */
extern const char *const fuzz_seeds[];

/* What must hold; the input that shows that it does not is printed by the driver. */
#define MUST(condition) ((condition) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #condition))

static inline void fuzz_fail(const char *file, int line, const char *condition)
{
	fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
	abort();
}

/* A copy of exactly this size. */
static inline uint8_t *fuzz_copy(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);
	if (!copy)
		abort();
	if (size)
		memcpy(copy, data, size);
	return copy;
}

#endif
