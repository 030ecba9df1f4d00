/*
 * The head of a request: whole or in pieces it is the same, and what is kept never reaches into what is
 * unread.
 */
#include "fuzz.h"
#include "text.h"

const char *const fuzz_seeds[] = {
	"GET / HTTP/1.1\r\nHost: h\r\n\r\n",
	"\r\nPOST /p?a=b HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive, close\r\n\r\n",
	"PUT http://h:80/x HTTP/1.0\r\nhost:\th:80 \r\nContent-Length: 2147483648\r\nExpect: 100-continue\r\nCookie: a\r\n\r\n",
	"OPTIONS * HTTP/1.1\r\nHost:\r\nIf-None-Match: a\r\nIf-None-Match: b\r\nAccept-Language: de\r\nContent-Length: 005\r\n\r\n",
	NULL,
};

/* So small that a short input reaches them. */
static const struct request_head empty = { .request_line_max = 64, .field_bytes_max = 256, .field_lines_max = 8, .kept_max = 64 };

static void judge(const struct request_head *head, int32_t start, int32_t end, int outcome)
{
	MUST(outcome == HEAD_INCOMPLETE || outcome == HEAD_COMPLETE || (outcome >= 400 && outcome <= 505));
	MUST(start <= head->next && head->next <= end);
	MUST(head->kept_end <= head->next && head->target_end <= head->kept_end);
	MUST(head->kept_end - head->target_end <= head->kept_max);
	if (outcome != HEAD_COMPLETE)
		return;
	MUST(head->field_bytes <= head->field_bytes_max && head->field_lines <= head->field_lines_max);
	MUST(head->method >= 0 && head->minor >= 0 && head->minor <= 1 && head->content_length >= 0);
	MUST(head->target_start < head->target_end);
	for (unsigned i = 0; i < HEADER_COUNT; i++)
		if (head->values[i].end)
			MUST(head->target_end <= head->values[i].start && head->values[i].start <= head->values[i].end
				&& head->values[i].end <= head->kept_end);
}

/* Reads a head, `step` bytes at a time. Returns the outcome of what was read last. */
static int read_all(struct request_head *head, uint8_t *bytes, int32_t size, int32_t step)
{
	int32_t start = 0, end = 0;
	*head = empty;
	for (;;) {
		if (end < size)
			end += step < size - end ? step : size - end;
		int outcome = request_head_read(head, bytes, start, end);
		judge(head, start, end, outcome);
		start = head->next;
		if (outcome != HEAD_INCOMPLETE || end == size)
			return outcome;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	int32_t step = 1 + data[0] % 7, length = (int32_t)size;
	uint8_t *whole = fuzz_copy(data, size), *cut = fuzz_copy(data, size);
	struct request_head a, b;
	int at_once = read_all(&a, whole, length, length), by_pieces = read_all(&b, cut, length, step);
	/* wrong is wrong; of two reasons the one that is seen first is told */
	MUST((at_once >= 400) == (by_pieces >= 400));
	if (at_once == HEAD_COMPLETE) {
		MUST(by_pieces == HEAD_COMPLETE && memcmp(&a, &b, sizeof a) == 0);
		MUST(memcmp(whole, cut, (size_t)a.kept_end) == 0);
	}
	free(whole);
	free(cut);
	return 0;
}
