/* See signature_check.h. The thread and whoever began it are done with it in any order: the second one frees it. */
#include "signature_check.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#if ESP32
	#include "freertos/FreeRTOS.h"
	#include "freertos/task.h"
	#define STACK_BYTES 6144 /* 3,360 are used, by count on rv32 */
	#define PRIORITY 1       /* below everything of ours: the script has 4 */
#else
	#include <pthread.h>
#endif

enum { RUNNING, DONE, GIVEN_UP };

struct signature_check {
	atomic_int state;
	bool is_signed;   /* once it is DONE */
	uint8_t key[ED25519_KEY_BYTES];
	uint8_t signature[ED25519_SIGNATURE_BYTES];
	size_t size;
	uint8_t message[];
};

static void look(struct signature_check *check)
{
	check->is_signed = ed25519_is_signed(check->signature, check->message, check->size, check->key);
	if (atomic_exchange(&check->state, DONE) == GIVEN_UP)
		free(check);
}

#if ESP32
static void run(void *check)
{
	look(check);
	vTaskDelete(NULL);
}

static bool start(struct signature_check *check)
{
	return xTaskCreatePinnedToCore(run, "signature", STACK_BYTES, check, PRIORITY, NULL, tskNO_AFFINITY) == pdPASS;
}
#else
static void *run(void *check)
{
	look(check);
	return NULL;
}

static bool start(struct signature_check *check)
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, run, check))
		return false;
	pthread_detach(thread);
	return true;
}
#endif

struct signature_check *signature_check_begin(const uint8_t key[ED25519_KEY_BYTES], const uint8_t signature[ED25519_SIGNATURE_BYTES],
	const uint8_t *message, size_t size)
{
	struct signature_check *check = malloc(sizeof *check + size);
	if (!check)
		return NULL;
	atomic_init(&check->state, RUNNING);
	memcpy(check->key, key, ED25519_KEY_BYTES);
	memcpy(check->signature, signature, ED25519_SIGNATURE_BYTES);
	memcpy(check->message, message, size);
	check->size = size;
	if (start(check))
		return check;
	free(check);
	return NULL;
}

enum signature_result signature_check_result(const struct signature_check *check)
{
	if (atomic_load(&check->state) != DONE)
		return SIGNATURE_UNKNOWN;
	return check->is_signed ? SIGNATURE_RIGHT : SIGNATURE_WRONG;
}

void signature_check_end(struct signature_check *check)
{
	if (atomic_exchange(&check->state, GIVEN_UP) == DONE)
		free(check);
}
