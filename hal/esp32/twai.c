/* See twai.h. Registers and bytes: those of the SJA1000, as the chips' manuals have them. */
#include "twai.h"

#include "gateway_driver.h"

#define TIME_SEGMENT_1 15u /* quanta; with one before them sampled at 80 % */
#define TIME_SEGMENT_2 4u
#define JUMP 3u
#define WARNING_LIMIT 96u /* the SJA1000's own after a reset */
_Static_assert(TWAI_QUANTA_HZ / (1 + TIME_SEGMENT_1 + TIME_SEGMENT_2) == 500000u, "500 kbit/s");

#define EXTENDED_FORMAT 0x80u /* of the first byte of a buffer */
#define REMOTE_REQUEST 0x40u

#define INTERRUPTS (TWAI_LL_INTR_RI | TWAI_LL_INTR_TI | TWAI_LL_INTR_EI | TWAI_LL_INTR_EPI | TWAI_LL_INTR_BEI)

/* ---- frames as bytes ---- */

IN_RAM static void decode(const uint8_t *bytes, struct gateway_frame *frame)
{
	unsigned dlc = bytes[0] & 15u;
	bool remote = bytes[0] & REMOTE_REQUEST;
	const uint8_t *data = bytes + 3;
	if (bytes[0] & EXTENDED_FORMAT) {
		frame->id = GATEWAY_EXTENDED | (uint32_t)bytes[1] << 21 | (uint32_t)bytes[2] << 13 | (uint32_t)bytes[3] << 5 | bytes[4] >> 3;
		data = bytes + 5;
	} else {
		frame->id = (uint32_t)bytes[1] << 3 | bytes[2] >> 5;
	}
	if (remote)
		frame->id |= GATEWAY_REMOTE;
	frame->dlc = (uint8_t)(dlc < 8 ? dlc : 8); /* CAN 2.0 permits 9 to 15, which mean 8 */
	for (unsigned i = 0; i < 8; ++i)
		frame->data[i] = data[i];
}

IN_RAM static void encode(const struct gateway_frame *frame, uint8_t *bytes)
{
	uint32_t id = frame->id;
	uint8_t *data = bytes + 3;
	bytes[0] = frame->dlc;
	if (id & GATEWAY_REMOTE)
		bytes[0] |= REMOTE_REQUEST;
	if (id & GATEWAY_EXTENDED) {
		bytes[0] |= EXTENDED_FORMAT;
		bytes[1] = (uint8_t)(id >> 21);
		bytes[2] = (uint8_t)(id >> 13);
		bytes[3] = (uint8_t)(id >> 5);
		bytes[4] = (uint8_t)(id << 3);
		data = bytes + 5;
	} else {
		bytes[1] = (uint8_t)(id >> 3);
		bytes[2] = (uint8_t)(id << 5);
	}
	for (unsigned i = 0; i < 8; ++i)
		data[i] = frame->data[i];
}

/* ---- in the interrupt ---- */

IN_RAM static void receive(struct twai *twai, uint32_t status, uint64_t now_us)
{
	if (status & TWAI_LL_STATUS_MS) {
		++twai->counters.overruns; /* what is left of it in the buffer is no frame */
	} else {
		twai_ll_frame_buffer_t buffer;
		struct gateway_frame frame;
		twai_ll_get_rx_buffer(twai->device, &buffer);
		decode(buffer.bytes, &frame);
		gateway_receive(twai->gateway, twai->bus, &frame, now_us);
	}
	twai_ll_set_cmd_release_rx_buffer(twai->device);
}

/* The controller is done with its frame, one way or the other. */
IN_RAM static void end_sending(struct twai *twai, uint32_t status, uint64_t now_us)
{
	twai->sending = twai->aborting = false;
	if (status & TWAI_LL_STATUS_TCS)
		gateway_sent(twai->gateway, twai->bus, now_us);
	else
		gateway_aborted(twai->gateway, twai->bus);
}

/* Until when the controller may try to send its frame. */
IN_RAM static uint64_t send_limit(const struct twai *twai)
{
	uint64_t old_us = gateway_send_until(twai->gateway, twai->bus), limit_us = twai->handed_us + GATEWAY_SEND_LIMIT_US;
	return old_us < limit_us ? old_us : limit_us;
}

/* The controller would retry without end. */
IN_RAM static void abort_late(struct twai *twai, uint64_t now_us)
{
	if (twai->aborting || now_us <= send_limit(twai))
		return;
	twai->aborting = true;
	twai->abort_until_us = now_us + TWAI_ABORT_US;
	++twai->counters.aborts;
	twai_ll_set_cmd_abort_tx(twai->device);
}

IN_RAM void twai_send(struct twai *twai, uint64_t now_us)
{
	if (!twai->device || twai->off || twai->silent)
		return;
	if (twai->sending) {
		abort_late(twai, now_us);
		return;
	}
	const struct gateway_frame *frame = gateway_next_to_send(twai->gateway, twai->bus, now_us);
	if (!frame)
		return;
	twai_ll_frame_buffer_t buffer;
	encode(frame, buffer.bytes);
	twai_ll_set_tx_buffer(twai->device, &buffer);
	twai_ll_set_cmd_tx(twai->device);
	twai->sending = true;
	twai->handed_us = now_us;
}

