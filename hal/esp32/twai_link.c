/* See twai_link.h. */
#include "twai_link.h"

#include <string.h>

#include "esp_attr.h"

/* Interrupt and task are on one core: it suffices that the compiler keeps the order. */
#define ORDER() __asm__ volatile("" ::: "memory")

static portMUX_TYPE send_mux = portMUX_INITIALIZER_UNLOCKED;

static struct twai_link *twai_of(struct can_link *link)
{
	return (struct twai_link *)link; /* its first member */
}

/* ---- callbacks: in the interrupt, with flash out of reach ---- */

IRAM_ATTR static bool wake(const struct twai_link *twai)
{
	BaseType_t woken = pdFALSE;
	vTaskNotifyGiveFromISR(twai->task, &woken);
	return woken == pdTRUE;
}

IRAM_ATTR static bool on_tx_done(twai_node_handle_t node, const twai_tx_done_event_data_t *event, void *context)
{
	struct twai_link *twai = context;
	(void)node;
	if (event->done_tx_frame != &twai->frame)
		return false;
	twai->failed = !event->is_tx_success;
	ORDER();
	twai->finished = true;
	return wake(twai);
}

IRAM_ATTR static bool on_rx_done(twai_node_handle_t node, const twai_rx_done_event_data_t *event, void *context)
{
	struct twai_link *twai = context;
	(void)event;
	uint8_t data[8];
	twai_frame_t frame;
	frame.buffer = data;
	frame.buffer_len = sizeof data;
	if (twai_node_receive_from_isr(node, &frame) != ESP_OK)
		return false;
	uint32_t in = twai->ring_in;
	if (in - twai->ring_out == TWAI_LINK_RING_FRAMES) {
		++twai->counters.ring_full;
		return false;
	}
	struct gateway_frame *into = &twai->ring[in % TWAI_LINK_RING_FRAMES];
	into->id = frame.header.id;
	if (frame.header.ide)
		into->id |= GATEWAY_EXTENDED;
	if (frame.header.rtr)
		into->id |= GATEWAY_REMOTE;
	into->dlc = frame.header.dlc < 8 ? (uint8_t)frame.header.dlc : 8; /* raw, 9 to 15 mean 8 */
	unsigned count = frame.header.rtr ? 0 : into->dlc;
	for (unsigned i = 0; i < 8; ++i)
		into->data[i] = i < count ? data[i] : 0;
	ORDER();
	twai->ring_in = in + 1;
	return wake(twai);
}

IRAM_ATTR static bool on_state_change(twai_node_handle_t node, const twai_state_change_event_data_t *event, void *context)
{
	struct twai_link *twai = context;
	(void)node;
	twai->off = event->new_sta == TWAI_ERROR_BUS_OFF;
	return wake(twai);
}

/* May come thousands of times a second. */
IRAM_ATTR static bool on_error(twai_node_handle_t node, const twai_error_event_data_t *event, void *context)
{
	struct twai_link *twai = context;
	(void)node;
	(void)event;
	++twai->counters.errors;
	return false;
}

/* ---- opening and closing ---- */

static bool create(struct twai_link *twai)
{
	twai_onchip_node_config_t config;
	memset(&config, 0, sizeof config);
	config.io_cfg.tx = twai->tx;
	config.io_cfg.rx = twai->rx;
	config.io_cfg.quanta_clk_out = GPIO_NUM_NC; /* 0 would be a pin */
	config.io_cfg.bus_off_indicator = GPIO_NUM_NC;
	config.bit_timing.bitrate = TWAI_LINK_BITRATE;
	config.bit_timing.sp_permill = TWAI_LINK_SAMPLE_PERMILL;
	config.fail_retry_cnt = -1; /* any other number: a frame that loses arbitration is dropped */
	config.tx_queue_depth = 1;  /* 0 crashes twai_node_get_info() in 6.0 */
	if (twai_new_node_onchip(&config, &twai->node) != ESP_OK) {
		twai->node = NULL;
		return false;
	}
	twai->off = false;
	static const twai_event_callbacks_t callbacks = {
		.on_tx_done = on_tx_done, .on_rx_done = on_rx_done, .on_state_change = on_state_change, .on_error = on_error};
	if (twai_node_register_event_callbacks(twai->node, &callbacks, twai) == ESP_OK && twai_node_enable(twai->node) == ESP_OK)
		return true;
	twai_node_delete(twai->node);
	twai->node = NULL;
	return false;
}

/* Opens the node; before, gets rid of the one that there is: the only way to get rid of a frame that the driver has. */
static void reopen(struct twai_link *twai, uint64_t now_us)
{
	if (twai->node) {
		(void)twai_node_disable(twai->node); /* refused when bus-off, and then not needed */
		twai->closing = twai_node_delete(twai->node) != ESP_OK;
	}
	twai->passive = twai->outstanding = false;
	if (twai->closing || !create(twai)) {
		++twai->counters.open_failed;
		twai->check_us = now_us + TWAI_LINK_OPEN_US;
		return;
	}
	++twai->counters.opened;
	twai->check_us = now_us + TWAI_LINK_STATE_US;
}

/* ---- as a link ---- */

/* The frame was not sent in time: forget it, and be quiet for a while. */
static void end_stall(struct twai_link *twai, uint64_t now_us)
{
	++twai->counters.stalls;
	twai->quiet_until_us = now_us + twai->quiet_us;
	twai->quiet_us = 2 * twai->quiet_us < TWAI_LINK_QUIET_LAST_US ? 2 * twai->quiet_us : TWAI_LINK_QUIET_LAST_US;
	reopen(twai, now_us);
}

