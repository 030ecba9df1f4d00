/*
 * A model of the chip's TWAI controllers: the registers that the driver uses, with what reading and writing
 * them does.
 */
#ifndef TWAI_MODEL_H
#define TWAI_MODEL_H

#include "testing.h"
#include "twai.h"

#define MODEL_FIFO_FRAMES 5u /* 64 bytes hold about so many with 8 data bytes */

struct twai_dev {
	/* What a test sets. */
	bool dead;             /* reads as if nothing were there */
	bool hangs;            /* gives no frame up */
	bool endless;          /* a frame that was read is still there */
	void (*on_reset)(void); /* NULL, or called when it enters reset mode */
	/* What it is. */
	bool reset_mode, listen_only, passes_all;
	bool off, recovering;
	uint32_t brp, jump, segment_1, segment_2, warning_limit, tec, rec, enabled;
	uint32_t interrupts;   /* cleared when read */
	bool error_latched;    /* the error code was not read: no further error interrupts */
	bool sending, sent;
	uint8_t out[13];
	uint8_t fifo[MODEL_FIFO_FRAMES + 1][13];
	bool missed[MODEL_FIFO_FRAMES + 1];
	unsigned fifo_count;
	unsigned accesses;     /* of registers, the bytes of buffers not counted */
};

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
