/* An MCP2515. Registers are named by their addresses here, independently of the driver. */
#include "chip_models.h"

struct model model;

enum { CANINTE = 0x2B, CANINTF = 0x2C, EFLG = 0x2D, CANSTAT = 0x2E, CANCTRL = 0x2F, TXREQ = 0x08 };

static unsigned mode(void)
{
	return model.registers[CANSTAT] & 0xE0;
}

static bool is_configuration_only(unsigned address)
{
	return address <= 0x0B || address == 0x0D || (address >= 0x10 && address <= 0x1B) || (address >= 0x20 && address <= 0x2A);
}

static bool may_modify(unsigned address)
{
	return address == 0x0C || address == 0x0D || address == CANINTE || address == CANINTF || address == EFLG || address == CANCTRL ||
		address == 0x30 || address == 0x40 || address == 0x50 || address == 0x60 || address == 0x70;
}

/* CANSTAT and CANCTRL appear at the end of every row. */
static unsigned real(unsigned address)
{
	return (address & 0x0E) == 0x0E ? 0x20 | (address & 0x0F) : address & 0x7F;
}

static void power_on_reset(void)
{
	memset(model.registers, 0, sizeof model.registers);
	for (unsigned i = 0; i < 0x28; ++i)
		model.registers[i] = (uint8_t)(0xA5 + 7 * i); /* filters and masks: undefined */
	model.registers[0x0C] = model.registers[0x0D] = model.registers[0x1C] = model.registers[0x1D] = 0;
	model.registers[CANSTAT] = 0x80;
	model.registers[CANCTRL] = 0x87;
	model.misled = false;
}

static void try_join(void)
{
	if (!model.dominant || model.registers[CANCTRL] >> 5 == 4)
		model.registers[CANSTAT] = model.registers[CANCTRL] & 0xE0;
}

static void abort_if_asked(void)
{
	if (model.registers[CANCTRL] & 0x10)
		for (unsigned at = 0x30; at <= 0x50; at += 0x10)
			model.registers[at] = (uint8_t)((model.registers[at] & ~TXREQ) | (model.registers[at] & TXREQ ? 0x40 : 0));
}

static void write_register(unsigned at, unsigned value)
{
	unsigned address = real(at);
	if (is_configuration_only(address))
		CHECK(mode() == 0x80);
	if (address >= 0x30 && address <= 0x5D && model.registers[address & 0xF0] & TXREQ) {
		CHECK(model.misled); /* a buffer that is pending must not be written, nor its priority changed */
		return;
	}
	CHECK(address != CANSTAT && address != 0x1C && address != 0x1D);
	if (address == EFLG)
		value = (model.registers[EFLG] & 0x3Fu) | (value & 0xC0u); /* only the overflow flags can be written */
	model.registers[address] = (uint8_t)value;
	if (address == CANCTRL) {
		try_join();
		abort_if_asked();
	}
}

