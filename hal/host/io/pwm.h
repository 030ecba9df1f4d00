/* What the host's PWM pins do: for the report, and for the gateway's thread, which idles one of them. */
#ifndef OPENCOUPLING_IO_PWM_H
#define OPENCOUPLING_IO_PWM_H

#include <stdio.h>

/*
 * Prints [{"pin":4,"hz":1000,"resolution":10,"duty":512,"idled":0}, ...], no line end; pins that were closed
 * stay listed with duty 0.
 */
void pwm_report(FILE *out);

/* Names the pin that pwm_idle() idles, and the duty it then gets. */
void pwm_guard(int pin, int idle_duty);

/* Gives the guarded pin its idle duty, if it is in use. Called by the gateway's thread. */
void pwm_idle(void);

#endif
