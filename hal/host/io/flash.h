/*
 * The folder that stands for the flash memory. Paths are relative, checked, and never leave it, not through
 * symbolic links either. Storage faults happen here. All functions return 0 (or what they say) or a negative
 * errno.
 */
#ifndef OPENCOUPLING_IO_FLASH_H
#define OPENCOUPLING_IO_FLASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* Counted since start: operations that change the flash (what power-cut counts), and writes among them. */
extern unsigned flash_operations, flash_writes;
/* Operations of all kinds: what is opened, read, written, moved, deleted or looked at. */
extern unsigned flash_calls;

/* Creates the folder when missing. Returns false with errno set. */
bool flash_open(const char *path);
void flash_close(void);

/*
 * Capacity in bytes, none at first. FLASH_FULL_NOW: nothing beyond what is stored now, or when it is opened.
 */
#define FLASH_FULL_NOW (-1)
void flash_limit(int64_t bytes);

/*
 * The folder in it that stands for partitions beside the file system (partitions.c): it takes no space of
 * that.
 */
#define FLASH_PARTITIONS "partitions"

struct flash_file {
	int fd;
	bool readable, writable;
	bool raw;                     /* no part of the file system: set before it is opened */
	bool dirty;                   /* changed since opened or flushed */
	size_t dirty_bytes;           /* written since then */
	struct flash_file *next;      /* all open files */
	char *committed;              /* what a power cut leaves; kept only with --fault power-cut */
	size_t committed_size;
};

/*
 * `mode` is "r", "r+" or "w". Fills a zeroed record, which must stay where it is until
 * flash_file_close().
 */
int flash_file_open(struct flash_file *file, const char *path, const char *mode);
void flash_file_close(struct flash_file *file);
/* Returns the number of bytes read, less than `size` at the end of the file. */
int64_t flash_file_read(struct flash_file *file, void *data, size_t size, uint32_t position);
int flash_file_write(struct flash_file *file, const void *data, size_t size, uint32_t position);
int flash_file_set_size(struct flash_file *file, uint32_t size);
int flash_file_flush(struct flash_file *file);

int flash_delete(const char *path);
int flash_move(const char *from, const char *to);
int flash_create_directory(const char *path);
int flash_status(const char *path, struct stat *status);
/*
 * Sets *names to a malloc'ed array of malloc'ed names, sorted, so that a run does not depend on the
 * computer's file system.
 */
int flash_scan(const char *path, char ***names, size_t *count);

/*
 * What the flash takes (--flash-pace, --fault flash-blocks). On a C6 everything waits for an erase but
 * interrupts in internal RAM: the script, and the gateway's task; frames pass, as the gateway's thread moves
 * them in place of those. On a T-2CAN the script alone waits.
 *
 * "c6" or "t2can", both with ":ERASE_MS[:WRITE_US]": of a sector and of 64 bytes, 45 ms and 200 us if not
 * told. Returns false if it is neither.
 */
bool flash_pace_set(const char *text);

/* Blocks a C6 from now on. */
void flash_pace_block(uint64_t us);

/*
 * Bytes are added to a slot that has `slot_bytes` already: the sectors in which nothing lies yet are erased
 * first.
 */
void flash_pace_append(size_t slot_bytes, size_t bytes);

/* ---- partitions.c ---- */

/*
 * The two update slots and the boot record, as files in `partitions/` of the flash folder, with the behaviour
 * of ESP-IDF's app_update and of its bootloader with rollback. An image is stored and checked, its version is
 * reported; its code is not what runs.
 */

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
