/* Models of the CAN controllers, at the level of their registers. Time is the test's. */
#ifndef CHIP_MODELS_H
#define CHIP_MODELS_H

#include "mcp2515.h"
#include "testing.h"
#include "twai.h"

/* ---- MCP2515 ---- */

/*
 * An MCP2515 on a bus, at the level of its registers and SPI instructions, from Microchip DS20001801J. It
 * counts transactions and bytes, and fails the test when the driver does what the data sheet forbids. Time is
 * the test's: nothing happens on the bus but what a test does.
 */

struct model {
	uint8_t registers[128];
	bool dead;                /* answers 0xFF */
	bool stuck_low;           /* answers 0 */
	bool misled;              /* said so of buffers that are pending: no driver can know better, and the chip takes nothing for them */
	bool dominant;            /* the bus: no joining */
	bool reset_held;
	unsigned resets;
	uint8_t noise_code, noise_at, noise; /* turns these bits over in each answer to this instruction */
	uint32_t transactions, bytes, by_instruction[256];
	void (*during)(void);     /* called once, at the end of the next READ RX BUFFER: what happens on the bus meanwhile */
};

extern struct model model;

/* Power on. */
struct mcp2515_port model_start(void);

/* A frame on the bus ends: the chip takes it in as far as its buffers are free. */
void model_receive(uint32_t id, const char *data);
void model_receive_raw(uint32_t id, unsigned dlc_field, const uint8_t data[8]);

/* A frame of another node on the bus ends in an error: the chip has seen its first bytes. */
void model_receive_broken(uint32_t id);

/* The bus is free: the chip sends the buffer that its rules choose. Returns false if there was none. */
bool model_send(struct gateway_frame *frame);

void model_errors(unsigned tec, unsigned rec); /* error counters; sets EFLG and ERRIF as they say */
void model_bus_off(void);
void model_reset_itself(void);                 /* as by a dip of the supply */

void model_count_from_here(void);

/* ---- TWAI ---- */

/*
 * A model of the chip's TWAI controllers: the registers that the driver uses (hal/twai_ll.h), with what
 * reading and writing them does.
 */

/* As after the chip's reset. */
void twai_model_start(struct twai_dev *device);

/* Whether it calls for its interrupt. */
bool twai_model_calls(const struct twai_dev *device);

/* A frame with `dlc` bytes 1, 2, 3 ... arrives. */
void twai_model_receive(struct twai_dev *device, uint32_t id, unsigned dlc);

/* The frame that is being sent leaves; false if there is none. frame NULL: it does not matter which. */
bool twai_model_send(struct twai_dev *device, struct gateway_frame *frame);

/* An error frame: what is being sent is tried again. */
void twai_model_error(struct twai_dev *device);

void twai_model_bus_off(struct twai_dev *device);
/* 128 times 11 recessive bits have passed; nothing unless recovery was started. */
void twai_model_recovered(struct twai_dev *device);

#endif
