/* What io/board.c has for other files. */
#ifndef OPENCOUPLING_IO_BOARD_H
#define OPENCOUPLING_IO_BOARD_H

#include <stdbool.h>
#include <stdio.h>

/* ---- PWM pins ---- */

/* What the host's PWM pins do: for the report, and for the gateway's thread, which idles one of them. */

/*
 * Prints [{"pin":4,"hz":1000,"resolution":10,"duty":512,"idled":0}, ...], no line end; pins that were closed
 * stay listed with duty 0.
 */
void pwm_report(FILE *out);

/* Names the pin that pwm_idle() idles, and the duty it then gets. */
void pwm_guard(int pin, int idle_duty);

/* Gives the guarded pin its idle duty, if it is in use. Called by the gateway's thread. */
void pwm_idle(void);

/* ---- controls ---- */

/* The board's own controls, as standard input presses them. */

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
