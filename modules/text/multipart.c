#include "text.h"

#include <string.h>

#define BOUNDARY_BYTES_MAX 70 /* RFC 2046 5.1.1 */

size_t multipart_find(const uint8_t *bytes, size_t length, const uint8_t *delimiter, size_t delimiter_length)
{
	for (size_t at = 0; at < length; at++) {
		size_t left = length - at;
		if (bytes[at] == delimiter[0] && memcmp(bytes + at, delimiter, left < delimiter_length ? left : delimiter_length) == 0)
			return at;
	}
	return length;
}

/* True if the line goes on like a text in lower case, any letter case. */
static bool starts_with(const uint8_t *line, size_t length, const char *lower)
{
	size_t at = 0;
	while (lower[at] && at < length && (line[at] >= 'A' && line[at] <= 'Z' ? line[at] | 0x20 : line[at]) == (uint8_t)lower[at])
		at++;
	return lower[at] == 0;
}

static bool is_blank(uint8_t byte)
{
	return byte == ' ' || byte == '\t';
}

/* Where the line goes on behind blanks. */
static size_t after_blanks(const uint8_t *line, size_t at, size_t length)
{
	while (at < length && is_blank(line[at]))
		at++;
	return at;
}

size_t multipart_boundary(const uint8_t *type, size_t length, size_t *start)
{
	static const char TYPE[] = "multipart/form-data", NAME[] = "boundary=";
	if (!starts_with(type, length, TYPE))
		return 0;
	for (size_t at = sizeof TYPE - 1; at < length; at++) {
		if (type[at] != ';')
			continue;
		size_t from = after_blanks(type, at + 1, length);
		if (!starts_with(type + from, length - from, NAME))
			continue;
		from += sizeof NAME - 1;
		bool quoted = from < length && type[from] == '"';
		from += quoted;
		size_t to = from;
		while (to < length && type[to] != '"' && (quoted || (type[to] != ';' && !is_blank(type[to]))))
			to++;
		*start = from;
		return to - from <= BOUNDARY_BYTES_MAX ? to - from : 0;
	}
	return 0;
}

bool multipart_names_file(const uint8_t *line, size_t length)
{
	static const char DISPOSITION[] = "content-disposition:", NAME[] = "filename";
	if (!starts_with(line, length, DISPOSITION))
		return false;
	bool quoted = false;
	for (size_t at = sizeof DISPOSITION - 1; at < length; at++) {
		if (line[at] == '"')
			quoted = !quoted;
		if (quoted || line[at] != ';')
			continue;
		size_t from = after_blanks(line, at + 1, length);
		if (!starts_with(line + from, length - from, NAME))
			continue;
		from += sizeof NAME - 1;
		if (from == length || line[from] == '=' || line[from] == '*' || is_blank(line[from]))
			return true;
	}
	return false;
}