/* One transaction of a running chip. */
static void execute(const uint8_t *tx, uint8_t *rx, size_t length)
{
	unsigned code = tx[0];
	if (code == 0xC0) {
		power_on_reset();
	} else if (code == 0x03) {
		for (size_t i = 2; i < length; ++i)
			rx[i] = model.registers[real(tx[1] + (unsigned)i - 2)];
	} else if (code == 0x02) {
		for (size_t i = 2; i < length; ++i)
			write_register(tx[1] + (unsigned)i - 2, tx[i]);
	} else if (code == 0x05) {
		EQUAL(length, 4);
		CHECK(may_modify(real(tx[1])));
		write_register(tx[1], (model.registers[real(tx[1])] & (uint8_t)~tx[2]) | (tx[3] & tx[2]));
	} else if (code == 0x90 || code == 0x94) {
		unsigned buffer = code >> 2 & 1;
		CHECK(model.registers[CANINTF] & 1u << buffer); /* reading an empty buffer loses the frame that comes meanwhile */
		for (size_t i = 1; i < length; ++i)
			rx[i] = model.registers[0x60 + 0x10 * buffer + i];
		if (model.during) {
			void (*during)(void) = model.during;
			model.during = NULL;
			during();
		}
		model.registers[CANINTF] &= (uint8_t)~(1u << buffer);
	} else if (code == 0xA0) {
		const uint8_t *r = model.registers;
		rx[1] = (uint8_t)((r[CANINTF] & 3) | (r[0x30] & TXREQ) >> 1 | (r[CANINTF] & 4) << 1 | (r[0x40] & TXREQ) << 1 |
			(r[CANINTF] & 8) << 2 | (r[0x50] & TXREQ) << 3 | (r[CANINTF] & 16) << 3);
	} else if ((code & 0xF8) == 0x40) {
		CHECK(!(code & 1));
		for (size_t i = 1; i < length; ++i)
			write_register(0x30 + 0x10 * (code >> 1 & 3) + (unsigned)i, tx[i]);
	} else if ((code & 0xF8) == 0x80) {
		EQUAL(length, 1);
		for (unsigned buffer = 0; buffer < 3; ++buffer)
			if (code & 1u << buffer && !(model.registers[CANCTRL] & 0x10))
				model.registers[0x30 + 0x10 * buffer] |= TXREQ;
	} else {
		test_fail("mcp2515", 0, "instruction", code, 0);
	}
}

static void transfer(void *context, const uint8_t *tx, uint8_t *rx, size_t length)
{
	uint8_t unwanted[16];
	EQUAL(context == &model, 1);
	CHECK(length >= 1 && length <= 16);
	++model.transactions;
	model.bytes += (uint32_t)length;
	++model.by_instruction[tx[0]];
	uint8_t *in = rx ? rx : unwanted;
	memset(in, model.stuck_low ? 0 : 0xFF, length);
	model.misled |= model.stuck_low && tx[0] == 0xA0;
	if (!model.dead && !model.stuck_low && !model.reset_held)
		execute(tx, in, length);
	if (model.noise && tx[0] == model.noise_code && length > model.noise_at)
		in[model.noise_at] ^= model.noise;
}

static bool interrupt(void *context)
{
	(void)context;
	return !model.dead && model.registers[CANINTE] & model.registers[CANINTF];
}

static void reset(void *context, bool active)
{
	(void)context;
	model.reset_held = active;
	++model.resets;
	power_on_reset();
}

static void wait_us(void *context, uint32_t us)
{
	(void)context;
	(void)us;
}

struct mcp2515_port model_start(void)
{
	model = (struct model){0};
	power_on_reset();
	return (struct mcp2515_port){
		.transfer = transfer, .interrupt = interrupt, .reset = reset, .wait_us = wait_us, .context = &model};
}

/* ---- the bus ---- */

static void id_to_registers(uint32_t id, uint8_t *at)
{
	if (id & GATEWAY_EXTENDED) {
		at[0] = (uint8_t)(id >> 21);
		at[1] = (uint8_t)((id >> 13 & 0xE0) | 0x08 | (id >> 16 & 3));
		at[2] = (uint8_t)(id >> 8);
		at[3] = (uint8_t)id;
	} else {
		at[0] = (uint8_t)(id >> 3);
		at[1] = (uint8_t)(id << 5 | (id & GATEWAY_REMOTE ? 0x10 : 0));
		at[2] = at[3] = 0;
	}
}

/* Whether a filter of this buffer lets an identifier pass. */
static bool passes(unsigned buffer, const uint8_t *id)
{
	static const uint8_t filters[6] = {0x00, 0x04, 0x08, 0x10, 0x14, 0x18};
	const uint8_t *mask = model.registers + 0x20 + 4 * buffer;
	for (unsigned i = buffer ? 2 : 0; i < (buffer ? 6u : 2u); ++i) {
		const uint8_t *filter = model.registers + filters[i];
		bool fits = (filter[1] & 0x08) == (id[1] & 0x08);
		for (unsigned byte = 0; byte < 4; ++byte) {
			unsigned care = mask[byte] & (byte == 1 ? 0xE3u : 0xFFu);
			fits = fits && !((filter[byte] ^ id[byte]) & care);
		}
		if (fits)
			return true;
	}
	return false;
}

