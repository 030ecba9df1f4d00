#include "text.h"

#include <string.h>

#define READ_ON (-1)
/* Instead of the end of a line. */
#define INCOMPLETE (-1)
#define WRONG (-2)

#define LONGEST_METHOD 24   /* no method anyone uses is longer */
#define LONGEST_LENGTH 15   /* digits of a content length */
#define SCHEME "http://"
#define SCHEME_BYTES 7

enum { ASKED_CLOSE = 1, ASKED_KEEP_ALIVE = 2 };

/* In the order of METHODS in src/http/request.ts. */
static const char *const methods[] = { "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "QUERY" };
#define METHOD_OPTIONS 6
#define METHOD_COUNT ((int)(sizeof methods / sizeof *methods))

static const char *const header_names[HEADER_COUNT] = {
	"host", "origin", "sec-fetch-site", "content-type", "content-length", "transfer-encoding", "expect", "authorization",
	"last-event-id", "connection", "if-none-match", "accept-language",
};

/* ---- bytes ---- */

static bool is_digit(uint8_t byte)
{
	return byte >= '0' && byte <= '9';
}

static bool is_letter_or_digit(uint8_t byte)
{
	uint8_t letter = byte | 0x20;
	return is_digit(byte) || (letter >= 'a' && letter <= 'z');
}

/* What names of headers and methods are made of. Source: RFC 9110 5.6.2. */
static bool is_token_byte(uint8_t byte)
{
	return is_letter_or_digit(byte) || (byte && strchr("-!#$%&'*+.^_`|~", byte));
}

/* Names, addresses and a port: no user name, no list. */
static bool is_host_byte(uint8_t byte)
{
	return is_letter_or_digit(byte) || (byte && strchr("-.:[]_~", byte));
}

static bool is_blank(uint8_t byte)
{
	return byte == ' ' || byte == '\t';
}

static bool equals(const uint8_t *bytes, int32_t start, int32_t end, const char *text)
{
	return (size_t)(end - start) == strlen(text) && !memcmp(bytes + start, text, strlen(text));
}

/* `lower` in any case of letters. */
static bool equals_ignoring_case(const uint8_t *bytes, int32_t start, int32_t end, const char *lower)
{
	for (; start < end && *lower; start++, lower++) {
		uint8_t byte = bytes[start];
		if ((byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte) != (uint8_t)*lower)
			return false;
	}
	return start == end && !*lower;
}

static int32_t token_end(const uint8_t *bytes, int32_t start, int32_t end)
{
	while (start < end && is_token_byte(bytes[start]))
		start++;
	return start;
}

/* First index of a byte in [start, end), or `end`. */
static int32_t index_of(const uint8_t *bytes, int32_t start, int32_t end, uint8_t byte)
{
	const uint8_t *found = start < end ? memchr(bytes + start, byte, (size_t)(end - start)) : NULL;
	return found ? (int32_t)(found - bytes) : end;
}

static void trim(const uint8_t *bytes, int32_t *start, int32_t *end)
{
	while (*start < *end && is_blank(bytes[*start]))
		++*start;
	while (*end > *start && is_blank(bytes[*end - 1]))
		--*end;
}

/* Whether a list with commas has an element. */
static bool list_has(const uint8_t *bytes, int32_t start, int32_t end, const char *lower)
{
	while (start <= end) {
		int32_t comma = index_of(bytes, start, end, ','), to = comma;
		trim(bytes, &start, &to);
		if (equals_ignoring_case(bytes, start, to, lower))
			return true;
		start = comma + 1;
	}
	return false;
}

/* ---- request line ---- */

static int read_target(struct request_head *head, uint8_t *bytes, int32_t start, int32_t end)
{
	for (int32_t i = start; i < end; i++)
		if (bytes[i] <= ' ' || bytes[i] >= 0x7f || bytes[i] == '#')
			return 400;
	int32_t length = end - start;
	if (length == 0)
		return 400;
	memmove(bytes, bytes + start, (size_t)length);
	head->kept_end = head->target_end = length;
	if (bytes[0] == '/')
		return READ_ON;
	if (length == 1 && bytes[0] == '*')
		return head->method == METHOD_OPTIONS ? READ_ON : 400;
	/* absolute form, as for a proxy: its authority must be the Host header's */
	if (length <= SCHEME_BYTES || !equals_ignoring_case(bytes, 0, SCHEME_BYTES, SCHEME))
		return 400;
	int32_t slash = index_of(bytes, SCHEME_BYTES, length, '/');
	if (slash == SCHEME_BYTES || slash == length)
		return 400;
	head->authority_end = head->target_start = slash;
	return READ_ON;
}

static int read_version(struct request_head *head, const uint8_t *bytes, int32_t start, int32_t end)
{
	const uint8_t *digits = bytes + start + 5;
	if (end - start != 8 || !equals(bytes, start, start + 5, "HTTP/") || !is_digit(digits[0]) || digits[1] != '.' || !is_digit(digits[2]))
		return 400;
	if (digits[0] != '1' || digits[2] > '1')
		return 505;
	head->minor = digits[2] - '0';
	return READ_ON;
}

static int read_request_line(struct request_head *head, uint8_t *bytes, int32_t start, int32_t end)
{
	if (end - start > head->request_line_max)
		return 414;
	if (end == start) {
		/* old clients end a body with one. Source: RFC 9112 2.2 */
		if (head->state != HEAD_EMPTY)
			return 400;
		head->state = HEAD_BLANK;
		return READ_ON;
	}
	int32_t first = token_end(bytes, start, end);
	if (first == start || first == end || bytes[first] != ' ' || first - start > LONGEST_METHOD)
		return 400;
	int32_t second = index_of(bytes, first + 1, end, ' ');
	if (second == end)
		return 400;
	int outcome = read_version(head, bytes, second + 1, end);
	if (outcome != READ_ON)
		return outcome;
	head->method = 0;
	while (head->method < METHOD_COUNT && !equals(bytes, start, first, methods[head->method]))
		head->method++;
	if (head->method == METHOD_COUNT)
		return 501;
	head->state = HEAD_FIELDS;
	return read_target(head, bytes, first + 1, second);
}

/* ---- the head as a whole ---- */

static bool has(const struct request_head *head, int header)
{
	return head->values[header].end != 0;
}

static int check_host(const struct request_head *head, const uint8_t *bytes)
{
	int32_t start = head->values[HEADER_HOST].start, end = head->values[HEADER_HOST].end;
	if (!has(head, HEADER_HOST))
		return head->minor == 0 && head->authority_end == 0 ? READ_ON : 400;
	for (int32_t i = start; i < end; i++)
		if (!is_host_byte(bytes[i]))
			return 400;
	int32_t length = head->authority_end - SCHEME_BYTES;
	if (head->authority_end && (length != end - start || memcmp(bytes + SCHEME_BYTES, bytes + start, (size_t)length)))
		return 400;
	return READ_ON;
}

/* Source: RFC 9112 6.3, 11.2. */
static int check_framing(struct request_head *head, const uint8_t *bytes)
{
	if (has(head, HEADER_TRANSFER_ENCODING)) {
		int32_t start = head->values[HEADER_TRANSFER_ENCODING].start, end = head->values[HEADER_TRANSFER_ENCODING].end;
		/* both at once is how requests are smuggled past a proxy; 1.0 knows no transfer coding */
		bool is_wrong = has(head, HEADER_CONTENT_LENGTH) || head->minor == 0 || !list_has(bytes, start, end, "chunked");
		return is_wrong ? 400 : 411;
	}
	if (has(head, HEADER_CONTENT_LENGTH)) {
		int32_t start = head->values[HEADER_CONTENT_LENGTH].start, end = head->values[HEADER_CONTENT_LENGTH].end;
		int64_t value = 0;
		if (end == start || end - start > LONGEST_LENGTH)
			return 400;
		for (int32_t i = start; i < end; i++) {
			if (!is_digit(bytes[i]))
				return 400;
			value = value * 10 + bytes[i] - '0';
		}
		head->content_length = value > INT32_MAX ? INT32_MAX : (int32_t)value;
	}
	return READ_ON;
}

static int check_expect(struct request_head *head, const uint8_t *bytes)
{
	head->keep_alive = !(head->asked & ASKED_CLOSE) && (head->minor == 1 || (head->asked & ASKED_KEEP_ALIVE));
	if (!has(head, HEADER_EXPECT))
		return READ_ON;
	if (!equals_ignoring_case(bytes, head->values[HEADER_EXPECT].start, head->values[HEADER_EXPECT].end, "100-continue"))
		return 417;
	head->expects_continue = head->minor == 1;
	return READ_ON;
}

static int finish(struct request_head *head, const uint8_t *bytes)
{
	int outcome = check_host(head, bytes);
	if (outcome == READ_ON)
		outcome = check_framing(head, bytes);
	if (outcome == READ_ON)
		outcome = check_expect(head, bytes);
	return outcome == READ_ON ? HEAD_COMPLETE : outcome;
}

/* ---- header lines ---- */

static int keep(struct request_head *head, uint8_t *bytes, int header, int32_t start, int32_t end)
{
	/* what is acted upon must be plain text: no control characters, nothing above ASCII */
	for (int32_t i = start; i < end; i++)
		if ((bytes[i] < ' ' && bytes[i] != '\t') || bytes[i] > '~')
			return 400;
	if (header == HEADER_CONNECTION) {
		if (list_has(bytes, start, end, "close"))
			head->asked |= ASKED_CLOSE;
		if (list_has(bytes, start, end, "keep-alive"))
			head->asked |= ASKED_KEEP_ALIVE;
		return READ_ON;
	}
	/* a second one of what is no list is an attack or a bug */
	if (has(head, header))
		return header < HEADER_CONNECTION ? 400 : READ_ON;
	int32_t length = header == HEADER_ACCEPT_LANGUAGE ? 0 : end - start;
	if (head->kept_end + length > head->target_end + head->kept_max)
		return 431;
	memmove(bytes + head->kept_end, bytes + start, (size_t)length);
	head->values[header].start = head->kept_end;
	head->values[header].end = head->kept_end += length;
	return READ_ON;
}

/* Index of the header that is to be kept; HEADER_COUNT for any other. */
static int header_of(const uint8_t *bytes, int32_t start, int32_t end)
{
	int header = 0;
	while (header < HEADER_COUNT && !equals_ignoring_case(bytes, start, end, header_names[header]))
		header++;
	return header;
}

static int read_field(struct request_head *head, uint8_t *bytes, int32_t start, int32_t end)
{
	head->field_bytes += head->next - start;
	if (head->field_bytes > head->field_bytes_max)
		return 431;
	if (end == start && !head->skips)
		return finish(head, bytes);
	if (++head->field_lines > head->field_lines_max)
		return 431;
	if (head->skips) {
		head->skips = 0;
		return READ_ON;
	}
	int32_t colon = token_end(bytes, start, end);
	if (colon == start || colon == end || bytes[colon] != ':')
		return 400;
	int header = header_of(bytes, start, colon);
	if (header == HEADER_COUNT)
		return READ_ON;
	int32_t from = colon + 1;
	trim(bytes, &from, &end);
	return keep(head, bytes, header, from, end);
}

/* A line whose end has not come yet: what is wrong is said at once, what is of no interest is skipped. */
static int read_part(struct request_head *head, const uint8_t *bytes, int32_t end)
{
	int32_t start = head->next;
	if (start == end)
		return HEAD_INCOMPLETE;
	bool is_blank_line = bytes[start] == '\r' && !head->skips;
	if (head->state < HEAD_FIELDS) {
		if (!is_blank_line && !is_token_byte(bytes[start]))
			return 400;
		return end - start > head->request_line_max + 1 ? 414 : HEAD_INCOMPLETE;
	}
	if (head->field_bytes + end - start > head->field_bytes_max)
		return 431;
	if (!head->skips && !is_blank_line) {
		int32_t colon = token_end(bytes, start, end);
		if (colon < end && (colon == start || bytes[colon] != ':'))
			return 400;
		head->skips = colon < end && header_of(bytes, start, colon) == HEADER_COUNT;
	}
	if (head->skips) {
		/* a CR at the very end may be the line's own */
		head->next = bytes[end - 1] == '\r' ? end - 1 : end;
		head->field_bytes += head->next - start;
	}
	return HEAD_INCOMPLETE;
}

/* Where the line that begins at `start` ends, without its CRLF; INCOMPLETE, or WRONG. */
static int32_t line_end(const uint8_t *bytes, int32_t start, int32_t end)
{
	int32_t feed = index_of(bytes, start, end, '\n');
	if (index_of(bytes, start, feed, 0) < feed)
		return WRONG;
	int32_t carriage_return = index_of(bytes, start, feed, '\r');
	if (feed == end)
		return carriage_return < end - 1 ? WRONG : INCOMPLETE;
	return carriage_return == feed - 1 && feed > start ? carriage_return : WRONG;
}

int request_head_read(struct request_head *head, uint8_t *bytes, int32_t start, int32_t end)
{
	head->next = start;
	for (;;) {
		int32_t from = head->next, to = line_end(bytes, from, end);
		if (to == WRONG)
			return 400;
		if (to == INCOMPLETE)
			return read_part(head, bytes, end);
		head->next = to + 2;
		int outcome = head->state < HEAD_FIELDS ? read_request_line(head, bytes, from, to) : read_field(head, bytes, from, to);
		if (outcome != READ_ON)
			return outcome;
	}
}
