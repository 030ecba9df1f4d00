/*
 * A TWAI controller of the chip itself at 500 kbit/s, through the node API of ESP-IDF 6 (esp_twai.h). What is peculiar about that API,
 * and how this copes with it: README.md "TWAI". Calls come from one task, pinned to the core on which it opened the node;
 * the struct must lie in internal RAM, because the interrupt works on it while flash and PSRAM are out of reach.
 */
#ifndef OPENCOUPLING_TWAI_LINK_H
#define OPENCOUPLING_TWAI_LINK_H

#include "can_link.h"
#include "esp_twai.h"
#include "esp_twai_onchip.h"
#include "freertos/FreeRTOS.h"
#include "freertos/task.h"

#define TWAI_LINK_BITRATE 500000u
#define TWAI_LINK_SAMPLE_PERMILL 800u
#define TWAI_LINK_RING_FRAMES 256u    /* 56 ms of a full bus: longer than one erase step of the flash (20 ms) holds the task up */
#define TWAI_LINK_STATE_US 20000u     /* error counters are looked at this often */
#define TWAI_LINK_SEND_LIMIT_US 50000u /* a frame not sent by then: nobody acknowledges, or the driver hangs (IDF issue 19068) */
#define TWAI_LINK_QUIET_FIRST_US 100000u /* nothing is sent for this long after that, doubled each time ... */
#define TWAI_LINK_QUIET_LAST_US 2000000u /* ... up to this; a frame received ends it */
#define TWAI_LINK_RETRY_US 1000u      /* after a refusal that has no other end */
#define TWAI_LINK_OPEN_US 1000000u    /* from a failure to create or delete the node to the next attempt */

/* 32 bits each, modulo 2^32, never reset. */
struct twai_link_counters {
	uint32_t opened;        /* nodes created, the first one included */
	uint32_t open_failed;
	uint32_t ring_full;     /* frames lost because the task did not come to fetch them */
	uint32_t stalls;        /* frames not sent within TWAI_LINK_SEND_LIMIT_US */
	uint32_t send_failed;   /* frames that the controller gave back unsent */
	uint32_t refused;       /* frames that the driver did not take */
	uint32_t lost_at_bus_off;
	uint32_t errors;        /* calls of on_error: bus errors, and in ESP-IDF 6.0 also lost arbitrations */
};

struct twai_link {
	struct can_link link;
	struct twai_link_counters counters;
	gpio_num_t tx, rx;
	TaskHandle_t task;          /* woken by the interrupt */
	twai_node_handle_t node;    /* NULL: there is none */
	bool closing;               /* the node could not be deleted yet */
	uint64_t check_us;          /* next look at the counters, or next attempt to open */
	bool passive;

	/* The one frame that the driver has. It reads it when it likes: unchanged until finished, or until the node is deleted. */
	twai_frame_t frame;
	uint8_t data[8];
	bool outstanding;
	uint64_t handed_us;
	uint64_t quiet_until_us;
	uint64_t quiet_us;          /* how long the next silence is to be */

	/* Written by the interrupt. */
	volatile bool finished, failed;
	volatile bool off;          /* bus-off */
	volatile uint32_t ring_in;  /* frames ever put in; the interrupt's */
	volatile uint32_t ring_out; /* frames ever taken out; the task's */
	struct gateway_frame ring[TWAI_LINK_RING_FRAMES];
};

/* Opens nothing yet: service(), called from the gateway's task, does. */
void twai_link_init(struct twai_link *link, gpio_num_t tx, gpio_num_t rx, TaskHandle_t task);

#endif
