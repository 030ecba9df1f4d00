/* See parked_sleep.h. */
#include "parked_sleep.h"

#include "esp_attr.h"
#include "esp_sleep.h"
#include "esp_system.h"
#include "restarts.h"

/* What lies there after a power cut is anything. */
#define KEPT 0x736c6565u

/* These survive both kinds of sleep, and a restart. */
static RTC_NOINIT_ATTR uint32_t mark, entries, causes;
static const char *cause = "power_on_or_reset";

static const char *name_of(uint32_t sources)
{
	if (sources & (1u << ESP_SLEEP_WAKEUP_EXT1 | 1u << ESP_SLEEP_WAKEUP_GPIO))
		return "can_rx";
	return sources & 1u << ESP_SLEEP_WAKEUP_TIMER ? "timer" : "other";
}

void parked_sleep_boot(void)
{
	if (mark != KEPT)
		entries = 0;
	mark = KEPT;
	if (esp_reset_reason() == ESP_RST_DEEPSLEEP)
		cause = name_of(esp_sleep_get_wakeup_causes());
	else if (restarts_was_woken())
		cause = name_of(causes);
}

const char *parked_sleep_cause(void)
{
	return cause;
}

uint32_t parked_sleep_entries(void)
{
	return entries;
}

void parked_sleep_enter(gpio_num_t rx, uint32_t wake_after_ms)
{
	bool ends = esp_sleep_enable_timer_wakeup(wake_after_ms * 1000ull) == ESP_OK;
#if CONFIG_IDF_TARGET_ESP32S3
	ends = ends && esp_sleep_enable_ext1_wakeup_io(1ull << rx, ESP_EXT1_WAKEUP_ANY_LOW) == ESP_OK;
	if (!ends)
		restarts_now(); /* better awake than deaf */
	++entries;
	esp_deep_sleep_start();
#else
	ends = ends && gpio_wakeup_enable(rx, GPIO_INTR_LOW_LEVEL) == ESP_OK && esp_sleep_enable_gpio_wakeup() == ESP_OK;
	if (!ends || esp_light_sleep_start() != ESP_OK)
		restarts_now();
	++entries;
	causes = esp_sleep_get_wakeup_causes();
	restarts_woken();
#endif
}
