/* What the host's PWM pins do, for the report. */
#ifndef OPENCOUPLING_IO_PWM_H
#define OPENCOUPLING_IO_PWM_H

#include <stdio.h>

/* Prints [{"pin":4,"hz":1000,"resolution":10,"duty":512}, ...], no line end; pins that were closed stay listed with duty 0. */
void pwm_report(FILE *out);

#endif
