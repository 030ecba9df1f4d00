/* Wiring and sizes of the LilyGo T-2CAN; source of the pins: README.md "Wiring". */
#include "gateway_esp32.h"
#include "mcp2515_port.h"

static struct mcp2515 mcp2515;
static struct mcp2515_esp32 port;

static struct can_link *open_mcp2515(const char **problem)
{
	static const struct mcp2515_pins pins = {.select = GPIO_NUM_10, .clock = GPIO_NUM_12, .out = GPIO_NUM_11, .in = GPIO_NUM_13,
		.interrupt = GPIO_NUM_8, .reset = GPIO_NUM_9};
	*problem = mcp2515_esp32_open(&port, &pins);
	mcp2515_init(&mcp2515, &port.port);
	return &mcp2515.link;
}

static void sleep_mcp2515(void)
{
	mcp2515_sleep(&mcp2515);
}

const struct gateway_board gateway_board_t2can = {
	.twai = {[GATEWAY_CHASSIS] = {.tx = GPIO_NUM_7, .rx = GPIO_NUM_6, .standby = GPIO_NUM_NC}},
	.open_link = {[GATEWAY_COUPLING] = open_mcp2515},
	.sleep_link = sleep_mcp2515,
	/* 32 KB of internal RAM: both buses of an MQB car have some 206 identifiers */
	.latest_ids = 512,
	.ring_records = 65536, /* 2 MB of the 8 MB of PSRAM: 7 s of two full buses */
	.core = 0,             /* JavaScript runs on the core with time to spare */
};
