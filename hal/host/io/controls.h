/* The board's own controls, as standard input presses them. */
#ifndef OPENCOUPLING_HOST_CONTROLS_H
#define OPENCOUPLING_HOST_CONTROLS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Takes "button mode|external down|up" or "input brake|handbrake on|off" or "inputs lost|back". Returns false
 * if `line` is none of these.
 */
bool controls_do(const char *line);
/*
 * Does each line that has come on `fd`; complains of one that is none of them. Returns false if the other end
 * is closed.
 */
bool controls_read_lines(int fd);

#endif
