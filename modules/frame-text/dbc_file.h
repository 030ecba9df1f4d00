/*
 * The signal catalogue as a DBC file, so that other tools read recordings with names: the frames of a
 * network, those that the catalogue does not have, and the modes by their numbers. Three signals are left
 * out: two lie on bits of others, for which strict readers reject the whole file, and one stands for one
 * value of 16 of a selector, for which they reject the frame.
 */
#ifndef OPENCOUPLING_DBC_FILE_H
#define OPENCOUPLING_DBC_FILE_H

#include <stddef.h>

#include "signal_catalogue.h"

/* No line is longer; the test looks at all of them. */
#define DBC_LINE_BYTES 240u

struct dbc_file {
	enum network network;
	unsigned report_bytes; /* of the frame in which the coupling reports: strict readers want those that it sends. 0 = 8 */
	bool own;           /* the frames that the catalogue does not have */
	unsigned frame;
	const char *signal; /* text of the next signal of the frame, NULL: go to the next frame */
	unsigned stage;
};

/*
 * All 0 but the network and the bytes of the report at first. Writes whole lines, as many as fit before
 * `end`. Returns where it stopped: `at` if there is less space than DBC_LINE_BYTES for the next one, or
 * nothing is left.
 */
char *dbc_file_write(struct dbc_file *file, char *at, const char *end);

/* Everything has been written. */
bool dbc_file_is_complete(const struct dbc_file *file);

#endif
