/*
 * Driver of an MCP2515 CAN controller at 500 kbit/s behind a small SPI port; portable C. How it works, and
 * why so: README.md "MCP2515". Not thread safe: one task owns the chip.
 */
#ifndef OPENCOUPLING_MCP2515_H
#define OPENCOUPLING_MCP2515_H

#include <stddef.h>

#include "bridge.h"

#define MCP2515_CRYSTAL_HZ 16000000u /* of the T-2CAN: docs/control-and-can.md 6.1, BRING-UP.md */
#define MCP2515_BIT_US 2u         /* at 500 kbit/s */
/*
 * Period of reading error flags and mode: 0.1 % of the task's time. docs/control-and-can.md 4.6 demands 100
 * ms.
 */
#define MCP2515_HEALTH_US 20000u
#define MCP2515_ALERT_US 1000u    /* ... after the chip saw errors: a bus-off lasts 128 * 11 bits, 2.8 ms, before the chip ends it by itself */
/*
 * ... until it saw none for this long, the shortest back-off (bus_recovery.h). It takes 2.5 % of the task's
 * time.
 */
#define MCP2515_CALM_US 100000u
#define MCP2515_ABORT_US 5000u    /* dropping takes at most one frame; longer means that the chip does not answer */
#define MCP2515_RETRY_US 60u      /* looks at whether the send buffers are free, after the earliest possible time */
#define MCP2515_POLL_US 90u       /* looks for received frames while no edge of INT can tell of them: the shortest frame takes 94 us */
/*
 * From a failed self-test to the next one: the first back-off of a bus-off, never longer, because a chip
 * without supply does not disturb the bus.
 */
#define MCP2515_START_US 100000u

/* How the chip is reached. None of these fails, and each is over when it returns; on the chip's task only. */
struct mcp2515_port {
	/*
	 * One transaction: chip select low, length bytes (1 to 16) both ways, chip select high. rx NULL: what
	 * comes in is not wanted.
	 */
	void (*transfer)(void *context, const uint8_t *tx, uint8_t *rx, size_t length);
	/* Whether the INT line is low. */
	bool (*interrupt)(void *context);
	/* Drives the reset line. */
	void (*reset)(void *context, bool active);
	void (*wait_us)(void *context, uint32_t us); /* at least; busy waiting will do */
	void *context;
};

enum mcp2515_phase {
	MCP2515_FAILED,  /* self-test failed; repeated */
	MCP2515_SILENT,  /* reset after bus-off, waits for recover() */
	MCP2515_JOINING, /* waits for a moment of silence on the bus */
	MCP2515_RUNNING,
};

/* 32 bits each, modulo 2^32, never reset. */
struct mcp2515_counters {
	uint32_t starts;          /* resets followed by a self-test, the first one included */
	uint32_t self_test_failed;
	uint32_t mode_lost;       /* the chip was found in another mode than it was put in: it reset itself */
	uint32_t overruns;        /* times that received frames were found lost for lack of a buffer, at least one each */
	uint32_t garbled;         /* frames read that cannot be: SPI is disturbed */
	uint32_t timed_out;        /* frames that could not be sent within GATEWAY_SEND_LIMIT_US */
	uint32_t lost_at_bus_off; /* frames handed over, but not known to be sent, when the bus went off or the chip was restarted */
};

struct mcp2515 {
	struct can_link link;
	const struct mcp2515_port *port;
	struct mcp2515_counters counters;
	uint8_t phase;            /* enum mcp2515_phase */
	bool polled;              /* INT does not follow the chip: status is asked for instead */
	bool was_off;             /* since bus-off, until it runs again */
	bool passive;             /* error warning or passive */
	bool aborting;
	/* Receiving, README "Order". */
	bool unsure;              /* buffer 0 was read, so what is in buffer 1 may be older than what is in buffer 0 */
	/*
	 * Sending, README "Order". A slot is a buffer at one priority: buffers 2, 1, 0 at the highest priority,
	 * then at the next, in the order in which the chip sends them.
	 */
	uint8_t slots_left;       /* unused slots of that order: all of them again once nothing is pending */
	uint8_t priority[3];      /* that a buffer has */
	uint8_t pending;          /* bits: used, and not known to be sent */
	uint64_t handed_us[3];    /* when a buffer was used */
	uint64_t sent_us[3];      /* earliest time at which it can be sent */
	uint64_t busy_until_us;   /* earliest time at which all can be sent */
	uint64_t abort_until_us;
	uint64_t check_us;        /* next look at error flags, or next self-test */
	uint64_t calm_us;         /* until then looked at more often */
};

