/* Natives of files.ts: files as Moddable has them on littlefs, over the flash folder. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../host.h"
#include "flash.h"

/* mode of a Status, as littlefs tells it */
enum { MODE_MISSING = 0, MODE_FILE = 1, MODE_DIRECTORY = 2 };

static int check(xsMachine *the, int64_t result)
{
	switch (result) {
	case -ENOENT: xsUnknownError("not found"); break;
	case -EEXIST: xsUnknownError("exists"); break;
	case -ENOTDIR: xsUnknownError("not directory"); break;
	case -EISDIR: xsUnknownError("not file"); break;
	case -ENOTEMPTY: xsUnknownError("not empty"); break;
	case -ENOSPC: xsUnknownError("no space"); break;
	case -EINVAL: case -ELOOP: case -ENAMETOOLONG: xsUnknownError("bad path"); break;
	default:
		if (result < 0)
			xsUnknownError("%s", result == -EIO ? "write failed" : strerror((int)-result));
	}
	return (int)result;
}

static uint32_t get_position(xsMachine *the, xsSlot *slot)
{
	double position = fxTypeOf(the, slot) == xsUndefinedType ? 0 : fxToNumber(the, slot);
	if (!(position >= 0 && position <= INT32_MAX))
		xsRangeError("invalid position");
	return (uint32_t)position;
}

static void set_status(xsMachine *the, xsSlot *slot, const struct stat *status)
{
	xsmcVars(1);
	int mode = !status ? MODE_MISSING : S_ISDIR(status->st_mode) ? MODE_DIRECTORY : MODE_FILE;
	xsmcSetInteger(xsVar(0), mode == MODE_FILE ? (xsIntegerValue)status->st_size : 0);
	if (mode != MODE_MISSING)
		xsmcSet(*slot, xsID_size, xsVar(0));
	xsmcSetInteger(xsVar(0), mode);
	xsmcSet(*slot, xsID_mode, xsVar(0));
}

/* ---- file ---- */

static void file_destructor(void *data)
{
	if (!data)
		return;
	flash_file_close(data);
	free(data);
}

static struct flash_file *get_file(xsMachine *the)
{
	struct flash_file *file = xsmcGetHostDataValidate(xsThis, (void *)file_destructor);
	if (!file)
		xsSyntaxError("closed");
	return file;
}

static struct flash_file *get_writable_file(xsMachine *the)
{
	struct flash_file *file = get_file(the);
	if (!file->writable)
		xsUnknownError("read-only");
	return file;
}

/* (path, mode or undefined) */
static void file_constructor(xsMachine *the)
{
	char mode[4] = "r";
	if (xsmcTypeOf(xsArg(1)) != xsUndefinedType)
		xsmcToStringBuffer(xsArg(1), mode, sizeof mode);
	if (strcmp(mode, "r") && strcmp(mode, "r+") && strcmp(mode, "w"))
		xsRangeError("invalid mode");
	const char *path = xsmcToString(xsArg(0));
	struct flash_file *file = calloc(1, sizeof *file);
	if (!file)
		xsRangeError("no memory");
	int result = flash_file_open(file, path, mode);
	if (result < 0) {
		free(file);
		check(the, result);
	}
	xsmcSetHostData(xsThis, file);
}

static void file_close(xsMachine *the)
{
	if (!xsmcGetHostData(xsThis))
		return;
	struct flash_file *file = get_file(the);
	xsmcSetHostData(xsThis, NULL);
	file_destructor(file);
}

/* (count, position) */
static void file_read(xsMachine *the)
{
	struct flash_file *file = get_file(the);
	uint32_t position = get_position(the, &xsArg(1));
	if (!file->readable)
		xsUnknownError("write-only");
	xsUnsignedValue size = get_position(the, &xsArg(0));
	/* resizable, because less may come at the end of the file: the boards do the same */
	void *data = xsmcSetArrayBufferResizable(xsResult, NULL, (xsIntegerValue)size, (xsIntegerValue)size);
	int count = check(the, flash_file_read(file, data, size, position));
	if ((xsUnsignedValue)count != size)
		xsmcSetArrayBufferLength(xsResult, count);
}

/* (buffer, position) */
static void file_write(xsMachine *the)
{
	struct flash_file *file = get_writable_file(the);
	uint32_t position = get_position(the, &xsArg(1));
	void *data;
	xsUnsignedValue size;
	xsmcGetBufferWritable(xsArg(0), &data, &size); /* as on a board, which so rejects bytes that lie in ROM */
	check(the, flash_file_write(file, data, size, position));
}

