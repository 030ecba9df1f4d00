/*
 * CAN logs in the format of `candump -L`: reading one for a replay, writing one as a record. Other forms of
 * recordings become this one in tools/replay.
 */
#ifndef OPENCOUPLING_CAN_LOG_H
#define OPENCOUPLING_CAN_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "gateway_core.h"

struct log_entry {
	uint64_t time_us; /* since the first entry */
	struct gateway_frame frame;
	uint8_t bus;
};

/* Frames that wait in memory. */
struct can_log {
	struct log_entry *entries;
	size_t count;
};

/* A log that is read while it is played: a file of any size takes the same memory. */
struct can_log_file {
	FILE *file;
	uint64_t first_us;     /* time stamp of the first entry */
	struct log_entry next; /* the entry that comes next, unless `ended` */
	bool ended;
};

/*
 * Checks a whole log, then stands before its first entry. Interfaces can0, chassis, vcan0 are the chassis
 * bus, can1, coupling, vcan1 the coupling bus. Time stamps must not run backwards. Returns 0, or the
 * program's exit code with one line in `error`.
 */
int can_log_open(struct can_log_file *log, const char *path, char *error, size_t error_size);

/* Goes on to the next entry. */
void can_log_advance(struct can_log_file *log);

void can_log_close(struct can_log_file *log);

void can_log_free(struct can_log *log);

/*
 * Appends one line without its end. Returns what is wrong with it, or NULL. Time stamps of such a log count
 * from 0.
 */
const char *can_log_add(struct can_log *log, const char *line);

/* Writes one frame as a line; time_us is absolute. */
void can_log_write(FILE *file, uint64_t time_us, unsigned bus, const struct gateway_frame *frame);

#endif
