/* Natives of update.ts and firmware.ts: Moddable's Update, and what ESP-IDF knows of the running firmware. */
#include <errno.h>

#include "../host.h"
#include "../options.h"
#include "partitions.h"

/* There is one writer at a time; its address stands for it. */
static int writer;

static void update_destructor(void *data)
{
	if (data)
		partitions_abort();
}

static void check_writer(xsMachine *the)
{
	if (!xsmcGetHostDataValidate(xsThis, (void *)update_destructor))
		xsUnknownError("already complete");
}

static void update_constructor(xsMachine *the)
{
	if (partitions_begin() < 0)
		xsUnknownError("begin failed");
	xsmcSetHostData(xsThis, &writer);
}

/* (buffer) */
static void update_write(xsMachine *the)
{
	void *data;
	xsUnsignedValue size;
	check_writer(the);
	xsmcGetBufferReadable(xsArg(0), &data, &size);
	if (partitions_write(data, size) < 0)
		xsUnknownError("write failed");
}

static void update_complete(xsMachine *the)
{
	check_writer(the);
	xsmcSetHostData(xsThis, NULL);
	int result = partitions_end();
	if (result < 0)
		xsUnknownError("%s", result == -EBADMSG ? "end failed" : "can't change boot partition");
}

static void update_close(xsMachine *the)
{
	update_destructor(xsmcGetHostData(xsThis));
	xsmcSetHostData(xsThis, NULL);
}

static void firmware_version(xsMachine *the)
{
	char version[PARTITION_VERSION_BYTES];
	partitions_version(version);
	xsmcSetString(xsResult, version);
}

static void firmware_pending(xsMachine *the)
{
	xsmcSetBoolean(xsResult, partitions_pending());
}

static void firmware_rolled_back(xsMachine *the)
{
	xsmcSetBoolean(xsResult, partitions_rolled_back());
}

static void firmware_confirm(xsMachine *the)
{
	if (partitions_confirm() < 0)
		xsUnknownError("confirm failed");
}

static void firmware_slot_bytes(xsMachine *the)
{
	xsmcSetInteger(xsResult, PARTITION_BYTES);
}

static void reset_reason(xsMachine *the)
{
	const char *reason = host_options.restarted ? host_options.restarted : partitions_crashed() ? "crash" : "power on";
	xsmcSetString(xsResult, (char *)reason);
}

static void firmware_restart(xsMachine *the)
{
	host_exit(the, EXIT_RESTART);
}

const struct host_native host_update_natives[] = {
	{ .name = "host_update_destructor", .destructor = update_destructor },
	{ .name = "host_update_constructor", .callback = update_constructor },
	{ .name = "host_update_write", .callback = update_write, .length = 1 },
	{ .name = "host_update_complete", .callback = update_complete },
	{ .name = "host_update_close", .callback = update_close },
	{ .name = "xs_hal_firmware_version", .callback = firmware_version },
	{ .name = "xs_hal_firmware_pending", .callback = firmware_pending },
	{ .name = "xs_hal_firmware_rolled_back", .callback = firmware_rolled_back },
	{ .name = "xs_hal_firmware_confirm", .callback = firmware_confirm },
	{ .name = "xs_hal_firmware_slot_bytes", .callback = firmware_slot_bytes },
	{ .name = "xs_hal_reset_reason", .callback = reset_reason },
	{ .name = "xs_hal_restart", .callback = firmware_restart },
};
const size_t host_update_natives_count = HOST_COUNT(host_update_natives);
