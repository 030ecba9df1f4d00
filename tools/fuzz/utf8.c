/* Characters of UTF-8. */
#include "fuzz.h"
#include "json_text.h"

const char *const fuzz_seeds[] = {"\xC3\xBC", "\xF0\x9F\x98\x80", "\xED\xA0\x80", "\xC0\x80", "a", NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (size_t at = 0; at < size; at++) {
		uint8_t *rest = fuzz_copy(data + at, size - at);
		size_t length = utf8_character(rest, size - at);
		MUST(length <= 4 && length <= size - at);
		MUST(length != 1 || rest[0] < 0x80);
		free(rest);
	}
	return 0;
}
