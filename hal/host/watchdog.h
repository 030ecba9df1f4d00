/* Starts the program anew when nothing moves the gateway any more, as a board does. */
#ifndef OPENCOUPLING_WATCHDOG_H
#define OPENCOUPLING_WATCHDOG_H

/* Looks at the gateway's heartbeat from now on. Idempotent. */
void watchdog_start(void);

#endif
