/* What would cost the engine a multiple in JavaScript: heads of requests, JSON, UTF-8. */
#ifndef OPENCOUPLING_TEXT_H
#define OPENCOUPLING_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- request_head.c ---- */

/*
 * The head of an HTTP/1.x request, read line by line out of a connection's input buffer. Strict on purpose
 * (CRLF only, no folded lines, no 0): whatever two parsers could understand differently is rejected.
 * Source: RFC 9112.
 *
 * The buffer is [kept bytes | free | unread input]: target and values that may be asked for are moved to
 * its front. Lines of other headers are checked for form and skipped, however long they are, so they take no
 * memory.
 */

/*
 * Headers that are kept, in the order of Header in src/http/request.ts. From CONNECTION on they are lists
 * and may come more than once. Of ACCEPT_LANGUAGE it is only known that it came.
 */
enum {
	HEADER_HOST, HEADER_ORIGIN, HEADER_SEC_FETCH_SITE, HEADER_CONTENT_TYPE, HEADER_CONTENT_LENGTH, HEADER_TRANSFER_ENCODING,
	HEADER_EXPECT, HEADER_AUTHORIZATION, HEADER_LAST_EVENT_ID, HEADER_CONNECTION, HEADER_IF_NONE_MATCH,
	HEADER_ACCEPT_LANGUAGE, HEADER_COUNT,
};

/* What `state` is. */
enum {
	HEAD_EMPTY,      /* nothing has come yet */
	HEAD_BLANK,      /* an empty line before the request: one is forgiven */
	HEAD_FIELDS,     /* the request line was read */
};

/*
 * The same numbers as in src/http/request.ts, in the same order. Indices are those of the buffer's
 * bytes.
 */
struct request_head {
	/*
	 * limits, set by the owner: bytes of the request line without CRLF, of all header lines with theirs;
	 * lines; bytes of kept values
	 */
	int32_t request_line_max, field_bytes_max, field_lines_max, kept_max;
	int32_t state;
	int32_t next;              /* first byte that has not been read */
	int32_t kept_end;          /* end of the kept bytes */
	int32_t field_bytes, field_lines;
	int32_t skips;             /* within a line that is of no interest */
	int32_t method;            /* index in METHODS of src/http/request.ts */
	int32_t minor;             /* of the version, 1.0 or 1.1 */
	int32_t target_start;      /* target in origin form */
	int32_t target_end;
	int32_t authority_end;     /* of an absolute target, from byte 7 on; 0: the target has none */
	int32_t content_length;    /* what does not fit is INT32_MAX */
	int32_t expects_continue;
	int32_t keep_alive;
	int32_t asked;             /* of the connection */
	struct {
		int32_t start, end;    /* end 0: the header is absent, for the target lies before all values */
	} values[HEADER_COUNT];
};

enum {
	HEAD_INCOMPLETE = 0,   /* all there is was read */
	HEAD_COMPLETE = 1,
};

/*
 * Reads lines from bytes[start, end). Returns HEAD_COMPLETE, HEAD_INCOMPLETE, or the status that rejects the
 * request: 400, 411, 414, 417, 431, 501, 505. `head` is all 0 but its limits at first.
 */
int request_head_read(struct request_head *head, uint8_t *bytes, int32_t start, int32_t end);

/* ---- json_text.c ---- */

/*
 * Foreign JSON, before the engine's parser sees it. The engine makes an object of each value, and of each
 * member name a name of its own that it never gives back: so values and names are counted, and names that
 * are not asked for are emptied.
 */

struct json_limits {
	size_t depth;       /* levels of objects and arrays */
	size_t items;       /* values and member names together */
	size_t token_bytes; /* of one string, name or number, as it is written, without quotes */
};

/*
 * Looks at `text` and changes it in place: a member name that is not in `names` is emptied, `"name"` becomes
 * `""` and blanks, and an exponent above 99 becomes 99. `names`: those that are read, with one blank between
 * two; a name that is written with escapes does not match. Returns false if the text must be rejected:
 * strings that RFC 8259 does not allow or that are no Unicode, or beyond a limit. What else is wrong with it
 * the parser finds: it gets at most `items` values and names.
 */
bool json_prepare(uint8_t *text, size_t length, const char *names, const struct json_limits *limits);

/* ---- UTF-8: overlong forms, surrogates and values above 10FFFF are rejected. Source: RFC 3629 ---- */

/* Bytes of the character at `text`, 1 to 4; 0 if none begins there or it is longer than `length`. */
size_t utf8_character(const uint8_t *text, size_t length);

/*
 * The engine's text as UTF-8: it has C0 80 for U+0000, and surrogates without their other half, which become
 * U+FFFD. `text` ends with a 0. `into` may be NULL, to measure. Returns the number of bytes.
 */
size_t utf8_encode(const uint8_t *text, uint8_t *into);

#endif
