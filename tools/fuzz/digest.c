/* SHA-256 and PBKDF2: however the input is cut, and however the rounds are, the result is the same. */
#include "fuzz.h"
#include "sha256_core.h"

const char *const fuzz_seeds[] = {
	"", "abc", "0123456789012345678901234567890123456789012345678901234", "01234567890123456789012345678901234567890123456789012345678901234", NULL,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sha256 whole, cut;
	uint8_t a[SHA256_BYTES], b[SHA256_BYTES];
	size_t step = size ? 1 + data[0] % 97u : 1;
	sha256_begin(&whole);
	sha256_add(&whole, data, size);
	sha256_end(&whole, a);
	sha256_begin(&cut);
	for (size_t at = 0; at < size; at += step)
		sha256_add(&cut, data + at, step < size - at ? step : size - at);
	sha256_end(&cut, b);
	MUST(memcmp(a, b, sizeof a) == 0);

	struct pbkdf2 one, other;
	size_t salt = size / 2;
	pbkdf2_begin(&one, data, salt, data + salt, size - salt);
	pbkdf2_begin(&other, data, salt, data + salt, size - salt);
	pbkdf2_add(&one, 5);
	pbkdf2_add(&other, 2);
	pbkdf2_add(&other, 0);
	pbkdf2_add(&other, 3);
	MUST(memcmp(one.sum, other.sum, sizeof one.sum) == 0);
	pbkdf2_wipe(&one);
	for (size_t i = 0; i < sizeof one; i++)
		MUST(((uint8_t *)&one)[i] == 0);
	return 0;
}
