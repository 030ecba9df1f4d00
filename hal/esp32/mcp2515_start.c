/* Instructions of the MCP2515, and how it is set up and tested. */
#include <string.h>

#include "mcp2515.h"
#include "mcp2515_registers.h"

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

void mcp2515_read(const struct mcp2515 *chip, unsigned address, uint8_t *into, size_t count)
{
	uint8_t tx[14] = {MCP2515_READ, (uint8_t)address}, rx[14];
	chip->port->transfer(chip->port->context, tx, rx, 2 + count);
	memcpy(into, rx + 2, count);
}

void mcp2515_write(const struct mcp2515 *chip, unsigned address, const uint8_t *data, size_t count)
{
	uint8_t tx[14] = {MCP2515_WRITE, (uint8_t)address};
	memcpy(tx + 2, data, count);
	chip->port->transfer(chip->port->context, tx, NULL, 2 + count);
}

void mcp2515_modify(const struct mcp2515 *chip, unsigned address, unsigned mask, unsigned value)
{
	uint8_t tx[4] = {MCP2515_BIT_MODIFY, (uint8_t)address, (uint8_t)mask, (uint8_t)value};
	chip->port->transfer(chip->port->context, tx, NULL, sizeof tx);
}

void mcp2515_reset(const struct mcp2515 *chip)
{
	const struct mcp2515_port *port = chip->port;
	uint8_t tx = MCP2515_RESET;
	if (port->reset) {
		port->reset(port->context, true);
		port->wait_us(port->context, RESET_US);
		port->reset(port->context, false);
		port->wait_us(port->context, RESET_US);
	}
	port->transfer(port->context, &tx, NULL, 1);
	port->wait_us(port->context, RESET_US);
}

static bool interrupt(const struct mcp2515 *chip)
{
	return chip->port->interrupt && chip->port->interrupt(chip->port->context);
}

static void write_one(const struct mcp2515 *chip, unsigned address, unsigned value)
{
	uint8_t byte = (uint8_t)value;
	mcp2515_write(chip, address, &byte, 1);
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
	mcp2515_write(chip, MCP2515_RXM0, mask, sizeof mask);
	mcp2515_write(chip, MCP2515_RXF0, filters, sizeof filters);
	write_one(chip, MCP2515_RXB0CTRL, MCP2515_BUKT);
	write_one(chip, MCP2515_RXB1CTRL, 0);
}

bool mcp2515_set_up(const struct mcp2515 *chip, bool *polled)
{
	uint8_t mode;
	mcp2515_reset(chip);
	mcp2515_read(chip, MCP2515_CANSTAT, &mode, 1);
	if ((mode & MCP2515_MODE) != MCP2515_MODE_CONFIGURATION)
		return false;
	/* CNF3 to CANINTF; the flag, set here, must pull the INT line down, and let it go when it is cleared. */
	static const uint8_t registers[5] = {CNF3, CNF2, CNF1, MCP2515_RX0I | MCP2515_RX1I, MCP2515_RX0I};
	uint8_t read_back[sizeof registers];
	mcp2515_write(chip, MCP2515_CNF3, registers, sizeof registers);
	bool follows = interrupt(chip);
	mcp2515_read(chip, MCP2515_CNF3, read_back, sizeof read_back);
	if (memcmp(registers, read_back, sizeof registers))
		return false;
	write_one(chip, MCP2515_CANINTF, 0);
	*polled = !follows || interrupt(chip);
	pass_all(chip);
	if (chip->port->request_to_send)
		write_one(chip, MCP2515_TXRTSCTRL, MCP2515_TXRTS_PINS);
	for (unsigned buffer = 0; buffer < 3; ++buffer)
		write_one(chip, MCP2515_TXB0CTRL + 0x10 * buffer, MCP2515_TXP);
	write_one(chip, MCP2515_CANCTRL, MCP2515_MODE_NORMAL); /* also: retry until sent, no clock output */
	return true;
}

void mcp2515_sleep(const struct mcp2515 *chip)
{
	mcp2515_modify(chip, MCP2515_CANCTRL, MCP2515_MODE, MCP2515_MODE_SLEEP);
}
