#include "mcp2515.h"

#include <string.h>

enum { SEND_BUFFERS = 3, PRIORITIES = 4, SEND_SLOTS = SEND_BUFFERS * PRIORITIES };
enum { FRAME_BYTES = 14 /* READ RX BUFFER or LOAD TX BUFFER */, WRITE_BYTES = 16 /* WRITE, with TXBnCTRL */ };

/*
 * Bit time: 16 quanta of 2 / 16 MHz = 2 us: 1 for synchronisation, 5 propagation, 6 and 4 phase segments;
 * sampled once, at 75 %. Resynchronises by up to 2 quanta.
 */
#define PROPAGATION 5u
#define PHASE1 6u
#define PHASE2 4u
#define JUMP 2u
#define SAMPLE_POINT (100u * (1u + PROPAGATION + PHASE1) / (1u + PROPAGATION + PHASE1 + PHASE2))
_Static_assert((1u + PROPAGATION + PHASE1 + PHASE2) * 2u == MCP2515_CRYSTAL_HZ / 500000u, "500 kbit/s");
_Static_assert(SAMPLE_POINT >= 75u && SAMPLE_POINT <= 80u, "sample point");
#define CNF1 ((JUMP - 1u) << 6)
#define CNF2 (0x80u | (PHASE1 - 1u) << 3 | (PROPAGATION - 1u))
#define CNF3 (PHASE2 - 1u)

#define RESET_US 20u /* more than the 128 clocks that the chip needs */

static struct mcp2515 *chip_of(struct can_link *link)
{
	return (struct mcp2515 *)link; /* its first member */
}

static unsigned read_status(const struct mcp2515 *chip)
{
	uint8_t tx[2] = {MCP2515_READ_STATUS}, rx[2];
	chip->port->transfer(chip->port->context, tx, rx, sizeof tx);
	return rx[1];
}

/* ---- instructions, set-up and self-test ---- */

/*
 * Registers from `address` on, 1 to 12 of them. Nothing tells whether the chip has listened: the self-test
 * does.
 */
static void read_registers(const struct mcp2515 *chip, unsigned address, uint8_t *into, size_t count)
{
	uint8_t tx[14] = {MCP2515_READ, (uint8_t)address}, rx[14];
	chip->port->transfer(chip->port->context, tx, rx, 2 + count);
	memcpy(into, rx + 2, count);
}

static void write_registers(const struct mcp2515 *chip, unsigned address, const uint8_t *data, size_t count)
{
	uint8_t tx[14] = {MCP2515_WRITE, (uint8_t)address};
	memcpy(tx + 2, data, count);
	chip->port->transfer(chip->port->context, tx, NULL, 2 + count);
}

/*
 * Bits of `mask` become those of `value`: in registers that the data sheet has for it; in any other all bits
 * are written.
 */
static void modify(const struct mcp2515 *chip, unsigned address, unsigned mask, unsigned value)
{
	uint8_t tx[4] = {MCP2515_BIT_MODIFY, (uint8_t)address, (uint8_t)mask, (uint8_t)value};
	chip->port->transfer(chip->port->context, tx, NULL, sizeof tx);
}

/*
 * By the line and by the instruction: the chip is in configuration mode then, and has forgotten everything.
 */
static void reset(const struct mcp2515 *chip)
{
	const struct mcp2515_port *port = chip->port;
	uint8_t tx = MCP2515_RESET;
	port->reset(port->context, true);
	port->wait_us(port->context, RESET_US);
	port->reset(port->context, false);
	port->wait_us(port->context, RESET_US);
	port->transfer(port->context, &tx, NULL, 1);
	port->wait_us(port->context, RESET_US);
}

static bool is_int_low(const struct mcp2515 *chip)
{
	return chip->port->interrupt(chip->port->context);
}

static void write_one(const struct mcp2515 *chip, unsigned address, unsigned value)
{
	uint8_t byte = (uint8_t)value;
	write_registers(chip, address, &byte, 1);
}

/*
 * Every frame passes to buffer 0: its mask is 0, and of its filters one is for 11-bit and one for 29-bit
 * identifiers. What finds it full rolls over to buffer 1, whatever the filters of that. Filters are not
 * switched off (RXM = 3) because the chip would then also deliver pieces of frames that end in an error.
 */
