/* A multipart/form-data body's delimiters, and the two lines that are looked at. */
#include "fuzz.h"
#include "multipart.h"

const char *const fuzz_seeds[] = {
	"multipart/form-data; boundary=\"a b\"; x=y", "multipart/form-data;boundary=b", "--b\r\nX: y\r\n\r\nfile\r\n--b--\r\n", "\r\r\n-\r\n--",
	"Content-Disposition: form-data; name=\"u;\"; filename=\"f\"", "content-disposition:;\t filename*=", NULL,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint8_t DELIMITER[] = { '\r', '\n', '-', '-', 'b' };
	uint8_t *text = fuzz_copy(data, size);
	size_t found = multipart_find(text, size, DELIMITER, sizeof DELIMITER);
	MUST(found <= size);
	size_t left = size - found;
	MUST(!memcmp(text + found, DELIMITER, left < sizeof DELIMITER ? left : sizeof DELIMITER));
	for (size_t at = 0; at < found && found - at >= sizeof DELIMITER; at++)
		MUST(memcmp(text + at, DELIMITER, sizeof DELIMITER));
	size_t start = 0, length = multipart_boundary(text, size, &start);
	MUST(length <= 70 && (length == 0 || (start > 0 && start + length <= size && !memchr(text + start, '"', length))));
	multipart_names_file(text, size);
	free(text);
	return 0;
}
