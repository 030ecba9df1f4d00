#include "chip_models.h"

void twai_model_start(struct twai_dev *device)
{
	*device = (struct twai_dev){.reset_mode = true};
}

static void raise_interrupt(struct twai_dev *device, uint32_t interrupt)
{
	device->interrupts |= interrupt & device->enabled;
}

bool twai_model_calls(const struct twai_dev *device)
{
	return (device->interrupts | (device->fifo_count ? TWAI_LL_INTR_RI : 0)) & device->enabled;
}

/* ---- the bus ---- */

void twai_model_receive(struct twai_dev *device, uint32_t id, unsigned dlc)
{
	CHECK(!device->reset_mode && device->passes_all && !device->listen_only);
	if (device->fifo_count > MODEL_FIFO_FRAMES)
		return; /* one that was missed has its place, more have none */
	uint8_t *bytes = device->fifo[device->fifo_count];
	memset(bytes, 0xEE, 13);
	bool extended = id & GATEWAY_EXTENDED, remote = id & GATEWAY_REMOTE;
	uint32_t shifted = extended ? id << 3 : id << 21;
	bytes[0] = (uint8_t)((extended ? 0x80u : 0) | (remote ? 0x40u : 0) | dlc);
	for (unsigned i = 0; i < (extended ? 4u : 2u); ++i)
		bytes[1 + i] = (uint8_t)(shifted >> (24 - 8 * i));
	for (unsigned i = 0; i < 8 && i < dlc && !remote; ++i)
		bytes[(extended ? 5 : 3) + i] = (uint8_t)(i + 1);
	device->missed[device->fifo_count] = device->fifo_count == MODEL_FIFO_FRAMES;
	++device->fifo_count;
}

bool twai_model_send(struct twai_dev *device, struct gateway_frame *frame)
{
	if (!device->sending || device->reset_mode)
		return false;
	device->sending = false;
	device->sent = true;
	raise_interrupt(device, TWAI_LL_INTR_TI);
	if (!frame)
		return true;
	const uint8_t *bytes = device->out;
	bool extended = bytes[0] & 0x80;
	uint32_t id = (uint32_t)bytes[1] << 24 | (uint32_t)bytes[2] << 16;
	if (extended)
		id |= (uint32_t)bytes[3] << 8 | bytes[4];
	*frame = (struct gateway_frame){.id = extended ? id >> 3 | GATEWAY_EXTENDED : id >> 21, .dlc = bytes[0] & 15};
	if (bytes[0] & 0x40)
		frame->id |= GATEWAY_REMOTE;
	memcpy(frame->data, bytes + (extended ? 5 : 3), 8);
	return true;
}

void twai_model_error(struct twai_dev *device)
{
	if (device->error_latched)
		return;
	device->error_latched = true;
	raise_interrupt(device, TWAI_LL_INTR_BEI);
}

void twai_model_bus_off(struct twai_dev *device)
{
	device->off = device->reset_mode = true;
	device->sending = false;
	device->fifo_count = 0;
	device->tec = 127;
	raise_interrupt(device, TWAI_LL_INTR_EI);
}

void twai_model_recovered(struct twai_dev *device)
{
	if (!device->recovering)
		return;
	device->off = device->recovering = false;
	device->tec = 0;
	raise_interrupt(device, TWAI_LL_INTR_EI);
}

/* ---- registers ---- */

void twai_ll_enter_reset_mode(twai_dev_t *hw)
{
	++hw->accesses;
	if (hw->on_reset)
		hw->on_reset();
	hw->reset_mode = true;
	hw->sending = false;
	hw->fifo_count = 0;
}

void twai_ll_exit_reset_mode(twai_dev_t *hw)
{
	++hw->accesses;
	hw->reset_mode = false;
	hw->recovering = hw->off;
}

bool twai_ll_is_in_reset_mode(twai_dev_t *hw)
{
	++hw->accesses;
	return hw->reset_mode && !hw->dead;
}

void twai_ll_set_mode(twai_dev_t *hw, bool listen_only, bool no_ack, bool loopback)
{
	CHECK(hw->reset_mode && !no_ack && !loopback);
	hw->listen_only = listen_only;
}

