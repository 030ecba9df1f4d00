/* See restarts.h. */
#include "restarts.h"

#include <stdint.h>

#include "esp_attr.h"
#include "esp_system.h"
#include "esp_task_wdt.h"
#include "esp_timer.h"
#include "freertos/FreeRTOS.h"
#include "freertos/task.h"

#define WANTED 0x77616e74u

/* These survive a software restart. */
static RTC_NOINIT_ATTR uint32_t wanted, unwanted_in_a_row;
static bool was_wanted;

/* In the task that restarts the board. */
static void on_restart(void)
{
	if (wanted == WANTED)
		return;
	unwanted_in_a_row = esp_timer_get_time() < RESTARTS_LIVED_US ? unwanted_in_a_row + 1 : 1;
	if (unwanted_in_a_row < RESTARTS_MAX)
		return;
	(void)esp_task_wdt_delete(NULL); /* it will not feed it any more */
	vTaskSuspend(NULL);
}

void restarts_watch(void)
{
	bool is_software = esp_reset_reason() == ESP_RST_SW;
	was_wanted = is_software && wanted == WANTED;
	if (!is_software || was_wanted)
		unwanted_in_a_row = 0;
	wanted = 0;
	(void)esp_register_shutdown_handler(on_restart);
}

bool restarts_was_wanted(void)
{
	return was_wanted;
}

void restarts_now(void)
{
	wanted = WANTED;
	esp_restart();
}
