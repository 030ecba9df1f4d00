/* See twai_port.h. As ESP-IDF's own driver does it (components/esp_driver_twai/esp_twai_onchip.c). */
#include "twai_port.h"

#include <string.h>

#include "esp_intr_alloc.h"
#include "esp_private/periph_ctrl.h"
#include "esp_rom_gpio.h"
#include "hal/twai_periph.h"

/* The only sources that ESP-IDF offers for these chips, and their rates: README.md "TWAI". */
#if CONFIG_IDF_TARGET_ESP32C6
#define CLOCK TWAI_CLK_SRC_XTAL
#define CLOCK_HZ 40000000u
#else
#define CLOCK TWAI_CLK_SRC_APB
#define CLOCK_HZ 80000000u
#endif

static void clock_on(int number)
{
	PERIPH_RCC_ATOMIC() {
		twai_ll_enable_bus_clock(number, true);
		twai_ll_reset_register(number);
		twai_ll_enable_clock(number, true);
		twai_ll_set_clock_source(number, CLOCK);
	}
}

static bool connect(const struct twai_pins *pins, int number)
{
	gpio_config_t input, output;
	memset(&input, 0, sizeof input);
	input.pin_bit_mask = 1ULL << pins->rx;
	input.mode = GPIO_MODE_INPUT;
	input.pull_up_en = GPIO_PULLUP_ENABLE; /* a transceiver that is not there must not be noise */
	memset(&output, 0, sizeof output);
	output.pin_bit_mask = 1ULL << pins->tx;
	output.mode = GPIO_MODE_OUTPUT;
	gpio_set_level(pins->tx, 1); /* recessive */
	if (gpio_config(&input) != ESP_OK || gpio_config(&output) != ESP_OK)
		return false;
	esp_rom_gpio_connect_in_signal((uint32_t)pins->rx, (uint32_t)twai_periph_signals[number].rx_sig, false);
	esp_rom_gpio_connect_out_signal((uint32_t)pins->tx, (uint32_t)twai_periph_signals[number].tx_sig, false, false);
	if (pins->standby == GPIO_NUM_NC)
		return true;
	gpio_hold_dis(pins->standby); /* since a sleep */
	gpio_set_level(pins->standby, 0);
	return gpio_set_direction(pins->standby, GPIO_MODE_OUTPUT) == ESP_OK;
}

const char *twai_port_open(struct twai *twai, unsigned number, const struct twai_pins *pins, void (*on_interrupt)(void *twai))
{
	clock_on((int)number);
	if (!connect(pins, (int)number))
		return "gpio_config";
	intr_handle_t handle;
	int flags = ESP_INTR_FLAG_IRAM | ESP_INTR_FLAG_LOWMED;
	if (esp_intr_alloc(twai_periph_signals[number].irq_id, flags, on_interrupt, twai, &handle) != ESP_OK)
		return "esp_intr_alloc";
	if (twai_start(twai, TWAI_LL_GET_HW(number), CLOCK_HZ / TWAI_QUANTA_HZ))
		return NULL;
	esp_intr_free(handle);
	return "twai_start";
}