static void pass_all(const struct mcp2515 *chip)
{
	static const uint8_t mask[4];
	static const uint8_t filters[8] = {[4 + 1] = MCP2515_EXIDE}; /* SIDL of the second */
	write_registers(chip, MCP2515_RXM0, mask, sizeof mask);
	write_registers(chip, MCP2515_RXF0, filters, sizeof filters);
	write_one(chip, MCP2515_RXB0CTRL, MCP2515_BUKT);
	write_one(chip, MCP2515_RXB1CTRL, 0);
}

/*
 * Resets, sets up and tests the chip and lets it join the bus. polled: see struct mcp2515. Returns false if it
 * failed.
 */
static bool set_up(const struct mcp2515 *chip, bool *polled)
{
	uint8_t mode;
	reset(chip);
	read_registers(chip, MCP2515_CANSTAT, &mode, 1);
	if ((mode & MCP2515_MODE) != MCP2515_MODE_CONFIGURATION)
		return false;
	/* CNF3 to CANINTF; the flag, set here, must pull the INT line down, and let it go when it is cleared. */
	static const uint8_t registers[5] = {CNF3, CNF2, CNF1, MCP2515_RX0I | MCP2515_RX1I, MCP2515_RX0I};
	uint8_t read_back[sizeof registers];
	write_registers(chip, MCP2515_CNF3, registers, sizeof registers);
	bool follows = is_int_low(chip);
	read_registers(chip, MCP2515_CNF3, read_back, sizeof read_back);
	if (memcmp(registers, read_back, sizeof registers))
		return false;
	write_one(chip, MCP2515_CANINTF, 0);
	*polled = !follows || is_int_low(chip);
	pass_all(chip);
	for (unsigned buffer = 0; buffer < 3; ++buffer)
		write_one(chip, MCP2515_TXB0CTRL + 0x10 * buffer, MCP2515_TXP);
	write_one(chip, MCP2515_CANCTRL, MCP2515_MODE_NORMAL); /* also: retry until sent, no clock output */
	return true;
}

/* ---- phases ---- */

/* What was in the chip's buffers is lost. */
static void forget_buffers(struct mcp2515 *chip)
{
	chip->counters.lost_at_bus_off += (uint32_t)__builtin_popcount(chip->pending);
	chip->aborting = chip->passive = chip->unsure = false;
	chip->pending = 0;
	chip->slots_left = SEND_SLOTS;
	chip->busy_until_us = 0;
	for (unsigned buffer = 0; buffer < SEND_BUFFERS; ++buffer)
		chip->priority[buffer] = PRIORITIES - 1; /* as it is set up */
}

static void start(struct mcp2515 *chip, uint64_t now_us)
{
	forget_buffers(chip);
	++chip->counters.starts;
	if (set_up(chip, &chip->polled)) {
		chip->phase = MCP2515_JOINING;
		chip->check_us = now_us + MCP2515_ALERT_US;
		chip->calm_us = now_us + MCP2515_CALM_US;
	} else {
		++chip->counters.self_test_failed;
		chip->phase = MCP2515_FAILED;
		chip->check_us = now_us + MCP2515_START_US;
	}
}

static void go_silent(struct mcp2515 *chip)
{
	reset(chip); /* leaves the bus at once and empties the buffers */
	forget_buffers(chip);
	chip->phase = MCP2515_SILENT;
	chip->was_off = true;
}

/* Looks at mode and error flags. */
static void check(struct mcp2515 *chip, uint64_t now_us)
{
	uint8_t registers[4];
	read_registers(chip, MCP2515_CANINTF, registers, sizeof registers);
	unsigned flags = registers[0], errors = registers[1], mode = registers[2] & MCP2515_MODE, control = registers[3];
	bool is_normal = mode == MCP2515_MODE_NORMAL;
	if ((control & ~(unsigned)MCP2515_ABAT) != MCP2515_MODE_NORMAL || (chip->phase == MCP2515_RUNNING && !is_normal)) {
		++chip->counters.mode_lost;
		start(chip, now_us);
		return;
	}
	if (errors & MCP2515_TXBO) {
		go_silent(chip);
		return;
	}
	if (is_normal) {
		chip->phase = MCP2515_RUNNING;
		chip->was_off = false;
	}
	if (errors & (MCP2515_RX0OVR | MCP2515_RX1OVR)) {
		++chip->counters.overruns;
		modify(chip, MCP2515_EFLG, MCP2515_RX0OVR | MCP2515_RX1OVR, 0);
	}
	chip->passive = errors & (MCP2515_EWARN | MCP2515_RXWAR | MCP2515_TXWAR | MCP2515_RXEP | MCP2515_TXEP);
	if (flags & MCP2515_ERRI)
		modify(chip, MCP2515_CANINTF, MCP2515_ERRI, 0);
	if (flags & MCP2515_ERRI || chip->passive)
		chip->calm_us = now_us + MCP2515_CALM_US;
	chip->check_us = now_us + (now_us < chip->calm_us ? MCP2515_ALERT_US : MCP2515_HEALTH_US);
}

