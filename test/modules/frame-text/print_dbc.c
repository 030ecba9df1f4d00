/*
 * A DBC file on standard output: print_dbc NETWORK ROOM [BYTES]. ROOM is what each piece gets, BYTES what the
 * coupling's report has.
 */
#include <stdio.h>
#include <stdlib.h>

#include "dbc_file.h"

int main(int count, char **words)
{
	if (count < 3)
		return 1;
	struct dbc_file file = {.network = (enum network)atoi(words[1])};
	if (count > 3)
		file.report_bytes = (unsigned)atoi(words[3]);
	size_t room = (size_t)atoi(words[2]);
	while (!dbc_file_is_complete(&file)) {
		char *text = malloc(room);
		size_t length = (size_t)(dbc_file_write(&file, text, text + room) - text);
		if (length == 0 && !dbc_file_is_complete(&file))
			return 2;
		fwrite(text, 1, length, stdout);
		free(text);
	}
	return 0;
}
