/* The row of restarts, for all reasons that ESP-IDF gives. */
#include "restarts.h"

#include <stdint.h>

#include "esp_system.h"
#include "testing.h"

/* What survives a restart, as the linker has it. */
extern uint32_t __start_rtc_noinit[], __stop_rtc_noinit[];

static esp_reset_reason_t reason;

esp_reset_reason_t esp_reset_reason(void)
{
	return reason;
}

void esp_restart(void)
{
	reason = ESP_RST_SW;
}

void esp_rom_software_reset_system(void)
{
	reason = ESP_RST_SW;
}

static bool start_after(esp_reset_reason_t why)
{
	reason = why;
	return restarts_count();
}

TEST(restarts_wanted, "a wanted restart is told from a crash, and only once")
{
	start_after(ESP_RST_POWERON);
	EQUAL(restarts_before(), RESTART_OTHER);
	restarts_now();
	CHECK(!restarts_count());
	EQUAL(restarts_before(), RESTART_WANTED);
	CHECK(!start_after(ESP_RST_SW));
	EQUAL(restarts_before(), RESTART_OTHER);
}

TEST(restarts_by_heartbeat, "a restart because the gateway's task hung is told from a crash, only once, and counts as one in the row")
{
	start_after(ESP_RST_POWERON);
	for (unsigned i = 1; i < RESTARTS_MAX; ++i) {
		restarts_hung();
		CHECK(!restarts_count());
		EQUAL(restarts_before(), RESTART_HUNG);
	}
	restarts_hung();
	CHECK(restarts_count());
	CHECK(!start_after(ESP_RST_POWERON));
	EQUAL(restarts_before(), RESTART_OTHER);
}

TEST(restarts_after_sleep, "a start after a light sleep is told from a crash, only once, and ends the row")
{
	start_after(ESP_RST_POWERON);
	for (unsigned i = 1; i < 3 * RESTARTS_MAX; ++i) {
		restarts_woken();
		CHECK(!restarts_count());
		EQUAL(restarts_before(), RESTART_WOKEN);
	}
	CHECK(!start_after(ESP_RST_SW));
	EQUAL(restarts_before(), RESTART_OTHER);
}

TEST(restarts_hopeless, "firmware that crashes five times in a row is not started again until the supply is switched")
{
	static const esp_reset_reason_t crashes[] = {
		ESP_RST_SW, ESP_RST_PANIC, ESP_RST_INT_WDT, ESP_RST_TASK_WDT, ESP_RST_WDT, ESP_RST_CPU_LOCKUP};
	for (unsigned which = 0; which < sizeof crashes / sizeof *crashes; ++which) {
		CHECK(!start_after(ESP_RST_POWERON));
		for (unsigned i = 1; i < RESTARTS_MAX; ++i)
			CHECK(!start_after(crashes[which]));
		CHECK(start_after(crashes[which]));
	}
	CHECK(!start_after(ESP_RST_BROWNOUT));
}

TEST(restarts_garbage, "what other firmware has left in that memory counts for nothing")
{
	for (unsigned bit = 0; bit < 32; ++bit) {
		for (uint32_t *word = __start_rtc_noinit; word < __stop_rtc_noinit; ++word)
			*word = 1u << bit;
		CHECK(!start_after(ESP_RST_SW));
		EQUAL(restarts_before(), RESTART_OTHER);
	}
}

TEST(restarts_row, "a start that was long enough, a wanted restart, or one for another reason ends the row of crashes")
{
	for (unsigned i = 0; i < 3 * RESTARTS_MAX; ++i) {
		CHECK(!start_after(i % 4 == 3 ? ESP_RST_USB : ESP_RST_PANIC));
		if (i % 4 == 0)
			restarts_lived();
		if (i % 4 == 1) {
			restarts_now();
			CHECK(!restarts_count());
		}
	}
}
