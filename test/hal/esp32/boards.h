/*
 * The gateway of a board: models of its controllers, their drivers, the bridge between them, and the core of
 * testing.h.
 */
#ifndef BOARDS_H
#define BOARDS_H

#include "bridge.h"
#include "chip_models.h"

struct board {
	struct twai twai[GATEWAY_BUSES];
	struct twai_dev devices[GATEWAY_BUSES];
	struct mcp2515 chip;
	struct mcp2515_port port;
	struct bridge bridge;
	unsigned idled; /* times that the bridge idled the PWM */
};

extern struct board board;

/*
 * The T-2CAN: the chassis on a TWAI controller, the coupling on an MCP2515; and the C6: both on TWAI
 * controllers. None is started.
 */
void t2can_power_on(void);
void c6_power_on(void);

/* Whether the gateway's lock is taken. */
bool board_is_locked(void);

/* A turn of the task, which must take the lock once. Returns when it wants the next one. */
uint64_t board_turn(void);

/* Turns at the times that the task asks for, and once more because of a frame on its way, until then. */
void board_run_until(uint64_t then_us);

/* The interrupt, as long as a TWAI controller calls for it. Returns whether the task was woken. */
bool board_interrupt_alone(void);
/* The same, then the task if it was woken. */
void board_interrupt(void);

#endif
