/*
 * The TWAI node API of ESP-IDF 6.0 as it behaves, with its peculiarities (README.md "TWAI" in hal/esp32): a frame is read when it is sent,
 * not when it is handed over; nothing flushes the queue; bus-off sends no completion; stopped and bus-off are one state; with no one to
 * acknowledge a frame stays for ever; disable() keeps frames; overruns are silent. It fails the test when the driver does what crashes or
 * is forbidden on the board.
 */
#ifndef TWAI_FAKE_H
#define TWAI_FAKE_H

#include "testing.h"
#include "twai_link.h"

struct twai_fake {
	bool exists, enabled, recovering;
	twai_onchip_node_config_t config;
	twai_event_callbacks_t callbacks;
	void *context;
	const twai_frame_t *in_hardware; /* the frame being sent */
	twai_error_state_t state;        /* BUS_OFF while stopped */
	uint16_t tx_errors, rx_errors;
	bool in_interrupt;
	struct gateway_frame incoming;
	unsigned incoming_dlc;
	bool incoming_ready;
	unsigned created, deleted, recoveries, in_critical;
	bool off_at_critical; /* bus-off just before the critical section */
	int fail_register, fail_info, fail_create, fail_enable, fail_transmit, fail_delete, fail_recover; /* times to fail */
	unsigned wakes;
};
extern struct twai_fake fake;

void fake_start(void);
void fake_receive(uint32_t id, unsigned raw_dlc);
/* on_rx_done without a frame that can be had. */
void fake_receive_nothing(void);
/* The frame in hardware is sent, or, in single shot, given back. Returns its identifier, 0 if there is none. */
uint32_t fake_send(bool success);
void fake_bus_off(void);
void fake_recovered(void); /* 128 times 11 recessive bits have passed */
void fake_error(void);
void fake_state(twai_error_state_t state);

#endif
