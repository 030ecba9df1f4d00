/* A request's target: percent-encoding and UTF-8. */
#include "fuzz.h"
#include "percent.h"
#include "utf8.h"

const char *const fuzz_seeds[] = {
	"/api/maps/export?name=K%C3%BCche+%231&format=txt", "%F0%9F%98%80", "%ED%A0%80", "%C0%80", "%", "%2", "%00", "+++",
	"&%66ormat&format=a", "\xC3\xBC", NULL,
};

static int is_utf8(const uint8_t *text, size_t size)
{
	for (size_t at = 0, length; at < size; at += length)
		if (!(length = utf8_character(text + at, size - at)) || length > size - at)
			return 0;
	return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (int plus = 0; plus < 2; plus++) {
		uint8_t *text = fuzz_copy(data, size);
		size_t length = percent_decode(text, size, plus);
		if (length != SIZE_MAX) {
			MUST(length <= size && is_utf8(text, length) && !memchr(text, 0, length));
			MUST(!plus || memchr(data, '%', size) || !memchr(text, '+', length));
		}
		free(text);
	}
	char *query = malloc(size + 1);
	memcpy(query, data, size);
	query[size] = 0;
	size_t bytes;
	const char *value = percent_query_value(query, "format", &bytes);
	MUST(!value || (value > query && value + bytes <= query + strlen(query) && !memchr(value, '&', bytes)));
	free(query);
	for (size_t at = 0; at < size; at++) {
		uint8_t *rest = fuzz_copy(data + at, size - at);
		size_t length = utf8_character(rest, size - at);
		MUST(length <= 4 && length <= size - at);
		MUST(length != 1 || rest[0] < 0x80);
		free(rest);
	}
	return 0;
}
