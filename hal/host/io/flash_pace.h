/*
 * What the flash takes (--flash-pace, --fault flash-blocks). On a C6 everything waits for an erase but
 * interrupts in internal RAM: the script, and the gateway's task; frames pass, as the gateway's thread moves
 * them in place of those. On a T-2CAN the script alone waits.
 */
#ifndef OPENCOUPLING_IO_FLASH_PACE_H
#define OPENCOUPLING_IO_FLASH_PACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * "c6" or "t2can", both with ":ERASE_MS[:WRITE_US]": of a sector and of 64 bytes, 45 ms and 200 us if not
 * told. Returns false if it is neither.
 */
bool flash_pace_set(const char *text);

/* Blocks a C6 from now on. */
void flash_pace_block(uint64_t us);

/*
 * What littlefs does for bytes that are committed: the sectors that they fill, and a pair of its own; each
 * erased and written.
 */
void flash_pace_commit(size_t bytes);

/*
 * Bytes are added to a slot that has `slot_bytes` already: the sectors in which nothing lies yet are erased
 * first.
 */
void flash_pace_append(size_t slot_bytes, size_t bytes);

#endif
