/* The --fault switches: one for each thing that can go wrong. */
#ifndef OPENCOUPLING_FAULTS_H
#define OPENCOUPLING_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "xs.h"

/*
 * Takes "NAME" or "NAME=ARGUMENT"; times and counts are those since now. Returns false with a phrase in
 * `problem` when there is no such fault or it is used wrongly.
 */
bool faults_add(const char *text, char *problem, size_t size);

/* One line per fault. */
void faults_help(FILE *out);

/* Queues the timers of the faults that happen at a time. */
void faults_start(void);
/* Starts the faults whose AT is "usr2". */
void faults_on_signal(void);

/* Storage faults, 0: none. Counted in write or storage operations from 1. */
extern uint32_t fault_write_fails, fault_write_torn, fault_power_cut;

extern bool fault_update_image_corrupted;

/* How many times no listener can be opened. */
extern uint32_t fault_listener_fails;

/* No Wi-Fi network is in reach. */
extern bool fault_wifi_lost;

/* No fault, but as sudden as one: the BOOT key is held down. */
extern bool fault_boot_key;

#endif
