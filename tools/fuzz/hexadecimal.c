/* Hexadecimal numbers, and bytes that are a text. */
#include "fuzz.h"
#include "hexadecimal.h"

const char *const fuzz_seeds[] = {
	"0xF190", "0286,028d;2BE4\t1\r\n", " 0 x _ f f ", "100000000", "0x", "x", "_", "0CQ907554D  ", "12345678901234567890123456789012345", NULL,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	uint8_t *text = fuzz_copy(data, size);
	int64_t value = hex_value((const char *)text, size);
	MUST(value >= -1 && value <= UINT32_MAX);
	char *list = malloc(size + 1);
	uint8_t *digits = malloc(hex_length(size, true) + 8), *shown = malloc(size + 1);
	if (!list || !digits || !shown)
		abort();
	memcpy(list, data, size);
	list[size] = 0;
	MUST(hex_item_length(list) <= size);
	hex_write(text, size, true, digits);
	MUST(hex_value((char *)digits, 2) == data[0]);
	if (value >= 0) {
		hex_write_number((uint32_t)value, 8, digits);
		MUST(hex_value((char *)digits, 8) == value);
	}
	size_t count = printable_write(text, size, shown);
	MUST(count == SIZE_MAX || count <= size);
	for (size_t at = 0; count != SIZE_MAX && at < count; at++)
		MUST(shown[at] >= ' ' && shown[at] <= '~');
	free(shown);
	free(digits);
	free(list);
	free(text);
	return 0;
}