/*
 * The port stays in use. Call the link's service() afterwards, as at all times that it asks for: it starts
 * the chip.
 */
void mcp2515_init(struct mcp2515 *chip, const struct mcp2515_port *port);

/* The chip sleeps until it is reset, whatever happens on its bus. The link is not to be used any more. */
void mcp2515_sleep(const struct mcp2515 *chip);

/* ---- registers ---- */

/*
 * Instructions, registers and bits of the MCP2515 that the driver uses. Source: Microchip DS20001801J,
 * sections 11 and 12.
 */

enum mcp2515_instruction {
	MCP2515_WRITE = 0x02,
	MCP2515_READ = 0x03,
	MCP2515_BIT_MODIFY = 0x05,
	MCP2515_LOAD_TX = 0x40,     /* | 2 * buffer: from its SIDH on */
	MCP2515_RTS = 0x80,         /* | 1 << buffer */
	MCP2515_READ_RX = 0x90,     /* | 4 * buffer: from its SIDH on; clears its flag at the end */
	MCP2515_READ_STATUS = 0xA0,
	MCP2515_RESET = 0xC0,
};

/* Bits of the answer to READ STATUS. */
enum { MCP2515_STATUS_RX0 = 0x01, MCP2515_STATUS_RX1 = 0x02, MCP2515_STATUS_TXREQ0 = 0x04 /* << 2 * buffer */ };

enum mcp2515_register {
	MCP2515_RXF0 = 0x00,        /* filters 0 and 1 are those of buffer 0, four bytes each */
	MCP2515_RXM0 = 0x20,        /* mask of buffer 0 */
	MCP2515_CNF3 = 0x28,        /* CNF2, CNF1, CANINTE, CANINTF, EFLG, CANSTAT, CANCTRL follow */
	MCP2515_CANINTF = 0x2C,
	MCP2515_EFLG = 0x2D,
	MCP2515_CANSTAT = 0x2E,
	MCP2515_CANCTRL = 0x2F,
	MCP2515_TXB0CTRL = 0x30,    /* the other buffers' 16 behind; bits 1 and 0 are the priority; SIDH and the rest of a buffer follow */
	MCP2515_RXB0CTRL = 0x60,
	MCP2515_RXB1CTRL = 0x70,
};

enum { MCP2515_RX0I = 0x01, MCP2515_RX1I = 0x02, MCP2515_ERRI = 0x20 }; /* CANINTE, CANINTF */
enum {                                                       /* EFLG */
	MCP2515_EWARN = 0x01, MCP2515_RXWAR = 0x02, MCP2515_TXWAR = 0x04, MCP2515_RXEP = 0x08, MCP2515_TXEP = 0x10, MCP2515_TXBO = 0x20,
	MCP2515_RX0OVR = 0x40, MCP2515_RX1OVR = 0x80,
};
enum { MCP2515_MODE = 0xE0, MCP2515_MODE_NORMAL = 0x00, MCP2515_MODE_SLEEP = 0x20, MCP2515_MODE_CONFIGURATION = 0x80 }; /* CANSTAT, CANCTRL */
enum { MCP2515_ABAT = 0x10 };                                /* CANCTRL: abort all pending transmissions */
enum { MCP2515_TXP = 0x03 };                                 /* TXBnCTRL: priority, 3 is sent first */
enum { MCP2515_BUKT = 0x04 };                                /* RXB0CTRL: a frame that finds it full goes to buffer 1 */
enum { MCP2515_EXIDE = 0x08, MCP2515_SRR = 0x10 };           /* SIDL: 29-bit identifier; received 11-bit remote frame */
enum { MCP2515_RTR = 0x40 };                                 /* DLC: remote frame (received: a 29-bit one) */

#endif
