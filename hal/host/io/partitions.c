/*
 * The update slots (see flash.h), and the natives of update.ts and of the firmware in hal/io/board.ts:
 * Moddable's Update, and what ESP-IDF knows of the running firmware. Functions return 0 or a negative errno.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "../faults.h"
#include "../host.h"
#include "../options.h"
#include "flash.h"
#include "sha256_core.h"

#define PARTITION_BYTES 3932160 /* a slot of the reference board */
#define PARTITION_VERSION_BYTES 33
#define BOOT_PATH FLASH_PARTITIONS "/otadata"
#define CRASH_PATH FLASH_PARTITIONS "/crashed"
#define SLOTS 2               /* as on the boards: hal/esp32/README.md "Flash" */

/* Offsets in an application image: esp_image_header_t, one esp_image_segment_header_t, esp_app_desc_t. */
#define MAGIC 0xe9
#define HASH_APPENDED_AT 23
#define VERSION_AT 48
#define IMAGE_BYTES_MIN 336   /* headers, description, checksum, digest */
#define FLIPPED_AT 300        /* --fault update-image-corrupted: in the first segment, after the description */

/* esp_ota_img_states_t */
enum state { NEW = 0, PENDING_VERIFY = 1, VALID = 2, INVALID = 3, ABORTED = 4 };

/* The slot with the highest number that is neither INVALID nor ABORTED is started. */
struct slot {
	uint32_t sequence;
	uint32_t state;
};

static struct slot slots[SLOTS];
static int running;
static struct flash_file target;
static bool target_open;
static uint32_t target_size;
static struct sha256 verified;    /* of the first `verified_size` bytes in the slot */
static uint32_t verified_size;
static bool crashed;

static const char *slot_path(int slot)
{
	return slot ? FLASH_PARTITIONS "/ota_1" : FLASH_PARTITIONS "/ota_0";
}

/* ---- boot record ---- */

static int store(void)
{
	struct flash_file file = { .raw = true };
	flash_create_directory(FLASH_PARTITIONS);
	int result = flash_file_open(&file, BOOT_PATH ".new", "w");
	if (result < 0)
		return result;
	flash_pace_append(0, sizeof slots);
	result = flash_file_write(&file, slots, sizeof slots, 0);
	flash_file_close(&file);
	return result < 0 ? result : flash_move(BOOT_PATH ".new", BOOT_PATH);
}

static void load(void)
{
	struct flash_file file = { .raw = true };
	static const struct slot delivered[SLOTS] = { { 1, VALID }, { 0, INVALID } };
	bool loaded = false;
	if (flash_file_open(&file, BOOT_PATH, "r") == 0) {
		loaded = flash_file_read(&file, slots, sizeof slots, 0) == sizeof slots;
		flash_file_close(&file);
	}
	if (!loaded)
		memcpy(slots, delivered, sizeof slots);
}

static int choose(void)
{
	int best = -1;
	for (int i = 0; i < SLOTS; i++)
		if (slots[i].state <= VALID && (best < 0 || slots[i].sequence > slots[best].sequence))
			best = i;
	return best < 0 ? 0 : best;
}

void partitions_note_crash(void)
{
	struct flash_file file = { .raw = true };
	flash_create_directory(FLASH_PARTITIONS);
	if (flash_file_open(&file, CRASH_PATH, "w") == 0)
		flash_file_close(&file);
}

bool partitions_crashed(void)
{
	return crashed;
}

void partitions_boot(void)
{
	crashed = flash_delete(CRASH_PATH) == 0;
	load();
	running = choose();
	struct slot *slot = &slots[running];
	if (slot->state == PENDING_VERIFY) {
		slot->state = ABORTED;
		running = choose();
		printf("bootloader: the new firmware was not confirmed, back to the old one\n");
		store();
	}
	else if (slot->state == NEW) {
		slot->state = PENDING_VERIFY;
		store();
	}
}

static bool is_pending(void)
{
	return slots[running].state == PENDING_VERIFY;
}

static bool is_rolled_back(void)
{
	return slots[!running].state == ABORTED;
}

static int confirm_running(void)
{
	uint32_t before = slots[running].state;
	if (before == VALID)
		return 0;
	slots[running].state = VALID;
	int result = store();
	if (result < 0)
		slots[running].state = before;
	return result;
}

/* ---- images ---- */

static bool read_slot(int slot, void *into, size_t size, uint32_t position)
{
	struct flash_file file = { .raw = true };
	if (flash_file_open(&file, slot_path(slot), "r") < 0)
		return false;
	bool complete = flash_file_read(&file, into, size, position) == (int64_t)size;
	flash_file_close(&file);
	return complete;
}

