#include "restarts.h"

#include <stdint.h>

#include "esp_attr.h"
#include "esp_rom_sys.h"
#include "esp_system.h"

/*
 * Marks, for what lies there after a power cut, or was left by firmware that has other variables, is
 * anything.
 */
#define WANTED 0x77616e74u
#define HUNG 0x68756e67u
#define WOKEN 0x776f6b65u
#define ROW 0x726f7700u /* + how many */
#define ROW_MASK 0xffu

/* These survive a restart. */
static RTC_NOINIT_ATTR uint32_t mark, row;
static enum restart before;

static bool is_unwanted(void)
{
	switch (esp_reset_reason()) {
	case ESP_RST_SW:
		return before != RESTART_WANTED && before != RESTART_WOKEN;
	case ESP_RST_PANIC:
	case ESP_RST_INT_WDT:
	case ESP_RST_TASK_WDT:
	case ESP_RST_WDT:
	case ESP_RST_CPU_LOCKUP:
		return true;
	default: /* the supply, or a USB cable */
		return false;
	}
}

bool restarts_count(void)
{
	uint32_t said = esp_reset_reason() == ESP_RST_SW ? mark : 0;
	before = said == WANTED ? RESTART_WANTED : said == HUNG ? RESTART_HUNG : said == WOKEN ? RESTART_WOKEN : RESTART_OTHER;
	mark = 0;
	uint32_t in_row = (row & ~ROW_MASK) == ROW ? row & ROW_MASK : 0;
	uint32_t now = is_unwanted() ? in_row + 1 : 0;
	row = ROW + (now < ROW_MASK ? now : ROW_MASK);
	return now >= RESTARTS_MAX;
}

void restarts_lived(void)
{
	row = ROW;
}

enum restart restarts_before(void)
{
	return before;
}

void restarts_woken(void)
{
	mark = WOKEN;
	esp_rom_software_reset_system();
}

void restarts_now(void)
{
	mark = WANTED;
	esp_restart();
}

IRAM_ATTR void restarts_hung(void)
{
	mark = HUNG;
	esp_rom_software_reset_system();
}
