/*
 * The two update slots and the boot record, as files in `partitions/` of the flash folder, with the behaviour
 * of ESP-IDF's app_update and of its bootloader with rollback. An image is stored and checked, its version is
 * reported; its code is not what runs. Functions return 0 or a negative errno.
 */
#ifndef OPENCOUPLING_IO_PARTITIONS_H
#define OPENCOUPLING_IO_PARTITIONS_H

#include <stdbool.h>
#include <stddef.h>

/* Size of a slot: the reference board's. */
#define PARTITION_BYTES 3932160
#define PARTITION_VERSION_BYTES 33

/*
 * What the bootloader does at each start: chooses a slot; one that was started and never confirmed is
 * dropped. After flash_open().
 */
void partitions_boot(void);

/* The running slot was started for the first time and is not confirmed yet. */
bool partitions_pending(void);
int partitions_confirm(void);
/* The other slot was dropped: it was started and not confirmed. */
bool partitions_rolled_back(void);

/* The version in the running slot's image; "" if the slot is as it was delivered. */
void partitions_version(char version[PARTITION_VERSION_BYTES]);

/* The engine ended the program: the next start knows, as a board does from its reset registers. */
void partitions_note_crash(void);
/* The program before this one ended so. */
bool partitions_crashed(void);

/* Empties the other slot. There is nothing to go back to from here on until it is bootable again. */
int partitions_begin(void);
int partitions_write(const void *data, size_t size);
/* Checks what the slot holds and has it started next. Either way the writing is over. */
int partitions_end(void);
/* Idempotent. */
void partitions_abort(void);

#endif