static void store(unsigned buffer, const uint8_t *bytes)
{
	memcpy(model.registers + 0x61 + 0x10 * buffer, bytes, 13);
	model.registers[CANINTF] |= (uint8_t)(1u << buffer);
}

void model_receive_raw(uint32_t id, unsigned dlc_field, const uint8_t data[8])
{
	uint8_t bytes[13];
	if (mode() != 0 || model.registers[EFLG] & 0x20)
		return;
	id_to_registers(id, bytes);
	bytes[4] = (uint8_t)dlc_field;
	memcpy(bytes + 5, data, 8);
	bool full0 = model.registers[CANINTF] & 1, full1 = model.registers[CANINTF] & 2;
	bool rolls_over = model.registers[0x60] & 0x04;
	if (passes(0, bytes) && !full0)
		store(0, bytes);
	else if (passes(0, bytes) ? rolls_over && !full1 : passes(1, bytes) && !full1)
		store(1, bytes);
	else if (passes(0, bytes) || passes(1, bytes))
		model.registers[EFLG] |= rolls_over ? 0x80 : 0x40, model.registers[CANINTF] |= 0x20;
}

void model_receive(uint32_t id, const char *data)
{
	uint8_t bytes[8] = {0};
	unsigned count = 0;
	for (char *end; *data; data = end)
		bytes[count++] = (uint8_t)strtoul(data, &end, 16);
	bool remote = id & GATEWAY_REMOTE;
	model_receive_raw(id, count | (remote && id & GATEWAY_EXTENDED ? 0x40u : 0), bytes);
}

void model_receive_broken(uint32_t id)
{
	static const uint8_t nothing[8];
	if ((model.registers[0x60] & 0x60) == 0x60)
		model_receive_raw(id, 8, nothing); /* filters off: pieces are delivered too */
}

bool model_send(struct gateway_frame *frame)
{
	int chosen = -1;
	for (int buffer = 2; buffer >= 0; --buffer) { /* of equal priority the highest number first */
		const uint8_t *at = model.registers + 0x30 + 0x10 * buffer;
		if (at[0] & TXREQ && (chosen < 0 || (at[0] & 3) > (model.registers[0x30 + 0x10 * chosen] & 3)))
			chosen = buffer;
	}
	if (chosen < 0 || mode() != 0)
		return false;
	uint8_t *at = model.registers + 0x30 + 0x10 * chosen;
	*frame = (struct gateway_frame){.dlc = at[5] & 0x0F};
	frame->id = at[2] & 0x08 ? GATEWAY_EXTENDED | (uint32_t)at[1] << 21 | (uint32_t)(at[2] & 0xE0) << 13 | (uint32_t)(at[2] & 3) << 16 |
			(uint32_t)at[3] << 8 | at[4] : (uint32_t)at[1] << 3 | at[2] >> 5;
	if (at[5] & 0x40)
		frame->id |= GATEWAY_REMOTE;
	memcpy(frame->data, at + 6, frame->id & GATEWAY_REMOTE ? 0 : frame->dlc);
	at[0] &= (uint8_t)~TXREQ;
	model.registers[CANINTF] |= (uint8_t)(4u << chosen);
	return true;
}

void model_errors(unsigned tec, unsigned rec)
{
	model.registers[0x1C] = (uint8_t)tec;
	model.registers[0x1D] = (uint8_t)rec;
	model.registers[EFLG] = (uint8_t)((model.registers[EFLG] & 0xC0) | (tec > 255 ? 0x20 : 0) | (tec > 127 ? 0x10 : 0) |
		(rec > 127 ? 0x08 : 0) | (tec > 95 ? 0x04 : 0) | (rec > 95 ? 0x02 : 0) | (tec > 95 || rec > 95 ? 0x01 : 0));
	model.registers[CANINTF] |= 0x20;
}

void model_bus_off(void)
{
	model_errors(256, 0);
}

void model_reset_itself(void)
{
	power_on_reset();
}

void model_count_from_here(void)
{
	model.transactions = model.bytes = 0;
	memset(model.by_instruction, 0, sizeof model.by_instruction);
}
