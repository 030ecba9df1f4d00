/* What foreign JSON is before the engine parses it, and the characters of UTF-8 in it. */
#include "fuzz.h"
#include "text.h"

static const struct json_limits limits = { .depth = 10, .items = 400, .token_bytes = 1024 };

const char *const fuzz_seeds[] = {
	"{\"mode\":\"MAP\"}",
	"{\"points\":[{\"x\":0,\"lock\":50},{\"x\":140,\"lock\":0}]}",
	"{\"a\":{\"b\":{\"c\":[1,2.5e-3,true,false,null]}}}",
	"[[[[[[[[[[[[]]]]]]]]]]]]",
	"{\"\\u00e4\\ud83d\\ude00\\n\":\"K\xC3\xBC" "che \xF0\x9F\x98\x80\"}",
	"{\"speedBins\":[0,5,10],\"x\":\"\\\"\\\\\\/\"}",
	"[1e9,-1.2345678901234567e-30,33.333333333333336]", "[1234567890123456789012345]", "[1e100]",
	"", " ", "\"", "{\"", "{\"mode", "{\"mode\":",
	"\xC3\xBC", "\xF0\x9F\x98\x80", "\xED\xA0\x80", "\xC0\x80", "a",
	NULL,
};

static int is_blank(uint8_t byte)
{
	return byte == ' ';
}

static int is_digit(uint8_t byte)
{
	return byte >= '0' && byte <= '9';
}

static void judge_characters(const uint8_t *data, size_t size)
{
	for (size_t at = 0; at < size; at++) {
		uint8_t *rest = fuzz_copy(data + at, size - at);
		size_t length = utf8_character(rest, size - at);
		MUST(length <= 4 && length <= size - at);
		MUST(length != 1 || rest[0] < 0x80);
		free(rest);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	judge_characters(data, size);
	/* its caller rejects these */
	if (memchr(data, 0, size))
		return 0;
	uint8_t *text = fuzz_copy(data, size);
	if (json_prepare(text, size, "mode points x lock", &limits)) {
		/* names become blank, digits of exponents others: everything else stays where it was */
		for (size_t i = 0; i < size; i++)
			MUST(text[i] == data[i] || is_blank(text[i]) || text[i] == '"' || (is_digit(text[i]) && is_digit(data[i])));
		size_t items = 0, depth = 0, deepest = 0;
		for (size_t i = 0; i < size; i++) {
			if (text[i] == '"') {
				size_t begin = ++i;
				for (; i < size && text[i] != '"'; i++) {
					MUST(text[i] >= 0x20);
					i += text[i] == '\\';
				}
				MUST(i < size && i - begin <= limits.token_bytes);
				items++;
			} else if (text[i] == '{' || text[i] == '[') {
				items++;
				deepest = ++depth > deepest ? depth : deepest;
			} else if (text[i] == '}' || text[i] == ']') {
				MUST(depth > 0);
				depth--;
			}
		}
		MUST(items <= limits.items && deepest <= limits.depth);
		/* what it has made is what it would make again */
		uint8_t *again = fuzz_copy(text, size);
		MUST(json_prepare(again, size, "mode points x lock", &limits));
		MUST(memcmp(text, again, size) == 0);
		free(again);
	}
	free(text);
	return 0;
}