/* ---- receiving ---- */

/* Whether a frame was received since the buffers were seen empty. */
static bool is_waiting(const struct mcp2515 *chip)
{
	return chip->polled ? read_status(chip) & MCP2515_STATUS_RX0 : is_int_low(chip);
}

/* The buffer with the oldest frame, -1: no buffer holds one. */
static int next_full(struct mcp2515 *chip)
{
	if (!chip->unsure)
		return is_waiting(chip) ? 0 : -1; /* both were empty: buffer 0 is filled first */
	unsigned status = read_status(chip);
	if (status & MCP2515_STATUS_RX1)
		return 1;
	chip->unsure = false;
	return status & MCP2515_STATUS_RX0 ? 0 : -1;
}

/*
 * Returns false if no chip can have sent these bytes: bits that do not exist are set, or all are 0 as from a
 * line that is stuck.
 */
static bool decode(const uint8_t *bytes, struct gateway_frame *frame)
{
	unsigned high = bytes[0], low = bytes[1], dlc = bytes[4];
	if (low & 0x04 || dlc & 0x80)
		return false;
	*frame = (struct gateway_frame){.dlc = (uint8_t)(dlc & 0x0F)};
	if (frame->dlc > 8)
		frame->dlc = 8; /* CAN 2.0 permits 9 to 15, which mean 8 */
	if (low & MCP2515_EXIDE) {
		frame->id = GATEWAY_EXTENDED | high << 21 | (low & 0xE0u) << 13 | (low & 0x03u) << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
		frame->id |= dlc & MCP2515_RTR ? GATEWAY_REMOTE : 0;
	} else {
		frame->id = high << 3 | low >> 5 | (low & MCP2515_SRR ? GATEWAY_REMOTE : 0);
	}
	unsigned any = high | low | dlc;
	for (unsigned i = 0; i < 8; ++i) {
		any |= bytes[5 + i];
		frame->data[i] = i < frame->dlc && !(frame->id & GATEWAY_REMOTE) ? bytes[5 + i] : 0;
	}
	return any;
}

static bool receive(struct can_link *link, struct gateway_frame *into, uint64_t now_us)
{
	struct mcp2515 *chip = chip_of(link);
	if (chip->phase != MCP2515_RUNNING)
		return false;
	int buffer = next_full(chip);
	if (buffer < 0)
		return false;
	uint8_t tx[FRAME_BYTES] = {(uint8_t)(MCP2515_READ_RX | 4 * buffer)}, rx[FRAME_BYTES];
	chip->port->transfer(chip->port->context, tx, rx, sizeof tx);
	/* Seen at once: if INT is high now, both are empty, and the next frame comes to buffer 0. */
	chip->unsure = buffer == 0 && (chip->polled || is_int_low(chip));
	if (decode(rx + 1, into))
		return true;
	check(chip, now_us); /* a frame of zeros only, of identifier 0, may be one */
	if (chip->phase == MCP2515_RUNNING && !(rx[2] & 0x04 || rx[5] & 0x80))
		return true;
	++chip->counters.garbled;
	return false;
}

/* ---- sending ---- */

/* Asks which buffers were sent. Returns whether none is pending any more. */
static bool all_sent(struct mcp2515 *chip)
{
	unsigned status = read_status(chip);
	for (unsigned buffer = 0; buffer < SEND_BUFFERS; ++buffer)
		if (!(status & (unsigned)MCP2515_STATUS_TXREQ0 << 2 * buffer))
			chip->pending &= (uint8_t)~(1u << buffer);
	if (chip->pending)
		return false;
	chip->slots_left = SEND_SLOTS;
	return true;
}

