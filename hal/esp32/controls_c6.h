/* The pins of the OpenHaldex-C6 board's own controls. */
#ifndef OPENCOUPLING_CONTROLS_C6_H
#define OPENCOUPLING_CONTROLS_C6_H

#include "controls.h"

/*
 * Begins to look at them, at the first call. Returns the one that there is; what can't be opened leaves it
 * without a reading, and dark.
 */
struct controls *controls_c6(void);

/* ms of the clock that controls.h means, modulo 2^32. From any task. */
uint32_t controls_c6_now_ms(void);

#endif
