#pragma once
#include <stddef.h>
void *mem_calloc(size_t count, size_t bytes);
void mem_free(void *memory);
