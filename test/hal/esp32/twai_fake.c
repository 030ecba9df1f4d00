/* See twai_fake.h. */
#include "twai_fake.h"

struct twai_fake fake;
static int node; /* its address is the handle */

static bool due(int *times)
{
	return *times && (*times)--;
}

static bool is_node(twai_node_handle_t handle)
{
	return fake.exists && handle == (twai_node_handle_t)&node;
}

void fake_start(void)
{
	fake = (struct twai_fake){0};
}

/* ---- what the driver calls ---- */

esp_err_t twai_new_node_onchip(const twai_onchip_node_config_t *config, twai_node_handle_t *handle)
{
	CHECK(!fake.in_interrupt);
	if (due(&fake.fail_create))
		return ESP_ERR_NO_MEM;
	CHECK(!fake.exists);
	EQUAL(config->bit_timing.bitrate, 500000);
	CHECK(config->bit_timing.sp_permill >= 750 && config->bit_timing.sp_permill <= 800);
	CHECK(config->tx_queue_depth >= 1);          /* else get_info() asserts */
	EQUAL(config->io_cfg.quanta_clk_out, GPIO_NUM_NC); /* 0 is a pin */
	EQUAL(config->io_cfg.bus_off_indicator, GPIO_NUM_NC);
	fake.exists = true;
	fake.enabled = fake.recovering = false;
	fake.state = TWAI_ERROR_BUS_OFF;
	fake.config = *config;
	fake.in_hardware = NULL;
	fake.tx_errors = fake.rx_errors = 0;
	++fake.created;
	*handle = (twai_node_handle_t)&node;
	return ESP_OK;
}

esp_err_t twai_node_register_event_callbacks(twai_node_handle_t handle, const twai_event_callbacks_t *callbacks, void *context)
{
	CHECK(is_node(handle));
	if (fake.state != TWAI_ERROR_BUS_OFF || due(&fake.fail_register))
		return ESP_ERR_INVALID_STATE;
	fake.callbacks = *callbacks;
	fake.context = context;
	return ESP_OK;
}

esp_err_t twai_node_enable(twai_node_handle_t handle)
{
	CHECK(is_node(handle));
	CHECK(!fake.enabled); /* taken on a bus-off node too, and then wrong */
	if (due(&fake.fail_enable))
		return ESP_FAIL;
	fake.enabled = true;
	fake.state = TWAI_ERROR_ACTIVE; /* what was in hardware before disable() is sent again */
	return ESP_OK;
}

esp_err_t twai_node_disable(twai_node_handle_t handle)
{
	CHECK(is_node(handle));
	if (fake.state == TWAI_ERROR_BUS_OFF)
		return ESP_ERR_INVALID_STATE;
	fake.state = TWAI_ERROR_BUS_OFF;
	fake.enabled = false;
	return ESP_OK;
}

esp_err_t twai_node_delete(twai_node_handle_t handle)
{
	CHECK(is_node(handle) && !fake.in_interrupt);
	if (fake.state != TWAI_ERROR_BUS_OFF || due(&fake.fail_delete))
		return ESP_ERR_INVALID_STATE;
	fake.exists = false;
	fake.in_hardware = NULL;
	++fake.deleted;
	return ESP_OK;
}

esp_err_t twai_node_recover(twai_node_handle_t handle)
{
	CHECK(is_node(handle) && !fake.in_interrupt);
	CHECK(fake.enabled); /* on a node that is only stopped it starts the hardware behind the driver's back */
	if (fake.state != TWAI_ERROR_BUS_OFF || due(&fake.fail_recover))
		return ESP_ERR_INVALID_STATE;
	fake.recovering = true;
	++fake.recoveries;
	return ESP_OK;
}

esp_err_t twai_node_get_info(twai_node_handle_t handle, twai_node_status_t *status, twai_node_record_t *record)
{
	CHECK(is_node(handle) && !record);
	if (due(&fake.fail_info))
		return ESP_FAIL;
	/* The state is that of the last interrupt: it may stay WARNING for ever. */
	*status = (twai_node_status_t){fake.state, fake.tx_errors, fake.rx_errors, 1};
	return ESP_OK;
}

