/* See twai.h. Registers and bytes: those of the SJA1000, as the chips' manuals have them. */
#include "twai.h"

#include "gateway_driver.h"

#define TIME_SEGMENT_1 15u /* quanta; with one before them sampled at 80 % */
#define TIME_SEGMENT_2 4u
#define JUMP 3u
#define WARNING_LIMIT 96u /* the SJA1000's own after a reset */
_Static_assert(TWAI_QUANTA_HZ / (1 + TIME_SEGMENT_1 + TIME_SEGMENT_2) == 500000u, "500 kbit/s");

#define EXTENDED_FORMAT 0x80u /* of the first byte of the buffer */
#define REMOTE_REQUEST 0x40u

#define INTERRUPTS (TWAI_LL_INTR_RI | TWAI_LL_INTR_TI | TWAI_LL_INTR_EI | TWAI_LL_INTR_EPI | TWAI_LL_INTR_BEI)

/* ---- the buffer, a byte in each register: reading gives what was received, writing sets what is sent ---- */

IN_LINE uint32_t byte_at(const twai_dev_t *device, unsigned at)
{
	return device->tx_rx_buffer[at].val & 0xFFu;
}

IN_LINE void put_byte(twai_dev_t *device, unsigned at, uint32_t value)
{
	device->tx_rx_buffer[at].val = value & 0xFFu;
}

/* Unrolled, as each frame needs both: two instructions a byte, where a loop takes eight. */
IN_LINE void read_data(const twai_dev_t *device, unsigned from, uint8_t *data)
{
#pragma GCC unroll 8
	for (unsigned i = 0; i < 8; ++i)
		data[i] = (uint8_t)byte_at(device, from + i);
}

IN_LINE void write_data(twai_dev_t *device, unsigned from, const uint8_t *data)
{
#pragma GCC unroll 8
	for (unsigned i = 0; i < 8; ++i)
		put_byte(device, from + i, data[i]);
}

IN_RAM static void read_frame(const twai_dev_t *device, struct gateway_frame *frame)
{
	uint32_t first = byte_at(device, 0), dlc = first & 15u;
	if (first & EXTENDED_FORMAT) {
		frame->id = GATEWAY_EXTENDED | byte_at(device, 1) << 21 | byte_at(device, 2) << 13 | byte_at(device, 3) << 5 | byte_at(device, 4) >> 3;
		read_data(device, 5, frame->data);
	} else {
		frame->id = byte_at(device, 1) << 3 | byte_at(device, 2) >> 5;
		read_data(device, 3, frame->data);
	}
	if (first & REMOTE_REQUEST)
		frame->id |= GATEWAY_REMOTE;
	frame->dlc = (uint8_t)(dlc < 8 ? dlc : 8); /* CAN 2.0 permits 9 to 15, which mean 8 */
}

IN_RAM static void write_frame(twai_dev_t *device, const struct gateway_frame *frame)
{
	uint32_t id = frame->id, first = frame->dlc;
	if (id & GATEWAY_REMOTE)
		first |= REMOTE_REQUEST;
	if (id & GATEWAY_EXTENDED) {
		first |= EXTENDED_FORMAT;
		put_byte(device, 1, id >> 21);
		put_byte(device, 2, id >> 13);
		put_byte(device, 3, id >> 5);
		put_byte(device, 4, id << 3);
		write_data(device, 5, frame->data);
	} else {
		put_byte(device, 1, id >> 3);
		put_byte(device, 2, id << 5);
		write_data(device, 3, frame->data);
	}
	put_byte(device, 0, first);
}

/* ---- in the interrupt ---- */

IN_RAM static void receive(struct twai *twai, uint32_t status, uint64_t now_us)
{
	if (status & TWAI_LL_STATUS_MS) {
		++twai->counters.overruns; /* what is left of it in the buffer is no frame */
	} else {
		struct gateway_frame frame;
		read_frame(twai->device, &frame);
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
	write_frame(twai->device, frame);
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
