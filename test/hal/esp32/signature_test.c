/*
 * A board's branch of modules/signature/signature_check.c: its thread is a task of FreeRTOS, which these
 * cases run when they want to.
 */
#include "freertos/FreeRTOS.h"
#include "freertos/task.h"
#include "signature_check.h"
#include "testing.h"

static void (*task)(void *);
static void *parameter;
static unsigned deleted, locked;
static bool has_memory;

BaseType_t xTaskCreatePinnedToCore(void (*code)(void *), const char *name, uint32_t stack_bytes, void *argument, UBaseType_t priority,
	TaskHandle_t *handle, BaseType_t core)
{
	CHECK(name && stack_bytes >= 4096 && priority < 4 && !handle && core == tskNO_AFFINITY);
	task = code;
	parameter = argument;
	return has_memory ? pdPASS : pdFALSE;
}

void vTaskDelete(TaskHandle_t handle)
{
	CHECK(!handle);
	++deleted;
}

void vPortEnterCritical(portMUX_TYPE *mux)
{
	CHECK(mux && !locked++);
}

void vPortExitCritical(portMUX_TYPE *mux)
{
	CHECK(mux && !--locked);
}

/* Signed is what ends like its key. */
bool ed25519_is_signed(const uint8_t signature[ED25519_SIGNATURE_BYTES], const uint8_t *message, size_t size, const uint8_t key[ED25519_KEY_BYTES])
{
	CHECK(!locked && signature[0] == 7);
	return message[size - 1] == key[0];
}

static struct signature_check *begin(uint8_t last)
{
	uint8_t key[ED25519_KEY_BYTES] = {2}, signature[ED25519_SIGNATURE_BYTES] = {7}, message[3] = {1, 1, last};
	return signature_check_begin(key, signature, message, sizeof message);
}

TEST(signature_result, "on a board a signature's result is known when its task has ended, which then deletes itself")
{
	has_memory = true;
	unsigned before = deleted;
	for (uint8_t last = 1; last < 4; ++last) {
		struct signature_check *check = begin(last);
		EQUAL(signature_check_result(check), SIGNATURE_UNKNOWN);
		task(parameter);
		EQUAL(deleted, before + last);
		EQUAL(signature_check_result(check), last == 2 ? SIGNATURE_RIGHT : SIGNATURE_WRONG);
		signature_check_end(check);
	}
	EQUAL(locked, 0);
}

TEST(signature_dropped, "on a board a check that its caller drops is freed by its task, and only once")
{
	has_memory = true;
	unsigned before = deleted;
	signature_check_end(begin(2));
	task(parameter);
	EQUAL(deleted, before + 1);
}

TEST(signature_no_task, "on a board without memory for the task the check does not begin and leaves nothing behind")
{
	has_memory = false;
	CHECK(!begin(2));
}
