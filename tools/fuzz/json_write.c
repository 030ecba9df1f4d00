/* Strings and numbers as JSON: as long as was said before, and whoever reads it gets what was written. Two bytes of input are a character. */
#include "fuzz.h"
#include "json_write.h"

const char *const fuzz_seeds[] = { "aabb", "\x5c\x22", "\xd8\x3d\xde\x00", "\xd8\x3d\xd8\x3d", "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x1f\x7f", NULL };

#define CHARACTERS_MAX 512u

/* A character as the engine has it: surrogates one by one, U+0000 in two bytes. */
static size_t put_character(char *into, unsigned character)
{
	if (character >= 0x800) {
		into[0] = (char)(0xE0 | character >> 12);
		into[1] = (char)(0x80 | (character >> 6 & 0x3F));
		into[2] = (char)(0x80 | (character & 0x3F));
		return 3;
	}
	if (character >= 0x80 || character == 0) {
		into[0] = (char)(0xC0 | character >> 6);
		into[1] = (char)(0x80 | (character & 0x3F));
		return 2;
	}
	into[0] = (char)character;
	return 1;
}

/* Reads one character of a JSON string, which may be an escape. */
static unsigned take_character(const char **at)
{
	static const char escapes[] = "\"\"\\\\b\bf\fn\nr\rt\t";
	const uint8_t *bytes = (const uint8_t *)*at;
	MUST(bytes[0] >= 0x20 && bytes[0] != '"');
	if (bytes[0] == '\\' && bytes[1] == 'u') {
		char digits[5] = { (*at)[2], (*at)[3], (*at)[4], (*at)[5] }, *end;
		unsigned long value = strtoul(digits, &end, 16);
		MUST(end == digits + 4);
		*at += 6;
		return (unsigned)value;
	}
	if (bytes[0] == '\\') {
		for (unsigned i = 0; i < sizeof escapes - 1; i += 2)
			if (escapes[i] == (*at)[1]) {
				*at += 2;
				return (uint8_t)escapes[i + 1];
			}
		MUST(!"an escape that JSON has");
	}
	if (bytes[0] < 0x80) {
		*at += 1;
		return bytes[0];
	}
	if (bytes[0] < 0xE0) {
		*at += 2;
		return (bytes[0] & 0x1Fu) << 6 | (bytes[1] & 0x3Fu);
	}
	*at += 3;
	unsigned value = (bytes[0] & 0xFu) << 12 | (bytes[1] & 0x3Fu) << 6 | (bytes[2] & 0x3Fu);
	MUST(value < 0xD800 || value > 0xDFFF); /* no half of a surrogate is sent as it is */
	return value;
}

static void check_integer(int value)
{
	char expected[16], written[16];
	struct json_out counted = { NULL, 0 }, out = { written, 0 };
	size_t length = (size_t)snprintf(expected, sizeof expected, "%d", value);
	json_put_integer(&counted, value);
	json_put_integer(&out, value);
	MUST(counted.length == length && out.length == length && memcmp(expected, written, length) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned characters[CHARACTERS_MAX], count = 0;
	char bytes[3 * CHARACTERS_MAX];
	size_t length = 0;
	for (; count < CHARACTERS_MAX && 2 * count + 1 < size; count++) {
		characters[count] = data[2 * count] << 8 | data[2 * count + 1];
		length += put_character(bytes + length, characters[count]);
	}
	char *text = malloc(length + 1);
	memcpy(text, bytes, length);
	text[length] = 0;
	struct json_out counted = { NULL, 0 };
	json_put_string(&counted, text);
	char *json = malloc(counted.length);
	struct json_out out = { json, 0 };
	json_put_string(&out, text);
	MUST(out.length == counted.length && out.at == json + out.length);
	MUST(json[0] == '"' && json[out.length - 1] == '"');
	const char *at = json + 1;
	for (unsigned i = 0; i < count; i++)
		MUST(take_character(&at) == characters[i]);
	MUST(at == json + out.length - 1);
	free(json);
	free(text);
	if (size >= sizeof(int)) {
		int value;
		memcpy(&value, data, sizeof value);
		check_integer(value);
		check_integer(value % 1000);
	}
	return 0;
}
