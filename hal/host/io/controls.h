/* The board's own controls, as standard input presses them. */
#ifndef OPENCOUPLING_HOST_CONTROLS_H
#define OPENCOUPLING_HOST_CONTROLS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Executes "button mode|external down|up", "input brake|handbrake on|off" or "inputs lost|back". Returns false
 * for any other `line`.
 */
bool controls_do(const char *line);
/*
 * Executes each line that was received on `fd` and prints an error for an unknown one. Returns false if the
 * other end is closed.
 */
bool controls_read_lines(int fd);

#endif
