/* The emulator's buses: records on two serial lines, as ESP-IDF's driver hands them over. */
#include "driver/uart.h"
#include "gateway_esp32.h"
#include "testing.h"

#define LINE_BYTES 64

static struct line {
	uint8_t in[LINE_BYTES], out[LINE_BYTES];
	size_t in_bytes, out_bytes;
	bool misconfigured, broken;
} lines[GATEWAY_BUSES];

esp_err_t uart_param_config(uart_port_t port, const uart_config_t *config)
{
	CHECK(config->data_bits == UART_DATA_8_BITS && config->baud_rate > 9000 * 160); /* two full buses, 10 bits a byte */
	return lines[port].misconfigured ? ESP_FAIL : ESP_OK;
}

esp_err_t uart_driver_install(uart_port_t port, int rx_bytes, int tx_bytes, int events, void *queue, int flags)
{
	CHECK(port <= UART_NUM_1 && rx_bytes >= 1024 && tx_bytes >= 2048 && events == 0 && !queue && flags == 0);
	return lines[port].broken ? ESP_FAIL : ESP_OK;
}

esp_err_t uart_get_buffered_data_len(uart_port_t port, size_t *bytes)
{
	*bytes = lines[port].in_bytes;
	return ESP_OK;
}

esp_err_t uart_get_tx_buffer_free_size(uart_port_t port, size_t *bytes)
{
	*bytes = LINE_BYTES - lines[port].out_bytes;
	return ESP_OK;
}

int uart_read_bytes(uart_port_t port, void *into, uint32_t bytes, uint32_t ticks)
{
	EQUAL(ticks, 0);
	memcpy(into, lines[port].in, bytes);
	lines[port].in_bytes -= bytes;
	memmove(lines[port].in, lines[port].in + bytes, lines[port].in_bytes);
	return (int)bytes;
}

int uart_write_bytes(uart_port_t port, const void *from, size_t bytes)
{
	memcpy(lines[port].out + lines[port].out_bytes, from, bytes);
	lines[port].out_bytes += bytes;
	return (int)bytes;
}

static struct can_link *open(unsigned bus)
{
	const char *problem;
	lines[bus] = (struct line){0};
	struct can_link *link = gateway_board_emulator.open_link[bus](&problem);
	CHECK(!problem);
	return link;
}

TEST(emulator_frames, "a record is a frame once it is whole, and a frame leaves as a record of its own bus")
{
	static const struct gateway_frame frame = {.id = 0x280, .dlc = 8, .data = {1, 2, 3, 4, 5, 6, 7, 8}};
	struct gateway_frame received;
	struct can_link *links[] = {open(GATEWAY_CHASSIS), open(GATEWAY_COUPLING)};
	for (unsigned bus = 0; bus < GATEWAY_BUSES; ++bus) {
		const struct can_link_class *class = links[bus]->class;
		memcpy(lines[bus].in, &frame, sizeof frame);
		lines[bus].in_bytes = sizeof frame - 1;
		CHECK(!class->receive(links[bus], &received, now_us));
		lines[bus].in_bytes = sizeof frame;
		CHECK(class->receive(links[bus], &received, now_us));
		CHECK(!memcmp(&received, &frame, sizeof frame));
		CHECK(!class->receive(links[bus], &received, now_us));
		CHECK(class->send(links[bus], &frame, now_us));
		EQUAL(lines[bus].out_bytes, sizeof frame);
		CHECK(!memcmp(lines[bus].out, &frame, sizeof frame));
	}
}

TEST(emulator_full, "a frame that the line has no space for is tried again, and a bus is never off")
{
	static const struct gateway_frame frame = {.id = 1};
	struct can_link *link = open(GATEWAY_COUPLING);
	lines[GATEWAY_COUPLING].out_bytes = LINE_BYTES - sizeof frame + 1;
	CHECK(!link->class->send(link, &frame, now_us));
	CHECK(link->retry_us > now_us && link->retry_us <= now_us + 1000);
	EQUAL(link->class->service(link, now_us), link->retry_us);
	link->class->recover(link, true, now_us);
	EQUAL(link->class->report(link), BUS_REPORTS_ACTIVE);
}

TEST(emulator_broken, "a line that does not open is named")
{
	static const struct line bad[] = {{.misconfigured = true}, {.broken = true}};
	for (unsigned which = 0; which < sizeof bad / sizeof *bad; ++which) {
		const char *problem = NULL;
		lines[GATEWAY_CHASSIS] = bad[which];
		gateway_board_emulator.open_link[GATEWAY_CHASSIS](&problem);
		CHECK(problem);
	}
}