/* Identifier, DLC and data of a frame, to bytes[1] and behind. Returns their number. */
static size_t encode(const struct gateway_frame *frame, uint8_t *bytes)
{
	uint32_t id = frame->id & ~(GATEWAY_EXTENDED | GATEWAY_REMOTE);
	bool remote = frame->id & GATEWAY_REMOTE;
	if (frame->id & GATEWAY_EXTENDED) {
		bytes[1] = (uint8_t)(id >> 21);
		bytes[2] = (uint8_t)((id >> 13 & 0xE0) | MCP2515_EXIDE | (id >> 16 & 0x03));
		bytes[3] = (uint8_t)(id >> 8);
		bytes[4] = (uint8_t)id;
	} else {
		bytes[1] = (uint8_t)(id >> 3);
		bytes[2] = (uint8_t)(id << 5);
		bytes[3] = bytes[4] = 0;
	}
	bytes[5] = (uint8_t)(frame->dlc | (remote ? MCP2515_RTR : 0));
	size_t count = remote ? 0 : frame->dlc;
	for (size_t i = 0; i < count; ++i)
		bytes[6 + i] = frame->data[i];
	return 5 + count;
}

/* The least that a frame takes on the bus, without stuff bits, with the gap behind it. */
static uint64_t least_us(const struct gateway_frame *frame)
{
	unsigned data_bits = frame->id & GATEWAY_REMOTE ? 0 : 8u * frame->dlc;
	return (data_bits + (frame->id & GATEWAY_EXTENDED ? 67u : 47u)) * MCP2515_BIT_US;
}

/*
 * Buffer and priority that the next frame takes: after all that are pending, in the order in which the chip
 * sends them.
 */
static unsigned next_buffer(const struct mcp2515 *chip)
{
	return (chip->slots_left - 1u) % SEND_BUFFERS;
}

static unsigned next_priority(const struct mcp2515 *chip)
{
	return (chip->slots_left - 1u) / SEND_BUFFERS;
}

static bool is_free(const struct mcp2515 *chip)
{
	return chip->slots_left && !(chip->pending & 1u << next_buffer(chip));
}

static bool has_slot(struct mcp2515 *chip, uint64_t now_us)
{
	if (chip->phase != MCP2515_RUNNING || chip->aborting) {
		chip->link.retry_us = GATEWAY_NEVER; /* service() goes on with it */
		return false;
	}
	if (is_free(chip))
		return true;
	uint64_t *look_us = chip->slots_left ? &chip->sent_us[next_buffer(chip)] : &chip->busy_until_us;
	chip->link.retry_us = *look_us;
	if (now_us < *look_us)
		return false;
	all_sent(chip);
	if (is_free(chip))
		return true;
	*look_us = chip->link.retry_us = now_us + MCP2515_RETRY_US;
	return false;
}

/* Writes a frame to a buffer, with its priority unless the buffer has that already. */
static void load(struct mcp2515 *chip, const struct gateway_frame *frame, unsigned buffer, unsigned priority)
{
	uint8_t bytes[WRITE_BYTES] = {MCP2515_WRITE, (uint8_t)(MCP2515_TXB0CTRL + 0x10 * buffer), (uint8_t)priority};
	size_t count = encode(frame, bytes + 2);
	bool has_priority = chip->priority[buffer] == priority;
	if (has_priority)
		bytes[2] = (uint8_t)(MCP2515_LOAD_TX | 2 * buffer);
	chip->priority[buffer] = (uint8_t)priority;
	unsigned skipped = has_priority ? 2 : 0;
	chip->port->transfer(chip->port->context, bytes + skipped, NULL, 3 + count - skipped);
}

static bool send(struct can_link *link, const struct gateway_frame *frame, uint64_t now_us)
{
	struct mcp2515 *chip = chip_of(link);
	if (!has_slot(chip, now_us))
		return false;
	unsigned buffer = next_buffer(chip);
	load(chip, frame, buffer, next_priority(chip));
	uint8_t request = (uint8_t)(MCP2515_RTS | 1u << buffer);
	chip->port->transfer(chip->port->context, &request, NULL, 1);
	--chip->slots_left;
	chip->pending |= (uint8_t)(1u << buffer);
	chip->handed_us[buffer] = now_us;
	chip->busy_until_us = (chip->busy_until_us > now_us ? chip->busy_until_us : now_us) + least_us(frame);
	chip->sent_us[buffer] = chip->busy_until_us;
	return true;
}

