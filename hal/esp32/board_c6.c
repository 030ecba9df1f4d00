/* The OpenHaldex-C6 board: wiring, sizes, and its own controls. Source of the pins: README.md "Wiring". */
#include "xsmc.h"
#include "mc.xs.h"
#include "xsHost.h"

#include <string.h>

#include "controls.h"
#include "gateway_esp32.h"

#include "driver/gpio.h"
#include "esp_netif.h"
#include "esp_private/periph_ctrl.h"
#include "esp_rom_gpio.h"
#include "esp_timer.h"
#include "hal/rmt_ll.h"
#include "soc/gpio_sig_map.h"

const struct gateway_board gateway_board_c6 = {
	.twai = {
		[GATEWAY_CHASSIS] = {.tx = GPIO_NUM_3, .rx = GPIO_NUM_23, .standby = GPIO_NUM_2},
		[GATEWAY_COUPLING] = {.tx = GPIO_NUM_21, .rx = GPIO_NUM_20, .standby = GPIO_NUM_22},
	},
	.latest_ids = 192,   /* 12 KB */
	.ring_records = 256, /* 8 KB: 28 ms of two full buses */
	.core = 0,           /* the only one */
};

/*
 * For an image without IPv6 (`CONFIG_LWIP_IPV6=n`): Moddable's Wi-Fi module asks for a link-local address all
 * the same, and does not wait for one when that fails.
 */
esp_err_t esp_netif_create_ip6_linklocal(esp_netif_t *netif)
{
	(void)netif;
	return ESP_FAIL;
}

/* ---- natives of io/board-controls.ts ---- */

/*
 * The LED gets its 24 bits from the RMT, whose memory holds them: without a driver, an interrupt or a wait. Its
 * registers are set as ESP-IDF's own driver sets them (components/esp_driver_rmt).
 */

#define LED GPIO_NUM_8
#define BRAKE_OUT GPIO_NUM_1
#define HANDBRAKE_OUT GPIO_NUM_15
#define INPUTS 4u
#define CHANNEL 0u
#define CLOCK_DIVIDER 4u /* of the crystal's 40 MHz: ticks of 100 ns */

/* In the order of their bits. */
static const gpio_num_t input_pins[INPUTS] = {GPIO_NUM_19, GPIO_NUM_18, GPIO_NUM_0, GPIO_NUM_14};

/* The memory of the RMT; the linker knows where that is. */
extern volatile uint32_t RMTMEM[];

static struct controls controls;
static uint32_t shown;

/* The clock that controls.h means, modulo 2^32. */
static uint32_t now_ms(void)
{
	return (uint32_t)(esp_timer_get_time() / 1000);
}

static void open_led(void)
{
	PERIPH_RCC_ATOMIC() {
		rmt_ll_enable_bus_clock(0, true);
		rmt_ll_reset_register(0);
		rmt_ll_set_group_clock_src(&RMT, CHANNEL, RMT_CLK_SRC_XTAL, 1, 1, 0);
		rmt_ll_enable_group_clock(&RMT, true);
	}
	rmt_ll_mem_force_power_on(&RMT);
	rmt_ll_enable_mem_access_nonfifo(&RMT, true);
	rmt_ll_tx_set_channel_clock_div(&RMT, CHANNEL, CLOCK_DIVIDER);
	rmt_ll_tx_reset_channels_clock_div(&RMT, 1u << CHANNEL);
	rmt_ll_tx_set_mem_blocks(&RMT, CHANNEL, 1);
	rmt_ll_tx_enable_carrier_modulation(&RMT, CHANNEL, false);
	rmt_ll_tx_enable_wrap(&RMT, CHANNEL, false);
	rmt_ll_tx_enable_loop(&RMT, CHANNEL, false);
	rmt_ll_tx_fix_idle_level(&RMT, CHANNEL, 0, true);
	gpio_set_direction(LED, GPIO_MODE_OUTPUT);
	esp_rom_gpio_connect_out_signal(LED, RMT_SIG_OUT0_IDX, false, false);
}

static void show(uint32_t rgb)
{
	uint32_t symbols[CONTROLS_SYMBOLS];
	controls_encode(rgb, symbols);
	for (unsigned i = 0; i < CONTROLS_SYMBOLS; ++i)
		RMTMEM[i] = symbols[i];
	rmt_ll_tx_reset_pointer(&RMT, CHANNEL);
	rmt_ll_tx_start(&RMT, CHANNEL);
	shown = rgb;
}

static void look(void *unused)
{
	uint32_t time_ms = now_ms();
	unsigned inputs = 0;
	(void)unused;
	for (unsigned i = 0; i < INPUTS; ++i)
		inputs |= (gpio_get_level(input_pins[i]) ? 1u : 0u) << i;
	uint8_t outputs = controls_poll(&controls, (uint8_t)inputs, time_ms);
	gpio_set_level(BRAKE_OUT, outputs & CONTROLS_BRAKE ? 1 : 0);
	gpio_set_level(HANDBRAKE_OUT, outputs & CONTROLS_HANDBRAKE ? 1 : 0);
	uint32_t light = controls_light(&controls, time_ms);
	if (light != shown)
		show(light);
}

static bool open_pins(void)
{
	gpio_config_t input, output;
	memset(&input, 0, sizeof input);
	input.mode = GPIO_MODE_INPUT;
	input.pull_down_en = GPIO_PULLDOWN_ENABLE; /* a line that is cut is a button that is not pressed */
	for (unsigned i = 0; i < INPUTS; ++i)
		input.pin_bit_mask |= 1ULL << input_pins[i];
	memset(&output, 0, sizeof output);
	output.pin_bit_mask = 1ULL << BRAKE_OUT | 1ULL << HANDBRAKE_OUT;
	output.mode = GPIO_MODE_OUTPUT;
	gpio_set_level(BRAKE_OUT, 0);
	gpio_set_level(HANDBRAKE_OUT, 0);
	return gpio_config(&input) == ESP_OK && gpio_config(&output) == ESP_OK;
}

/*
 * Begins to look at them, at the first call. What can't be opened leaves them without a reading, and dark.
 */
static struct controls *opened_controls(void)
{
	static bool opened;
	if (opened)
		return &controls;
	opened = true;
	esp_timer_create_args_t arguments;
	esp_timer_handle_t timer;
	memset(&arguments, 0, sizeof arguments);
	arguments.callback = look;
	arguments.name = "controls";
	arguments.skip_unhandled_events = true;
	if (open_pins() && esp_timer_create(&arguments, &timer) == ESP_OK) {
		open_led();
		show(0); /* it keeps its last colour over a restart */
		esp_timer_start_periodic(timer, CONTROLS_PERIOD_MS * 1000u);
	}
	return &controls;
}

void xs_hal_controls_read(xsMachine *the)
{
	xsmcSetInteger(xsResult, controls_inputs(opened_controls(), now_ms()));
}

/* (rgb) */
void xs_hal_controls_light(xsMachine *the)
{
	controls_set_light(opened_controls(), (uint32_t)xsmcToInteger(xsArg(0)), now_ms());
}

/* (followed, inverted) */
void xs_hal_controls_follow(xsMachine *the)
{
	opened_controls();
	controls.inverted = (uint8_t)xsmcToInteger(xsArg(1));
	controls.followed = (uint8_t)xsmcToInteger(xsArg(0));
}
