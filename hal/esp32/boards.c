/* Wiring and sizes of the boards; source of the pins: README.md "Wiring". */
#include "gateway_esp32.h"

/* Each for its chip: not all have the same GPIOs. */
#if CONFIG_IDF_TARGET_ESP32S3
const struct gateway_board gateway_board_t2can = {
	.chassis = {.tx = GPIO_NUM_7, .rx = GPIO_NUM_6, .standby = GPIO_NUM_NC},
	.coupling = {GPIO_NUM_NC, GPIO_NUM_NC, GPIO_NUM_NC},
	.mcp2515 = {.select = GPIO_NUM_10, .clock = GPIO_NUM_12, .out = GPIO_NUM_11, .in = GPIO_NUM_13,
		.interrupt = GPIO_NUM_8, .reset = GPIO_NUM_9},
	.latest_ids = 512,
	.ring_records = 65536, /* 2 MB of the 8 MB of PSRAM: 7 s of two full buses */
	.core = 0,             /* JavaScript runs where there is room */
};
#elif CONFIG_IDF_TARGET_ESP32C6
const struct gateway_board gateway_board_c6 = {
	.chassis = {.tx = GPIO_NUM_3, .rx = GPIO_NUM_23, .standby = GPIO_NUM_2},
	.coupling = {.tx = GPIO_NUM_21, .rx = GPIO_NUM_20, .standby = GPIO_NUM_22},
	.mcp2515 = {GPIO_NUM_NC, GPIO_NUM_NC, GPIO_NUM_NC, GPIO_NUM_NC, GPIO_NUM_NC, GPIO_NUM_NC},
	.latest_ids = 192,   /* 12 KB */
	.ring_records = 256, /* 8 KB: 28 ms of two full buses */
	.core = 0,           /* the only one */
};
#else
#error "no board has this chip"
#endif