static void end_frame(struct twai_link *twai)
{
	twai->outstanding = false;
	if (twai->failed) {
		++twai->counters.send_failed;
	} else {
		twai->quiet_us = TWAI_LINK_QUIET_FIRST_US;
		twai->quiet_until_us = 0;
	}
}

/* The reported state is not exact in 6.0, the counters are. */
static void check(struct twai_link *twai, uint64_t now_us)
{
	twai_node_status_t status;
	twai->check_us = now_us + TWAI_LINK_STATE_US;
	if (twai_node_get_info(twai->node, &status, NULL) == ESP_OK)
		twai->passive = !twai->off && (status.tx_error_count >= 96 || status.rx_error_count >= 96);
}

static bool is_open(const struct twai_link *twai)
{
	return twai->node && !twai->closing;
}

static uint64_t service(struct can_link *link, uint64_t now_us)
{
	struct twai_link *twai = twai_of(link);
	if (twai->off && twai->outstanding) { /* its completion may never come */
		twai->outstanding = false;
		++twai->counters.lost_at_bus_off;
	}
	if (twai->outstanding && twai->finished)
		end_frame(twai);
	if (twai->outstanding && now_us - twai->handed_us >= TWAI_LINK_SEND_LIMIT_US)
		end_stall(twai, now_us);
	else if (now_us >= twai->check_us && is_open(twai))
		check(twai, now_us);
	else if (now_us >= twai->check_us)
		reopen(twai, now_us);
	return twai->outstanding ? earlier(twai->check_us, twai->handed_us + TWAI_LINK_SEND_LIMIT_US) : twai->check_us;
}

static bool receive(struct can_link *link, struct gateway_frame *into, uint64_t now_us)
{
	struct twai_link *twai = twai_of(link);
	(void)now_us;
	uint32_t out = twai->ring_out;
	if (out == twai->ring_in)
		return false;
	ORDER();
	*into = twai->ring[out % TWAI_LINK_RING_FRAMES];
	ORDER();
	twai->ring_out = out + 1;
	twai->quiet_until_us = 0; /* there is somebody */
	return true;
}

/* Whether the driver may be handed a frame. */
static bool is_free(struct twai_link *twai, uint64_t now_us)
{
	if (twai->outstanding && twai->finished)
		end_frame(twai);
	twai->link.retry_us = now_us < twai->quiet_until_us ? twai->quiet_until_us : GATEWAY_NEVER;
	return is_open(twai) && !twai->off && !twai->outstanding && now_us >= twai->quiet_until_us;
}

static bool send(struct can_link *link, const struct gateway_frame *frame, uint64_t now_us)
{
	struct twai_link *twai = twai_of(link);
	if (!is_free(twai, now_us))
		return false;
	bool remote = frame->id & GATEWAY_REMOTE;
	memset(&twai->frame, 0, sizeof twai->frame);
	twai->frame.header.id = frame->id & ~(GATEWAY_EXTENDED | GATEWAY_REMOTE);
	twai->frame.header.ide = (frame->id & GATEWAY_EXTENDED) != 0;
	twai->frame.header.rtr = remote;
	twai->frame.header.dlc = frame->dlc;
	memcpy(twai->data, frame->data, sizeof twai->data);
	twai->frame.buffer = twai->data; /* never NULL: the driver would read there for a DLC without length */
	twai->frame.buffer_len = remote ? 0 : frame->dlc;
	twai->finished = false;
	/* The driver's start of a transmission races with its own interrupt (IDF issues 18081, 19068): keep that out. */
	taskENTER_CRITICAL(&send_mux);
	esp_err_t result = twai->off ? ESP_ERR_INVALID_STATE : twai_node_transmit(twai->node, &twai->frame, 0);
	taskEXIT_CRITICAL(&send_mux);
	if (result != ESP_OK) {
		++twai->counters.refused;
		link->retry_us = now_us + TWAI_LINK_RETRY_US;
		return false;
	}
	twai->outstanding = true;
	twai->handed_us = now_us;
	return true;
}

static enum bus_recovery_report report(const struct can_link *link)
{
	const struct twai_link *twai = (const struct twai_link *)link;
	if (!is_open(twai))
		return BUS_REPORTS_STOPPED;
	if (twai->off)
		return BUS_REPORTS_OFF;
	return twai->passive || twai->quiet_until_us ? BUS_REPORTS_PASSIVE : BUS_REPORTS_ACTIVE;
}

static void recover(struct can_link *link, bool lasting, uint64_t now_us)
{
	struct twai_link *twai = twai_of(link);
	/* Only while bus-off: a node that merely stopped would be started behind the driver's back. */
	if (lasting || (twai->off && twai_node_recover(twai->node) != ESP_OK))
		reopen(twai, now_us);
}

static const struct can_link_class twai_class = {service, receive, send, report, recover};

void twai_link_init(struct twai_link *link, gpio_num_t tx, gpio_num_t rx, TaskHandle_t task)
{
	memset(link, 0, sizeof *link);
	link->link.class = &twai_class;
	bus_recovery_init(&link->link.recovery);
	link->tx = tx;
	link->rx = rx;
	link->task = task;
	link->quiet_us = TWAI_LINK_QUIET_FIRST_US;
}