void twai_ll_set_cmd_tx(twai_dev_t *hw)
{
	++hw->accesses;
	CHECK(!hw->reset_mode && !hw->sending);
	for (unsigned i = 0; i < 13; ++i)
		hw->out[i] = (uint8_t)hw->tx_rx_buffer[i].val;
	hw->sending = true;
	hw->sent = false;
}

void twai_ll_set_cmd_abort_tx(twai_dev_t *hw)
{
	++hw->accesses;
	if (hw->hangs || !hw->sending) /* it may have left before the interrupt that tells of it: then there is nothing to drop */
		return;
	hw->sending = false;
	raise_interrupt(hw, TWAI_LL_INTR_TI);
}

void twai_ll_set_cmd_release_rx_buffer(twai_dev_t *hw)
{
	++hw->accesses;
	CHECK(hw->fifo_count > 0);
	if (hw->endless)
		return;
	--hw->fifo_count;
	memmove(hw->fifo, hw->fifo + 1, sizeof hw->fifo - sizeof hw->fifo[0]);
	memmove(hw->missed, hw->missed + 1, sizeof hw->missed - sizeof hw->missed[0]);
}

uint32_t twai_ll_get_status(twai_dev_t *hw)
{
	++hw->accesses;
	uint32_t status = 0;
	for (unsigned i = 0; hw->fifo_count && i < 13; ++i)
		hw->tx_rx_buffer[i].val = hw->fifo[0][i];
	if (hw->fifo_count)
		status |= TWAI_LL_STATUS_RBS;
	if (hw->fifo_count && hw->missed[0])
		status |= TWAI_LL_STATUS_MS;
	if (!hw->sending)
		status |= TWAI_LL_STATUS_TBS;
	if (hw->sent)
		status |= TWAI_LL_STATUS_TCS;
	if (hw->tec >= hw->warning_limit || hw->rec >= hw->warning_limit)
		status |= TWAI_LL_STATUS_ES;
	if (hw->off)
		status |= TWAI_LL_STATUS_BS;
	return status;
}

uint32_t twai_ll_get_and_clear_intrs(twai_dev_t *hw)
{
	++hw->accesses;
	uint32_t interrupts = hw->interrupts;
	hw->interrupts = 0;
	return interrupts | (hw->fifo_count ? TWAI_LL_INTR_RI : 0); /* that one stands until the buffer is empty */
}

void twai_ll_set_enabled_intrs(twai_dev_t *hw, uint32_t intr_mask)
{
	hw->enabled = intr_mask;
}

void twai_ll_set_bus_timing(twai_dev_t *hw, uint32_t brp, uint32_t sjw, uint32_t tseg1, uint32_t tseg2, bool triple_sampling)
{
	CHECK(hw->reset_mode && !triple_sampling);
	hw->brp = brp;
	hw->jump = sjw;
	hw->segment_1 = tseg1;
	hw->segment_2 = tseg2;
}

void twai_ll_parse_err_code_cap(twai_dev_t *hw, twai_ll_err_type_t *type, twai_ll_err_dir_t *dir, twai_ll_err_seg_t *seg)
{
	++hw->accesses;
	hw->error_latched = false;
	*type = TWAI_LL_ERR_BIT;
	*dir = TWAI_LL_ERR_DIR_TX;
	*seg = TWAI_LL_ERR_SEG_SOF;
}

void twai_ll_set_err_warn_lim(twai_dev_t *hw, uint32_t ewl)
{
	CHECK(hw->reset_mode);
	hw->warning_limit = ewl;
}

void twai_ll_set_rec(twai_dev_t *hw, uint32_t rec)
{
	CHECK(hw->reset_mode && hw->listen_only);
	hw->rec = rec;
}

void twai_ll_set_tec(twai_dev_t *hw, uint32_t tec)
{
	CHECK(hw->reset_mode && hw->listen_only);
	hw->tec = tec;
	if (tec < 128)
		hw->off = false;
}

void twai_ll_set_acc_filter(twai_dev_t *hw, uint32_t code, uint32_t mask, bool single_filter)
{
	CHECK(hw->reset_mode && single_filter);
	hw->passes_all = code == 0 && mask == UINT32_MAX;
}

void twai_ll_set_clkout(twai_dev_t *hw, uint32_t divider)
{
	CHECK(hw->reset_mode && divider == 0);
}
