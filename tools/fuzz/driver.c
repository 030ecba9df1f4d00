/*
 * Drives a fuzz target with inputs that a seeded generator makes of the target's seeds. Usage: PROGRAM RUNS
 * SEED. The same runs and seed are the same inputs everywhere. A sanitizer's or MUST's abort leaves the input
 * in ./crash-SEED-RUN.
 */
#include "fuzz.h"

#include <signal.h>
#include <unistd.h>

#define INPUT_MAX 4096

static uint8_t input[INPUT_MAX];
static size_t input_size;
static char crash_path[64];
static uint64_t state;

/* splitmix64 */
static uint64_t next(void)
{
	uint64_t z = (state += 0x9E3779B97F4A7C15u);
	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return z ^ z >> 31;
}

static size_t below(size_t limit)
{
	return limit ? (size_t)(next() % limit) : 0;
}

static void take_seed(void)
{
	size_t count = 0;
	while (fuzz_seeds[count])
		count++;
	const char *seed = fuzz_seeds[below(count)];
	input_size = strlen(seed);
	memcpy(input, seed, input_size);
}

static void insert(const uint8_t *bytes, size_t size)
{
	size_t at = below(input_size + 1);
	if (input_size + size > INPUT_MAX)
		return;
	memmove(input + at + size, input + at, input_size - at);
	memcpy(input + at, bytes, size);
	input_size += size;
}

static void mutate(void)
{
	static const uint8_t odd[] = { 0, 1, 0x7F, 0x80, 0xFF, '"', '\\', '{', '}', '[', ']', '%', '+', ',', ':', 0xC3, 0xED, 0xF4 };
	uint8_t piece[64];
	size_t at = below(input_size), size = below(sizeof piece);
	switch (below(7)) {
	case 0:
		if (input_size)
			input[at] ^= (uint8_t)(1u << below(8));
		break;
	case 1:
		if (input_size)
			input[at] = odd[below(sizeof odd)];
		break;
	case 2:
		insert(&odd[below(sizeof odd)], 1);
		break;
	case 3: /* something of it once more */
		if (size > input_size - at)
			size = input_size - at;
		memcpy(piece, input + at, size);
		insert(piece, size);
		break;
	case 4: /* without something of it */
		if (size > input_size - at)
			size = input_size - at;
		memmove(input + at, input + at + size, input_size - at - size);
		input_size -= size;
		break;
	case 5:
		for (size_t i = 0; i < size; i++)
			piece[i] = (uint8_t)next();
		insert(piece, size);
		break;
	default:
		input_size = at;
	}
}

static void keep(int signal_number)
{
	FILE *file = fopen(crash_path, "wb");
	if (file) {
		fwrite(input, 1, input_size, file);
		fclose(file);
	}
	fprintf(stderr, "the input is in %s\n", crash_path);
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

int main(int argc, char **argv)
{
	unsigned long runs = argc > 1 ? strtoul(argv[1], NULL, 10) : 0, seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
	if (!runs) {
		fprintf(stderr, "usage: %s RUNS SEED\n", argv[0]);
		return 2;
	}
	signal(SIGABRT, keep);
	for (unsigned long run = 0; run < runs; run++) {
		state = seed * 1000003u + run; /* each run is one by itself */
		snprintf(crash_path, sizeof crash_path, "crash-%lu-%lu", seed, run);
		take_seed();
		for (size_t left = below(24); left > 0; left--)
			mutate();
		uint8_t *copy = fuzz_copy(input, input_size);
		LLVMFuzzerTestOneInput(copy, input_size);
		free(copy);
	}
	printf("%lu inputs\n", runs);
	return 0;
}
