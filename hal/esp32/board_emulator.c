/*
 * The board of Espressif's QEMU (machine esp32c3), which has no CAN controllers. Each bus is a serial line, of
 * which QEMU makes a socket: records as on the sockets of the host program, a driver's buffer in place of a
 * controller's.
 */
#include "driver/uart.h"
#include "gateway_esp32.h"

#define RECORD_BYTES sizeof(struct gateway_frame)
#define RECEIVE_BYTES 1024 /* what does not fit waits in QEMU */
#define SEND_BYTES 2048 /* for this computer may pause for longer than the gateway's queue waits */
#define BAUD 1500000 /* 9,375 records a second: twice a full bus, for a socket could overrun the gateway */
#define POLL_US 500u

/* Chassis on line 0, coupling on line 1. */
static struct can_link links[GATEWAY_BUSES];

static uart_port_t line_of(const struct can_link *link)
{
	return (uart_port_t)(link - links);
}

static uint64_t service(struct can_link *link, uint64_t now_us)
{
	(void)link;
	return now_us + POLL_US;
}

/* The driver fails only where it is not installed, and a line that is not open is no link. */
static bool receive(struct can_link *link, struct gateway_frame *into, uint64_t now_us)
{
	size_t waiting_bytes = 0;
	(void)now_us;
	(void)uart_get_buffered_data_len(line_of(link), &waiting_bytes);
	if (waiting_bytes < RECORD_BYTES)
		return false;
	uart_read_bytes(line_of(link), into, RECORD_BYTES, 0);
	return true;
}

static bool send(struct can_link *link, const struct gateway_frame *frame, uint64_t now_us)
{
	size_t free_bytes = 0;
	link->retry_us = now_us + POLL_US;
	(void)uart_get_tx_buffer_free_size(line_of(link), &free_bytes);
	if (free_bytes < RECORD_BYTES)
		return false;
	uart_write_bytes(line_of(link), frame, RECORD_BYTES);
	return true;
}

static enum bus_recovery_report report(const struct can_link *link)
{
	(void)link;
	return BUS_REPORTS_ACTIVE;
}

static void recover(struct can_link *link, bool lasting, uint64_t now_us)
{
	(void)link, (void)lasting, (void)now_us;
}

static struct can_link *open(unsigned bus, const char **problem)
{
	static const struct can_link_class class = {service, receive, send, report, recover};
	const uart_config_t config = {.baud_rate = BAUD, .data_bits = UART_DATA_8_BITS, .stop_bits = UART_STOP_BITS_1};
	struct can_link *link = &links[bus];
	bool opens = uart_param_config(line_of(link), &config) == ESP_OK &&
		uart_driver_install(line_of(link), RECEIVE_BYTES, SEND_BYTES, 0, NULL, 0) == ESP_OK;
	link->class = &class;
	*problem = opens ? NULL : "no serial line";
	return link;
}

static struct can_link *open_chassis(const char **problem)
{
	return open(GATEWAY_CHASSIS, problem);
}

static struct can_link *open_coupling(const char **problem)
{
	return open(GATEWAY_COUPLING, problem);
}

const struct gateway_board gateway_board_emulator = {
	.open_link = {[GATEWAY_CHASSIS] = open_chassis, [GATEWAY_COUPLING] = open_coupling},
	.latest_ids = 192,
	.ring_records = 256,
	.core = 0,
};