esp_err_t twai_node_transmit(twai_node_handle_t handle, const twai_frame_t *frame, int timeout_ms)
{
	CHECK(is_node(handle));
	CHECK(!fake.in_interrupt);  /* calls functions that lie in flash */
	CHECK(fake.in_critical == 1); /* else its start races with the interrupt */
	EQUAL(timeout_ms, 0);
	CHECK(!fake.in_hardware);   /* a queued second frame is what the assert of issue 18081 needs */
	CHECK(frame->header.rtr || frame->buffer_len == frame->header.dlc);
	CHECK(frame->buffer && frame->header.dlc <= 8 && !frame->header.fdf && !frame->header.brs);
	if (due(&fake.fail_transmit))
		return ESP_ERR_TIMEOUT;
	if (fake.state == TWAI_ERROR_BUS_OFF)
		return ESP_ERR_INVALID_STATE;
	fake.in_hardware = frame;
	return ESP_OK;
}

esp_err_t twai_node_receive_from_isr(twai_node_handle_t handle, twai_frame_t *frame)
{
	CHECK(is_node(handle) && fake.in_interrupt);
	if (!fake.incoming_ready)
		return ESP_ERR_INVALID_STATE;
	fake.incoming_ready = false;
	CHECK(frame->buffer && frame->buffer_len >= 8);
	memset(&frame->header, 0xFF, sizeof frame->header);
	frame->header.id = fake.incoming.id & 0x1FFFFFFF;
	frame->header.ide = (fake.incoming.id & GATEWAY_EXTENDED) != 0;
	frame->header.rtr = (fake.incoming.id & GATEWAY_REMOTE) != 0;
	frame->header.dlc = (uint16_t)fake.incoming_dlc; /* raw */
	if (!frame->header.rtr)
		memcpy(frame->buffer, fake.incoming.data, fake.incoming_dlc < 8 ? fake.incoming_dlc : 8);
	return ESP_OK;
}

void vTaskNotifyGiveFromISR(TaskHandle_t task, BaseType_t *woken)
{
	CHECK(task && fake.in_interrupt);
	++fake.wakes;
	*woken = pdTRUE;
}

void vPortEnterCritical(portMUX_TYPE *mux)
{
	CHECK(mux);
	if (fake.off_at_critical)
		fake_bus_off();
	fake.off_at_critical = false;
	++fake.in_critical;
}

void vPortExitCritical(portMUX_TYPE *mux)
{
	CHECK(mux);
	--fake.in_critical;
}

/* ---- the bus ---- */

static void rx_done(bool ready)
{
	static const twai_rx_done_event_data_t event;
	fake.in_interrupt = true;
	fake.incoming_ready = ready;
	fake.callbacks.on_rx_done((twai_node_handle_t)&node, &event, fake.context);
	fake.in_interrupt = fake.incoming_ready = false;
}

void fake_receive_nothing(void)
{
	rx_done(false);
}

void fake_receive(uint32_t id, unsigned raw_dlc)
{
	if (!fake.exists || !fake.enabled || fake.state == TWAI_ERROR_BUS_OFF)
		return;
	fake.incoming = (struct gateway_frame){.id = id, .data = {1, 2, 3, 4, 5, 6, 7, 8}};
	fake.incoming_dlc = raw_dlc;
	rx_done(true);
}

uint32_t fake_send(bool success)
{
	const twai_frame_t *frame = fake.in_hardware;
	if (!frame || !fake.enabled || fake.state == TWAI_ERROR_BUS_OFF)
		return 0;
	uint32_t id = frame->header.id;
	fake.in_interrupt = true;
	fake.in_hardware = NULL;
	const twai_tx_done_event_data_t event = {success, frame};
	fake.callbacks.on_tx_done((twai_node_handle_t)&node, &event, fake.context);
	fake.in_interrupt = false;
	return id;
}

void fake_state(twai_error_state_t state)
{
	const twai_state_change_event_data_t event = {fake.state, state};
	fake.in_interrupt = true;
	fake.state = state;
	fake.callbacks.on_state_change((twai_node_handle_t)&node, &event, fake.context);
	fake.in_interrupt = false;
}

void fake_bus_off(void)
{
	fake.tx_errors = 128;
	fake_state(TWAI_ERROR_BUS_OFF); /* and no on_tx_done for the frame in hardware */
}

void fake_recovered(void)
{
	CHECK(fake.recovering);
	fake.recovering = false;
	fake.in_hardware = NULL; /* forgotten: the next one of the queue would be sent */
	fake.tx_errors = fake.rx_errors = 0;
	fake_state(TWAI_ERROR_ACTIVE);
}

void fake_error(void)
{
	static const twai_error_event_data_t event;
	fake.in_interrupt = true;
	fake.callbacks.on_error((twai_node_handle_t)&node, &event, fake.context);
	fake.in_interrupt = false;
}
