/* A column of a map's text. */
#include "columns.h"
#include "fuzz.h"

const char *const fuzz_seeds[] = {
	"S15", " t100% ", "-12.5", "33.333333333333336", "00000000000000000000000000000001", "1.2.3", "5.", ".5", "-", "%", "0x10", "1e2", "nan", NULL,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	double value = 0;
	uint8_t *text = fuzz_copy(data, size);
	if (column_number(text, size, &value)) {
		MUST(value > -1e32 && value < 1e32);
		for (size_t at = 0; at < size; at++)
			MUST(data[at] && strchr("0123456789-.%SsTt ", data[at]));
	}
	free(text);
	return 0;
}