/* (empty status) */
static void file_status(xsMachine *the)
{
	struct stat status;
	if (fstat(get_file(the)->fd, &status) < 0)
		check(the, -errno);
	set_status(the, &xsArg(0), &status);
	xsResult = xsArg(0);
}

static void file_set_size(xsMachine *the)
{
	struct flash_file *file = get_writable_file(the);
	check(the, flash_file_set_size(file, get_position(the, &xsArg(0))));
}

static void file_flush(xsMachine *the)
{
	check(the, flash_file_flush(get_file(the)));
}

/* ---- directory ---- */

/* (path): false when there is nothing to delete */
static void files_delete(xsMachine *the)
{
	int result = flash_delete(xsmcToString(xsArg(0)));
	if (result != -ENOENT)
		check(the, result);
	xsmcSetBoolean(xsResult, result == 0);
}

/* (from, to) */
static void files_move(xsMachine *the)
{
	xsmcToString(xsArg(0));
	xsmcToString(xsArg(1));   /* may move the first string: both are fetched again below, where nothing allocates */
	check(the, flash_move(xsmcToString(xsArg(0)), xsmcToString(xsArg(1))));
}

/* (path): false when the folder exists */
static void files_create_directory(xsMachine *the)
{
	struct stat status;
	const char *path = xsmcToString(xsArg(0));
	int result = flash_create_directory(path);
	if (result == -EEXIST && flash_status(path, &status) == 0 && S_ISDIR(status.st_mode)) {
		xsmcSetFalse(xsResult);
		return;
	}
	check(the, result);
	xsmcSetTrue(xsResult);
}

/* (path, empty status): mode 0 when there is nothing */
static void files_status(xsMachine *the)
{
	struct stat status;
	int result = flash_status(xsmcToString(xsArg(0)), &status);
	if (result != -ENOENT)
		check(the, result);
	set_status(the, &xsArg(1), result ? NULL : &status);
	xsResult = xsArg(1);
}

/* ---- scan ---- */

struct scan {
	char **names;
	size_t count, next;
};

static void scan_destructor(void *data)
{
	struct scan *scan = data;
	if (!scan)
		return;
	for (size_t i = 0; i < scan->count; i++)
		free(scan->names[i]);
	free(scan->names);
	free(scan);
}

/* (path) */
static void scan_constructor(xsMachine *the)
{
	struct scan *scan = calloc(1, sizeof *scan);
	if (!scan)
		xsRangeError("no memory");
	int result = flash_scan(xsmcToString(xsArg(0)), &scan->names, &scan->count);
	if (result < 0) {
		free(scan);
		check(the, result);
	}
	xsmcSetHostData(xsThis, scan);
}

/* The next name, or undefined after the last. */
static void scan_next(xsMachine *the)
{
	struct scan *scan = xsmcGetHostDataValidate(xsThis, (void *)scan_destructor);
	if (scan && scan->next < scan->count)
		xsmcSetString(xsResult, scan->names[scan->next++]);
}

const struct host_native host_files_natives[] = {
	{ .name = "host_file_destructor", .destructor = file_destructor },
	{ .name = "host_file_constructor", .callback = file_constructor, .length = 2 },
	{ .name = "host_file_close", .callback = file_close },
	{ .name = "host_file_read", .callback = file_read, .length = 2 },
	{ .name = "host_file_write", .callback = file_write, .length = 2 },
	{ .name = "host_file_status", .callback = file_status, .length = 1 },
	{ .name = "host_file_set_size", .callback = file_set_size, .length = 1 },
	{ .name = "host_file_flush", .callback = file_flush },
	{ .name = "host_files_delete", .callback = files_delete, .length = 1 },
	{ .name = "host_files_move", .callback = files_move, .length = 2 },
	{ .name = "host_files_create_directory", .callback = files_create_directory, .length = 1 },
	{ .name = "host_files_status", .callback = files_status, .length = 2 },
	{ .name = "host_scan_destructor", .destructor = scan_destructor },
	{ .name = "host_scan_constructor", .callback = scan_constructor, .length = 1 },
	{ .name = "host_scan_next", .callback = scan_next },
	{ .name = NULL },
};
