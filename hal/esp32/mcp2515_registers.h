/*
 * Instructions, registers and bits of the MCP2515 that the driver uses. Source: Microchip DS20001801J,
 * sections 11 and 12.
 */
#ifndef OPENCOUPLING_MCP2515_REGISTERS_H
#define OPENCOUPLING_MCP2515_REGISTERS_H

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

/* Of READ STATUS. */
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
