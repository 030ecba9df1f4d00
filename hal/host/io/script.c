/* The globals trace (always) and print, readFile, exit (--run scripts only). */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../host.h"

void host_script_trace(xsMachine *the)
{
	int count = xsmcArgc;
	for (int i = 0; i < count; i++)
		fputs(xsmcToString(xsArg(i)), stdout);
	fflush(stdout);
}

void host_script_print(xsMachine *the)
{
	puts(xsmcToString(xsArg(0)));
	fflush(stdout);
}

void host_script_read_file(xsMachine *the)
{
	FILE *file = fopen(xsmcToString(xsArg(0)), "rb");
	long size;
	if (!file)
		xsUnknownError("%s", strerror(errno));
	fseek(file, 0, SEEK_END);
	size = ftell(file);
	if (size < 0 || size > INT32_MAX) {
		fclose(file);
		xsUnknownError("no regular file");
	}
	rewind(file);
	/* A full heap leaves the file open: the program ends then anyway. */
	void *data = xsmcSetArrayBuffer(xsResult, NULL, (xsIntegerValue)size);
	size_t count = fread(data, 1, (size_t)size, file);
	fclose(file);
	if (count != (size_t)size)
		xsUnknownError("file is shorter than it says");
}

void host_script_exit(xsMachine *the)
{
	fflush(stdout);
	host_exit(the, xsmcArgc ? xsmcToInteger(xsArg(0)) : 0);
}