/* Returns whether the bus went off or returned. */
IN_RAM static bool follow_state(struct twai *twai, uint32_t status)
{
	bool was_off = twai->off;
	twai->off = status & TWAI_LL_STATUS_BS;
	if (twai->off && !was_off) {
		twai->went_off = true;
		twai->sending = twai->aborting = false; /* what it was sending is lost; the rest goes when the task tells the core */
		gateway_aborted(twai->gateway, twai->bus);
	}
	return twai->off != was_off;
}

IN_RAM bool twai_interrupt(struct twai *twai, uint64_t now_us)
{
	uint32_t events = twai_ll_get_and_clear_intrs(twai->device);
	uint32_t status = twai_ll_get_status(twai->device);
	if (events & TWAI_LL_INTR_BEI) {
		twai_ll_err_type_t type;
		twai_ll_err_dir_t direction;
		twai_ll_err_seg_t segment;
		twai_ll_parse_err_code_cap(twai->device, &type, &direction, &segment); /* until it was read no other error is told */
		++twai->counters.errors;
	}
	bool wake = follow_state(twai, status);
	for (unsigned i = 0; i < TWAI_FIFO_FRAMES && status & TWAI_LL_STATUS_RBS; ++i) {
		receive(twai, status, now_us);
		status = twai_ll_get_status(twai->device);
	}
	if (twai->sending && status & TWAI_LL_STATUS_TBS)
		end_sending(twai, status, now_us);
	twai_send(twai, now_us);
	if (!twai->other)
		return wake || gateway_waiting(twai->gateway, twai->bus ^ 1u);
	twai_send(twai->other, now_us);
	return wake;
}

IN_RAM void twai_silence(struct twai *twai)
{
	twai_ll_set_enabled_intrs(twai->device, 0);
}

/* ---- in the task ---- */

void twai_init(struct twai *twai, struct gateway *gateway, unsigned bus)
{
	*twai = (struct twai){.gateway = gateway, .bus = (uint8_t)bus};
}

static bool set_up(struct twai *twai, twai_dev_t *device, unsigned brp)
{
	twai->sending = twai->aborting = false;
	twai->silent = true;
	twai_ll_enter_reset_mode(device); /* drops what it was sending */
	if (!twai_ll_is_in_reset_mode(device))
		return false;
	twai->device = device;
	twai->brp = (uint16_t)brp;
	twai_ll_set_mode(device, true, false, false); /* holds the error counters still */
	twai_ll_set_acc_filter(device, 0, UINT32_MAX, true); /* lets everything pass */
	twai_ll_set_bus_timing(device, brp, JUMP, TIME_SEGMENT_1, TIME_SEGMENT_2, false);
	twai_ll_set_clkout(device, 0);
	twai_ll_set_tec(device, 0);
	twai_ll_set_rec(device, 0);
	twai_ll_set_err_warn_lim(device, WARNING_LIMIT);
	twai_ll_set_mode(device, false, false, false);
	twai_ll_set_enabled_intrs(device, INTERRUPTS);
	(void)twai_ll_get_and_clear_intrs(device);
	twai_ll_exit_reset_mode(device);
	twai->off = twai->silent = false;
	++twai->counters.starts;
	return true;
}

bool twai_start(struct twai *twai, twai_dev_t *device, unsigned brp)
{
	(void)gateway_driver_lock(); /* the other controller's interrupt looks at this one */
	bool answers = set_up(twai, device, brp);
	gateway_driver_unlock();
	return answers;
}

uint64_t twai_service(struct twai *twai, uint64_t now_us)
{
	if (!twai->device)
		return GATEWAY_NEVER;
	twai_ll_set_enabled_intrs(twai->device, INTERRUPTS);
	(void)twai_interrupt(twai, now_us);
	if (twai->aborting && now_us >= twai->abort_until_us) {
		++twai->counters.hangs;
		gateway_aborted(twai->gateway, twai->bus);
		(void)set_up(twai, twai->device, twai->brp);
	}
	if (twai->aborting)
		return twai->abort_until_us;
	return twai->sending ? send_limit(twai) + 1 : GATEWAY_NEVER;
}

enum bus_recovery_report twai_report(struct twai *twai)
{
	if (!twai->device)
		return BUS_REPORTS_STOPPED;
	bool off = twai->off || twai->went_off || twai->silent;
	twai->went_off = false;
	if (off)
		return BUS_REPORTS_OFF;
	return twai_ll_get_status(twai->device) & TWAI_LL_STATUS_ES ? BUS_REPORTS_PASSIVE : BUS_REPORTS_ACTIVE;
}

void twai_recover(struct twai *twai, bool lasting)
{
	if (lasting)
		(void)set_up(twai, twai->device, twai->brp);
	else
		twai_ll_exit_reset_mode(twai->device); /* it joins again after 128 times 11 recessive bits */
}

const struct twai_class twai_class = {twai_service, twai_send, twai_report, twai_recover};