static void read_version(char version[PARTITION_VERSION_BYTES])
{
	memset(version, 0, PARTITION_VERSION_BYTES);
	if (!read_slot(running, version, PARTITION_VERSION_BYTES - 1, VERSION_AT))
		version[0] = 0;
}

/*
 * What lies in the slot, not what was meant to be written: read back and digested up to `end` bytes. Done
 * with each write, so that the end of an image takes no longer than any other piece of it.
 */
static bool verify_up_to(uint32_t end)
{
	uint8_t piece[4096];
	while (verified_size < end) {
		size_t wanted = end - verified_size < sizeof piece ? end - verified_size : sizeof piece;
		if (flash_file_read(&target, piece, wanted, verified_size) != (int64_t)wanted)
			return false;
		sha256_add(&verified, piece, wanted);
		verified_size += (uint32_t)wanted;
	}
	return true;
}

/* As esp_ota_end(): head and digest of what lies in the slot. */
static bool is_whole(void)
{
	uint8_t head[HASH_APPENDED_AT + 1], stored[SHA256_BYTES], digest[SHA256_BYTES];
	if (target_size < IMAGE_BYTES_MIN || !verify_up_to(target_size - SHA256_BYTES))
		return false;
	sha256_end(&verified, digest);
	return flash_file_read(&target, head, sizeof head, 0) == sizeof head && head[0] == MAGIC && head[HASH_APPENDED_AT] == 1 &&
		flash_file_read(&target, stored, SHA256_BYTES, target_size - SHA256_BYTES) == SHA256_BYTES &&
		!memcmp(stored, digest, SHA256_BYTES);
}

static int begin_writing(void)
{
	int other = !running;
	if (target_open || is_pending())
		return -EBUSY;
	if (slots[other].sequence > 0) {
		slots[other] = (struct slot){ 0, INVALID };
		int result = store();
		if (result < 0)
			return result;
	}
	flash_create_directory(FLASH_PARTITIONS);
	target = (struct flash_file){ .raw = true };
	target_size = verified_size = 0;
	sha256_begin(&verified);
	int result = flash_file_open(&target, slot_path(other), "w");
	target_open = result == 0;
	return result;
}

static int append(const void *data, size_t size)
{
	if (!target_open || size > PARTITION_BYTES - target_size)
		return -ENOSPC;
	flash_pace_append(target_size, size);
	int result = flash_file_write(&target, data, size, target_size);
	bool flips = fault_update_image_corrupted && target_size <= FLIPPED_AT && FLIPPED_AT - target_size < size;
	if (result == 0 && flips) {
		uint8_t flipped = ((const uint8_t *)data)[FLIPPED_AT - target_size] ^ 1;
		result = flash_file_write(&target, &flipped, 1, FLIPPED_AT);
	}
	target_size += (uint32_t)size;
	/* the last bytes so far may be the image's digest, which is no part of what it covers */
	if (result == 0 && target_size > SHA256_BYTES && !verify_up_to(target_size - SHA256_BYTES))
		result = -EIO;
	return result;
}

static void abort_writing(void)
{
	if (target_open)
		flash_file_close(&target);
	target_open = false;
}

static int end_writing(void)
{
	int other = !running;
	if (!target_open)
		return -EINVAL;
	bool whole = is_whole();
	abort_writing();
	if (!whole)
		return -EBADMSG;
	struct slot before = slots[other];
	slots[other] = (struct slot){ slots[running].sequence + 1, NEW };
	int result = store();
	if (result < 0)
		slots[other] = before;
	return result;
}

/* ---- natives ---- */

/* There is one writer at a time; its address stands for it. */
static int writer;

static void update_destructor(void *data)
{
	if (data)
		abort_writing();
}

static void check_writer(xsMachine *the)
{
	if (!xsmcGetHostDataValidate(xsThis, (void *)update_destructor))
		xsUnknownError("already complete");
}

static void update_constructor(xsMachine *the)
{
	if (begin_writing() < 0)
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
	if (append(data, size) < 0)
		xsUnknownError("write failed");
}

static void update_complete(xsMachine *the)
{
	check_writer(the);
	xsmcSetHostData(xsThis, NULL);
	int result = end_writing();
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
	read_version(version);
	xsmcSetString(xsResult, version);
}

static void firmware_pending(xsMachine *the)
{
	xsmcSetBoolean(xsResult, is_pending());
}

static void firmware_rolled_back(xsMachine *the)
{
	xsmcSetBoolean(xsResult, is_rolled_back());
}

static void firmware_confirm(xsMachine *the)
{
	if (confirm_running() < 0)
		xsUnknownError("confirm failed");
}

static void firmware_slot_bytes(xsMachine *the)
{
	xsmcSetInteger(xsResult, PARTITION_BYTES);
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
	{ .name = "xs_hal_restart", .callback = firmware_restart },
	{ .name = NULL },
};
