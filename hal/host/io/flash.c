/* The flash folder (see flash.h). */
#define _GNU_SOURCE
#include "flash.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../clock.h"
#include "../faults.h"
#include "../gateway_host.h"
#include "../loop.h"
#include "../options.h"

#define NAME_LIMIT 255            /* bytes; LFS_NAME_MAX of the boards */
#define FOLDER_MODE 0755
#define FILE_MODE 0644

#define SECTOR_BYTES 4096u    /* erased in one operation, which takes erase_ms */
#define METADATA_SECTORS 2u
#define WRITE_BYTES 64u       /* programmed in one operation, which takes write_us */
/* Pause before the next operation, in which whatever is due runs: about one frame of a full bus (222 us). */
#define BETWEEN_US 200u


unsigned flash_operations, flash_writes, flash_calls;

static int root_fd = -1;
#define UNLIMITED (-2)
static int64_t capacity_bytes = UNLIMITED;
static struct flash_file *open_files;

/* ---- what the flash takes: hal/esp32/README.md "While flash is written" ---- */

static unsigned erase_ms, write_us;
static bool tasks_go_on;

bool flash_pace_set(const char *text)
{
	size_t length = strcspn(text, ":");
	int end = 0;
	tasks_go_on = length == 5 && !strncmp(text, "t2can", 5);
	if (!tasks_go_on && !(length == 2 && !strncmp(text, "c6", 2)))
		return false;
	erase_ms = 45;
	write_us = 200;
	if (!text[length])
		return true;
	bool two = sscanf(text + length, ":%4u:%5u%n", &erase_ms, &write_us, &end) == 2;
	if (!two)
		end = sscanf(text + length, ":%4u%n", &erase_ms, &end) == 1 ? end : 0;
	return end && !text[length + (size_t)end];
}

static void wait_us(uint64_t us)
{
	if (host_clock_is_virtual()) {
		if (gateway_host_knows_frames())
			gateway_host_replay_until(host_clock_us() + us);
		else
			loop_stall_until(host_clock_us() + us);
		return;
	}
	struct timespec time = {(time_t)(us / 1000000), (long)(us % 1000000) * 1000};
	while (nanosleep(&time, &time) < 0)
		;
}

void flash_pace_block(uint64_t us)
{
	gateway_host_block(host_clock_us() + us);
	wait_us(us);
}

/* One operation. */
static void take(uint64_t us)
{
	if (us == 0)
		return;
	if (tasks_go_on)
		wait_us(us);
	else
		flash_pace_block(us);
	wait_us(BETWEEN_US);
}