/* When the oldest pending frame has been with the chip for too long. */
static uint64_t send_limit(const struct mcp2515 *chip)
{
	uint64_t limit_us = GATEWAY_NEVER;
	for (unsigned buffer = 0; buffer < SEND_BUFFERS; ++buffer)
		if (chip->pending & 1u << buffer)
			limit_us = earlier(limit_us, chip->handed_us[buffer] + GATEWAY_SEND_LIMIT_US);
	return limit_us;
}

/* Waits for the chip to let go of what it is to drop. Returns when to be called again. */
static uint64_t watch_aborting(struct mcp2515 *chip, uint64_t now_us)
{
	if (all_sent(chip)) {
		modify(chip, MCP2515_CANCTRL, MCP2515_ABAT, 0);
		chip->aborting = false;
		return GATEWAY_NEVER;
	}
	if (now_us >= chip->abort_until_us) {
		chip->pending = 0; /* counted as dropped */
		start(chip, now_us);
	}
	return now_us + MCP2515_ALERT_US;
}

/* Discards what is too old. Returns when to be called again. */
static uint64_t watch_sending(struct mcp2515 *chip, uint64_t now_us)
{
	if (chip->aborting)
		return watch_aborting(chip, now_us);
	if (now_us < send_limit(chip) || all_sent(chip) || now_us < send_limit(chip))
		return send_limit(chip);
	check(chip, now_us); /* bus-off? */
	if (chip->phase != MCP2515_RUNNING)
		return GATEWAY_NEVER;
	chip->counters.timed_out += (uint32_t)__builtin_popcount(chip->pending);
	modify(chip, MCP2515_CANCTRL, MCP2515_ABAT, MCP2515_ABAT);
	chip->aborting = true;
	chip->abort_until_us = now_us + MCP2515_ABORT_US;
	return now_us + MCP2515_ALERT_US;
}

/* ---- as a link ---- */

static uint64_t service(struct can_link *link, uint64_t now_us)
{
	struct mcp2515 *chip = chip_of(link);
	if (chip->phase != MCP2515_SILENT && now_us >= chip->check_us) {
		if (chip->phase == MCP2515_FAILED)
			start(chip, now_us);
		else
			check(chip, now_us);
	}
	uint64_t next_us = chip->phase == MCP2515_RUNNING ? watch_sending(chip, now_us) : GATEWAY_NEVER;
	if (chip->phase == MCP2515_SILENT)
		return GATEWAY_NEVER;
	/* INT that is still low, after an answer that was garbled, will not fall again. */
	if (chip->phase == MCP2515_RUNNING && (chip->polled || is_int_low(chip)))
		next_us = earlier(next_us, now_us + MCP2515_POLL_US);
	return earlier(next_us, chip->check_us);
}

static enum bus_recovery_report report(const struct can_link *link)
{
	const struct mcp2515 *chip = (const struct mcp2515 *)link;
	if (chip->phase == MCP2515_RUNNING)
		return chip->passive ? BUS_REPORTS_PASSIVE : BUS_REPORTS_ACTIVE;
	return chip->was_off ? BUS_REPORTS_OFF : BUS_REPORTS_STOPPED;
}

static void recover(struct can_link *link, bool lasting, uint64_t now_us)
{
	(void)lasting; /* it is always reset */
	start(chip_of(link), now_us);
}

static const struct can_link_class mcp2515_class = {service, receive, send, report, recover};

void mcp2515_init(struct mcp2515 *chip, const struct mcp2515_port *port)
{
	*chip = (struct mcp2515){.link = {.class = &mcp2515_class}, .port = port, .phase = MCP2515_FAILED};
	forget_buffers(chip);
}

void mcp2515_sleep(const struct mcp2515 *chip)
{
	modify(chip, MCP2515_CANCTRL, MCP2515_MODE, MCP2515_MODE_SLEEP);
}
