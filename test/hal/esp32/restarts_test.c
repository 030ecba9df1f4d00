/* The row of restarts, on fakes of what ESP-IDF does when it restarts. */
#include "restarts.h"

#include "esp_system.h"
#include "esp_task_wdt.h"
#include "esp_timer.h"
#include "testing.h"

static esp_reset_reason_t reason;
static shutdown_handler_t handler;
static int64_t uptime_us;
static unsigned restarted, suspended;

esp_reset_reason_t esp_reset_reason(void)
{
	return reason;
}

esp_err_t esp_register_shutdown_handler(shutdown_handler_t handle)
{
	handler = handle;
	return ESP_OK;
}

void esp_restart(void)
{
	unsigned before = suspended;
	handler();
	restarted += suspended == before; /* suspended: it never gets there */
	reason = ESP_RST_SW;
}

esp_err_t esp_task_wdt_delete(TaskHandle_t task)
{
	CHECK(!task);
	return ESP_OK;
}

void vTaskSuspend(TaskHandle_t task)
{
	CHECK(!task);
	++suspended;
}

int64_t esp_timer_get_time(void)
{
	return uptime_us;
}

/* As Moddable ends a script, so long after the start. */
static void crash_after(int64_t us)
{
	restarts_watch();
	uptime_us = us;
	esp_restart();
}

static void begin(void)
{
	reason = ESP_RST_POWERON;
	restarted = suspended = 0;
	restarts_watch();
}

TEST(restarts_wanted, "a wanted restart is told from a crash, and only once")
{
	begin();
	CHECK(!restarts_was_wanted());
	restarts_now();
	restarts_watch();
	CHECK(restarts_was_wanted());
	crash_after(100);
	restarts_watch();
	CHECK(!restarts_was_wanted());
	EQUAL(suspended, 0);
}

TEST(restarts_hopeless, "a script that can't start is left alone after five attempts, until the supply is switched")
{
	begin();
	for (unsigned i = 1; i < RESTARTS_MAX; ++i)
		crash_after(500000);
	EQUAL(restarted, RESTARTS_MAX - 1);
	crash_after(500000);
	EQUAL(restarted, RESTARTS_MAX - 1);
	EQUAL(suspended, 1);
	begin();
	crash_after(500000);
	EQUAL(suspended, 0);
}

TEST(restarts_row, "a start that lived, or a wanted one, ends the row")
{
	begin();
	for (unsigned i = 0; i < 3 * RESTARTS_MAX; ++i)
		crash_after(i % 3 ? 500000 : RESTARTS_LIVED_US);
	crash_after(500000); /* the fourth since the one that lived */
	restarts_watch();
	restarts_now();
	for (unsigned i = 1; i < RESTARTS_MAX; ++i)
		crash_after(500000);
	EQUAL(suspended, 0);
}