static size_t sectors_of(size_t bytes)
{
	return (bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
}

static void erase(size_t sectors)
{
	for (size_t i = 0; i < sectors; ++i)
		take(erase_ms * 1000u);
}

static void program(size_t bytes)
{
	take((bytes + WRITE_BYTES - 1) / WRITE_BYTES * write_us);
}

/*
 * What littlefs does for bytes that are committed: the sectors that they fill, and a pair of its own; each
 * erased and written.
 */
static void pace_commit(size_t bytes)
{
	erase(sectors_of(bytes) + METADATA_SECTORS);
	program(bytes + METADATA_SECTORS * WRITE_BYTES);
}

void flash_pace_append(size_t slot_bytes, size_t bytes)
{
	erase(sectors_of(slot_bytes + bytes) - sectors_of(slot_bytes));
	program(bytes);
}

/* ---- paths ---- */

static bool is_good_name(const char *name, size_t length)
{
	return length > 0 && length <= NAME_LIMIT && !(length == 1 && name[0] == '.') && !(length == 2 && name[0] == '.' && name[1] == '.');
}

/*
 * Opens the folder that holds `path` and copies its last name to `leaf` ("." for the root itself).
 * Every step is taken with O_NOFOLLOW: a symbolic link on the way is an error, wherever it points to.
 */
static int open_parent(const char *path, char leaf[NAME_LIMIT + 1])
{
	flash_calls++;
	int fd = openat(root_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	strcpy(leaf, ".");
	while (*path) {
		size_t length = strcspn(path, "/");
		if (!is_good_name(path, length)) {
			close(fd);
			return -EINVAL;
		}
		memcpy(leaf, path, length);
		leaf[length] = 0;
		path += length;
		if (*path == '/')
			path++;
		if (!*path)
			break;
		int next = openat(fd, leaf, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		int problem = errno;
		close(fd);
		if (next < 0)
			return -problem;
		fd = next;
	}
	return fd;
}

/* Bytes of all files under a folder but those in its folder `omitted`; takes the descriptor over. */
static int64_t used_bytes(int fd, const char *omitted)
{
	DIR *folder = fdopendir(fd);
	int64_t total = 0;
	struct dirent *entry;
	if (!folder)
		return 0;
	while ((entry = readdir(folder))) {
		struct stat status;
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") || !strcmp(entry->d_name, omitted) ||
			fstatat(dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		if (S_ISREG(status.st_mode))
			total += status.st_size;
		else if (S_ISDIR(status.st_mode)) {
			int inner = openat(dirfd(folder), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
			if (inner >= 0)
				total += used_bytes(inner, "");
		}
	}
	closedir(folder);
	return total;
}

static int64_t used_now(void)
{
	return used_bytes(openat(root_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), FLASH_PARTITIONS);
}

static bool make_folders(const char *path)
{
	char part[PATH_MAX];
	if (snprintf(part, sizeof part, "%s", path) >= (int)sizeof part) {
		errno = ENAMETOOLONG;
		return false;
	}
	for (char *slash = part + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = 0;
		mkdir(part, FOLDER_MODE);
		*slash = '/';
	}
	return mkdir(part, FOLDER_MODE) == 0 || errno == EEXIST;
}

bool flash_open(const char *path)
{
	if (!make_folders(path))
		return false;
	root_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (root_fd < 0 || faccessat(root_fd, ".", R_OK | W_OK | X_OK, 0) < 0)
		return false;
	if (capacity_bytes == FLASH_FULL_NOW)
		capacity_bytes = used_now();
	return true;
}

void flash_limit(int64_t bytes)
{
	capacity_bytes = bytes == FLASH_FULL_NOW && root_fd >= 0 ? used_now() : bytes;
}

void flash_close(void)
{
	close(root_fd);
}

/* ---- faults ---- */

/*
 * Keeps what the flash would hold of a file if the power went now: littlefs commits at flush and close, all
 * or nothing.
 */
static void commit(struct flash_file *file)
{
	struct stat status;
	if (file->dirty && !file->raw)
		pace_commit(file->dirty_bytes);
	file->dirty = false;
	file->dirty_bytes = 0;
	if (!fault_power_cut || fstat(file->fd, &status) < 0)
		return;
	free(file->committed);
	file->committed_size = (size_t)status.st_size;
	file->committed = malloc(file->committed_size + 1);
	if (!file->committed || pread(file->fd, file->committed, file->committed_size, 0) != status.st_size)
		abort();
}

/* Counts an operation that is complete; the power may go right after it. */
static void count_operation(void)
{
	if (++flash_operations != fault_power_cut)
		return;
	for (struct flash_file *file = open_files; file; file = file->next)
		if (file->dirty && (ftruncate(file->fd, 0) < 0 || pwrite(file->fd, file->committed, file->committed_size, 0) < 0))
			abort();
	fflush(stdout);
	fprintf(stderr, "opencoupling: power cut after storage operation %u\n", flash_operations);
	_exit(EXIT_POWER_CUT);
}

static bool has_space(struct flash_file *file, uint64_t new_size)
{
	struct stat status;
	if (file->raw || capacity_bytes < 0 || fstat(file->fd, &status) < 0 || new_size <= (uint64_t)status.st_size)
		return true;
	return used_now() + (int64_t)(new_size - (uint64_t)status.st_size) <= capacity_bytes;
}

/* ---- files ---- */

int flash_file_open(struct flash_file *file, const char *path, const char *mode)
{
	char leaf[NAME_LIMIT + 1];
	struct stat status;
	bool creates = mode[0] == 'w';
	file->readable = mode[0] == 'r' || mode[1] == '+';
	file->writable = creates || mode[1] == '+';
	int folder = open_parent(path, leaf);
	if (folder < 0)
		return folder;
	bool existed = fstatat(folder, leaf, &status, AT_SYMLINK_NOFOLLOW) == 0;
	/* always readable, for commit(); O_NONBLOCK: a FIFO in the folder must not hang us */
	int flags = (file->writable ? O_RDWR : O_RDONLY) | (creates ? O_CREAT : 0) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	file->fd = existed && !S_ISREG(status.st_mode) ? -1 : openat(folder, leaf, flags, FILE_MODE);
	int problem = existed && !S_ISREG(status.st_mode) ? EISDIR : errno;
	close(folder);
	if (file->fd < 0)
		return -problem;
	if (!file->writable)
		return 0;
	commit(file);
	file->next = open_files;
	open_files = file;
	if (creates) {
		if (existed && status.st_size > 0) {
			file->dirty = true;
			if (ftruncate(file->fd, 0) < 0) {
				problem = errno;
				flash_file_close(file);
				return -problem;
			}
		}
		count_operation();
	}
	return 0;
}

void flash_file_close(struct flash_file *file)
{
	struct flash_file **link = &open_files;
	if (file->dirty) {
		commit(file);
		count_operation();
	}
	while (*link && *link != file)
		link = &(*link)->next;
	if (*link)
		*link = file->next;
	free(file->committed);
	file->committed = NULL;
	close(file->fd);
}

int64_t flash_file_read(struct flash_file *file, void *data, size_t size, uint32_t position)
{
	flash_calls++;
	ssize_t count = pread(file->fd, data, size, position);
	return count < 0 ? -errno : count;
}

int flash_file_write(struct flash_file *file, const void *data, size_t size, uint32_t position)
{
	flash_calls++;
	flash_writes++;
	if (flash_writes == fault_write_fails)
		return -EIO;
	if (!has_space(file, (uint64_t)position + size))
		return -ENOSPC;
	bool torn = flash_writes == fault_write_torn;
	size_t wanted = torn ? size / 2 : size;
	file->dirty = true;
	file->dirty_bytes += wanted;
	ssize_t count = pwrite(file->fd, data, wanted, position);
	if (count < 0)
		return -errno;
	count_operation();
	return torn || (size_t)count < wanted ? -EIO : 0;
}

int flash_file_set_size(struct flash_file *file, uint32_t size)
{
	if (!has_space(file, size))
		return -ENOSPC;
	file->dirty = true;
	if (ftruncate(file->fd, size) < 0)
		return -errno;
	count_operation();
	return 0;
}

/* The kernel keeps what the program wrote, however the program ends: nothing to wait for. */
int flash_file_flush(struct flash_file *file)
{
	if (file->writable)
		commit(file);
	count_operation();
	return 0;
}

/* ---- names ---- */

int flash_delete(const char *path)
{
	char leaf[NAME_LIMIT + 1];
	int folder = open_parent(path, leaf);
	if (folder < 0)
		return folder;
	int result = unlinkat(folder, leaf, 0);
	if (result < 0 && errno == EISDIR)
		result = unlinkat(folder, leaf, AT_REMOVEDIR);
	result = result < 0 ? -errno : 0;
	close(folder);
	if (!result) {
		pace_commit(0);
		count_operation();
	}
	return result;
}

int flash_move(const char *from, const char *to)
{
	char from_leaf[NAME_LIMIT + 1], to_leaf[NAME_LIMIT + 1];
	int from_folder = open_parent(from, from_leaf);
	if (from_folder < 0)
		return from_folder;
	int to_folder = open_parent(to, to_leaf);
	int result = to_folder < 0 ? to_folder : renameat(from_folder, from_leaf, to_folder, to_leaf) < 0 ? -errno : 0;
	close(from_folder);
	if (to_folder >= 0)
		close(to_folder);
	if (!result) {
		pace_commit(0);
		count_operation();
	}
	return result;
}

int flash_create_directory(const char *path)
{
	char leaf[NAME_LIMIT + 1];
	int folder = open_parent(path, leaf);
	if (folder < 0)
		return folder;
	int result = mkdirat(folder, leaf, FOLDER_MODE) < 0 ? -errno : 0;
	close(folder);
	if (!result) {
		pace_commit(0);
		count_operation();
	}
	return result;
}

int flash_status(const char *path, struct stat *status)
{
	char leaf[NAME_LIMIT + 1];
	int folder = open_parent(path, leaf);
	if (folder < 0)
		return folder;
	int result = fstatat(folder, leaf, status, AT_SYMLINK_NOFOLLOW) < 0 ? -errno : 0;
	close(folder);
	return result;
}

static int is_entry(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
}

int flash_scan(const char *path, char ***names, size_t *count)
{
	char leaf[NAME_LIMIT + 1];
	struct dirent **entries;
	int parent = open_parent(path, leaf);
	if (parent < 0)
		return parent;
	int folder = openat(parent, leaf, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int total = folder < 0 ? -errno : scandirat(folder, ".", &entries, is_entry, alphasort);
	close(parent);
	if (folder >= 0)
		close(folder);
	if (total < 0)
		return folder < 0 ? total : -EIO;
	*names = calloc((size_t)total + 1, sizeof **names);
	*count = (size_t)total;
	for (int i = 0; i < total; i++) {
		if (*names)
			(*names)[i] = strdup(entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return *names ? 0 : -ENOMEM;
}
