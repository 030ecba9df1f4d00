/*
 * The two update slots and the boot record, as files in `partitions/` of the flash folder, with the behaviour
 * of ESP-IDF's app_update and of its bootloader with rollback. An image is stored and checked, its version is
 * reported; its code is not what runs.
 */
#ifndef OPENCOUPLING_IO_PARTITIONS_H
#define OPENCOUPLING_IO_PARTITIONS_H

#include <stdbool.h>

/*
 * What the bootloader does at each start: chooses a slot; one that was started and never confirmed is
 * dropped. After flash_open().
 */
void partitions_boot(void);

/* The engine ended the program: the next start knows, as a board does from its reset registers. */
void partitions_note_crash(void);
/* The program before this one ended so. */
bool partitions_crashed(void);

#endif
