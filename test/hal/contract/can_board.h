/*
 * A board as its two CAN buses see it: what test/hal/contract/can_behaviours.c runs on. The boards of
 * hal/esp32 stand on models of their controllers, the host's gateway in virtual time; a bus does only what a
 * behaviour has it do.
 */
#ifndef CAN_BOARD_H
#define CAN_BOARD_H

#include "testing.h"

#define ALL_THERE GATEWAY_BUSES /* in place of a bus, for begin() */

struct can_board {
	const char *name;
	struct can_board *next;
	/*
	 * Once. Afterwards both buses run, without a plan. missing: the bus whose controller does not answer, or
	 * to which no client is connected.
	 */
	void (*begin)(unsigned missing);
	struct gateway *(*gateway)(void);
	uint64_t (*now_us)(void);
	/*
	 * A frame with the data 1, 2, 3 ... ends on a bus, and the driver does with it what can be done at once.
	 */
	void (*arrive)(unsigned bus, uint32_t id, unsigned dlc);
	/* The bus is free for the time of a frame. Returns whether one has left. */
	bool (*leave)(unsigned bus, struct gateway_frame *frame);
	/* No node acknowledges what is sent on a bus. NULL: nothing leaves anyhow but in leave(). */
	void (*block)(unsigned bus, bool on);
	/* The bus is broken: its controller goes bus-off, and does so again whatever is tried. */
	void (*fail)(unsigned bus, bool on);
	/* The controller counts so many errors that it is error-passive. */
	void (*make_passive)(unsigned bus, bool on);
	/* Time goes on, and the driver does what is due. */
	void (*run)(uint64_t us);
};

/* The boards of this program. */
extern struct can_board *can_boards;

#define CAN_BOARD(variable, title, ...) \
	static struct can_board variable = {.name = title, __VA_ARGS__}; \
	__attribute__((constructor)) static void variable##_register(void) \
	{ \
		variable.next = can_boards; \
		can_boards = &variable; \
	}

#endif
