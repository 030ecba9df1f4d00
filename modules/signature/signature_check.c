/*
 * See signature_check.h. The thread and its caller are done with the check in any order: the second one frees
 * it. A lock guards the state, no atomic variable: Moddable compiles for a C6 without atomic instructions,
 * and ESP-IDF has no functions in their place there.
 */
#include "signature_check.h"

#include <stdlib.h>
#include <string.h>

#if ESP32
	#include "freertos/FreeRTOS.h"
	#include "freertos/task.h"
	#define STACK_BYTES 6144 /* 3,360 are used, by count on rv32 */
	#define PRIORITY 1       /* below everything of ours: the script has 4 */
	static portMUX_TYPE lock = portMUX_INITIALIZER_UNLOCKED;
	#define LOCK() portENTER_CRITICAL(&lock)
	#define UNLOCK() portEXIT_CRITICAL(&lock)
#else
	#include <pthread.h>
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	#define LOCK() pthread_mutex_lock(&lock)
	#define UNLOCK() pthread_mutex_unlock(&lock)
#endif

enum state { RUNNING, DONE, DROPPED };

struct signature_check {
	enum state state; /* under the lock */
	bool is_signed;   /* once it is DONE */
	uint8_t key[ED25519_KEY_BYTES];
	uint8_t signature[ED25519_SIGNATURE_BYTES];
	size_t size;
	uint8_t message[];
};

/* The last of the two frees it. */
static void enter(struct signature_check *check, enum state state)
{
	LOCK();
	bool is_last = check->state != RUNNING;
	check->state = state;
	UNLOCK();
	if (is_last)
		free(check);
}

static void look(struct signature_check *check)
{
	check->is_signed = ed25519_is_signed(check->signature, check->message, check->size, check->key);
	enter(check, DONE);
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
	check->state = RUNNING;
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
	LOCK();
	bool is_done = check->state == DONE;
	UNLOCK();
	if (!is_done)
		return SIGNATURE_UNKNOWN;
	return check->is_signed ? SIGNATURE_RIGHT : SIGNATURE_WRONG;
}

void signature_check_end(struct signature_check *check)
{
	enter(check, DROPPED);
}
