/*
 * Signatures: of all that is nearly right only the right one is taken, in its thread too, whoever is done
 * first. The first byte of the input says whether the thread is waited for, the others change key, signature
 * and message of an example (RFC 8032, 7.1).
 */
#include "fuzz.h"
#include "signature_check.h"

#include <sched.h>

const char *const fuzz_seeds[] = { "", "a", "b1234567890123456789012345678901234567890123456789012345678901234567890", NULL };

#define MESSAGE_BYTES 2u
#define EXAMPLE_BYTES (ED25519_KEY_BYTES + ED25519_SIGNATURE_BYTES + MESSAGE_BYTES)

static const uint8_t example[EXAMPLE_BYTES] = {
	/* key */
	0xfc, 0x51, 0xcd, 0x8e, 0x62, 0x18, 0xa1, 0xa3, 0x8d, 0xa4, 0x7e, 0xd0, 0x02, 0x30, 0xf0, 0x58, 0x08, 0x16, 0xed, 0x13, 0xba, 0x33, 0x03,
	0xac, 0x5d, 0xeb, 0x91, 0x15, 0x48, 0x90, 0x80, 0x25,
	/* signature */
	0x62, 0x91, 0xd6, 0x57, 0xde, 0xec, 0x24, 0x02, 0x48, 0x27, 0xe6, 0x9c, 0x3a, 0xbe, 0x01, 0xa3, 0x0c, 0xe5, 0x48, 0xa2, 0x84, 0x74, 0x3a,
	0x44, 0x5e, 0x36, 0x80, 0xd7, 0xdb, 0x5a, 0xc3, 0xac, 0x18, 0xff, 0x9b, 0x53, 0x8d, 0x16, 0xf2, 0x90, 0xae, 0x67, 0xf7, 0x60, 0x98, 0x4d,
	0xc6, 0x59, 0x4a, 0x7c, 0x15, 0xe9, 0x71, 0x6e, 0xd2, 0x8d, 0xc0, 0x27, 0xbe, 0xce, 0xea, 0x1e, 0xc4, 0x0a,
	/* message */
	0xaf, 0x82,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t changed[EXAMPLE_BYTES];
	size_t shorter = size > 1 + EXAMPLE_BYTES ? 1 : 0; /* a message that lacks its end */
	memcpy(changed, example, sizeof changed);
	for (size_t i = 1; i < size && i <= EXAMPLE_BYTES; i++)
		changed[i - 1] ^= data[i];
	bool is_example = !shorter && memcmp(changed, example, sizeof changed) == 0;
	const uint8_t *signature = changed + ED25519_KEY_BYTES;
	uint8_t *message = fuzz_copy(signature + ED25519_SIGNATURE_BYTES, MESSAGE_BYTES - shorter);
	MUST(ed25519_is_signed(signature, message, MESSAGE_BYTES - shorter, changed) == is_example);

	struct signature_check *check = signature_check_begin(changed, signature, message, MESSAGE_BYTES - shorter);
	free(message); /* the check has its own */
	if (check) {
		enum signature_result result = SIGNATURE_UNKNOWN;
		while (size && data[0] & 1 && result == SIGNATURE_UNKNOWN) {
			sched_yield();
			result = signature_check_result(check);
		}
		MUST(result == SIGNATURE_UNKNOWN || result == (is_example ? SIGNATURE_RIGHT : SIGNATURE_WRONG));
		signature_check_end(check);
	}
	return 0;
}
